package checkpoint

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
)

// fakeHistory is a history that fails with err, and else holds one file.
type fakeHistory struct {
	files.History
	err     error
	content string
	subject string
}

func (h *fakeHistory) Commit(_ context.Context, _ strata.Scope, m files.Message, _ func(string, []byte) error) (files.Commit, error) {
	h.subject = m.Subject
	return files.Commit{ID: "c1"}, h.err
}

func (h *fakeHistory) Log(context.Context, strata.Scope, int, bool) (files.Log, error) {
	return files.Log{}, h.err
}

func (h *fakeHistory) Holding(_ context.Context, _ strata.Scope, match func(string, []byte) bool) ([]files.Commit, error) {
	if match("", []byte(h.content)) {
		return []files.Commit{{ID: "c0"}}, h.err
	}
	return nil, h.err
}

func (h *fakeHistory) Purge(_ context.Context, _ strata.Scope, blank func(string, []byte) ([]byte, bool)) (int, error) {
	out, changed := blank("AGENTS.md", []byte(h.content))
	if !changed {
		return 0, h.err
	}
	h.content = string(out)
	return 1, h.err
}

func newRecorder(t *testing.T, h *fakeHistory) *Recorder {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return New(h, st, time.Now, slog.New(slog.DiscardHandler))
}

func TestWhatCannotBeRecordedIsAProblemUntilItIs(t *testing.T) {
	h := &fakeHistory{err: errors.New("the disk is full")}
	r := newRecorder(t, h)
	scopes := []strata.Scope{strata.Global()}
	if failed := r.CommitAll(t.Context(), scopes, files.Message{Subject: SubjectClose}); len(failed) != 1 {
		t.Errorf("failed: %v", failed)
	}
	if p := r.Problems(t.Context(), filestest.NewMemory(), scopes); len(p) != 1 || !strings.Contains(p[0].Detail, "the disk is full") {
		t.Errorf("problems: %+v", p)
	}
	h.err = nil
	if _, err := r.Commit(t.Context(), strata.Global(), "  before\nthe merge ", ""); err != nil || h.subject != "checkpoint: before the merge" {
		t.Errorf("%q, %v", h.subject, err)
	}
	if p := r.Problems(t.Context(), filestest.NewMemory(), scopes); len(p) != 0 {
		t.Errorf("problems: %+v", p)
	}
}

func TestForgottenTextIsNamedAndPurged(t *testing.T) {
	h := &fakeHistory{content: "# Notes\n\nThe key is under the mat.\nTea is at five.\n"}
	r := newRecorder(t, h)
	texts := []string{"the KEY is  under the mat."}
	got, remaining, err := r.Forget(t.Context(), strata.Global(), texts, false, false)
	if err != nil || len(got.Commits) != 1 || len(remaining) != 1 || !strings.Contains(remaining[0], "c0") {
		t.Errorf("%+v, %q", got, remaining)
	}
	got, remaining, err = r.Forget(t.Context(), strata.Global(), texts, true, false)
	if err != nil || got.Rewritten != 1 || len(got.Commits) != 0 || len(remaining) != 0 {
		t.Errorf("%+v, %q", got, remaining)
	}
	if want := "# Notes\n\n" + strata.ForgottenText + "\nTea is at five.\n"; h.content != want {
		t.Errorf("%q", h.content)
	}
}

// Of other scopes commits are named once, and a history that cannot be looked through.
func TestForgottenTextIsNamedInOtherScopes(t *testing.T) {
	h := &fakeHistory{content: "The key is under the mat.\n"}
	r := newRecorder(t, h)
	other, agent := strata.InWorkspace("other"), strata.ForAgentIn("other", "ada")
	for _, s := range []strata.Scope{strata.Global(), other, agent} {
		e := strata.Event{Kind: strata.EventForgotten, Scope: s, Ref: "fact_1", At: time.Now()}
		if err := r.store.Update(t.Context(), func(w store.Writer) error { return w.AppendEvent(t.Context(), e) }); err != nil {
			t.Fatal(err)
		}
	}
	look := func(scope strata.Scope, within ...strata.Scope) ([]string, error) {
		return r.Elsewhere(t.Context(), filestest.NewMemory(), scope, []string{"the key is under the mat."}, within)
	}
	if names, err := look(strata.Global()); err != nil || len(names) != 1 || !strings.HasPrefix(names[0], "commit c0 in the history of workspace/other") {
		t.Errorf("%q, %v", names, err)
	}
	if names, err := look(agent); err != nil || len(names) != 1 || names[0] != "commit c0 in the history of global" {
		t.Errorf("from the agent's own: %q, %v", names, err)
	}
	if names, err := look(strata.Global(), strata.Global()); err != nil || len(names) != 0 {
		t.Errorf("out of what may be looked through: %q, %v", names, err)
	}
	h.content, h.err = "", errors.New("the disk is gone")
	if names, err := look(strata.Global()); err == nil || len(names) != 1 || !strings.Contains(names[0], ", perhaps") {
		t.Errorf("not looked through: %q, %v", names, err)
	}
}

func TestASecretIsKeptOutOfTheHistory(t *testing.T) {
	secret := "password = \"hunter2hunter2\"\ntoken ghp_" + strings.Repeat("a1B2", 9) + "\n"
	if err := refuseSecrets("AGENTS.md", []byte(secret)); strata.CodeOf(err) != strata.CodeRejectedSecret {
		t.Errorf("%v", err)
	}
	if err := refuseSecrets("AGENTS.md", []byte("Build with make.\n")); err != nil {
		t.Error(err)
	}
}
