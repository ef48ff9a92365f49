package wordvec_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/text/wordvec"
)

// words returns n words of a dimension, all leaning one way.
func words(n, dims int) []wordvec.Word {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]wordvec.Word, n)
	for i := range out {
		out[i] = wordvec.Word{Text: "w" + strings.Repeat(string(rune('a'+i%26)), 1+i/26), Rank: i + 1, Values: make([]float64, dims)}
		for j := range out[i].Values {
			out[i].Values[j] = 0.5 + 0.3*r.NormFloat64()
		}
	}
	return out
}

// waiting returns a file for values to wait in.
func waiting(t testing.TB) *os.File {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// build adds words to a builder and returns the file it makes.
func build(t testing.TB, ws []wordvec.Word) (string, error) {
	dims := 0
	if len(ws) > 0 {
		dims = len(ws[0].Values)
	}
	b, err := wordvec.NewBuilder(dims, waiting(t))
	if err != nil {
		return "", err
	}
	for _, w := range ws {
		if err := b.Add(w); err != nil {
			return "", err
		}
	}
	var out bytes.Buffer
	err = b.Finish(&out)
	return out.String(), err
}

// file returns the file of words.
func file(t testing.TB, ws []wordvec.Word) string {
	t.Helper()
	f, err := build(t, ws)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// valuesOf returns the values of a word.
func valuesOf(t *testing.T, table *wordvec.Table, word string) []float64 {
	t.Helper()
	v, ok := table.Find(word)
	if !ok {
		t.Fatalf("%q is not found", word)
	}
	out := make([]float64, len(v.Values))
	for i := range out {
		out[i] = float64(int8(v.Values[i])) * float64(v.Step) / wordvec.Unit
	}
	return out
}

// A few words have nothing of a language in common: their values are kept but for
// their scale and weight, in memory and on disk.
func TestWhatIsWrittenIsFound(t *testing.T) {
	ws := words(90, 20)
	whole := file(t, ws)
	inMemory, err := wordvec.Open(whole)
	if err != nil {
		t.Fatal(err)
	}
	onDisk, err := wordvec.OpenFile(strings.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []*wordvec.Table{inMemory, onDisk} {
		if table.Words() != 90 || table.Dimensions() != 20 {
			t.Errorf("%d words of %d dimensions", table.Words(), table.Dimensions())
		}
		for _, w := range ws {
			if c := cosine(valuesOf(t, table, w.Text), w.Values); c < 0.999 {
				t.Errorf("%q has a cosine of %.4f with what was added", w.Text, c)
			}
		}
		for _, absent := range []string{"", "a", "wa ", "zz", "waaaaaaaaaaaaaaaaaaaaaaaaa", "\xff", strings.Repeat("w", 1000)} {
			if _, ok := table.Find(absent); ok {
				t.Errorf("%q is found", absent)
			}
		}
	}
}

func cosine(a, b []float64) float64 { return product(a, b) / math.Sqrt(product(a, a)*product(b, b)) }

// What all words have in common says nothing, and frequent words say little.
func TestWhatIsCommonIsRemoved(t *testing.T) {
	ws := words(400, 20)
	before, after := 0.0, 0.0
	table, err := wordvec.Open(file(t, ws))
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(ws); i++ {
		before += cosine(ws[i-1].Values, ws[i].Values) / float64(len(ws)-1)
		after += cosine(valuesOf(t, table, ws[i-1].Text), valuesOf(t, table, ws[i].Text)) / float64(len(ws)-1)
	}
	if before < 0.5 || math.Abs(after) > 0.1 {
		t.Errorf("mean cosine %.3f before, %.3f after", before, after)
	}
	length := func(from, to int) (sum float64) {
		for _, w := range ws[from-1 : to-1] {
			v := valuesOf(t, table, w.Text)
			sum += math.Sqrt(product(v, v)) / float64(to-from)
		}
		return sum
	}
	if frequent, rare := length(1, 20), length(300, 320); frequent > rare/3 {
		t.Errorf("frequent words are %.3f long, rare ones %.3f", frequent, rare)
	}
}

func product(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func TestBadWordsAreRefused(t *testing.T) {
	one := func(text string, rank int, values ...float64) wordvec.Word {
		return wordvec.Word{Text: text, Rank: rank, Values: values}
	}
	for name, ws := range map[string][]wordvec.Word{
		"no words":            nil,
		"no values":           {one("a", 1)},
		"too many dimensions": {one("a", 1, make([]float64, wordvec.MaxDims+1)...)},
		"another dimension":   {one("a", 1, 1, 2), one("b", 2, 1)},
		"twice":               {one("a", 1, 1), one("a", 2, 1)},
		"no text":             {one("", 1, 1)},
		"no rank":             {one("a", 0, 1)},
		"not a number":        {one("a", 1, math.NaN())},
		"infinite":            {one("a", 1, math.Inf(-1))},
		"zeros":               {one("a", 1, 0, 0)},
		"a long word":         {one(strings.Repeat("a", 256), 1, 1)},
	} {
		if _, err := build(t, ws); err == nil {
			t.Errorf("%s: built", name)
		}
	}
}

func TestFilesCutShortAreRefused(t *testing.T) {
	good := file(t, []wordvec.Word{{Text: "a", Rank: 1, Values: []float64{1, 0}}, {Text: "b", Rank: 2, Values: []float64{0, 1}}})
	for n := range len(good) {
		if _, err := wordvec.Open(good[:n]); !errors.Is(err, wordvec.ErrFile) {
			t.Fatalf("%d bytes of %d: %v", n, len(good), err)
		}
	}
	if _, err := wordvec.Open(good + "x"); !errors.Is(err, wordvec.ErrFile) {
		t.Errorf("longer: %v", err)
	}
}

// A damaged file gives wrong vectors or none, and never ends the program.
func FuzzDamagedFile(f *testing.F) {
	good := file(f, []wordvec.Word{{Text: "a", Rank: 1, Values: []float64{1, 0}}, {Text: "b", Rank: 2, Values: []float64{0, 1}}})
	f.Add([]byte(good), "b")
	huge := []byte(good)
	binary.LittleEndian.PutUint32(huge[28:], math.MaxUint32)
	f.Add(huge, "b")
	f.Fuzz(func(t *testing.T, file []byte, word string) {
		if table, err := wordvec.Open(string(file)); err == nil {
			if v, ok := table.Find(word); ok && len(v.Values) != table.Dimensions() {
				t.Errorf("%d values", len(v.Values))
			}
		}
	})
}
