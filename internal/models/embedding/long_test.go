package embedding

import (
	"math"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/text"
)

func TestLongTextsAreTheMeanOfTheirPassages(t *testing.T) {
	short := "a note"
	long := strings.TrimSpace(strings.Repeat(strings.Repeat("word ", 120)+"\n\n", 5))
	endless := strings.Repeat("mulch ", 100_000)
	passages, owner := passagesOf([]string{short, long, short, endless})
	if want := 1 + 5 + 1 + maxAsked; len(passages) != want {
		t.Fatalf("%d passages, want %d", len(passages), want)
	}
	for i, p := range passages {
		if n := text.CountWords(p); n > 2*text.MaxPassageWords {
			t.Errorf("passage %d has %.0f words", i, n)
		}
	}
	vectors := make([][]float32, len(passages))
	for i := range vectors {
		vectors[i] = []float32{1, 0}
		if i == 3 { // one of the five of the long text
			vectors[i] = []float32{0, 1}
		}
	}
	got := meanOf(vectors, owner, 4)
	for i, want := range [][2]float64{{1, 0}, {4 / math.Sqrt(17), 1 / math.Sqrt(17)}, {1, 0}, {1, 0}} {
		if math.Abs(float64(got[i][0])-want[0]) > 1e-6 || math.Abs(float64(got[i][1])-want[1]) > 1e-6 {
			t.Errorf("text %d has %v, want %v", i, got[i], want)
		}
	}
	if vectors[1][0] != 1 || vectors[1][1] != 0 {
		t.Error("the vectors of the passages changed")
	}
}

func TestShortTextsStayAsTheyAre(t *testing.T) {
	texts := []string{"", "a note", strings.Repeat("word ", 240)}
	passages, owner := passagesOf(texts)
	if len(passages) != len(texts) || passages[2] != texts[2] || len(owner) != 3 {
		t.Fatalf("%d passages", len(passages))
	}
}
