package token

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
	"github.com/pkoukk/tiktoken-go"
	"pgregory.net/rapid"
)

func TestCount(t *testing.T) {
	// Counts by the reference implementation.
	tests := []struct {
		name, in      string
		cl100k, o200k int
	}{
		{"nothing", "", 0, 0},
		{"one word", "hello", 1, 1},
		{"sentence", "hello world", 2, 2},
		{"exclamation", "tiktoken is great!", 6, 6},
		{"long word", "antidisestablishmentarianism", 6, 6},
		{"sum", "2 + 2 = 4", 7, 7},
		{"Japanese", "お誕生日おめでとう", 9, 8},
		{"apostrophe", "I'm here", 3, 2},
		{"digits in threes", "1234567", 3, 3},
		{"control names are text", "<|endoftext|>", 7, 7},
		{"white space", "a    b", 3, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := cl100k.Count(tt.in); got != tt.cl100k || got != Count(tt.in) {
				t.Errorf("cl100k counts %d in %q, want %d", got, tt.in, tt.cl100k)
			}
			if got := o200k.Count(tt.in); got != tt.o200k {
				t.Errorf("o200k counts %d in %q, want %d", got, tt.in, tt.o200k)
			}
		})
	}
}

// checkModule compares the counts of a text without long runs with those of the module.
func checkModule(t interface{ Fatalf(string, ...any) }, s string) {
	s = string([]rune(s)) // as the module wants it
	if part(s) < len(s) {
		return
	}
	for _, e := range []*encoding{cl100k, o200k} {
		module, err := e.table()
		if err != nil {
			t.Fatalf("%v", err)
		}
		if got, want := e.Count(s), len(module.EncodeOrdinary(s)); got != want {
			t.Fatalf("count of %q = %d, the module says %d", s, got, want)
		}
	}
}

func TestCountEqualsTheModule(t *testing.T) {
	for _, piece := range []string{"memory ", "die Straße, x1. ", "don't 2023\n\n", "naïve  日本語 ... ", "a,b\r\n ", "http://HTTPServer/ \n", "I'LL we'Ve X'S 'tis''s", "ǅungla é e\u0301 \u0301a ªº ʰ٣Ⅷ½\u00a0\u3000\u2028x\u0085", "\t\treturn x\n\n\n\t}  \n  "} {
		for n := range 4 {
			checkModule(t, strings.Repeat(piece, n))
		}
	}
	for _, s := range exampleConversation(t) {
		checkModule(t, s)
	}
	for _, name := range []string{"text/english.txt", "text/spanish.txt", "text/german.txt", "text/japanese.txt"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		checkModule(t, string(b))
	}
}

func TestCountOfAnyTextEqualsTheModule(t *testing.T) {
	piece := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-cA-CéÉßǅʰªあ漢٣½0-9'’ \t\r\n/.,(\x{301}\x{2028}\x{85}]{0,40}`), rapid.StringMatching(`[ \n]{0,9}[A-Za-z]{1,30}('(s|LL|Re|x))?`))
	rapid.Check(t, func(t *rapid.T) {
		checkModule(t, strings.Join(rapid.SliceOfN(piece, 0, 4).Draw(t, "text"), ""))
	})
}

// A message may be counted in parts: that is at most a few tokens too low.
func TestCountOfPartsIsNotLow(t *testing.T) {
	piece := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-zA-Z]{0,40}`), rapid.StringMatching(`[a-zA-Z0-9 \n\t.,;(){}=_-]{0,200}`))
	rapid.Check(t, func(t *rapid.T) {
		a, b := piece.Draw(t, "a"), piece.Draw(t, "b")
		for _, e := range []*encoding{cl100k, o200k} {
			if whole, parts := e.Count(a+b), e.Count(a)+e.Count(b); whole > parts+4 {
				t.Fatalf("%d for the whole, %d for the parts", whole, parts)
			}
		}
	})
}

