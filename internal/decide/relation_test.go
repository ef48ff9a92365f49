package decide_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide"
)

// said is a fact of a slot, which is written "entity/attribute" and may be empty.
func said(id, text, slot string) strata.Fact {
	f := strata.Fact{ID: id, Scope: strata.Global(), Type: strata.TypeUser, Text: text, Generation: 1}
	f.Entity, f.Attribute, _ = strings.Cut(slot, "/")
	return f
}

func TestCompare(t *testing.T) {
	const cat, job = "user's cat/name", "user/employer"
	for _, c := range []struct {
		name, later, earlier, slots string // slots: of the later, of the earlier
		want                        decide.Relation
	}{
		{"the same words", "Tea is at five", "tea is at five.", "", decide.Repeats},
		{"an article more", "The user has the red bike", "The user has red bike", "", decide.Repeats},
		{"other words around one value", "My cat is called Tom", "My cat's name is Tom", cat + "," + cat, decide.Repeats},
		{"more of the same", "The user has a cat named Tom", "The user has a cat", "", decide.Repeats},
		{"less of the same", "The user has a cat", "The user has a cat named Tom", "", decide.Included},
		{"read and unread", "My cat is called Tom", "My cat is called Tom", cat, decide.Repeats},
		{"unread and read", "My cat is called Tom", "My cat is called Tom", "-," + cat, decide.Included},
		{"another value of the slot", "My cat is called Kit", "My cat is called Tom", cat + "," + cat, decide.Excludes},
		{"more about the value of the slot", "The user works at Acme in Bonn", "The user works at Acme", job + "," + job, decide.Unrelated},
		{"a negation", "The user does not eat meat", "The user eats meat", "", decide.Excludes},
		{"another day", "The meeting is on Friday", "The meeting is on Monday", "", decide.Excludes},
		{"an end", "Rex died", "The user's dog is named Rex", "", decide.Excludes},
		{"a beginning after an end", "The user's dog is named Rex", "Rex died", "", decide.Unrelated},
		{"something that may be another", "The user likes tea", "The user likes coffee", "", decide.Unrelated},
		{"another slot", "My cat is called Tom", "My dog is called Tom", cat + ",user's dog/name", decide.Unrelated},
		{"a name that ends in s", "The user met James there", "The user met Jame there", "", decide.Unrelated},
		{"a question", "Tea is at five?", "Tea is at five", "", decide.Unrelated},
	} {
		t.Run(c.name, func(t *testing.T) {
			slot, other, _ := strings.Cut(c.slots, ",")
			later, earlier := said("fact_2", c.later, strings.TrimPrefix(slot, "-")), said("fact_1", c.earlier, other)
			if got := decide.Compare(later, earlier); got != c.want {
				t.Errorf("%q after %q: %d, want %d", c.later, c.earlier, got, c.want)
			}
		})
	}
}

func TestCompareKeepsApartWhatHoldsAtOtherTimes(t *testing.T) {
	day := func(d int) *time.Time { at := time.Date(2026, 1, d, 0, 0, 0, 0, time.UTC); return &at }
	a, b := said("fact_2", "The user lives in Bonn", "user/home"), said("fact_1", "The user lives in Cologne", "user/home")
	b.ValidTo, a.ValidFrom = day(3), day(3)
	if got := decide.Compare(a, b); got != decide.Unrelated {
		t.Errorf("one home after the other: %d", got)
	}
	a.ValidFrom = day(2)
	if got := decide.Compare(a, b); got != decide.Excludes {
		t.Errorf("two homes on a day: %d", got)
	}
	b.Text = a.Text
	if got := decide.Compare(a, b); got != decide.Unrelated {
		t.Errorf("the same until another day: %d", got)
	}
	b.Type, b.ValidTo = strata.TypeProject, nil
	if got := decide.Compare(a, b); got != decide.Unrelated {
		t.Errorf("of another type: %d", got)
	}
}

// What differs in a value, a number, a name, a date or a negation never repeats what was
// said, and never includes it.
func TestCompareNeverTakesAnotherValueForTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
		subject := pick("subject", "The user", "The user's sister", "The build", "The meeting", "Anna", "The limit of the queue")
		verb := pick("verb", "is", "has", "costs", "lives in", "works at", "needs", "is named", "begins at", "was born on")
		values := []string{"5", "50", "5.0", "Bonn", "Born", "James", "Jame", "red", "Monday", "Tuesday", "2024-05-01", "2024-05-10", "May 3", "May 4", "v1.2", "v1.3",
			"a cat", "a cat named Tom", "a cat named Kit", "three", "four", "/srv/a", "/srv/b", "ana@example.org", "anna@example.org"}
		x, y := pick("value", values...), pick("other value", values...)
		tail := pick("tail", "", " every day", " in the office", " because it rains", " and two dogs")
		a := strings.TrimSpace(fmt.Sprintf("%s %s %s%s", subject, verb, x, tail))
		b := strings.TrimSpace(fmt.Sprintf("%s %s %s%s", subject, verb, y, tail))
		if rapid.Bool().Draw(t, "negated") {
			b = strings.TrimSpace(fmt.Sprintf("%s %s %s%s", subject, strings.Replace(verb, " ", " not ", 1)+" not", x, tail))
		} else if x == y || x == "a cat" || y == "a cat" { // the same, or a name that is added
			return
		}
		slot := pick("slot", "", "user/value")
		got := decide.Compare(said("fact_2", a, slot), said("fact_1", b, slot))
		if got == decide.Repeats || got == decide.Included {
			t.Fatalf("%q and %q in slot %q: %d", a, b, slot, got)
		}
	})
}

// Compare never merges what its own reverse keeps apart: what repeats one way is repeated
// or included the other way.
func TestCompareAgreesWithItsReverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SampledFrom([]string{"Tea is at five", "The tea is at five", "Tea is at six", "The user has a cat", "The user has a cat named Tom",
			"The user has no cat", "My cat is called Tom", "My cat's name is Tom", "The user likes tea", "The user likes tea and coffee"})
		slots := rapid.SampledFrom([]string{"", "user's cat/name"})
		a := said("fact_2", texts.Draw(t, "text"), slots.Draw(t, "slot"))
		b := said("fact_1", texts.Draw(t, "other text"), slots.Draw(t, "other slot"))
		there, back := decide.Compare(a, b), decide.Compare(b, a)
		merges := func(r decide.Relation) bool { return r == decide.Repeats || r == decide.Included }
		if merges(there) != merges(back) {
			t.Fatalf("%q (%s) and %q (%s): %d, and %d the other way", a.Text, a.Entity, b.Text, b.Entity, there, back)
		}
	})
}
