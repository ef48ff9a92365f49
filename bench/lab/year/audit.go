package main

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench/lab/life"
)

// audit compares what memory has with what was true.
type audit struct {
	*player
	facts []strata.Fact // all versions in all scopes
	// of holds, by the ID of a truth, the facts from turns that told it, and ends the
	// facts from turns that told its end.
	of   map[int][]strata.Fact
	ends map[int][]strata.Fact
	// before maps a truth to the one that it replaced.
	before map[int]int
	// noise holds current facts that say nothing true, with the kind of their source.
	noise []noise
	// archived holds the names of the archived sessions.
	archived []string
	out      Result
}

type noise struct {
	fact strata.Fact
	kind life.Kind
}

// readFacts reads every version of every fact and classifies it.
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
				// The fact says only what ended, apart from what came.
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

// beside is the kind of a fact from a turn that tells something, if the fact does not say
// that.
const beside life.Kind = "beside"

// tells reports whether a fact says a truth, including its subject and whether it is a
// denial.
func (a *audit) tells(f strata.Fact, t life.Truth) bool {
	return says(f.Text, t.Value) && says(f.Text, t.Subject) && (!t.Negative || denies(f.Text))
}

// says reports whether a text has all words of a value, each possibly with an s added. It
// ignores articles and the like.
func says(text, value string) bool {
	have := words(text)
	for _, w := range words(value) {
		if !slices.Contains(have, w) && !slices.Contains(have, w+"s") && !slices.Contains(small, w) {
			return false
		}
	}
	return true
}

// small holds words of values that may change with the speaker, or be omitted.
var small = strings.Fields("a an dr the my our your their her his of at on in with is")

// words returns the words of a text in lower case, without possessive endings.
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

// kept reports whether any fact says a truth.
func (a *audit) kept(t life.Truth) bool { return len(a.of[t.ID]) > 0 }

// current returns a fact that says a truth and is believed now; nil if there is none.
func (a *audit) current(t life.Truth) *strata.Fact {
	now := a.clock.now()
	for _, f := range a.of[t.ID] {
		if f.Current() && (f.ValidTo == nil || f.ValidTo.After(now)) {
			return &f
		}
	}
	return nil
}

// told returns the text of the first turn of the user that does one of the acts with a
// truth.
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

// fail records an example of a failure, up to examples of each kind.
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
