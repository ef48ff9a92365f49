package main

import (
	"bytes"
	"compress/zlib"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench/lab/life"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/local"
)

// open opens the embedded default.
func open(ctx context.Context, home string, workspaces map[string]string, now func() time.Time) (*engine.Engine, error) {
	opened, err := local.OpenWith(ctx, local.Options{Home: home, Workspaces: workspaces, Now: now})
	if err != nil {
		return nil, err
	}
	return opened.Engine(), nil
}

// begun is a memory that a life of few turns was played to.
func begun(t *testing.T, l life.Life) *player {
	t.Helper()
	p := &player{Options: Options{Dir: t.TempDir(), Sessions: len(l.Sessions), Open: open}, life: l, clock: new(clock)}
	p.home = filepath.Join(p.Dir, "home")
	p.clock.set(life.Begin)
	if err := p.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.mem.Close() })
	for i := range l.Sessions {
		if err := p.play(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	p.clock.set(life.Begin.Add(life.Length))
	return p
}

// sessionOf is one a month after the other, with one turn.
func sessionOf(n int, text string, about ...life.Mention) life.Session {
	at := life.Begin.AddDate(0, n, 0)
	return life.Session{At: at, Turns: []life.Turn{{Role: strata.RoleUser, Text: text, At: at, About: about}}}
}

// What memory holds is held against what was true, each fault under its own name.
func TestJudge(t *testing.T) {
	at := func(n int) time.Time { return life.Begin.AddDate(0, n, 0) }
	l := life.Life{
		Truths: []life.Truth{
			{ID: 0, Kind: life.Tools, Slot: "editor", Value: "Zed", From: at(0), To: at(2), Next: 1, Question: "Which editor do I use?"},
			{ID: 1, Kind: life.Tools, Slot: "editor", Value: "Helix", From: at(2), Next: -1, Question: "Which editor do I use?"},
			{ID: 2, Kind: life.Food, Slot: "tea", Value: "sencha", From: at(1), Next: -1, Question: "Which tea do I drink?"},
			{ID: 3, Kind: life.Decision, Slot: "port", Value: "9443", Project: 1, From: at(3), Next: -1, Question: "Which port does the mailer use?"},
		},
		Sessions: []life.Session{
			sessionOf(0, "My editor is Zed.", life.Mention{Truth: 0, Act: life.Tell}),
			sessionOf(1, "hm, sencha", life.Mention{Truth: 2, Act: life.Tell}),
			sessionOf(2, "I switched from Zed to Helix.", life.Mention{Truth: 1, Act: life.Change}),
			sessionOf(3, "I live in Oulu."),
			sessionOf(4, "not much to say about the mailer", life.Mention{Truth: 3, Act: life.Tell}),
		},
		Secrets: []life.Hidden{{Form: "password", Text: "Kettle-Harbor-99", Session: 3}},
	}
	p := begun(t, l)
	// What a rule would have to prevent is done by hand: a fact of a project in the
	// global scope, a secret on the disk, a line that somebody took away.
	ctx := t.Context()
	var turn string
	for id, s := range p.turns {
		if s.session == 4 {
			turn = id
		}
	}
	_, err := p.mem.Write(ctx, strata.Candidate{Scope: strata.Global(), Content: "The mailer uses port 9443", Sources: []string{turn}, Origin: strata.OriginCLI})
	if err != nil {
		t.Fatal(err)
	}
	for project := range p.projects {
		dir, _ := p.mem.Directory(p.scope(project))
		if err := appendLine(filepath.Join(dir, index), "- kept"); err != nil {
			t.Fatal(err)
		}
		p.written = append(p.written, line{project, "- kept"}, line{project, "- gone"})
	}
	if err := os.WriteFile(filepath.Join(p.home, "leak"), []byte("so Kettle-Harbor-99 it is"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := p.judge(ctx)
	if err != nil {
		t.Fatal(err)
	}
	f := r.Figures
	if k := f.Kinds[life.Tools]; k.Told != 2 || k.Kept != 2 || k.Found != 1 {
		t.Errorf("tools: %+v", k)
	}
	if c := f.Changes; c.Ended != 1 || c.Understood != 1 || c.Current != 0 || c.AsOf != (Found{1, 1}) {
		t.Errorf("changes: %+v", c)
	}
	if f.Kinds[life.Food].Kept != 0 || f.Crossed != 1 || f.Misfiled != 1 || f.SecretsLeaked != 1 || f.Index.Written-f.Index.Intact != len(p.projects) || f.Index.Intact < len(p.projects) || f.NoiseShare() == 0 {
		t.Errorf("figures: %+v", f)
	}
	for _, kind := range []string{FailMissed, FailCrossed, FailMisfiled, FailSecret, FailLine, FailNoise} {
		if !slices.ContainsFunc(r.Failures, func(f Failure) bool { return f.Kind == kind }) {
			t.Errorf("no failure of kind %s in %+v", kind, r.Failures)
		}
	}
}

func TestSays(t *testing.T) {
	for _, test := range []struct {
		text, value string
		want        bool
	}{
		{"The user drives a Skoda Octavia.", "a Skoda Octavia", true},
		{"It is at their parents' house", "at my parents' house", true},
		{"The user never smokes", "smoke", true},
		{"Anna’s dentist", "Anna", true},
		{"The user drives a Skoda.", "a Skoda Octavia", false},
		{"My sister is Annabel", "Anna", false},
	} {
		if got := says(test.text, test.value); got != test.want {
			t.Errorf("says(%q, %q) is %t", test.text, test.value, got)
		}
	}
}

func TestInflateFindsWhatIsPacked(t *testing.T) {
	var pack bytes.Buffer
	pack.WriteString("PACK x and a bit")
	for _, text := range []string{"one secret", "another"} {
		z := zlib.NewWriter(&pack)
		z.Write([]byte(text))
		z.Close()
		pack.WriteString("xx")
	}
	var got []string
	inflate(pack.Bytes(), func(part []byte) { got = append(got, string(part)) })
	if strings.Join(got, "|") != "one secret|another" {
		t.Errorf("found %q", got)
	}
}

func TestBadSizesAreRefused(t *testing.T) {
	for _, n := range []int{-1, 0, MinSessions - 1, MaxSessions + 1} {
		if _, err := Run(t.Context(), Options{Dir: t.TempDir(), Sessions: n}); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%d sessions: %v", n, err)
		}
	}
}
