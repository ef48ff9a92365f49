package evidence

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/internal/recall/question"
)

// asked is a question as evidence sees it, all of whose words are equally rare.
func asked(s string) Question {
	a := question.Analyze(s, time.Date(2026, 3, 18, 12, 0, 0, 0, time.UTC))
	q := Question{Expected: &a.Expected}
	for _, t := range a.Terms {
		if t.Weight > 0 {
			q.Words, q.Rarity, q.Tags = append(q.Words, t.Word), append(q.Rarity, 3), append(q.Tags, t.Tag)
		}
	}
	return q
}

func TestEvidenceIsTheShareOfTheQuestion(t *testing.T) {
	q := asked("Does the heron kettle whistle?")
	tests := []struct {
		name    string
		passage Passage
		least   float64
		most    float64
	}{
		{"all words", Passage{Support: []float64{1, 1, 1}}, 1, 1},
		{"two of three are enough of a turn", Passage{Support: []float64{1, 1, 0}}, 1, 1},
		{"and are not of a fact", Passage{Support: []float64{1, 1, 0}, Fact: "The heron kettle is red"}, 0.6, 0.7},
		{"one of three", Passage{Support: []float64{1, 0, 0}}, 0.5, 0.5},
		{"none", Passage{Support: []float64{0, 0, 0}}, 0, 0},
		{"none, but close", Passage{Support: []float64{0, 0, 0}, Closeness: 1}, closeSupport, closeSupport},
	}
	for _, tt := range tests {
		if got := q.Of(tt.passage); got < tt.least || got > tt.most {
			t.Errorf("%s: evidence %.2f, want %.2f to %.2f", tt.name, got, tt.least, tt.most)
		}
	}
}

func TestAFactWithoutWhatIsAskedForHasLittleEvidence(t *testing.T) {
	q := asked("How many herons nest there?")
	support := make([]float64, len(q.Words))
	for i := range support {
		support[i] = 1
	}
	with, without := q.Of(Passage{Support: support, Fact: "Nine herons nest there"}), q.Of(Passage{Support: support, Fact: "The herons nest there"})
	if with != 1 || without != wrongKind {
		t.Errorf("evidence %.2f with a number, %.2f without", with, without)
	}
}

func TestMoreSupportNeverLowersEvidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := asked(rapid.SampledFrom([]string{"Which heron do you like?", "Who waters the last orchid in May?", "heron"}).Draw(t, "question"))
		part := rapid.Float64Range(0, 1)
		p := Passage{Support: rapid.SliceOfN(part, len(q.Words), len(q.Words)).Draw(t, "support"), Closeness: part.Draw(t, "closeness")}
		before := q.Of(p)
		i := rapid.IntRange(0, len(q.Words)-1).Draw(t, "word")
		p.Support[i] = min(1, p.Support[i]+part.Draw(t, "more"))
		if after := q.Of(p); before < 0 || after > 1 || after < before-1e-12 {
			t.Fatalf("evidence %v became %v", before, after)
		}
	})
}

func TestFactsCoverATurnTogether(t *testing.T) {
	q := asked("Does the heron kettle whistle?")
	terms := []int{0, 1, 2}
	if q.Covers(terms, [][]float64{{1, 0, 0}}) {
		t.Error("one word of three covers a turn")
	}
	if !q.Covers(terms, [][]float64{{1, 0, 0}, {0, 1, coveredFrom}}) {
		t.Error("two facts that have all words together do not cover a turn")
	}
}