// A part that is encoded at once holds no run that is longer than maxRun, so that the
// work does not grow with the square of the text, and the parts are the text.
func TestPartsHoldNoLongRun(t *testing.T) {
	for _, unit := range []string{"a", "A", " ", "\n", "\t", "=", "漢", "あ", "é", "e\u0301", "=\u0301", "\u0301", "नि", "한", "🙂", "\uFFFD", "ß'", "\u00a0", "=\n", "1", "1\u0301", "1a", "x ", "aB", "<|endoftext|>"} {
		s := strings.Repeat(unit, 3000)
		for whole, i := s, 0; s != ""; {
			end := part(s)
			if end <= 0 || end > len(s) || !utf8.ValidString(s[:end]) {
				t.Fatalf("the part of %q at %d ends at %d", whole[i:min(i+12, len(whole))], i, end)
			}
			for _, e := range []*encoding{cl100k, o200k} {
				if n := longestPiece(e, s[:end]); n > 3*maxRun {
					t.Errorf("of %d times %q %d bytes are one piece", 3000, unit, n)
				}
			}
			s, i = s[end:], i+end
		}
	}
}

// longestPiece is the length in bytes of the longest piece that the pattern of an
// encoding finds in a text.
func longestPiece(e *encoding, s string) int {
	pattern := patterns[e]()
	longest := 0
	for m, _ := pattern.FindStringMatch(s); m != nil; m, _ = pattern.FindNextMatch(m) {
		longest = max(longest, len(m.String()))
	}
	return longest
}

// patterns are those of the tokenizers, as the module has them.
var patterns = map[*encoding]func() *regexp2.Regexp{
	cl100k: pattern(`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`),
	o200k: pattern(`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
		`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`),
}

func pattern(s string) func() *regexp2.Regexp {
	return sync.OnceValue(func() *regexp2.Regexp { return regexp2.MustCompile(s, regexp2.None) })
}

// A run without a break takes no longer than as many short ones; uncut, 100 KB of
// spaces alone took twelve seconds.
func TestCountOfARunWithoutBreakIsFast(t *testing.T) {
	for _, unit := range []string{"a", "Ab", "=", " ", "\n", "\t", "漢", "あ", "한", "e\u0301", "\xff", "-\n"} {
		s := strings.Repeat(unit, 100_000/len(unit))
		for _, e := range []*encoding{cl100k, o200k} {
			e.Count("load the table")
			began := time.Now()
			n := e.Count(s)
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("counting %d bytes of %q took %v", len(s), unit, took)
			}
			if n < len(s)/300 || n > len(s)*3 {
				t.Errorf("Count of %d bytes of %q = %d", len(s), unit, n)
			}
		}
	}
}

// Cutting a run changes its count by a few tokens at each cut, and no more.
func TestCutRunsCountAboutTheSame(t *testing.T) {
	for _, unit := range []string{"a", "Ab", "=", " ", "\n", "漢", "あ", "-\n"} {
		s := strings.Repeat(unit, 1500/len(unit))
		for _, e := range []*encoding{cl100k, o200k} {
			module, err := e.table()
			if err != nil {
				t.Fatal(err)
			}
			cuts := len(s)/maxRun + 1
			if got, want := e.Count(s), len(module.EncodeOrdinary(s)); got < want || got > want+2*cuts {
				t.Errorf("%d bytes of %q count %d, uncut %d", len(s), unit, got, want)
			}
		}
	}
}

// The table of a model's tokenizer loads in the background; who counts waits for it.
func TestTableLoadsInTheBackground(t *testing.T) {
	e := newEncoding(tiktoken.MODEL_CL100K_BASE)
	if Ready(e) {
		t.Error("a table is loaded before anybody asked for it")
	}
	e.load()
	e.load()
	if n := e.Count("hello world"); n != 2 || !Ready(e) {
		t.Errorf("Count = %d, ready %v", n, Ready(e))
	}
	if !Ready(Estimate{}) {
		t.Error("an estimate has a table to load")
	}
}

func TestCountIsSafeForConcurrentUse(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if n := Count("My cat's name is Whiskerino"); n != 9 {
				t.Errorf("Count = %d, want 9", n)
			}
		})
	}
	wg.Wait()
}

func FuzzCount(f *testing.F) {
	f.Add("What's 日本語 v2.4.7 \x00 \xff")
	f.Add(strings.Repeat("ab ", 9000))
	f.Fuzz(func(t *testing.T, s string) {
		n := Count(s)
		if s != "" && n == 0 || utf8.ValidString(s) && n > len(s) {
			t.Fatalf("Count of %d bytes = %d", len(s), n)
		}
		checkModule(t, s)
	})
}
