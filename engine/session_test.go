package engine_test

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/backup/transfer"
	"github.com/strata-memory/strata/internal/base/id"
)

func talk(texts ...string) []strata.Turn {
	var turns []strata.Turn
	for i, text := range texts {
		role := strata.RoleUser
		if i%2 == 1 {
			role = strata.RoleAssistant
		}
		turns = append(turns, strata.Turn{Role: role, Text: text, At: time.Date(2026, 3, 2, 9, i, 0, 0, time.UTC)})
	}
	return turns
}

func appendTurns(t *testing.T, e *engine.Engine, session string, turns []strata.Turn) []strata.Turn {
	t.Helper()
	out, err := e.AppendTurns(context.Background(), strata.Global(), session, strata.SessionMain, turns)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTurnsAreFoundWithTheirSession(t *testing.T) {
	e := open(t)
	appendTurns(t, e, "one", talk("We painted the kitchen last weekend", "What color?", "Sage green, with white trim"))
	appendTurns(t, e, "two", talk("The train was late again"))
	res, err := e.Search(context.Background(), strata.Global().View(), "what color did we paint the kitchen")
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Hits) < 2 || res.Hits[0].Session != "one" || res.Hits[0].Kind != strata.KindTurn {
		t.Fatalf("hits = %+v", res.Hits)
	}
	answer := slices.IndexFunc(res.Hits, func(h strata.Hit) bool { return strings.Contains(h.Text, "Sage green") })
	if answer < 0 || answer > 2 {
		t.Errorf("the neighboring answer is at %d of %+v", answer, res.Hits)
	}
	healthy(t, e)
}

func TestSecretsInTurnsAreRedactedBeforeTheDisk(t *testing.T) {
	dir := t.TempDir()
	e := openAt(t, filepath.Join(dir, "strata.db"))
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	turns := appendTurns(t, e, "one", talk("Use "+secret+" for the deploy"))
	if turns[0].Redacted != 1 || strings.Contains(turns[0].Text, secret) || !strings.Contains(turns[0].Text, "for the deploy") {
		t.Errorf("turn = %+v", turns[0])
	}
	if found := grep(t, dir, secret); len(found) > 0 {
		t.Errorf("the secret stands in %v", found)
	}
}

func TestClosedSessionTakesNoTurns(t *testing.T) {
	e := open(t)
	appendTurns(t, e, "one", talk("Good night"))
	if err := e.CloseSession(context.Background(), strata.Global(), "one"); err != nil {
		t.Fatal(err)
	}
	_, err := e.AppendTurns(context.Background(), strata.Global(), "one", strata.SessionMain, talk("One more thing"))
	wantCode(t, err, strata.CodeConflict)
}

func TestExtractTwiceSavesOnce(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	appendTurns(t, e, "one", talk("My cat's name is Whiskerino", "Lovely!", "I live in Lisbon and I'm allergic to peanuts"))
	first, err := e.Extract(ctx, strata.Global(), "one")
	if err != nil || len(first) < 3 {
		t.Fatalf("first: %d decisions, %v", len(first), err)
	}
	before := current(t, e, strata.Global())
	again, err := e.Extract(ctx, strata.Global(), "one")
	if err != nil || len(again) != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	if got := current(t, e, strata.Global()); !slices.Equal(got, before) {
		t.Errorf("facts = %q, before %q", got, before)
	}
	for _, d := range first {
		if d.Op == strata.OpAdd && (len(d.After.Sources) != 1 || !strings.HasPrefix(d.After.Sources[0], id.Turn+"_")) {
			t.Errorf("%q has sources %q", d.After.Text, d.After.Sources)
		}
	}
}

func TestGroupSessionsDoNotSeeTheUser(t *testing.T) {
	e := open(t)
	save(t, e, "I am allergic to peanuts")
	view := strata.Global().View()
	view.Session = strata.SessionGroup
	res, err := e.Search(context.Background(), view, "who is allergic to peanuts")
	if err != nil || len(res.Hits) != 0 {
		t.Errorf("search = %+v, %v", res.Hits, err)
	}
	facts, err := e.Facts(context.Background(), view, strata.FactFilter{})
	if err != nil || len(facts) != 0 {
		t.Errorf("facts = %+v, %v", facts, err)
	}
}

