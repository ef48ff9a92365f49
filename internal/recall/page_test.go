package recall

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"pgregory.net/rapid"
)

// mixed is a memory of facts, turns and sections that all speak of an invoice.
func mixed(t testing.TB, n int) *memory {
	m := &memory{}
	var sections []string
	for i := range n {
		text := fmt.Sprintf("invoice %d is paid by customer %d of region %d", i, i*7%n, i%5)
		switch i % 3 {
		case 0:
			m.fact(strata.Fact{ID: fmt.Sprint("fact", i), Scope: global, Category: fmt.Sprint("c", i%4), Text: text, RecordedAt: noon.Add(-time.Duration(i) * time.Hour)}, nil)
		case 1:
			m.turn(strata.Turn{ID: fmt.Sprint("turn", i), Scope: global, Session: fmt.Sprint("s", i%6), Seq: int64(i + 1), Role: strata.RoleUser, Text: text, At: noon.Add(-time.Duration(i) * time.Hour), RecordedAt: noon}, nil)
		default:
			sections = append(sections, text)
		}
	}
	for i, chunk := range slices.Collect(slices.Chunk(sections, max(n/9, 1))) {
		m.page(t, note(global, fmt.Sprintf("notes/project_n%d.md", i)), chunk...)
	}
	return m
}

func search(t testing.TB, m *memory, q strata.Query) Ranking {
	t.Helper()
	q.Search, q.View = true, global.View()
	return ask(t, m, q)
}

// However large the pages are, together they are the same list without a gap.
func TestPagesJoin(t *testing.T) {
	m := mixed(t, 400)
	whole := ids(search(t, m, strata.Query{Text: "which invoice of region 3 is paid?", Limit: 1000}))
	if len(whole) < 300 {
		t.Fatalf("only %d hits", len(whole))
	}
	for _, size := range []int{1, 7, 10, 99, 250} {
		var got []string
		for offset, pages := 0, 0; ; pages++ {
			r := search(t, m, strata.Query{Text: "which invoice of region 3 is paid?", Limit: size, Offset: offset})
			got = append(got, ids(r)...)
			if r.Next == 0 || size < 7 && pages > 50 {
				break
			}
			if r.Next != len(got) {
				t.Fatalf("after %d hits the next page begins at %d", len(got), r.Next)
			}
			offset = r.Next
		}
		if !slices.Equal(got, whole[:len(got)]) || size >= 7 && len(got) != len(whole) {
			t.Errorf("pages of %d have other hits: %d of %d", size, len(got), len(whole))
		}
	}
	if r := search(t, m, strata.Query{Text: "invoice", Offset: strata.MaxOffset}); len(r.Hits) != 0 || r.Next != 0 {
		t.Errorf("after the end there are %d hits, next %d", len(r.Hits), r.Next)
	}
}

// A page that the budget cuts short is followed by what it had no room for.
func TestABudgetDoesNotLoseWhatPagesShow(t *testing.T) {
	m := mixed(t, 60)
	whole := ids(search(t, m, strata.Query{Text: "invoice", Limit: 1000}))
	var got []string
	for offset := 0; ; {
		r := search(t, m, strata.Query{Text: "invoice", Offset: offset, Tokens: 40})
		if r.Tokens > 40 {
			t.Fatalf("a page costs %d tokens", r.Tokens)
		}
		got = append(got, ids(r)...)
		if offset = r.Next; offset == 0 {
			break
		}
	}
	if !slices.Equal(got, whole) {
		t.Errorf("pages have %d hits, want %d", len(got), len(whole))
	}
}

func TestASearchSpreadsDocumentsAndLosesNone(t *testing.T) {
	m := &memory{}
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("invoice invoice invoice %d", i))
	}
	m.page(t, note(global, "AGENTS.md"), many...)
	for i := range 20 {
		m.page(t, note(global, fmt.Sprintf("notes/project_n%d.md", i)), fmt.Sprintf("an invoice of customer %d and what else is known", i))
	}
	r := search(t, m, strata.Query{Text: "invoice", Limit: 1000})
	n := 0
	for _, p := range paths(r)[:10] {
		if p == "global AGENTS.md" {
			n++
		}
	}
	if len(r.Hits) != 50 || n != 3 {
		t.Errorf("%d hits, %d of the first ten of one file", len(r.Hits), n)
	}
	r = search(t, m, strata.Query{Text: "invoice", Path: "AGENTS.md"})
	if len(r.Hits) != 10 || r.Next != 10 {
		t.Errorf("of one file %d hits, next %d", len(r.Hits), r.Next)
	}
}

