package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

var project = strata.InWorkspace("w1")

// note is a note of a scope.
func note(scope strata.Scope, path string) strata.Document {
	d := strata.Document{Scope: scope, Path: path, ModifiedAt: noon}
	if name, ok := strings.CutPrefix(path, "notes/"); ok {
		kind, slug, _ := strings.Cut(strings.TrimSuffix(name, ".md"), "_")
		d.Type, d.Slug, d.Name = strata.Type(kind), slug, strings.ReplaceAll(slug, "-", " ")
	}
	return d
}

func paths(r Ranking) []string {
	var out []string
	for _, h := range r.Hits {
		if h.Section != nil {
			out = append(out, h.Scope.Key()+" "+h.Section.Path)
		}
	}
	return out
}

func TestSectionText(t *testing.T) {
	d := strata.Document{Path: "notes/project_deploys.md", Kind: strata.DocumentNote, Name: "Deploys", Description: "how we deploy to staging"}
	s := strata.Section{Headings: []string{"Deploys", "The staging host"}, Text: "It is called Bello."}
	if got, want := SectionText(d, s), "Deploys\nhow we deploy to staging\nThe staging host\nIt is called Bello."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	daily := strata.Document{Path: "memory/2026-03-01.md", Kind: strata.DocumentDaily}
	if got, want := SectionText(daily, strata.Section{Text: "- [10:00] met Ana"}), "1 March 2026\n- [10:00] met Ana"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := SectionText(strata.Document{Kind: strata.DocumentDaily, Path: "memory/notes.md"}, strata.Section{}); got != "" {
		t.Errorf("got %q of nothing", got)
	}
}

func TestASectionHitSaysWhereItStands(t *testing.T) {
	m := &memory{}
	d := note(global, "notes/project_deploys.md")
	m.page(t, d, "we deploy on Mondays", "the pager is with Ana")
	h := first(t, ask(t, m, strata.Query{Text: "who has the pager?"}))
	if h.ID != "doc_1/2" || h.Kind != strata.KindSection || h.Text != "the pager is with Ana" || h.Type != strata.TypeProject || h.Seq != 2 {
		t.Errorf("hit %+v", h)
	}
	if p := h.Section; p == nil || p.Path != d.Path || p.Line != 4 || p.EndLine != 6 || p.Name != "deploys" {
		t.Errorf("place %+v", h.Section)
	}
	if !h.At.Equal(noon) {
		t.Errorf("at %v, want when the file was written", h.At)
	}
}

func TestAHeadingAloneIsShown(t *testing.T) {
	c := strata.Section{Headings: []string{"Team", "Pager"}}
	if got := sectionShown(c); got != "Pager" {
		t.Errorf("shown as %q", got)
	}
}

// Elsewhere the words of every file were read anew for each query, only in ASCII, and
// one line was shown. Here a hit is a whole section in any script, found in the
// index.
func TestSectionsInAnyScriptAreFoundWhole(t *testing.T) {
	m := &memory{}
	m.page(t, note(global, "AGENTS.md"), "Das Café öffnet um neun.\nEs liegt an der Brücke.", "私の猫はタマです。\n白い猫です。", "nothing of it")
	for question, want := range map[string]string{
		"wann offnet das cafe": "Das Café öffnet um neun.\nEs liegt an der Brücke.",
		"猫":                    "私の猫はタマです。\n白い猫です。",
	} {
		if h := first(t, ask(t, m, strata.Query{Text: question})); h.Text != want {
			t.Errorf("%q finds %q", question, h.Text)
		}
	}
}

// By words alone, or by vectors alone, something is always missed.
func TestSectionsAreFoundByIdentifierPartAndParaphrase(t *testing.T) {
	m := &memory{}
	m.page(t, note(global, "notes/reference_releases.md"), "tag deploy-v2.4.7-hotfix was cut by Ana", "the database is PostgreSQL 16")
	m.page(t, note(global, "notes/user_food.md"), "restaurants near the office that are cheap", "what we drink")
	for question, want := range map[string]string{
		"deploy-v2.4.7-hotfix":      "tag deploy-v2.4.7-hotfix was cut by Ana",
		"postgres":                  "the database is PostgreSQL 16",
		`"cut by Ana`:               "tag deploy-v2.4.7-hotfix was cut by Ana",
		"a restaurnt by the ofice?": "restaurants near the office that are cheap",
	} {
		if h := first(t, ask(t, m, strata.Query{Text: question})); h.Text != want {
			t.Errorf("%q finds %q", question, h.Text)
		}
	}
}

