package question

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// noon is a Wednesday.
var noon = time.Date(2026, 3, 18, 12, 0, 0, 0, time.UTC)

func telling(a Analysis) []string {
	var out []string
	for _, t := range a.Terms {
		if t.Weight > 0 {
			out = append(out, t.Term)
		}
	}
	return out
}

func TestAnalyzeTerms(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"question", "Which database does the billing service use?", []string{"databas", "bill", "servic", "use"}},
		{"one word", "PostgreSQL", []string{"postgresql", "postgr", "sql"}},
		{"each once", "cats and a cat's cat", []string{"cat"}},
		{"only stop words", "who are you", []string{"who", "are", "you"}},
		{"nothing", " ?! ", nil},
		{"japanese", "日本語", []string{"日本", "本語"}},
		{"accents", "café in Málaga", []string{"cafe", "malaga"}},
		{"invalid bytes", "cat\xff dog", []string{"cat", "dog"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := telling(Analyze(tt.in, noon)); !slices.Equal(got, tt.want) {
				t.Errorf("telling terms of %q = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestAnalyzeStopWordsWeighNothingBesideOthers(t *testing.T) {
	for _, term := range Analyze("what is my cat called", noon).Terms {
		switch {
		case term.Stop && term.Weight != 0:
			t.Errorf("stop word %q weighs %v", term.Word, term.Weight)
		case term.Word == "cat" && term.Weight != 1, term.Word == "called" && term.Weight >= 1:
			t.Errorf("%q weighs %v", term.Word, term.Weight)
		}
	}
}

func TestAnalyzeNames(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"When did Caroline visit New York?", []string{"Caroline", "New", "York"}},
		{"What is Melanie's plan? Melanie never said.", []string{"Melanie"}},
		{"I think I'm late", nil},
		{"Tell Éva that it is done", []string{"Éva"}},
	}
	for _, tt := range tests {
		if got := Analyze(tt.in, noon).Names; !slices.Equal(got, tt.want) {
			t.Errorf("names of %q = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestAnalyzePhrases(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{`who said "good morning"?`, []string{"good morn"}},
		{`a “quoted part” and „noch einer“`, []string{"quot part", "noch einer"}},
		{"what is deploy-v2.4.7-hotfix", []string{"deploy v2\uE0004\uE0007 hotfix"}},
		{"see src/main.go now", []string{"src main\uE000go"}},
		{`one "word" only`, nil},
		{`never "closed`, nil},
		{"a well-known fact", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, p := range Analyze(tt.in, noon).Phrases {
			got = append(got, strings.Join(p, " "))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("phrases of %q = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// Question words are looked up neither alone nor as a phrase.
func TestQuestionWordsNeverMakeAPhrase(t *testing.T) {
	a := Analyze("what does Bob use for postgresql", noon)
	if len(a.Phrases) > 0 {
		t.Errorf("phrases %q", a.Phrases)
	}
	if got, want := telling(a), []string{"bob", "use", "postgresql"}; !slices.Equal(got, want) {
		t.Errorf("looked up %q, want %q", got, want)
	}
}

func TestAnalyzeCutsAPastedDocument(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		b.WriteString("word" + strconv.Itoa(i) + " the ")
	}
	a := Analyze(b.String(), noon)
	if n := len(telling(a)); n != MaxTerms || !a.Truncated {
		t.Errorf("%d telling terms, cut %v; want %d, true", n, a.Truncated, MaxTerms)
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{"", "what's \"up\" 日本語 v2.4.7?", "\x00\xff", "last week « » \"", strings.Repeat("a-b_c/d ", 99)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a := Analyze(s, noon)
		seen := make(map[string]bool)
		count := 0
		for _, term := range a.Terms {
			if seen[term.Term] || term.Term == "" || term.Weight < 0 || term.Weight > 1 {
				t.Fatalf("term %+v of %q", term, s)
			}
			seen[term.Term] = true
			if term.Weight > 0 {
				count++
			}
		}
		if count > MaxTerms || len(a.Phrases) > maxPhrases {
			t.Fatalf("%d terms, %d phrases", count, len(a.Phrases))
		}
		for _, n := range a.Names {
			if n == "" || !utf8.ValidString(n) {
				t.Fatalf("name %q", n)
			}
		}
	})
}

func TestAcronymsAreNoStopWords(t *testing.T) {
	for question, want := range map[string]bool{"Who studied at MIT?": true, "who comes mit": false, "WHO CAME WITH THEM": false, "IT": true} {
		found := false
		for _, term := range Analyze(question, noon).Terms {
			found = found || (term.Word == "mit" || term.Word == "it") && !term.Stop
		}
		if found != want {
			t.Errorf("%q: an acronym is looked up: %v, want %v", question, found, want)
		}
	}
}

func BenchmarkAnalyze(b *testing.B) {
	for b.Loop() {
		Analyze("Which database did Caroline choose for the billing service in May 2023?", noon)
	}
}