func TestOnlyWhatWasReturnedCounts(t *testing.T) {
	e := open(t)
	ctx, view := context.Background(), strata.Global().View()
	for _, text := range []string{"The ferry leaves at six", "The ferry costs four euros", "The ferry carries twelve cars"} {
		save(t, e, text)
	}
	res, err := e.Query(ctx, strata.Query{View: view, Text: "what does the ferry cost", Limit: 1})
	if err != nil || len(res.Hits) != 1 {
		t.Fatalf("%+v, %v", res, err)
	}
	if _, err := e.Query(ctx, strata.Query{View: view, Text: "when does the ferry leave", Limit: 1, Automatic: true}); err != nil {
		t.Fatal(err)
	}
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	facts, err := e.Facts(ctx, view, strata.FactFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		want := 0
		if f.ID == res.Hits[0].ID {
			want = 1
		}
		if f.Accesses != want {
			t.Errorf("%q has %d accesses, want %d", f.Text, f.Accesses, want)
		}
	}
	trace, err := e.Trace(ctx, view, res.Trace)
	if err != nil || len(trace.Hits) != 1 || trace.Hits[0].ID != res.Hits[0].ID {
		t.Errorf("trace = %+v, %v", trace, err)
	}
}

func TestSignalsSurviveReindexing(t *testing.T) {
	e := open(t)
	ctx, view := context.Background(), strata.Global().View()
	save(t, e, "The ferry leaves at six")
	appendTurns(t, e, "one", talk("The ferry was late", "Oh no", "It left at seven"))
	var before []string
	ask := func() (out []string) {
		for _, q := range []string{"when does the ferry leave", "late", "seven"} {
			res, err := e.Query(ctx, strata.Query{View: view, Text: q, Quiet: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range res.Hits {
				out = append(out, h.ID)
			}
		}
		return out
	}
	if _, err := e.Recall(ctx, view, "ferry"); err != nil {
		t.Fatal(err)
	}
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	before = ask()
	report, err := e.Reindex(ctx, nil, nil)
	if err != nil || report.Passages != 4 {
		t.Fatalf("report = %+v, %v", report, err)
	}
	if got := ask(); !slices.Equal(got, before) {
		t.Errorf("answers changed from %v to %v", before, got)
	}
	facts, err := e.Facts(ctx, view, strata.FactFilter{})
	if err != nil || facts[0].Accesses != 1 {
		t.Errorf("facts = %+v, %v", facts, err)
	}
	healthy(t, e)
}

func TestExportThenImport(t *testing.T) {
	ctx := context.Background()
	from, to := open(t), open(t)
	save(t, from, "My name is Ana")
	save(t, from, "My name is Anna")
	write(t, from, strata.Candidate{Scope: strata.ForAgent("helper"), Content: "The ferry leaves at six"})
	appendTurns(t, from, "one", talk("The ferry was late", "Oh no"))
	var file bytes.Buffer
	out, err := from.Export(ctx, nil, &file)
	if err != nil || out.Rows["fact"] != 3 || out.Rows["turn"] != 2 {
		t.Fatalf("export = %+v, %v", out, err)
	}
	dry, err := to.Import(ctx, bytes.NewReader(file.Bytes()), transfer.Options{DryRun: true})
	if err != nil || dry.Facts != 2 || dry.Turns != 2 || dry.Skipped == 0 {
		t.Errorf("dry run = %+v, %v", dry, err)
	}
	if scopes, err := to.Scopes(ctx); err != nil || len(scopes) != 0 {
		t.Fatalf("the dry run wrote: %v, %v", scopes, err)
	}
	in, err := to.Import(ctx, bytes.NewReader(file.Bytes()), transfer.Options{})
	if err != nil || in != dry {
		t.Errorf("import = %+v, %v", in, err)
	}
	for _, s := range []strata.Scope{strata.Global(), strata.ForAgent("helper")} {
		if a, b := current(t, from, s), current(t, to, s); !slices.Equal(a, b) {
			t.Errorf("%s holds %q, was %q", s, b, a)
		}
	}
	again, err := to.Import(ctx, bytes.NewReader(file.Bytes()), transfer.Options{})
	if err != nil || again.Facts != 0 || again.Turns != 0 || again.Known != 4 {
		t.Errorf("again = %+v, %v", again, err)
	}
	healthy(t, to)
}

func FuzzImport(f *testing.F) {
	f.Add(`{"kind":"header","format":"strata-export","version":1}` + "\n" + `{"kind":"fact","fact":{"id":"x","scope":{"kind":"global"},"text":"a b"}}`)
	f.Add(`{"kind":"header","format":"strata-export","version":9}`)
	f.Add("{")
	f.Fuzz(func(t *testing.T, file string) {
		e := open(t)
		_, err := e.Import(context.Background(), strings.NewReader(file), transfer.Options{})
		if err != nil && strata.CodeOf(err) == strata.CodeInternal {
			t.Errorf("import of %q: %v", file, err)
		}
	})
}
