package dream

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

var morning = time.Date(2026, 3, 1, 6, 0, 0, 0, time.UTC)

// recalls draws recall events of one memory.
func recalls(t *rapid.T) []store.RecallEvent {
	questions := rapid.SampledFrom([]string{"which key?", "Which KEY", "what rotates?", "who has it", "the", "", strata.ForgottenText})
	var out []store.RecallEvent
	for range rapid.IntRange(1, 30).Draw(t, "recalls") {
		out = append(out, store.RecallEvent{Memory: "fact_1", Query: questions.Draw(t, "question"), Score: rapid.Float64Range(0, 1).Draw(t, "score"),
			At: morning.Add(-time.Duration(rapid.IntRange(0, 20*24).Draw(t, "hours")) * time.Hour)})
	}
	return out
}

func TestSignalsAreBoundedAndDoNotDependOnTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := recalls(t)
		s := gather(events, nil)["fact_1"]
		f := strata.Fact{Type: strata.TypeProject, Tags: make([]string, rapid.IntRange(0, 9).Draw(t, "tags"))}
		score := s.Score(defaultWeights, f, morning)
		if score < 0 || score > 1+1e-9 || math.IsNaN(score) {
			t.Fatalf("score %v of %+v", score, s)
		}
		if s.Recalls != len(events) || s.Questions > 5 || s.Days < 1 || s.Days > 21 {
			t.Fatalf("counted %+v of %d", s, len(events))
		}
		rand.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
		again := gather(events, nil)["fact_1"]
		if again.Recalls != s.Recalls || again.Questions != s.Questions || again.Days != s.Days || !again.Last.Equal(s.Last) ||
			math.Abs(again.Score(defaultWeights, f, morning)-score) > 1e-9 {
			t.Fatalf("%+v in another order %+v", s, again)
		}
		// One more recall as relevant as the others never lowers the score.
		more := gather(append(events, store.RecallEvent{Memory: "fact_1", Query: "another question", Score: s.Relevance(), At: morning}), nil)["fact_1"]
		if more.Score(defaultWeights, f, morning) < score-1e-9 {
			t.Fatalf("interest lowered the score from %v: %+v", score, more)
		}
	})
}

func TestTheDefaultWeightsAddUp(t *testing.T) {
	w := defaultWeights
	if sum := w.Frequency + w.Relevance + w.Recency + w.Diversity + w.Consolidation + w.Richness; math.Abs(sum-1) > 1e-9 {
		t.Errorf("the weights sum up to %v", sum)
	}
	all := Signals{Recalls: saturation, Questions: saturation, Days: saturation, Last: morning, sum: saturation}
	if got := all.Score(w, strata.Fact{Tags: make([]string, richTags)}, morning); math.Abs(got-1) > 1e-9 {
		t.Errorf("a memory with everything scores %v", got)
	}
}

func TestAQuestionIsCountedOnceHoweverItIsWritten(t *testing.T) {
	for _, same := range [][]string{
		{"What is my cat called?", "what is my CAT called", "is my cat called what"},
		{"the", "The ", "THE"},
		{"Wo ist der Schlüssel?", "wo ist der schlüssel"},
	} {
		keys := make(map[string]bool)
		for _, q := range same {
			keys[questionKey(q)] = true
		}
		if len(keys) != 1 {
			t.Errorf("%q are %d questions", strings.Join(same, ", "), len(keys))
		}
	}
	if questionKey("my cat") == questionKey("my dog") {
		t.Error("a cat is a dog")
	}
}

// Neither do days stand for questions, nor are more than five questions as good as five:
// a gate of seven is one that can be passed.
func TestDaysAreNoQuestionsAndMoreThanFiveCount(t *testing.T) {
	var daily, varied []store.RecallEvent
	for day, about := range []string{"cat", "dog", "key", "car", "rent", "tea", "ferry"} {
		at := morning.AddDate(0, 0, -day)
		daily = append(daily, store.RecallEvent{Memory: "fact_1", Query: "where is the cat?", At: at})
		varied = append(varied, store.RecallEvent{Memory: "fact_1", Query: "where is the " + about + "?", At: morning})
	}
	if s := gather(daily, nil)["fact_1"]; s.Questions != 1 || s.Days != 7 {
		t.Errorf("one question on seven days: %d questions on %d days", s.Questions, s.Days)
	}
	if s := gather(varied, nil)["fact_1"]; s.Questions != 7 || s.Days != 1 {
		t.Errorf("seven questions on one day: %d questions on %d days", s.Questions, s.Days)
	}
}
