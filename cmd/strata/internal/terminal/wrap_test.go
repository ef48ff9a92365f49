package terminal

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Folding changes no word and their order, and no line is longer than wanted unless it is
// one word.
func TestFoldKeepsWordsWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringMatching(`( {0,6}[a-zé]{0,15}){0,12}(\n {0,40}[a-z]{0,9} [a-z]{0,9}){0,2}`).Draw(rt, "text")
		columns := rapid.IntRange(4, 60).Draw(rt, "columns")
		st := Style{Color: rapid.Bool().Draw(rt, "color")}
		got := Fold(st.Faint(text), columns, rapid.IntRange(0, 2).Draw(rt, "hang"))
		plain := strings.NewReplacer("\x1b[2m", "", "\x1b[0m", "").Replace(got)
		if a, b := strings.Join(strings.Fields(plain), " "), strings.Join(strings.Fields(text), " "); a != b {
			rt.Fatalf("%q became %q", b, a)
		}
		for line := range strings.Lines(got) {
			if line = strings.TrimRight(line, "\n"); Columns(line) > columns && len(strings.Fields(line)) > 1 {
				rt.Fatalf("%d columns, want at most %d: %q", Columns(line), columns, line)
			}
		}
	})
}

func TestWrapBreaksScriptsWithoutSpaces(t *testing.T) {
	text := "私の猫の名前はウィスカリノです"
	lines := Wrap(text, 10)
	if strings.Join(lines, "") != text || len(lines) < 3 {
		t.Fatalf("wrapped into %q", lines)
	}
	for _, l := range lines {
		if Columns(l) > 10 {
			t.Errorf("%q has %d columns", l, Columns(l))
		}
	}
}

func TestASCIITellsTextsApart(t *testing.T) {
	for text, want := range map[string]string{
		"user · pets": "user, pets", "a … b": "a ... b", "caf\u00e9": `caf\u00e9`, "猫": `\u732b`, "😀": `\U0001f600`, "plain": "plain",
	} {
		if got := ASCII(text); got != want {
			t.Errorf("ASCII(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTheFirstVariableNamesTheLocale(t *testing.T) {
	tests := []struct {
		env  map[string]string
		want bool
	}{
		{nil, true},
		{map[string]string{"LANG": "en_US.UTF-8"}, true},
		{map[string]string{"LANG": "de_DE.utf8"}, true},
		{map[string]string{"LANG": "C.UTF-8", "LC_ALL": "C"}, false},
		{map[string]string{"LC_CTYPE": "POSIX"}, false},
		{map[string]string{"LC_ALL": "", "LANG": "C"}, false},
	}
	for _, tt := range tests {
		if got := HasUTF8(func(name string) string { return tt.env[name] }); got != tt.want {
			t.Errorf("%v has UTF-8: %v", tt.env, got)
		}
	}
}
