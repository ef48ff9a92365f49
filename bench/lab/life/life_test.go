package life

import (
	"reflect"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"pgregory.net/rapid"
)

// Whatever the seed and the size, a life hangs together.
func TestYear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, n := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(10, 120).Draw(t, "sessions")
		l := Year(seed, n)
		if len(l.Sessions) != n || !reflect.DeepEqual(l, Year(seed, n)) {
			t.Fatal("one seed makes two lives")
		}
		told := make(map[int]int) // turns that say a truth
		for i, s := range l.Sessions {
			if s.At.Before(Begin) || s.At.After(Begin.Add(Length)) || i > 0 && s.At.Before(l.Sessions[i-1].End()) {
				t.Fatalf("session %d is at %v", i, s.At)
			}
			for _, turn := range s.Turns {
				if strings.Contains(turn.Text, "{e}") || strings.Contains(turn.Text, "{v}") || strings.Contains(turn.Text, "{old}") || strings.Contains(turn.Text, "¶") {
					t.Fatalf("a place is not filled: %s", turn.Text)
				}
				for _, m := range turn.About {
					truth := l.Truths[m.Truth]
					if truth.Project != Home && truth.Project != s.Project {
						t.Fatalf("%q is said in project %d, and is of %d", turn.Text, s.Project, truth.Project)
					}
					if turn.Role == strata.RoleUser && m.Act != Asked && m.Act != End {
						told[m.Truth]++
						if truth.Kind != Rule && !strings.Contains(strings.ToLower(turn.Text), strings.ToLower(truth.Value)) {
							t.Fatalf("%q does not say %q", turn.Text, truth.Value)
						}
					}
				}
			}
		}
		slots := make(map[string]int) // by slot: the truth that holds
		for i, truth := range l.Truths {
			if truth.ID != i || told[i] == 0 || truth.Question == "" {
				t.Fatalf("%+v was told %d times", truth, told[i])
			}
			if !truth.To.IsZero() && truth.To.Before(truth.From) {
				t.Fatalf("%+v ends before it begins", truth)
			}
			if truth.Next >= 0 && (l.Truths[truth.Next].Slot != truth.Slot || !l.Truths[truth.Next].From.Equal(truth.To)) {
				t.Fatalf("%+v is followed by %+v", truth, l.Truths[truth.Next])
			}
			if other, ok := slots[truth.Slot]; ok && truth.Holds() {
				t.Fatalf("%+v and %+v hold both", truth, l.Truths[other])
			}
			if truth.Holds() {
				slots[truth.Slot] = i
			}
		}
		for _, h := range l.Secrets {
			found := false
			for _, turn := range l.Sessions[h.Session].Turns {
				found = found || strings.Contains(turn.Text, h.Text) && turn.Noise == Secret
			}
			if !found {
				t.Fatalf("the %s is not said", h.Form)
			}
		}
	})
}

// Every kind is said in at least eight ways.
func TestWays(t *testing.T) {
	ways := make(map[Kind]int)
	for _, s := range append(append([]slot{}, personal...), decisions...) {
		ways[s.kind] += len(lines(s.tell))
	}
	ways[Rule], ways[Plan] = len(lines(ruleWays)), len(lines(planTell))
	for kind, list := range noises {
		ways[kind] = len(lines(list))
	}
	for _, f := range secretForms {
		ways[Secret] += len(lines(f.says))
	}
	for _, kind := range []Kind{Family, People, Health, Food, Work, Tools, Preference, Place, Date, Leisure, Negation, Rule, Decision, Plan,
		SmallTalk, Task, Code, Log, Quote, Hypothetical, Passing, Question, Explanation, Secret} {
		if ways[kind] < 8 {
			t.Errorf("%s is said in %d ways", kind, ways[kind])
		}
	}
}

// Two seeds make two lives of about the same size.
func TestSeeds(t *testing.T) {
	a, b := Year(1, 200), Year(2, 200)
	if reflect.DeepEqual(a, b) {
		t.Fatal("two seeds make the same life")
	}
	if x, y := len(a.Truths), len(b.Truths); x > 2*y || y > 2*x {
		t.Errorf("%d and %d truths", x, y)
	}
}
