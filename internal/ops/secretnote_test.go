package ops_test

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
)

// Whoever deletes a note with a secret in it says that the secret may be lost.
func TestNoteDeleteLosesASecretOnlyWhenToldTo(t *testing.T) {
	env := newEnv(t)
	_, err := env.Engine.Write(t.Context(), strata.Candidate{Scope: strata.Global(), Path: "notes/user_keys.md", Origin: strata.OriginFile,
		Content: "---\nname: Keys\ndescription: keys\ntype: user\n---\n\nThe key is AKIAZ3MSJV4WWNKWJ5QX.\n"})
	if err != nil {
		t.Fatal(err)
	}
	would, err := run(env, "note_delete", `{"name": "Keys", "dry_run": true}`)
	if err != nil || !strings.Contains(strings.Join(would.(ops.Noted).Notes, " "), "cannot be undone") {
		t.Errorf("a dry run says %+v, %v", would, err)
	}
	if _, err := run(env, "note_delete", `{"name": "Keys"}`); strata.CodeOf(err) != strata.CodeRejectedSecret {
		t.Errorf("%v", err)
	}
	if _, err := run(env, "note_show", `{"name": "Keys"}`); err != nil {
		t.Errorf("it is gone: %v", err)
	}
	did, err := run(env, "note_delete", `{"name": "Keys", "lose_secret": true}`)
	if err != nil || did.(ops.Noted).Decision != strata.OpDelete {
		t.Errorf("%+v, %v", did, err)
	}
}