// What another project owns is not seen, whatever is asked.
func TestAViewSeesNoDocumentOfAnotherScope(t *testing.T) {
	m := &memory{}
	m.page(t, note(project, "notes/project_plan.md"), "the secret plan is Bello")
	m.page(t, note(strata.InWorkspace("w2"), "notes/project_plan.md"), "the plan of the other is Ash")
	r := ask(t, m, strata.Query{Text: "what is the plan?", View: strata.InWorkspace("w2").View()})
	if got := paths(r); !slices.Equal(got, []string{"workspace/w2 notes/project_plan.md"}) {
		t.Errorf("found %v", got)
	}
	if r := ask(t, m, strata.Query{Text: "secret plan Bello"}); len(r.Hits) > 0 {
		t.Errorf("the global view finds %v", texts(r))
	}
}

// Who may see something is looked at before the cut-off, so that what others own
// does not starve the result.
func TestPrivateDocumentsStarveNobody(t *testing.T) {
	m := &memory{}
	for i, p := range []string{"MEMORY.md", "DREAMS.md", "USER.md", "notes/user_invoices.md", "_system/log.md"} {
		var many []string
		for j := range 40 {
			many = append(many, fmt.Sprintf("invoice invoice %d %d", i, j))
		}
		m.page(t, note(global, p), many...)
	}
	m.page(t, note(global, "AGENTS.md"), "somewhere an invoice is mentioned, among many other things")
	view := global.View()
	view.Session = strata.SessionGroup
	for _, system := range []bool{false, true} {
		r := ask(t, m, strata.Query{Text: "invoice", View: view, Limit: 1, System: system})
		if got := paths(r); !slices.Equal(got, []string{"global AGENTS.md"}) {
			t.Errorf("a group session finds %v", got)
		}
	}
}

func TestDocumentsOfTheSystemAreFoundOnRequest(t *testing.T) {
	m := &memory{}
	m.page(t, note(global, "_inbox/idea.md"), "an idea about invoices")
	if r := ask(t, m, strata.Query{Text: "invoices"}); len(r.Hits) > 0 {
		t.Errorf("found %v", paths(r))
	}
	if r := ask(t, m, strata.Query{Text: "invoices", System: true}); len(r.Hits) != 1 {
		t.Errorf("found %v on request", paths(r))
	}
}

func TestTheDeeperOfTwoNotesShadowsTheOther(t *testing.T) {
	m := &memory{}
	view := strata.ViewOf("w1", "")
	m.page(t, note(global, "notes/feedback_tests.md"), "always run the tests twice", "and the linter")
	m.page(t, note(global, "notes/feedback_linter.md"), "the linter is run before tests")
	question := strata.Query{Text: "how often are tests run with the linter?", View: view}
	if got := paths(ask(t, m, question)); len(got) != 3 {
		t.Fatalf("found %v", got)
	}
	// It answers nothing, and stands in the way all the same.
	m.page(t, note(project, "notes/feedback_tests.md"), "as the others do")
	got := paths(ask(t, m, question))
	if slices.Contains(got, "global notes/feedback_tests.md") || !slices.Contains(got, "global notes/feedback_linter.md") {
		t.Errorf("found %v beside the deeper note", got)
	}
	if got := paths(ask(t, m, strata.Query{Text: question.Text, View: global.View()})); len(got) != 3 {
		t.Errorf("a view without the deeper scope finds %v", got)
	}
	m.page(t, note(project, "AGENTS.md"), "run the tests")
	m.page(t, note(global, "AGENTS.md"), "run the tests with the linter")
	got = paths(ask(t, m, question))
	if !slices.Contains(got, "workspace/w1 AGENTS.md") || !slices.Contains(got, "global AGENTS.md") {
		t.Errorf("found %v: files that every scope has do not shadow each other", got)
	}
}

func TestShadowedNotesDoNotTakePlacesOfOthers(t *testing.T) {
	m := &memory{}
	for i := range 100 {
		path := fmt.Sprintf("notes/project_n%d.md", i)
		m.page(t, note(global, path), "the invoice invoice number is in here")
		m.page(t, note(project, path), "moved")
	}
	for i := range 5 {
		m.page(t, note(global, fmt.Sprintf("notes/reference_r%d.md", i)), fmt.Sprintf("one invoice of %d among many other things that we keep", i))
	}
	r := ask(t, m, strata.Query{Text: "invoice", View: strata.ViewOf("w1", ""), Limit: 5})
	if got := paths(r); len(got) != 5 || slices.ContainsFunc(got, func(p string) bool { return strings.Contains(p, "project_n") }) {
		t.Errorf("found %v", got)
	}
}

