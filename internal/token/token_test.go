package token

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
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

// reference is the tokenizer of the tiktoken module.
func reference(name string) func() (*tiktoken.Tiktoken, error) {
	return sync.OnceValues(func() (*tiktoken.Tiktoken, error) {
		tiktoken.SetBpeLoader(loader.NewOfflineLoader())
		return tiktoken.GetEncoding(name)
	})
}

var references = map[*encoding]func() (*tiktoken.Tiktoken, error){
	cl100k: reference(tiktoken.MODEL_CL100K_BASE),
	o200k:  reference(tiktoken.MODEL_O200K_BASE),
}

// checkReference compares the counts of a text with those of the module. Where
// a piece is so long that it is cut, they may differ.
func checkReference(t interface{ Fatalf(string, ...any) }, s string) {
	s = string([]rune(s)) // as the module wants it
	for e, load := range references {
		for i := 0; i < len(s); {
			end := e.piece(s, i)
			if end <= i || end > len(s) {
				t.Fatalf("the piece of %q at %d ends at %d", s, i, end)
			}
			if end-i > maxPiece {
				return
			}
			i = end
		}
		enc, err := load()
		if err != nil {
			t.Fatalf("%v", err)
		}
		if got, want := e.Count(s), len(enc.EncodeOrdinary(s)); got != want {
			t.Fatalf("count of %q = %d, the module says %d", s, got, want)
		}
	}
}

func TestCountEqualsTheModule(t *testing.T) {
	for _, piece := range []string{"memory ", "die Straße, x1. ", "don't 2023\n\n", "naïve  日本語 ... ", "a,b\r\n ", "http://HTTPServer/ \n", "I'LL we'Ve X'S 'tis''s", "ǅungla é e\u0301 \u0301a ªº ʰ٣Ⅷ½\u00a0\u3000\u2028x\u0085", "\t\treturn x\n\n\n\t}  \n  "} {
		for n := range 4 {
			checkReference(t, strings.Repeat(piece, n))
		}
	}
	for _, s := range exampleConversation(t) {
		checkReference(t, s)
	}
	for _, name := range []string{"text/english.txt", "text/spanish.txt", "text/german.txt", "text/japanese.txt"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		checkReference(t, string(b))
	}
}

func TestCountOfAnyTextEqualsTheModule(t *testing.T) {
	piece := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-cA-CéÉßǅʰªあ漢٣½0-9'’ \t\r\n/.,(\x{301}\x{2028}\x{85}]{0,40}`), rapid.StringMatching(`[ \n]{0,9}[A-Za-z]{1,30}('(s|LL|Re|x))?`))
	rapid.Check(t, func(t *rapid.T) {
		checkReference(t, strings.Join(rapid.SliceOfN(piece, 0, 4).Draw(t, "text"), ""))
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

// A run without a break is cut before encoding; otherwise this takes minutes.
func TestCountOfARunWithoutBreakIsFast(t *testing.T) {
	for _, s := range []string{strings.Repeat("a", 400_000), strings.Repeat("=", 400_000), strings.Repeat(" ", 400_000), strings.Repeat("\xff", 400_000)} {
		if n := Count(s); n < len(s)/300 || n > len(s)*3 {
			t.Errorf("Count of %d times %q = %d", len(s), s[:1], n)
		}
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
		checkReference(t, s)
	})
}
