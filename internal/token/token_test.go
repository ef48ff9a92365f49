package token

import (
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

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

// What is cut at spaces counts as the whole does.
func TestCountOfLongTextEqualsEncodingAtOnce(t *testing.T) {
	for _, e := range []*encoding{cl100k, o200k} {
		enc, err := e.load()
		if err != nil {
			t.Fatal(err)
		}
		for _, piece := range []string{"memory ", "die Straße, x1. ", "don't 2023\n\n", "naïve  日本語 ... ", "a,b\r\n ", "http://HTTPServer/ \n"} {
			s := strings.Repeat(piece, 1+5*maxChunk/2/len(piece))
			if got, want := e.Count(s), len(enc.EncodeOrdinary(s)); got != want {
				t.Errorf("count of %q repeated = %d, at once %d", piece, got, want)
			}
		}
	}
}

// Cutting never loses or reorders text, and ends.
func TestCutIsAPrefixAtACharacter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Repeat(rapid.String().Draw(t, "text"), rapid.IntRange(1, 400).Draw(t, "times"))
		for s != "" {
			end := cut(s)
			if end <= 0 || end > len(s) || !utf8.ValidString(s[:end]) {
				t.Fatalf("cut(%d bytes) = %d", len(s), end)
			}
			s = s[end:]
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
	})
}