func TestASearchSelects(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := mixed(t, rapid.IntRange(30, 120).Draw(rt, "n"))
		q := strata.Query{Text: "invoice of a customer", Limit: 1000}
		var passes func(strata.Hit) bool
		switch rapid.IntRange(0, 5).Draw(rt, "by") {
		case 0:
			q.InSession = "s1"
			passes = func(h strata.Hit) bool { return h.Session == "s1" }
		case 1:
			q.Path = "notes/"
			passes = func(h strata.Hit) bool { return h.Kind == strata.KindSection }
		case 2:
			q.Path = "notes/project_n0.md"
			passes = func(h strata.Hit) bool { return h.Section != nil && h.Section.Path == q.Path }
		case 3:
			q.Category = "c0"
			passes = func(h strata.Hit) bool { return h.Category == "c0" }
		case 4:
			q.Since, q.Until = noon.Add(-40*time.Hour), noon.Add(-10*time.Hour)
			passes = func(h strata.Hit) bool { return !h.At.Before(q.Since) && h.At.Before(q.Until) }
		default:
			q.Kinds = []strata.Kind{strata.KindFact, strata.KindTurn}
			passes = func(h strata.Hit) bool { return h.Kind != strata.KindSection }
		}
		want := 0
		for _, h := range search(t, m, strata.Query{Text: q.Text, Limit: 1000}).Hits {
			if passes(h) {
				want++
			}
		}
		got := search(t, m, q)
		for _, h := range got.Hits {
			if !passes(h) {
				rt.Fatalf("%+v finds %s %s of %v", q, h.Kind, h.ID, h.At)
			}
		}
		if len(got.Hits) != want || want == 0 {
			rt.Fatalf("%+v finds %d hits, want %d", q, len(got.Hits), want)
		}
	})
}

func TestASearchOfADirectoryLeavesOutOtherFiles(t *testing.T) {
	m := &memory{}
	for _, path := range []string{"AGENTS.md", "notes/project_a.md", "notes/user_b.md", "skills/pay/SKILL.md"} {
		m.page(t, note(global, path), "an invoice is paid as it says in "+path)
	}
	for _, dir := range []string{"notes", "notes/"} {
		got := paths(search(t, m, strata.Query{Text: "invoice", Path: dir}))
		slices.Sort(got)
		if want := []string{"global notes/project_a.md", "global notes/user_b.md"}; !slices.Equal(got, want) {
			t.Errorf("in %q found %q, want %q", dir, got, want)
		}
	}
}

func TestASearchOfWhatIsNotThereIsNotFound(t *testing.T) {
	m := mixed(t, 30)
	m.groups = map[string]bool{"s4": true}
	group := strata.View{Scopes: []strata.Scope{global}, Session: strata.SessionGroup}
	for name, q := range map[string]strata.Query{
		"a session":                {View: global.View(), InSession: "none"},
		"a file":                   {View: global.View(), Path: "notes/none.md"},
		"a directory":              {View: global.View(), Path: "skills"},
		"a private session, group": {View: group, InSession: "s1"},
	} {
		q.Text, q.Search = "invoice", true
		_, err := Find(t.Context(), m, Request{Query: q, Analysis: analyze(q.Text), Now: noon})
		if strata.CodeOf(err) != strata.CodeNotFound {
			t.Errorf("%s: %v, want not_found", name, err)
		}
		var known *strata.Error
		if errors.As(err, &known) && known.Hint == "" {
			t.Errorf("%s: no hint", name)
		}
	}
	q := strata.Query{Text: "invoice", Search: true, View: group, InSession: "s4"}
	if _, err := Find(t.Context(), m, Request{Query: q, Analysis: analyze(q.Text), Now: noon}); err != nil {
		t.Errorf("a group's own session: %v", err)
	}
}
