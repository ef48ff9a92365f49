package text

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// passages are the texts of the spans, without the space around them.
func passages(s string) []string {
	var out []string
	for _, p := range Passages(s) {
		out = append(out, strings.TrimSpace(s[p.Start:p.End]))
	}
	return out
}

func TestPassagesEndAtNaturalBorders(t *testing.T) {
	words := func(n int, w string) string { return strings.TrimSpace(strings.Repeat(w+" ", n)) }
	for name, x := range map[string]struct {
		parts []string
		join  string
	}{
		"paragraphs":       {[]string{words(100, "one"), words(110, "two"), words(90, "three")}, "\n\n"},
		"a heading":        {[]string{words(120, "one"), "## Two\n\n" + words(100, "two"), "**Three:**\n" + words(100, "three")}, "\n\n"},
		"items":            {[]string{"- " + words(99, "one"), "- " + words(100, "two"), "- " + words(98, "three")}, "\n"},
		"numbered items":   {[]string{"1. " + words(99, "one"), "2) " + words(100, "two"), "10. " + words(98, "three")}, "\n"},
		"a block of code":  {[]string{words(100, "one"), "```go\n" + words(60, "x") + "\n\n" + words(60, "y") + "\n```", words(100, "three")}, "\n"},
		"sentences":        {[]string{words(124, "one") + ".", words(124, "two") + ".", words(100, "three")}, " "},
		"without spaces":   {[]string{strings.Repeat("猫", 249) + "。", strings.Repeat("犬", 249) + "。", strings.Repeat("鳥", 200)}, ""},
		"lines":            {[]string{words(60, "a") + "\n" + words(60, "b"), words(60, "c") + "\n" + words(60, "d")}, "\n"},
		"a short text":     {[]string{words(150, "one")}, ""},
		"nothing":          {[]string{""}, ""},
		"a short last one": {[]string{words(120, "one"), words(110, "two") + "\n\nBye."}, "\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := passages(strings.Join(x.parts, x.join))
			if len(got) != len(x.parts) {
				t.Fatalf("%d passages: %q", len(got), got)
			}
			for i := range got {
				if got[i] != x.parts[i] {
					t.Errorf("passage %d is %q, want %q", i, got[i], x.parts[i])
				}
			}
		})
	}
}

func TestPassagesCoverTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 40).Draw(t, "pieces") {
			piece := rapid.SampledFrom([]string{"word ", "A sentence ends. ", "\n", "\n\n", "- item\n", "# Heading\n", "```\n", "猫は寝る。", "\xff", "longwordwithoutanyend", "1. ", "\r\n"}).Draw(t, "piece")
			b.WriteString(strings.Repeat(piece, rapid.IntRange(1, 200).Draw(t, "times")))
		}
		s := b.String()
		at := 0
		for i, p := range Passages(s) {
			if p.Start != at || p.End <= p.Start && len(s) > 0 {
				t.Fatalf("passage %d is %v, after %d", i, p, at)
			}
			if utf8.ValidString(s) && !utf8.ValidString(s[p.Start:p.End]) {
				t.Fatalf("passage %d divides a character", i)
			}
			if n := CountWords(s[p.Start:p.End]); n > MaxPassageWords+2*minPassageWords+1 { // with a short beginning and a short rest
				t.Fatalf("passage %d has %.0f words", i, n)
			}
			at = p.End
		}
		if at != len(s) {
			t.Fatalf("the passages end at %d of %d", at, len(s))
		}
	})
}

// A text of a million characters on one line takes no longer than its length asks for.
func TestPassagesOfAnEndlessLine(t *testing.T) {
	took := func(n int) time.Duration {
		s := strings.Repeat("mulch ", n)
		started := time.Now()
		Passages(s)
		return time.Since(started)
	}
	took(10_000)
	if small, large := took(20_000), took(200_000); large > 100*small+time.Second {
		t.Errorf("20,000 words took %v, 200,000 %v", small, large)
	}
}
