package textdiff

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func shown(list []Part) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteString([]string{"", "[-", "{+"}[p.Kind] + p.Text + []string{"", "-]", "+}"}[p.Kind])
	}
	return b.String()
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"The cat is red", "The cat is blue", "The cat is [-red-]{+blue+}"},
		{"", "new", "{+new+}"},
		{"gone", "", "[-gone-]"},
		{"one\ntwo\nthree\n", "one\nthree\n", "one\n[-two\n-]three\n"},
		{"one\ntwo words\nthree\n", "one\ntwo letters\nthree\n", "one\ntwo [-words-]{+letters+}\nthree\n"},
		{"猫は赤い", "猫は青い", "猫は[-赤-]{+青+}い"},
		{"a\xff b", "a\xff c", "a\xff [-b-]{+c+}"},
		{"same", "same", "same"},
		{"is very old and green", "is quite new and green", "is [-very old-]{+quite new+} and green"},
	} {
		if got := shown(Words(c.before, c.after)); got != c.want {
			t.Errorf("Words(%q, %q) = %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

// Both versions can be read out of what is shown.
func TestWords_HaveBothVersions(t *testing.T) {
	text := rapid.Custom(func(r *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", " ", "\n", "ö", "猫", "\xfe", "."}), 0, 30).Draw(r, "text"), "")
	})
	rapid.Check(t, func(r *rapid.T) {
		before, after := text.Draw(r, "before"), text.Draw(r, "after")
		var was, is string
		for _, p := range Words(before, after) {
			if p.Kind != Added {
				was += p.Text
			}
			if p.Kind != Removed {
				is += p.Text
			}
		}
		if was != before || is != after {
			t.Fatalf("%q, %q read as %q, %q", before, after, was, is)
		}
	})
}

// Long lists are compared in bounded memory, and still line by line.
func TestWords_OfALongText(t *testing.T) {
	var before, after strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&before, "line %d\n", i)
		if i%1000 == 0 {
			fmt.Fprintf(&after, "line %d changed\n", i)
		} else {
			fmt.Fprintf(&after, "line %d\n", i)
		}
	}
	added := 0
	for _, p := range Words(before.String(), after.String()) {
		if p.Kind == Added {
			added++
		}
	}
	if added != 20 {
		t.Errorf("%d parts were added, want 20", added)
	}
}

func FuzzParts(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\n")
	f.Add("x\ny", "y\nx\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		var from, to strings.Builder
		last := Kind(-1)
		for _, p := range Parts(before, after) {
			if p.Kind == last || p.Text == "" {
				t.Errorf("%+v stands behind one of its kind, or is empty", p)
			}
			if last = p.Kind; p.Kind != Added {
				from.WriteString(p.Text)
			}
			if p.Kind != Removed {
				to.WriteString(p.Text)
			}
		}
		if from.String() != before || to.String() != after {
			t.Errorf("the parts make %q of %q, and %q of %q", from.String(), before, to.String(), after)
		}
	})
}

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name, base, ours, theirs, want string
		ok                             bool
	}{
		{"both elsewhere", "a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n", true},
		{"both the same", "a\nb\n", "a\nB\n", "a\nB\n", "a\nB\n", true},
		{"both the same place", "a\nb\n", "a\nX\n", "a\nY\n", "", false},
		{"one removes, one adds elsewhere", "a\nb\nc\nd\n", "a\nc\nd\n", "a\nb\nc\nd\ne\n", "a\nc\nd\ne\n", true},
		{"one removes what the other changes", "a\nb\nc\n", "a\nc\n", "a\nB\nc\n", "", false},
		{"nothing of one", "a\n", "a\n", "b\n", "b\n", true},
		{"both add at the end", "a\n", "a\nx\n", "a\ny\n", "", false},
		{"of nothing", "", "x\n", "y\n", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := Merge(c.base, c.ours, c.theirs)
			if got != c.want || ok != c.ok {
				t.Errorf("got %q, %v, want %q, %v", got, ok, c.want, c.ok)
			}
			if back, again := Merge(c.base, c.theirs, c.ours); back != got || again != ok {
				t.Errorf("the other way round: %q, %v", back, again)
			}
		})
	}
}

// A merge keeps what either added, and with nothing done on one side it is the other.
func TestMerge_KeepsBoth(t *testing.T) {
	list := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n"}), 0, 12)
	rapid.Check(t, func(r *rapid.T) {
		base := strings.Join(list.Draw(r, "base"), "")
		mine, other := base+"mine\n", "other\n"+base
		if got, ok := Merge(base, mine, other); base != "" && (!ok || got != "other\n"+base+"mine\n") {
			t.Fatalf("%q: %q, %v", base, got, ok)
		}
	})
}
