package projection

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The error of a home whose ten thousand scopes fail can be read.
func TestErrorsOfManyScopesAreFew(t *testing.T) {
	full := errors.New("the disk is full")
	var errs []error
	for i := range 10_000 {
		errs = append(errs, fmt.Errorf("scope %d: %w", i, full))
	}
	err := joinFew(errs)
	if !errors.Is(err, full) || len(err.Error()) > 400 || !strings.Contains(err.Error(), "and 9992 more scopes") {
		t.Errorf("%.500s", err)
	}
	if err := joinFew(errs[:2]); strings.Contains(err.Error(), "more") {
		t.Errorf("of two: %v", err)
	}
	if err := joinFew(nil); err != nil {
		t.Errorf("of none: %v", err)
	}
}
