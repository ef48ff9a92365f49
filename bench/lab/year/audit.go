package main

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench/lab/life"
)

// audit is what memory has, held against what was true.
type audit struct {
	*player
	facts []strata.Fact // all versions, of all scopes
	// of are the facts that say a truth, by its number: those made of turns that told
	// it, and those made of turns that told its end.
	of   map[int][]strata.Fact
	ends map[int][]strata.Fact
	// before is the truth whose place one took.
	before map[int]int
	// noise are current facts that say nothing that is true, with the kind of what they
	// come from.
	noise []noise
	// archived are the names of the sessions that were put away.
	archived []string
	out      Result
}

type noise struct {
	fact strata.Fact
	kind life.Kind
}

// readFacts lists every version of every fact and finds out what it says.
func (a *audit) readFacts(ctx context.Context) error {
	a.of, a.ends, a.before = make(map[int][]strata.Fact), make(map[int][]strata.Fact), make(map[int]int)
	for _, t := range a.life.Truths {
		if t.Next >= 0 {
			a.before[t.Next] = t.ID
		}
	}
	for project := range a.projects {
		const page = 1000
		filter := strata.FactFilter{Retired: true, Limit: page}
		for {
			some, err := a.mem.Facts(ctx, a.scope(project).View(), filter)
			if err != nil {
				return err
			}
			a.facts = append(a.facts, some...)
			if len(some) < page {
				break
			}
			filter.After = some[len(some)-1].ID
		}
	}
	for _, f := range a.facts {
		a.classify(f)
	}
	return nil
}

// classify finds the truths that a fact says, by the turns that it was made of.
func (a *audit) classify(f strata.Fact) {
	kind := life.Kind("unknown")
	found := false
	for _, id := range f.Sources {
		t, ok := a.turns[id]
		if !ok {
			continue
		}
		if kind = t.turn.Noise; kind == "" {
			kind = beside
		}
		for _, m := range t.turn.About {
			truth := a.life.Truths[m.Truth]
			before, replaces := a.before[m.Truth]
			switch {
			case m.Act == life.End && (kind == beside || says(f.Text, truth.Value)):
				a.ends[m.Truth] = append(a.ends[m.Truth], f)
			case a.tells(f, truth):
				a.of[m.Truth] = append(a.of[m.Truth], f)
			case replaces && says(f.Text, a.life.Truths[before].Value):
				// What was left is said apart from what came.
			default:
				continue
			}
			found = true
		}
	}
	if !found && f.Current() {
		a.noise = append(a.noise, noise{f, kind})
	}
}

// beside is the kind of what is kept of a turn that tells something, and does not
// say that.
const beside life.Kind = "beside"

// tells reports whether a fact says a truth: of whom it is, and with its sign.
func (a *audit) tells(f strata.Fact, t life.Truth) bool {
	return says(f.Text, t.Value) && says(f.Text, t.Subject) && (!t.Negative || denies(f.Text))
}

// says reports whether a text has all words of a value, which may have gained an s;
// articles and the like are left out.
func says(text, value string) bool {
	have := words(text)
	for _, w := range words(value) {
		if !slices.Contains(have, w) && !slices.Contains(have, w+"s") && !slices.Contains(small, w) {
			return false
		}
	}
	return true
}

// small are words of values that may change with who speaks, or go.
var small = strings.Fields("a an dr the my our your their her his of at on in with is")

// words are the words of a text in small letters; a possessive is its word.
func words(text string) []string {
	text = strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(text), "’", "'"), "'s", "")
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// denies reports whether a text says that something is not so.
func denies(text string) bool {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	return strings.Contains(text, "n't") || slices.ContainsFunc(words(text), func(w string) bool {
		return slices.Contains(strings.Fields("no not never without nope away against stop avoid avoids dislikes hates none neither cannot"), w)
	})
}

// kept reports whether a fact says a truth.
func (a *audit) kept(t life.Truth) bool { return len(a.of[t.ID]) > 0 }

// current is a fact that says a truth and is believed now; nil if there is none.
func (a *audit) current(t life.Truth) *strata.Fact {
	now := a.clock.now()
	for _, f := range a.of[t.ID] {
		if f.Current() && (f.ValidTo == nil || f.ValidTo.After(now)) {
			return &f
		}
	}
	return nil
}

// told is the text of the first turn that does something with a truth.
func (a *audit) told(truth int, acts ...life.Act) string {
	for _, s := range a.life.Sessions {
		for _, turn := range s.Turns {
			for _, m := range turn.About {
				if m.Truth == truth && turn.Role == strata.RoleUser && slices.Contains(acts, m.Act) {
					return turn.Text
				}
			}
		}
	}
	return ""
}

// fail keeps an example.
func (a *audit) fail(f Failure) {
	n := 0
	for _, other := range a.out.Failures {
		if other.Kind == f.Kind {
			n++
		}
	}
	if n < examples {
		a.out.Failures = append(a.out.Failures, f)
	}
}
