package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"
	"pgregory.net/rapid"
)

func TestTerms(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"inflection", "Running runs", []string{"run", "run"}},
		{"possessive", "Caroline's cat’s", []string{"carolin", "cat"}},
		{"accents", "Málaga café", []string{"malaga", "cafe"}},
		{"letters written in two ways", "heißt heisst sœur soeur Ørsted", []string{"heisst", "heisst", "soeur", "soeur", "orst"}},
		{"Arabic letters written in two ways", "أختي اختي مدرسة مدرسه", []string{"اختي", "اختي", "مدرسه", "مدرسه"}},
		{"identifier stays whole", "v2.4.7", []string{"v2\uE0004\uE0007"}},
		{"hyphens split", "deploy-v2 hotfix", []string{"deploy", "v2", "hotfix"}},
		{"japanese pairs", "日本語の", []string{"日本", "本語", "語の"}},
		{"single han", "猫", []string{"猫"}},
		{"mixed", "猫 cat", []string{"猫", "cat"}},
		{"nothing", " .,!? ", nil},
		{"full width", "ＡＢＣ", []string{"abc"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Terms(tt.in); !slices.Equal(got, tt.want) {
				t.Errorf("Terms(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestNormalize(t *testing.T) {
	if got := Normalize("  The\tCat\n SAT ﬁne "); got != "the cat sat fine" {
		t.Errorf("Normalize = %q", got)
	}
}

func FuzzAnalyze(f *testing.F) {
	f.Add("What's 日本語 v2.4.7 \x00 \xff")
	f.Fuzz(func(t *testing.T, s string) {
		for _, tok := range Analyze(s).Tokens() {
			if tok.Term == "" || len(tok.Term) > maxTermBytes {
				t.Fatalf("term %q of %q", tok.Term, s)
			}
			for _, r := range tok.Term {
				if r == '"' || r == ' ' || r == 0 {
					t.Fatalf("term %q holds %q", tok.Term, r)
				}
			}
		}
	})
}

// The hashes stand in tables: those of terms must stay what they are.
func TestHashes(t *testing.T) {
	tests := []struct {
		name, in string
		want     []uint64
	}{
		{"of each term once, in their order", "The cat sees a cat's SOFA", []uint64{0x2fdfc8af4efb2ddc, 0xabc55d317f9d6792, 0xcc6708dbc0afce08}},
		{"none of stop words", "the of and with", nil},
		{"none of nothing", " .,!", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Analyze(tt.in).Hashes(); !slices.Equal(got, tt.want) {
				t.Errorf("Hashes(%q) = %#x, want %#x", tt.in, got, tt.want)
			}
		})
	}
}

// The memo must not change an answer, whatever was asked before.
func TestMemoChangesNoAnswer(t *testing.T) {
	for range 3 {
		for i := range 6 * len(forms.slots) {
			w := fmt.Sprintf("runnings%d", i)
			if got, want := Term(w), stem(w); got != want {
				t.Fatalf("term of %q is %q, want %q", w, got, want)
			}
		}
	}
}

// The short ways for ASCII give what the rules for all scripts give.
func TestASCIIIsAnalyzedAsAllScriptsAre(t *testing.T) {
	characters := rapid.OneOf(rapid.SampledFrom([]rune("aZ0_.':,;-/ \t\n\r\v\"@")), rapid.RuneFrom(nil, &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0, Hi: 127, Stride: 1}}}))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(characters).Draw(t, "text")
		var list []string
		for it := words.FromString(s); it.Next(); {
			if w := it.Value(); hasLetterOrNumber(w) {
				list = append(list, strings.ToLower(w))
			}
		}
		var tokens []Token
		for _, w := range list {
			if term := stem(w); term != "" {
				tokens = append(tokens, Token{Term: term, Word: w, Stop: IsStop(w)})
			}
		}
		if got := slices.Collect(Tokens(s)); !slices.Equal(got, tokens) {
			t.Fatalf("tokens of %q one by one are %v, want %v", s, got, tokens)
		}
		normal := strings.Join(strings.Fields(strings.ToLower(s)), " ")
		if got := Words(s); !slices.Equal(got, list) {
			t.Fatalf("words of %q are %q, want %q", s, got, list)
		}
		if got := Analyze(s).Tokens(); !slices.Equal(got, tokens) {
			t.Fatalf("tokens of %q are %v, want %v", s, got, tokens)
		}
		if got := Normalize(s); got != normal {
			t.Fatalf("%q is normalized to %q, want %q", s, got, normal)
		}
	})
}

// To take the tokens one by one gives the same, in all scripts.
func TestTokensAreThoseOfAnalyze(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		if got, want := slices.Collect(Tokens(s)), Analyze(s).Tokens(); !slices.Equal(got, want) {
			t.Fatalf("tokens one by one %v, want %v", got, want)
		}
	})
}

// The analysis of a text made of lines is that of the text, in all its forms.
func TestAnalysisOfLines(t *testing.T) {
	line := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", "My cat's name is Tom", "数据库 backup", "ＫＡＦＫＡ\xff", "\u0301a", "né à Málaga", "ねこ"}))
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(line, 1, 4).Draw(t, "lines")
		parts := make([]*Analysis, len(lines))
		for i, s := range lines {
			parts[i] = Analyze(s)
		}
		got, s := parts[0].With(parts[1:]...), strings.Join(lines, "\n")
		want := Analyze(s)
		if got.Text() != s || got.Composed() != want.Composed() {
			t.Fatalf("the text is %q (%q), want %q (%q)", got.Text(), got.Composed(), s, want.Composed())
		}
		if !slices.Equal(got.Words(), want.Words()) || !slices.Equal(got.Words(), Words(s)) {
			t.Fatalf("words of %q are %q, want %q", s, got.Words(), want.Words())
		}
		if !slices.Equal(got.Tokens(), want.Tokens()) {
			t.Fatalf("tokens of %q are %v, want %v", s, got.Tokens(), want.Tokens())
		}
		if got.Normal() != Normalize(s) {
			t.Fatalf("%q is normalized to %q, want %q", s, got.Normal(), Normalize(s))
		}
	})
}

func BenchmarkAnalyze(b *testing.B) {
	const s = "Carla repaired the kitchen window in Lisbon on March 3, with tools borrowed from a cousin, and paid"
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Analyze(s).Tokens()
	}
}

func BenchmarkWords(b *testing.B) {
	const s = "Carla repaired the kitchen window in Lisbon on March 3, with tools borrowed from a cousin, and paid"
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Words(s)
	}
}
