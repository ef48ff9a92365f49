package engine_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
)

func TestSyncTakesInWhatWasDoneByHand(t *testing.T) {
	e, tree := withTree(t)
	if r := syncNow(t, e); r.Added+r.Updated+r.Deleted != 0 || r.Scopes != 1 {
		t.Errorf("an empty directory: %+v", r)
	}
	byHand(t, tree, project, deploys, noteText("Deploys", "We deploy on Mondays."))
	byHand(t, tree, project, "guide.md", "# Guide\n\nRead the wiki.\n")
	if r := syncNow(t, e); r.Added != 2 || len(r.Changes) != 2 || r.Changes[0].Decision == "" {
		t.Errorf("two new files: %+v", r)
	}
	if r := syncNow(t, e); len(r.Changes) != 0 {
		t.Errorf("nothing was done: %+v", r)
	}
	byHand(t, tree, project, deploys, noteText("Deploys", "We deploy on Fridays."))
	if r := syncNow(t, e); r.Updated != 1 {
		t.Errorf("an edit: %+v", r)
	}
	if !finds(t, e, project, "deploy on Fridays", deploys) || stored(t, e, project, deploys).Generation != 2 {
		t.Error("the edit is not found")
	}
	list := history(t, e, project, deploys)
	if got := opsOf(list); got != "add update" {
		t.Fatalf("decisions: %s", got)
	}
	for _, d := range list {
		if d.Origin != strata.OriginFile || d.AppliedAt == nil {
			t.Errorf("%s is of %s, applied %v", d.Op, d.Origin, d.AppliedAt)
		}
	}
	if _, err := e.Revert(context.Background(), project.View(), list[1].ID, engine.RevertOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := settled(t, e, tree, project)[deploys]; got != noteText("Deploys", "We deploy on Mondays.") {
		t.Errorf("the file is %q", got)
	}
	if r := syncNow(t, e); len(r.Changes) != 0 {
		t.Errorf("what was reverted is taken for a hand edit: %+v", r)
	}
	healthy(t, e)
}

func TestSyncNeverTakesGeneratedLinesForHandEdits(t *testing.T) {
	e, tree := withTree(t)
	for i := range 3 {
		write(t, e, strata.Candidate{Scope: project, Content: fmt.Sprintf("Parcel %d went to shelf %d", i, 7*i)})
		write(t, e, strata.Candidate{Scope: project, Path: fmt.Sprintf("notes/project_n%d.md", i), Content: noteText(fmt.Sprint("N", i), "text")})
		settled(t, e, tree, project)
		if r := syncNow(t, e); len(r.Changes) != 0 {
			t.Errorf("round %d: %+v", i, r.Changes)
		}
	}
	index := tree.Files(project)[strata.IndexPath]
	if !strings.Contains(index, "notes/project_n2.md") {
		t.Fatalf("the index is %q", index)
	}
	if d := stored(t, e, project, strata.IndexPath); d == nil || d.Hash != files.Hash([]byte(index)) {
		t.Errorf("memory has %+v of the index", d)
	}
	byHand(t, tree, project, strata.IndexPath, index+"\nA line of a person.\n")
	if r := syncNow(t, e); len(r.Changes) != 1 {
		t.Errorf("a hand edit of the index: %+v", r)
	}
}

func TestSyncOfSeveralProcessesMakesOneDecision(t *testing.T) {
	tree, db := filestest.NewMemory(), filepath.Join(t.TempDir(), "strata.db")
	var engines []*engine.Engine
	for range 4 {
		engines = append(engines, openAt(t, db, inTree(tree)))
	}
	for round := range 5 {
		for i := range 20 {
			byHand(t, tree, project, fmt.Sprintf("notes/project_n%02d.md", i), noteText("N", fmt.Sprintf("round %d of %d", round, i)))
		}
		var wg sync.WaitGroup
		for _, e := range engines {
			wg.Go(func() {
				if _, err := e.Sync(context.Background(), project.View()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for i := range 20 {
			list := history(t, engines[0], project, fmt.Sprintf("notes/project_n%02d.md", i))
			if len(list) != round+1 {
				t.Fatalf("%d decisions after %d edits", len(list), round+1)
			}
		}
	}
}

func TestSyncDoesNotTakeAMissingDirectoryForDeletions(t *testing.T) {
	e, tree := withTree(t)
	for i := range 3 {
		write(t, e, strata.Candidate{Scope: project, Path: fmt.Sprintf("notes/project_n%d.md", i), Content: noteText("N", "text")})
	}
	settled(t, e, tree, project)
	before := tree.Files(project)
	for path := range before {
		if err := tree.Delete(project, path); err != nil {
			t.Fatal(err)
		}
	}
	if r := syncNow(t, e); r.Deleted != 0 || len(r.Away) != 1 || r.Away[0].Reason == "" {
		t.Errorf("%+v", r)
	}
	if stored(t, e, project, "notes/project_n0.md") == nil {
		t.Error("a note was taken for deleted")
	}
	tree.Away(project, true)
	if r := syncNow(t, e); r.Deleted != 0 {
		t.Errorf("away: %+v", r)
	}
	tree.Away(project, false)
	tree.Fault(func(op string, _ strata.Scope, _ string) error {
		if op == "scan" {
			return &strata.Error{Code: strata.CodeUnavailable, Message: "not mounted"}
		}
		return nil
	})
	if r := syncNow(t, e); len(r.Away) != 1 || r.Away[0].Reason != "not mounted" {
		t.Errorf("not mounted: %+v", r)
	}
}

func TestSyncPassesOverFilesThatAreToFollow(t *testing.T) {
	e, tree := withTree(t)
	full := errors.New("no room")
	tree.Fault(func(op string, _ strata.Scope, path string) error {
		if op == "write" {
			return full
		}
		return nil
	})
	write(t, e, projectNote(noteText("Deploys", "one")))
	if r := syncNow(t, e); len(r.Changes) != 0 {
		t.Errorf("a file that was never written is %+v", r.Changes)
	}
	tree.Fault(nil)
	if got := settled(t, e, tree, project)[deploys]; got != noteText("Deploys", "one") {
		t.Errorf("the file is %q", got)
	}
}

func TestHandEditsWithFaultsAreTakenInAndSearchable(t *testing.T) {
	e, tree := withTree(t)
	const secret = "AKIAZ3MSJV4WWNKWJ5QX"
	for path, content := range map[string]string{
		"notes/project_broken.md": "---\nname: [unclosed\ntype: project\n---\n\nThe broken note speaks of zebras.\n",
		"notes/project_keys.md":   "---\nname: Keys\nflavor: sweet\n---\n\nThe note with a strange key speaks of lions.\n",
		"notes/project_secret.md": noteText("Secret", "Line of giraffes.\n\nThe key is "+secret+"\n\nMore on giraffes."),
		"notes/no type.md":        "This one speaks of pandas.\n",
		"notes/project_empty.md":  "",
		"_system_notes.md":        "# Hand made\n\nNobody is refused by hand.\n",
	} {
		byHand(t, tree, project, path, content)
	}
	if r := syncNow(t, e); r.Added != 6 {
		t.Fatalf("%+v", r)
	}
	for path, word := range map[string]string{
		"notes/project_broken.md": "zebras", "notes/project_keys.md": "lions", "notes/project_secret.md": "giraffes", "notes/no type.md": "pandas",
	} {
		if !finds(t, e, project, word, path) {
			t.Errorf("%s is not found", path)
		}
	}
	for _, path := range []string{"notes/project_broken.md", "notes/project_keys.md"} {
		if d := stored(t, e, project, path); !strings.Contains(d.Problem, "line") {
			t.Errorf("%s has problem %q", path, d.Problem)
		}
	}
	d := stored(t, e, project, "notes/project_secret.md")
	if len(d.Redacted) == 0 || strings.Contains(d.Content, secret) || strings.Count(d.Content, "\n") != strings.Count(tree.Files(project)[d.Path], "\n") {
		t.Errorf("the note with a secret is %+v", d)
	}
	if !strings.Contains(tree.Files(project)[d.Path], secret) {
		t.Error("the file of a person was changed")
	}
	// A version with a secret cannot be brought back: memory does not have it.
	byHand(t, tree, project, d.Path, noteText("Secret", "Nothing to see."))
	syncNow(t, e)
	list := history(t, e, project, d.Path)
	_, err := e.Revert(context.Background(), project.View(), list[len(list)-1].ID, engine.RevertOptions{})
	wantCode(t, err, strata.CodeRejectedSecret)
}

func TestTheProjectsOwnFileIsReadAndNeverWritten(t *testing.T) {
	e, tree := withTree(t)
	byHand(t, tree, project, files.ProjectFile, "# Agents\n\nRun make before you push.\n")
	syncNow(t, e)
	if !finds(t, e, project, "what to run before a push", files.ProjectFile) {
		t.Error("AGENTS.md is not found")
	}
	_, err := e.Write(context.Background(), strata.Candidate{Scope: project, Path: files.ProjectFile, Content: "x"})
	wantCode(t, err, strata.CodeInvalid)
	_, err = e.Revert(context.Background(), project.View(), history(t, e, project, files.ProjectFile)[0].ID, engine.RevertOptions{})
	wantCode(t, err, strata.CodeInvalid)
	res, err := e.Forget(context.Background(), project.View(), files.ProjectFile, engine.ForgetOptions{})
	if err != nil || !slices.Contains(res.Remaining, files.ProjectFile) {
		t.Fatalf("%+v, %v", res, err)
	}
	settled(t, e, tree, project)
	syncNow(t, e)
	if tree.Files(project)[files.ProjectFile] == "" || finds(t, e, project, "what to run before a push", files.ProjectFile) {
		t.Error("the project's file was removed, or is read again")
	}
}

func TestWatchTakesInAnEditByItself(t *testing.T) {
	e, tree := withTree(t)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if err := e.Watch(ctx, project.View()); err != nil {
		t.Fatal(err)
	}
	byHand(t, tree, project, deploys, noteText("Deploys", "We deploy on Mondays."))
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if got := opsOf(history(t, e, project, deploys)); got != "add" {
		t.Errorf("decisions: %q", got)
	}
}

// machine is a random history of one directory.
type machine struct {
	t     *rapid.T
	e     *engine.Engine
	tree  *filestest.Memory
	scope strata.Scope
	made  []string // ids of decisions
	paths []string
}

// TestFilesAndDatabaseAgreeInTheEnd runs random writes, hand edits, deletions,
// reverts and scans. In the end memory has exactly the files that are there, and
// every text that was ever written is in a decision.
func TestFilesAndDatabaseAgreeInTheEnd(t *testing.T) {
	t.Parallel()
	agreeInTheEnd(t, false)
}

// TestWatchedFilesAndDatabaseAgreeInTheEnd is the same where nobody looks
// through all files but when the watch asks for it.
func TestWatchedFilesAndDatabaseAgreeInTheEnd(t *testing.T) {
	t.Parallel()
	agreeInTheEnd(t, true)
}

func agreeInTheEnd(t *testing.T, watched bool) {
	e, tree := withTree(t, func(o *engine.Options) { o.Embedder = nil })
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		scope := strata.InWorkspace(fmt.Sprint("ws-", run))
		m := &machine{t: rt, e: e, tree: tree, scope: scope, paths: []string{deploys, "notes/project_b.md", "guide.md", "skills/x/SKILL.md"}}
		byHand(t, tree, scope, "README.md", "# Here\n") // a directory that is never empty
		syncNow(t, e, scope)
		look := func() { syncNow(t, e, scope) }
		if watched {
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			if err := e.Watch(ctx, scope.View()); err != nil {
				rt.Fatal(err)
			}
			look = func() {
				if err := e.Drain(ctx); err != nil {
					rt.Fatal(err)
				}
			}
		}
		written := make(map[string]bool)
		rt.Repeat(map[string]func(*rapid.T){
			"write":  func(r *rapid.T) { written[m.write(r)] = true },
			"hand":   func(r *rapid.T) { m.hand(t, r) },
			"remove": m.remove,
			"delete": m.delete,
			"revert": m.revert,
			"sync":   func(*rapid.T) { look() },
			"follow": func(*rapid.T) { settled(t, e, tree, scope) },
		})
		settled(t, e, tree, scope)
		look()
		have := settled(t, e, tree, scope)
		docs, err := e.Documents(context.Background(), m.scope.View(), strata.DocumentFilter{Content: true, System: true})
		if err != nil {
			rt.Fatal(err)
		}
		known := make(map[string]string)
		for _, d := range docs {
			if d.Kind != strata.DocumentIndex && d.Kind != strata.DocumentDaily {
				known[d.Path] = d.Content
			}
		}
		if !maps.Equal(have, known) {
			rt.Fatalf("files:\n%q\nmemory:\n%q", have, known)
		}
		if r := syncNow(t, e, scope); len(r.Changes) != 0 {
			rt.Fatalf("one more look finds %+v", r.Changes)
		}
		list, err := e.Decisions(context.Background(), m.scope.View(), strata.DecisionFilter{Limit: 10_000})
		if err != nil {
			rt.Fatal(err)
		}
		for _, d := range list {
			if d.Document != nil && d.Document.After != nil {
				delete(written, d.Document.After.Content)
			}
			if d.AppliedAt == nil && d.SetAside == "" {
				rt.Errorf("decision %s is outstanding", d.ID)
			}
		}
		delete(written, "")
		if len(written) != 0 {
			rt.Errorf("texts that are in no decision: %q", slices.Collect(maps.Keys(written)))
		}
	})
	healthy(t, e)
}

func (m *machine) path(r *rapid.T) string { return rapid.SampledFrom(m.paths).Draw(r, "path") }

func (m *machine) text(r *rapid.T, path string) string {
	body := rapid.SampledFrom([]string{"alpha", "beta", "gamma", "# Head\n\ndelta\n\n## More\n\nepsilon"}).Draw(r, "body")
	if strings.HasPrefix(path, "notes/") {
		return noteText("Title", body)
	}
	return body + "\n"
}

func (m *machine) keep(d strata.Decision, err error) bool {
	if code := strata.CodeOf(err); code != "" && code != strata.CodeConflict && code != strata.CodeInvalid {
		m.t.Fatalf("%v", err)
	}
	if err == nil && d.Op.Changed() {
		m.made = append(m.made, d.ID)
	}
	return err == nil
}

func (m *machine) write(r *rapid.T) string {
	path := m.path(r)
	c := strata.Candidate{Scope: m.scope, Path: path, Content: m.text(r, path)}
	if rapid.Bool().Draw(r, "new") {
		c.BaseHash = strata.NoFile
	}
	d, err := m.e.Write(context.Background(), c)
	if !m.keep(d, err) {
		return ""
	}
	return c.Content
}

func (m *machine) delete(r *rapid.T) {
	d, err := m.e.Write(context.Background(), strata.Candidate{Scope: m.scope, Path: m.path(r), Action: strata.ActionDelete})
	m.keep(d, err)
}

func (m *machine) hand(t *testing.T, r *rapid.T) {
	path := m.path(r)
	byHand(t, m.tree, m.scope, path, m.text(r, path)+"by hand\n")
}

func (m *machine) remove(r *rapid.T) {
	if err := m.tree.Delete(m.scope, m.path(r)); err != nil {
		r.Fatal(err)
	}
}

func (m *machine) revert(r *rapid.T) {
	if len(m.made) == 0 {
		r.Skip("nothing was done")
	}
	d, err := m.e.Revert(context.Background(), m.scope.View(), rapid.SampledFrom(m.made).Draw(r, "decision"), engine.RevertOptions{})
	m.keep(d, err)
}
