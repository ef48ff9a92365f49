package ops

import (
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// A checkpoint of several directories is told by the first that has something new, and by
// why the first was passed over where none has.
func TestACheckpointTellsOfTheFirstDirectory(t *testing.T) {
	commit := files.Commit{ID: "0123456789abcdef", Subject: "Notes"}
	unchanged, locked := files.Commit{Skipped: "nothing changed"}, files.Commit{Skipped: "another process records"}
	for _, tt := range []struct {
		name        string
		commits     []files.Commit
		oid, reason string
	}{
		{"one with a commit", []files.Commit{commit}, "0123456", ""},
		{"then one passed over", []files.Commit{commit, unchanged}, "0123456", ""},
		{"after one passed over", []files.Commit{unchanged, commit}, "0123456", ""},
		{"two commits", []files.Commit{commit, {ID: "fedcba9876543210", Subject: "More"}}, "0123456", ""},
		{"none", []files.Commit{locked, unchanged}, "", "another process records"},
	} {
		c := Checkpoint{Skipped: true}
		for _, commit := range tt.commits {
			c.add(strata.Global(), commit)
		}
		if c.OID != tt.oid || c.Reason != tt.reason || c.Skipped != (tt.oid == "") || len(c.Commits) != len(tt.commits) {
			t.Errorf("%s: %+v, want oid %q and reason %q", tt.name, c, tt.oid, tt.reason)
		}
	}
}
