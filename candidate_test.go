package strata

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestCandidatesAreChecked(t *testing.T) {
	good := Candidate{Scope: Global(), Content: "The build needs Go 1.26"}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		change func(*Candidate)
		code   Code
	}{
		"blank":                     {func(c *Candidate) { c.Content = " \n" }, CodeInvalid},
		"too long":                  {func(c *Candidate) { c.Content = strings.Repeat("a", MaxFactBytes+1) }, CodeTooLarge},
		"NUL":                       {func(c *Candidate) { c.Content = "a\x00" }, CodeInvalid},
		"half a slot":               {func(c *Candidate) { c.Attribute = "name" }, CodeInvalid},
		"confidence above one":      {func(c *Candidate) { c.Confidence = 1.1 }, CodeInvalid},
		"confidence not a number":   {func(c *Candidate) { c.Confidence = math.NaN() }, CodeInvalid},
		"generation without target": {func(c *Candidate) { c.BaseGeneration = 2 }, CodeInvalid},
		"unknown wish":              {func(c *Candidate) { c.Wish = "burn" }, CodeInvalid},
		"delete of nothing":         {func(c *Candidate) { c.Wish, c.Content = WishDelete, "" }, CodeInvalid},
		"delete of two things":      {func(c *Candidate) { c.Wish, c.Target = WishDelete, "fact_1" }, CodeInvalid},
		"unknown origin":            {func(c *Candidate) { c.Origin = "fax" }, CodeInvalid},
		"path as session":           {func(c *Candidate) { c.Session = "../x" }, CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			c := good
			tt.change(&c)
			if got := CodeOf(c.Validate()); got != tt.code {
				t.Errorf("Validate gives %q, want %q", got, tt.code)
			}
		})
	}
}

func TestQueriesAreChecked(t *testing.T) {
	good := Query{View: Global().View(), Text: "cat"}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Query){
		"no view":         func(q *Query) { q.View = View{} },
		"blank":           func(q *Query) { q.Text = "\t" },
		"not UTF-8":       func(q *Query) { q.Text = "\xff" },
		"limit too high":  func(q *Query) { q.Limit = 1001 },
		"negative budget": func(q *Query) { q.Tokens = -1 },
		"unknown kind":    func(q *Query) { q.Kinds = []Kind{"dream"} },
		"unknown type":    func(q *Query) { q.Types = []Type{"secret"} },
		"path as session": func(q *Query) { q.Session = "a/b" },
	} {
		t.Run(name, func(t *testing.T) {
			q := good
			change(&q)
			if got := CodeOf(q.Validate()); got != CodeInvalid {
				t.Errorf("Validate gives %q, want invalid", got)
			}
		})
	}
}

func TestWhyListsWhatCounts(t *testing.T) {
	w := Why{Words: 0.48, Vector: 0.31, Parent: 0.12, Recency: 0.004}
	if got := w.String(); got != "words .48 · vector .31 · parent .12" {
		t.Errorf("String() = %q", got)
	}
}

func TestTurnsAreChecked(t *testing.T) {
	good := Turn{Session: "s", Role: RoleUser, Text: "hello", At: time.Now()}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Turn){
		"no session":      func(t *Turn) { t.Session = "" },
		"unknown role":    func(t *Turn) { t.Role = "owner" },
		"negative place":  func(t *Turn) { t.Seq = -1 },
		"blank":           func(t *Turn) { t.Text = " " },
		"path as speaker": func(t *Turn) { t.Speaker = "../x" },
	} {
		t.Run(name, func(t *testing.T) {
			turn := good
			change(&turn)
			if got := CodeOf(turn.Validate()); got != CodeInvalid {
				t.Errorf("Validate gives %q, want invalid", got)
			}
		})
	}
}
