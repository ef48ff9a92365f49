package wordvec_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/wordvec"
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

// file returns the file of words.
func file(t *testing.T, ws []wordvec.Word) string {
	t.Helper()
	var b bytes.Buffer
	if err := wordvec.Write(&b, ws); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWhatIsWrittenIsFound(t *testing.T) {
	ws := words(300, 20)
	if err := wordvec.Build(ws); err != nil {
		t.Fatal(err)
	}
	table, err := wordvec.Open(file(t, ws))
	if err != nil {
		t.Fatal(err)
	}
	if table.Words() != 300 || table.Dimensions() != 20 {
		t.Errorf("%d words of %d dimensions", table.Words(), table.Dimensions())
	}
	for _, w := range ws {
		v, ok := table.Find(w.Text)
		if !ok {
			t.Fatalf("%q is not found", w.Text)
		}
		most := 0.0
		for _, x := range w.Values {
			most = max(most, math.Abs(x))
		}
		for i, want := range w.Values {
			got := float64(int8(v.Values[i])) * float64(v.Step) / wordvec.Unit
			if math.Abs(got-want) > most/250 {
				t.Errorf("value %d of %q is %g, want %g", i, w.Text, got, want)
			}
		}
	}
	for _, absent := range []string{"", "a", "wa ", "zz", "waaaaaaaaaaaaaaaaaaaaaaaaa", "\xff", strings.Repeat("w", 1000)} {
		if _, ok := table.Find(absent); ok {
			t.Errorf("%q is found", absent)
		}
	}
}

// What all words have in common says nothing, and frequent words say little.
func TestBuildRemovesWhatIsCommonAndWeighs(t *testing.T) {
	ws := words(400, 20)
	cosine := func(a, b []float64) float64 { return product(a, b) / math.Sqrt(product(a, a)*product(b, b)) }
	mean := func() (sum float64) {
		for i := 1; i < len(ws); i++ {
			sum += cosine(ws[i-1].Values, ws[i].Values) / float64(len(ws)-1)
		}
		return sum
	}
	before := mean()
	if err := wordvec.Build(ws); err != nil {
		t.Fatal(err)
	}
	if after := mean(); before < 0.5 || math.Abs(after) > 0.1 {
		t.Errorf("mean cosine %.3f before, %.3f after", before, after)
	}
	length := func(from, to int) (sum float64) {
		for _, w := range ws {
			if from <= w.Rank && w.Rank < to {
				sum += math.Sqrt(product(w.Values, w.Values)) / float64(to-from)
			}
		}
		return sum
	}
	if frequent, rare := length(1, 20), length(300, 320); frequent > rare/3 {
		t.Errorf("frequent words are %.3f long, rare ones %.3f", frequent, rare)
	}
	if !slices.IsSortedFunc(ws, func(a, b wordvec.Word) int { return strings.Compare(a.Text, b.Text) }) {
		t.Error("words are not sorted")
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
		"no words":          nil,
		"no values":         {one("a", 1)},
		"another dimension": {one("a", 1, 1, 2), one("b", 2, 1)},
		"twice":             {one("a", 1, 1), one("a", 2, 1)},
		"no text":           {one("", 1, 1)},
		"no rank":           {one("a", 0, 1)},
		"not a number":      {one("a", 1, math.NaN())},
		"infinite":          {one("a", 1, math.Inf(-1))},
		"a long word":       {one(strings.Repeat("a", 256), 1, 1)},
	} {
		if err := wordvec.Build(ws); err == nil {
			t.Errorf("%s: built", name)
		}
		if err := wordvec.Write(new(bytes.Buffer), ws); err == nil {
			t.Errorf("%s: written", name)
		}
	}
	for name, ws := range map[string][]wordvec.Word{
		"out of order": {one("b", 1, 1), one("a", 2, 1)},
		"above 1":      {one("a", 1, 1.5)},
	} {
		if err := wordvec.Write(new(bytes.Buffer), ws); err == nil {
			t.Errorf("%s: written", name)
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
	var b bytes.Buffer
	if err := wordvec.Write(&b, []wordvec.Word{{Text: "a", Rank: 1, Values: []float64{1, 0}}, {Text: "b", Rank: 2, Values: []float64{0, 1}}}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes(), "b")
	huge := bytes.Clone(b.Bytes())
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
