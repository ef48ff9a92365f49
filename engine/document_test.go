package engine_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/documents/handedit"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
)

// project is the workspace of the tests of documents.
var project = strata.InWorkspace("ws-1")

// deploys is the note that most of them write.
const deploys = "notes/project_deploys.md"

// noteText is the text of a note of type project.
func noteText(title, body string) string {
	return markdown.Note{Front: markdown.Front{Name: title, Description: "when it matters", Type: strata.TypeProject}, Body: body}.Render()
}

// withTree opens an engine over a tree in memory.
func withTree(t testing.TB, change ...func(*engine.Options)) (*engine.Engine, *filestest.Memory) {
	t.Helper()
	tree := filestest.NewMemory()
	return open(t, append(change, func(o *engine.Options) { o.Tree = tree })...), tree
}

// projectNote is a candidate for the project's note.
func projectNote(content string) strata.Candidate {
	return strata.Candidate{Scope: project, Path: deploys, Content: content}
}

// byHand writes a file as a person would.
func byHand(t testing.TB, tree *filestest.Memory, scope strata.Scope, path, content string) {
	t.Helper()
	if err := tree.Put(scope, path, []byte(content), time.Time{}); err != nil {
		t.Fatal(err)
	}
}

// syncNow takes in what was done by hand.
func syncNow(t testing.TB, e *engine.Engine, scopes ...strata.Scope) handedit.Report {
	t.Helper()
	if len(scopes) == 0 {
		scopes = []strata.Scope{project}
	}
	report, err := e.Sync(context.Background(), strata.View{Scopes: scopes})
	if err != nil {
		t.Fatalf("sync: %v", err)
	}
	return report
}

// settled lets everything follow and returns the people's files of a scope.
func settled(t testing.TB, e *engine.Engine, tree *filestest.Memory, scope strata.Scope) map[string]string {
	t.Helper()
	if err := e.Drain(context.Background()); err != nil {
		t.Fatalf("drain: %v", err)
	}
	out := tree.Files(scope)
	maps.DeleteFunc(out, func(path, _ string) bool { return path == strata.IndexPath || strings.HasPrefix(path, "memory/") })
	return out
}