func TestFewSectionsOfOneDocument(t *testing.T) {
	m := &memory{}
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("invoice invoice invoice %d", i))
	}
	m.page(t, note(global, "AGENTS.md"), many...)
	for i := range 20 {
		m.page(t, note(global, fmt.Sprintf("notes/project_n%d.md", i)), fmt.Sprintf("an invoice of customer %d and what else is known", i))
	}
	for limit, want := range map[int]int{1: 1, 5: 2, 10: 3, 15: 5} {
		r := ask(t, m, strata.Query{Text: "invoice", Limit: limit})
		n := 0
		for _, p := range paths(r) {
			if p == "global AGENTS.md" {
				n++
			}
		}
		if len(r.Hits) != limit || n != want {
			t.Errorf("of %d hits, %d are of one file, want %d", len(r.Hits), n, want)
		}
	}
}

func TestWhatWasShownOfADocumentIsLeftOut(t *testing.T) {
	m := &memory{}
	m.page(t, note(global, "AGENTS.md"), "one invoice", "two invoices")
	for seen, want := range map[string]int{"doc_1/1": 1, "doc_1": 0, "doc_1/7": 2} {
		if r := ask(t, m, strata.Query{Text: "invoice", Seen: []string{seen}}); len(r.Hits) != want {
			t.Errorf("after %s, %v is found", seen, texts(r))
		}
	}
}

// The use of a file is not lost with an edit, for it does not hang on its parts.
func TestSectionsHaveTheSalienceOfTheirDocument(t *testing.T) {
	m := &memory{used: map[string]int{"doc_b": 10}}
	for _, id := range []string{"doc_a", "doc_b"} {
		d := note(global, "notes/project_"+id+".md")
		d.ID, d.Name = id, ""
		m.page(t, d, "an invoice of "+id)
	}
	r := ask(t, m, strata.Query{Text: "invoice"})
	if h := first(t, r); h.ID != "doc_b/1" || h.Why.Salience <= 0 || r.Hits[1].Why.Salience != 0 {
		t.Errorf("hits %+v", r.Hits)
	}
}

func TestFactsTurnsAndSectionsShareOneRanking(t *testing.T) {
	m := facts(t, "the invoice is a bill")
	m.turn(strata.Turn{Scope: global, Session: "s1", Seq: 1, Text: "send the invoice", At: noon}, nil)
	m.page(t, note(global, "notes/project_invoice.md"), "where an invoice goes")
	kinds := make(map[strata.Kind]bool)
	for _, h := range ask(t, m, strata.Query{Text: "invoice"}).Hits {
		kinds[h.Kind] = true
	}
	if len(kinds) != 3 {
		t.Errorf("found %v", kinds)
	}
	r := ask(t, m, strata.Query{Text: "invoice", Kinds: []strata.Kind{strata.KindSection}})
	if len(r.Hits) != 1 || r.Hits[0].Section == nil {
		t.Errorf("of sections alone: %+v", r.Hits)
	}
}

func TestADailyLogIsOfItsDay(t *testing.T) {
	m := &memory{}
	for _, day := range []string{"2023-05-08", "2024-05-08", "2023-06-01"} {
		m.page(t, note(global, "memory/"+day+".md"), "met Ana at the office on "+day[:4])
	}
	h := first(t, ask(t, m, strata.Query{Text: "who was met in May 2023?"}))
	if h.Section.Path != "memory/2023-05-08.md" || h.At.Format("2006-01-02") != "2023-05-08" {
		t.Errorf("found %+v", h)
	}
}

// More documents can be equally near than are taken for near. Which of them was
// stored first must not decide.
func TestEqualDocumentsRankByTheirTimeAlone(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {4, 0, 3, 2, 1}} {
		m := &memory{}
		for _, i := range order {
			d := strata.Document{ID: fmt.Sprint("d", i), Scope: global, Path: fmt.Sprintf("notes/project_n%d.md", i),
				Type: strata.TypeProject, Name: "tea", ModifiedAt: noon.Add(-time.Duration(i) * time.Hour)}
			m.document(d, []string{fmt.Sprintf("tea of place %d", i)}, func(string) []float32 { return []float32{1, 1, 1, 1} })
		}
		res, err := Find(context.Background(), m, Request{
			Query: strata.Query{View: global.View(), Text: "tea"}, Analysis: analyze("tea"),
			Model: fakeModel, Vector: []float32{1, 1, 1, 1}, Now: noon,
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range res.Hits {
			got = append(got, h.ID)
		}
		if want := []string{"d0/1", "d1/1", "d2/1", "d3/1", "d4/1"}; !slices.Equal(got, want) {
			t.Errorf("stored as %v: got %v, want %v", order, got, want)
		}
	}
}
