package snapshot

import (
	"bytes"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

// The limit on a line is checked with a small one: what counts is that it is
// met exactly, and that a line of any length is not read into memory first.
func TestLedgerLineLimit(t *testing.T) {
	meta := `{"format":"strata-ledger","version":1,"session":"s","scope":"global","kind":"main","started_at":"2026-03-14T12:00:00Z","turns":0}`
	for _, tt := range []struct {
		name    string
		in      string
		longest int
		code    strata.Code
	}{
		{"as long as allowed", meta + "\n", len(meta), ""},
		{"one byte longer", meta + "\n", len(meta) - 1, strata.CodeTooLarge},
		{"longer and cut off", meta, len(meta) - 1, strata.CodeTooLarge},
		{"as long as allowed and cut off", meta, len(meta), strata.CodeCorrupt},
		{"longer than the buffer", strings.Repeat("x", 1<<20) + "\n", 1 << 19, strata.CodeTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := newLedgerReader(strings.NewReader(tt.in), tt.longest); strata.CodeOf(err) != tt.code {
				t.Errorf("error %v, want code %q", err, tt.code)
			}
		})
	}
	r := bytes.NewReader(make([]byte, 1<<22))
	if _, err := newLedgerReader(r, 1<<10); strata.CodeOf(err) != strata.CodeTooLarge || r.Len() < 1<<22-1<<17 {
		t.Errorf("error %v after %d bytes", err, 1<<22-r.Len())
	}
}