// history lists the decisions about a path, oldest first.
func history(t testing.TB, e *engine.Engine, scope strata.Scope, path string) []strata.Decision {
	t.Helper()
	list, err := e.Decisions(context.Background(), scope.View(), strata.DecisionFilter{Path: path, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(list)
	return list
}

// opsOf are the operations of decisions.
func opsOf(list []strata.Decision) string {
	var out []string
	for _, d := range list {
		out = append(out, string(d.Op))
	}
	return strings.Join(out, " ")
}

// stored is a document with its content; nil where there is none.
func stored(t testing.TB, e *engine.Engine, scope strata.Scope, path string) *strata.Document {
	t.Helper()
	d, err := e.Document(context.Background(), scope.View(), path)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return &d
}

// finds reports whether a search in a scope has a hit in the path.
func finds(t testing.TB, e *engine.Engine, scope strata.Scope, question, path string) bool {
	t.Helper()
	res, err := e.Query(context.Background(), strata.Query{View: scope.View(), Text: question, Quiet: true})
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(res.Hits, func(h strata.Hit) bool { return h.Section != nil && h.Section.Path == path })
}

func TestAddDeleteAddOfANoteLeavesTheFile(t *testing.T) {
	e, tree := withTree(t)
	text := noteText("Deploys", "We deploy on Mondays.")
	for _, want := range []strata.Op{strata.OpAdd, strata.OpDelete, strata.OpAdd} {
		c := projectNote(text)
		if want == strata.OpDelete {
			c.Action, c.Content = strata.ActionDelete, ""
		}
		d := write(t, e, c)
		if d.Op != want || d.AppliedAt != nil {
			t.Fatalf("%s, applied %v, want %s", d.Op, d.AppliedAt, want)
		}
	}
	if got := settled(t, e, tree, project)[deploys]; got != text {
		t.Errorf("the file is %q", got)
	}
	if d := stored(t, e, project, deploys); d == nil || d.Generation != 2 || d.ID != history(t, e, project, deploys)[0].Document.After.ID {
		t.Errorf("the document is %+v", d)
	}
	healthy(t, e)
}

func TestRepeatedChangesBackAndForthLeaveTheLastInTheFile(t *testing.T) {
	e, tree := withTree(t)
	a, b := noteText("Deploys", "A"), noteText("Deploys", "B")
	for _, text := range []string{a, b, a, b} {
		if d := write(t, e, projectNote(text)); !d.Op.Changed() {
			t.Errorf("%s: %s", d.Op, d.Reason)
		}
	}
	if got := settled(t, e, tree, project)[deploys]; got != b {
		t.Errorf("the file is %q", got)
	}
	t.Run("after the revert of an add", func(t *testing.T) {
		e, tree := withTree(t)
		d := write(t, e, projectNote(a))
		if _, err := e.Revert(context.Background(), project.View(), d.ID, engine.RevertOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := settled(t, e, tree, project); len(got) != 0 {
			t.Errorf("the files are %q", got)
		}
		if d := write(t, e, projectNote(a)); d.Op != strata.OpAdd {
			t.Errorf("%s: %s", d.Op, d.Reason)
		}
		if got := settled(t, e, tree, project)[deploys]; got != a {
			t.Errorf("the file is %q", got)
		}
	})
}

func TestHarmlessNotesAreWritten(t *testing.T) {
	e, _ := withTree(t)
	for i, body := range []string{
		"We deploy with cron jobs nightly.", "Docs live in docs/guide.md", "The password policy requires 14 characters.",
		"Root cause analyses go to the wiki.", "You are now on the platform team.", "```go\nfunc main() {}\n```",
	} {
		d, err := e.Remember(context.Background(), edit.Note{Scope: project, Type: strata.TypeProject, Title: fmt.Sprint("Note ", i), Body: body})
		if err != nil || d.Op != strata.OpAdd {
			t.Errorf("%q: %s, %v", body, d.Op, err)
		}
	}
}

func TestEightWritersOfOneNewFileLoseNothing(t *testing.T) {
	e, tree := withTree(t)
	var wg sync.WaitGroup
	want := make(map[string]bool)
	for i := range 8 {
		text := noteText("Deploys", fmt.Sprintf("By writer %d", i))
		want[text] = true
		wg.Go(func() {
			if _, err := e.Write(context.Background(), projectNote(text)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	list := history(t, e, project, deploys)
	if got := opsOf(list); got != "add"+strings.Repeat(" update", 7) {
		t.Fatalf("decisions: %s", got)
	}
	for i, d := range list {
		delete(want, d.Document.After.Content)
		if i == 0 && d.Document.Before != nil || i > 0 && (d.Document.Before == nil || d.Document.Before.Content != list[i-1].Document.After.Content) {
			t.Errorf("decision %d does not keep what was there before", i)
		}
	}
	if len(want) != 0 {
		t.Errorf("%d texts are in no decision", len(want))
	}
	if got := settled(t, e, tree, project)[deploys]; got != list[7].Document.After.Content {
		t.Errorf("the file is %q", got)
	}
	// Every version can be had back.
	for i := 7; i > 0; i-- {
		if _, err := e.Revert(context.Background(), project.View(), list[i].ID, engine.RevertOptions{}); err != nil {
			t.Fatalf("revert %d: %v", i, err)
		}
	}
	if got := settled(t, e, tree, project)[deploys]; got != list[0].Document.After.Content {
		t.Errorf("the file is %q after the reverts", got)
	}
	healthy(t, e)
}

func TestOfTwoWhoEditOneNoteTheSecondIsTold(t *testing.T) {
	e, tree := withTree(t)
	first := write(t, e, projectNote(noteText("Deploys", "one")))
	base := first.Document.After.Hash
	mine, theirs := projectNote(noteText("Deploys", "mine")), projectNote(noteText("Deploys", "theirs"))
	mine.BaseHash, theirs.BaseHash = base, base
	write(t, e, mine)
	_, err := e.Write(context.Background(), theirs)
	wantCode(t, err, strata.CodeConflict)
	if got := settled(t, e, tree, project)[deploys]; got != mine.Content {
		t.Errorf("the file is %q", got)
	}
}

func TestAHandEditIsInTheHistoryBeforeItIsWrittenOver(t *testing.T) {
	e, tree := withTree(t)
	write(t, e, projectNote(noteText("Deploys", "one")))
	settled(t, e, tree, project)
	hand := noteText("Deploys", "by hand, with much thought")
	byHand(t, tree, project, deploys, hand)

	stale := projectNote(noteText("Deploys", "two"))
	stale.BaseHash = files.Hash([]byte(noteText("Deploys", "one")))
	_, err := e.Write(context.Background(), stale)
	wantCode(t, err, strata.CodeConflict)

	stale.BaseHash = ""
	d := write(t, e, stale)
	if d.Document.Before == nil || d.Document.Before.Content != hand {
		t.Fatalf("before is %+v", d.Document.Before)
	}
	if got := opsOf(history(t, e, project, deploys)); got != "add update update" {
		t.Errorf("decisions: %s", got)
	}
	if got := settled(t, e, tree, project)[deploys]; got != stale.Content {
		t.Errorf("the file is %q", got)
	}
}

func TestWhatPeopleWroteIntoTheIndexIsInTheHistoryBeforeItIsRendered(t *testing.T) {
	e, tree := withTree(t)
	write(t, e, projectNote(noteText("Deploys", "one")))
	followed(t, e)
	index := tree.Files(project)[strata.IndexPath]
	hand := strings.Replace(index, "# Memory\n", "# Memory\n\nAsk Ana before a release.\n", 1)
	byHand(t, tree, project, strata.IndexPath, hand)
	remember(t, e, project, "Migrations", "Run make migrate.")
	followed(t, e)
	list := history(t, e, project, strata.IndexPath)
	if len(list) == 0 || list[0].Document.After == nil || list[0].Document.After.Content != hand {
		t.Fatalf("what a person wrote is not in the history as it was: %+v", list)
	}
	if got := tree.Files(project)[strata.IndexPath]; !strings.Contains(got, "Ask Ana") || !strings.Contains(got, "Migrations") {
		t.Errorf("rendered:\n%s", got)
	}
	if r := syncNow(t, e); r.Added+r.Updated+r.Deleted != 0 {
		t.Errorf("taken for an edit by hand: %+v", r.Changes)
	}
}

// What was forgotten does not come back with what a person wrote beside it.
func TestAHandEditBesideWhatWasForgottenBringsNothingBack(t *testing.T) {
	ctx := context.Background()
	e, tree := withTree(t)
	d := write(t, e, strata.Candidate{Scope: project, Content: "The vault opens at nine", Origin: strata.OriginExtractor})
	followed(t, e)
	index := tree.Files(project)[strata.IndexPath]
	if !strings.Contains(index, "vault") {
		t.Fatalf("the fact is not in the index:\n%s", index)
	}
	byHand(t, tree, project, strata.IndexPath, index+"\nAsk Ana before a release.\n")
	if _, err := e.Forget(ctx, project.View(), d.FactID, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	followed(t, e)
	syncNow(t, e)
	followed(t, e)
	if got := tree.Files(project)[strata.IndexPath]; strings.Contains(got, "vault") || !strings.Contains(got, "Ask Ana") {
		t.Errorf("the index:\n%s", got)
	}
	list := history(t, e, project, strata.IndexPath)
	if len(list) == 0 {
		t.Error("what a person wrote is not in the history")
	}
	for _, d := range list {
		for _, v := range []*strata.Document{d.Document.Before, d.Document.After} {
			if v != nil && strings.Contains(v.Content, "vault") {
				t.Errorf("%s holds what was forgotten:\n%s", d.ID, v.Content)
			}
		}
	}
}

func TestNotesDescribeThemselvesAndNoneIsLeftOut(t *testing.T) {
	e, tree := withTree(t)
	for i := range 250 {
		byHand(t, tree, project, fmt.Sprintf("notes/project_n%03d.md", i), fmt.Sprintf("Shelf %d holds box number %d.\n", i, i*37))
	}
	if r := syncNow(t, e); r.Added != 250 {
		t.Fatalf("%+v", r)
	}
	d := stored(t, e, project, "notes/project_n000.md")
	if d == nil || d.Description == "" || d.Problem == "" {
		t.Errorf("a note without front matter is %+v", d)
	}
	if !finds(t, e, project, "which shelf holds box number 37", "notes/project_n001.md") {
		t.Error("one of the oldest is not found")
	}
}

func TestTitlesInEveryScriptAreNotesOfTheirOwn(t *testing.T) {
	e, tree := withTree(t)
	titles := []string{"日本語の設定", "数据库", "note", "📌", strings.Repeat("a", 48) + " one", strings.Repeat("a", 48) + " two", "Café", "Cafe", "مرحبا"}
	for _, title := range titles {
		d, err := e.Remember(context.Background(), edit.Note{Scope: project, Type: strata.TypeProject, Title: title, Body: "About " + title})
		if err != nil || d.Op != strata.OpAdd && title != "Cafe" {
			t.Errorf("%q: %s (%s), %v", title, d.Op, d.Reason, err)
		}
	}
	bodies := strings.Join(slices.Collect(maps.Values(settled(t, e, tree, project))), "\n")
	for _, title := range titles {
		if title != "Café" && !strings.Contains(bodies, "About "+title) {
			t.Errorf("the note %q is gone", title)
		}
	}
}

func TestANoteIsNeverTheIndex(t *testing.T) {
	e, tree := withTree(t)
	for _, title := range []string{"Memory", "MEMORY", "memory.md"} {
		d, err := e.Remember(context.Background(), edit.Note{Scope: project, Type: strata.TypeProject, Title: title, Body: "About " + title})
		if err != nil || strings.EqualFold(d.Document.Path, strata.IndexPath) || !strings.HasPrefix(d.Document.Path, "notes/project_") {
			t.Errorf("%q: %+v, %v", title, d.Document, err)
		}
	}
	write(t, e, strata.Candidate{Scope: project, Path: strata.IndexPath, Content: "# Mine\n"})
	_, err := e.Write(context.Background(), strata.Candidate{Scope: project, Path: "memory.md", Content: "# Other\n"})
	wantCode(t, err, strata.CodeConflict)
	settled(t, e, tree, project)
	if got := tree.Files(project)[strata.IndexPath]; !strings.Contains(got, "# Mine") {
		t.Errorf("the index is %q", got)
	}
}

func TestTitlesCannotBreakTheFrontMatter(t *testing.T) {
	e, _ := withTree(t)
	for _, title := range []string{"a: b", "line\nbreak", "--- dashes", "\"quotes\" and 'more'", "# hash", "- item", "[x]: y", "key: {a: b}", "\u202eright to left"} {
		d, err := e.Remember(context.Background(), edit.Note{Scope: project, Type: strata.TypeProject, Title: title, Body: "text", Hook: title})
		if err != nil {
			t.Errorf("%q: %v", title, err)
			continue
		}
		if _, err := markdown.ParseNote(d.Document.After.Content); err != nil || d.Document.After.Problem != "" {
			t.Errorf("%q: %v, %s", title, err, d.Document.After.Problem)
		}
	}
}

func TestTwoWritersOfOneNoteDoNotLoseEachOthersNotes(t *testing.T) {
	e, _ := withTree(t)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			_, err := e.Remember(context.Background(), edit.Note{
				Scope: project, Type: strata.TypeProject, Title: fmt.Sprint("Title ", i%2), Body: fmt.Sprint("by writer ", i),
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range 2 {
		list := history(t, e, project, fmt.Sprintf("notes/project_title-%d.md", i))
		if got := opsOf(list); got != "add"+strings.Repeat(" update", 7) {
			t.Errorf("decisions: %s", got)
		}
	}
}

func TestNotesMadeAndDeletedByHandAreNoticed(t *testing.T) {
	e, tree := withTree(t)
	byHand(t, tree, project, strata.IndexPath, "# Ours\n\nWe like it here.\n")
	byHand(t, tree, project, deploys, noteText("Deploys", "We deploy on Mondays."))
	if r := syncNow(t, e); r.Added != 2 {
		t.Fatalf("%+v", r)
	}
	if err := tree.Delete(project, deploys); err != nil {
		t.Fatal(err)
	}
	if r := syncNow(t, e); r.Deleted != 1 || r.Added+r.Updated != 0 {
		t.Fatalf("%+v", r)
	}
	if stored(t, e, project, deploys) != nil || finds(t, e, project, "when do we deploy", deploys) {
		t.Error("a deleted note is still there")
	}
	list := history(t, e, project, deploys)
	if _, err := e.Revert(context.Background(), project.View(), list[len(list)-1].ID, engine.RevertOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := settled(t, e, tree, project)[deploys]; got != noteText("Deploys", "We deploy on Mondays.") {
		t.Errorf("the file is %q", got)
	}
}

func TestSecretsAreRefusedAndNotesAreFound(t *testing.T) {
	e, tree := withTree(t)
	const secret = "AKIAZ3MSJV4WWNKWJ5QX"
	d, err := e.Write(context.Background(), projectNote(noteText("Deploys", "The key is "+secret)))
	wantCode(t, err, strata.CodeRejectedSecret)
	if d.Op != strata.OpReject || d.AppliedAt == nil || strings.Contains(fmt.Sprintf("%+v", d), secret) {
		t.Errorf("the decision is %+v", d)
	}
	if got := settled(t, e, tree, project); len(got) != 0 {
		t.Errorf("the files are %q", got)
	}
	write(t, e, projectNote(noteText("Deploys", "We deploy on Mondays.")))
	if !finds(t, e, project, "when do we deploy?", deploys) {
		t.Error("the note is not found")
	}
}

func TestASecondHomeKnowsTheFilesAgain(t *testing.T) {
	tree := filestest.NewMemory()
	with := func(o *engine.Options) { o.Tree = tree }
	first := openAt(t, filepath.Join(t.TempDir(), "strata.db"), with)
	write(t, first, projectNote(noteText("Deploys", "We deploy on Mondays.")))
	settled(t, first, tree, project)
	second := openAt(t, filepath.Join(t.TempDir(), "strata.db"), with)
	syncNow(t, second)
	if !finds(t, second, project, "when do we deploy?", deploys) {
		t.Error("the note is not found from the files alone")
	}
}

func TestHandEditsAreNotWrittenOver(t *testing.T) {
	e, tree := withTree(t)
	byHand(t, tree, project, strata.IndexPath, "# Ours\n\nA line of a person.\n")
	syncNow(t, e)
	for i := range 5 {
		if _, err := e.Remember(context.Background(), edit.Note{Scope: project, Type: strata.TypeProject, Title: fmt.Sprint("Note ", i), Body: "text"}); err != nil {
			t.Fatal(err)
		}
		settled(t, e, tree, project)
		byHand(t, tree, project, strata.IndexPath, tree.Files(project)[strata.IndexPath]+fmt.Sprintf("\nAnother line, %d.\n", i))
	}
	syncNow(t, e)
	settled(t, e, tree, project)
	got := tree.Files(project)[strata.IndexPath]
	for _, want := range []string{"A line of a person.", "Another line, 0.", "Another line, 4.", "notes/project_note-0.md", "notes/project_note-4.md"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the index:\n%s", want, got)
		}
	}
}

func TestPathsThatADiskTakesForOneAreKeptApart(t *testing.T) {
	e, _ := withTree(t)
	for _, pair := range [][2]string{
		{"notes/project_deploys.md", "notes/project_Deploys.md"},
		{"guides/caf\u00e9/x.md", "guides/cafe\u0301/x.md"},
		{"a-b/c.md", "A-b/c.md"},
	} {
		text := func(p string) string {
			if strings.HasPrefix(p, "notes/") {
				return noteText("Deploys", p)
			}
			return "# " + p + "\n"
		}
		write(t, e, strata.Candidate{Scope: project, Path: pair[0], Content: text(pair[0])})
		_, err := e.Write(context.Background(), strata.Candidate{Scope: project, Path: pair[1], Content: text(pair[1])})
		if code := strata.CodeOf(err); code != strata.CodeConflict && code != strata.CodeInvalid {
			t.Errorf("%q beside %q: %v", pair[1], pair[0], err)
		}
	}
	// Paths that only look alike are not.
	write(t, e, strata.Candidate{Scope: project, Path: "a/b-c.md", Content: "one\n"})
	write(t, e, strata.Candidate{Scope: project, Path: "a-b/c2.md", Content: "two\n"})
	if a, b := stored(t, e, project, "a/b-c.md"), stored(t, e, project, "a-b/c2.md"); a == nil || b == nil || a.ID == b.ID {
		t.Errorf("%+v and %+v", a, b)
	}
}
