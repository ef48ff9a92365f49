package homedir

import (
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
)

func TestDefault(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	t.Setenv("USERPROFILE", user) // of Windows
	t.Setenv(Variable, "")
	if got, err := Default(); err != nil || got != filepath.Join(user, ".strata") {
		t.Errorf("in the user's directory: %q, %v", got, err)
	}
	t.Setenv(Variable, "elsewhere")
	if got, err := Default(); err != nil || got != "elsewhere" {
		t.Errorf("as the variable says: %q, %v", got, err)
	}
}

func TestDefault_WithoutAHomeDirectory(t *testing.T) {
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	t.Setenv(Variable, "")
	if got, err := Default(); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("got %q, %v", got, err)
	}
}
