package token

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Before anything is learnt the estimate is near both tokenizers and seldom
// low, for every kind of text.
func TestEstimateIsNearTheTokenizers(t *testing.T) {
	read := func(path string) string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	noise := make([]byte, 4000)
	rand.NewChaCha8([32]byte{}).Read(noise) // it never fails
	texts := map[string]string{
		"hexadecimal": strings.Repeat("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n", 20),
		"base64":      strings.Repeat("TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24sIGJ1dCA=\n", 20),
		"digits":      strings.Repeat("31415926535897932384626433832795 ", 20),
		"emoji":       strings.Repeat("🙂 ok 🚀🎉 done ✅ ❤️\n", 20),
		"json":        strings.Repeat(`{"id": 17, "name": "billing-service", "tags": ["a", "b"], "ok": true},`+"\n", 20),
		"indented":    strings.Repeat("\t\t\tif err != nil {\n\t\t\t\treturn err\n\t\t\t}\n", 20),
		"shouting":    strings.Repeat("PLEASE READ THE WHOLE MESSAGE BEFORE ANSWERING. ", 20),
		"snake_case":  strings.Repeat("max_open_connections = get_default_value(user_id)\n", 20),
		"chinese":     strings.Repeat("我们把发票存放在数据库里，每天晚上备份一次。", 20),
		"korean":      strings.Repeat("우리는 청구서를 데이터베이스에 저장하고 매일 밤 백업합니다. ", 20),
		"russian":     strings.Repeat("Мы храним счета в базе данных и каждую ночь делаем копию. ", 20),
		"binary":      strings.ToValidUTF8(string(noise), "\uFFFD"),
		"rules":       strings.Repeat("-----------------------------------------------\n", 20),
	}
	for _, name := range []string{"english", "spanish", "german", "japanese"} {
		texts[name] = read(filepath.Join("testdata/text", name+".txt"))
	}
	for name, s := range texts {
		got := float64(Estimate{}.Count(s))
		cl, o2 := float64(cl100k.Count(s)), float64(o200k.Count(s))
		t.Logf("%-12s estimate / cl100k %.2f, / o200k %.2f", name, got/cl, got/o2)
		if got < 0.85*max(cl, o2) {
			t.Errorf("%s: the estimate is %.0f, the tokenizers say %.0f and %.0f", name, got, cl, o2)
		}
		if name != "rules" && got > 1.8*min(cl, o2) {
			t.Errorf("%s: the estimate is %.0f, the tokenizers say %.0f and %.0f", name, got, cl, o2)
		}
	}
}

func TestEstimateOfNothingIsNothing(t *testing.T) {
	if n := (Estimate{}).Count(""); n != 0 {
		t.Errorf("Count = %d", n)
	}
}

// A text never counts less than its beginning, and no more than its parts, save
// for what the seam may change: the tokens of three characters.
func TestEstimateGrowsWithTheText(t *testing.T) {
	piece := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-zA-Z0-9 \n\t.,;(){}=_-]{0,200}`), rapid.StringMatching(`[あ-ん漢字]{0,50}`))
	rapid.Check(t, func(t *rapid.T) {
		a, b := piece.Draw(t, "a"), piece.Draw(t, "b")
		whole, first, second := Estimate{}.Count(a+b), Estimate{}.Count(a), Estimate{}.Count(b)
		if whole < first {
			t.Fatalf("%d for the whole, %d for its beginning", whole, first)
		}
		if whole > first+second+4 {
			t.Fatalf("%d for the whole, %d and %d for its parts", whole, first, second)
		}
	})
}

func TestTableFitsTheSymbols(t *testing.T) {
	if want := symbols*symbols + (letters+1)*letters*letters + symbols; len(table) != want {
		t.Errorf("the table has %d bytes, want %d", len(table), want)
	}
	seen := make(map[uint8]byte)
	for b := byte(' '); b < 0x7f; b++ {
		s := layOut().narrow[b]
		if other, ok := seen[s]; ok || s == symNone || s >= symWide {
			t.Errorf("%q has the symbol %d, as %q", b, s, other)
		}
		if b < '0' || b > '9' {
			seen[s] = b
		}
	}
	for _, r := range []rune{0x80, 'é', 'ß', 'ё', 'ж', 'あ', '漢', '한', '🙂', 0xfe0f, utf8.MaxRune} {
		if s := wide(r, utf8.RuneLen(r)); s < symWide || s >= symbols {
			t.Errorf("%q has the symbol %d", r, s)
		}
	}
}

func FuzzEstimate(f *testing.F) {
	f.Add("What's 日本語 v2.4.7 \x00 \xff \xe3\x81", 3)
	f.Add(strings.Repeat("ab ", 900), 1)
	f.Add(strings.Repeat("🙂", 100), 5)
	f.Fuzz(func(t *testing.T, s string, at int) {
		n := Estimate{}.Count(s)
		if n < 0 || (n == 0) != (s == "") || n > 4*len(s) {
			t.Fatalf("Count of %d bytes = %d", len(s), n)
		}
		if at < 0 || at > len(s) || at < len(s) && !utf8.RuneStart(s[at]) {
			return
		}
		if parts := (Estimate{}.Count(s[:at]) + Estimate{}.Count(s[at:])); n > parts+8 {
			t.Fatalf("Count of the whole = %d, of its parts %d", n, parts)
		}
	})
}

func benchmarkTexts(b *testing.B) map[string]string {
	b.Helper()
	out := make(map[string]string)
	for name, path := range map[string]string{"english": "testdata/text/english.txt", "japanese": "testdata/text/japanese.txt", "code": "encoding.go"} {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		out[name] = strings.Repeat(string(text), 20)
	}
	return out
}

func BenchmarkCounter(b *testing.B) {
	for _, c := range []struct {
		name    string
		counter Counter
	}{{"cl100k", cl100k}, {"o200k", o200k}, {"estimate", Estimate{}}} {
		c.counter.Count("load the table")
		for name, s := range benchmarkTexts(b) {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					c.counter.Count(s)
				}
			})
		}
	}
}

// One more turn of 1,000 characters in a history of 100,000 tokens.
func BenchmarkAppendTurn(b *testing.B) {
	turn := strings.Repeat("The billing service stores invoices in PostgreSQL 16. ", 19)[:1000]
	for _, model := range []string{"gpt-4o", "any"} {
		counter := ForModel(model)
		counter.Count("load the table")
		b.Run(model, func(b *testing.B) {
			var cal Calibration
			cal.Observe(100_000, 104_000)
			for b.Loop() {
				cal.Scale(100_000 + counter.Count(turn))
			}
		})
	}
}
