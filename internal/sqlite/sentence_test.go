package sqlite

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strata-memory/strata/llm/builtin"
)

// sentences makes facts of about 100 characters as people write them: subjects
// with words of their own, common words in between, frequent words frequent.
// Vectors made from them are therefore alike in the way those of real text are.
type sentences struct {
	r        *rand.Rand
	common   []string
	subjects [][]string
}

func newSentences(seed uint64) *sentences {
	s := &sentences{r: rand.New(rand.NewPCG(seed, 1))}
	s.common = strings.Fields(`the a an and or of to in for with on at from by about after before when while because
		is was has had will can should likes uses prefers wants needs found moved changed asked told said keeps
		new old first last next every other same good better small large early late always never often again
		team project meeting week month morning house city friend family work server release note plan idea`)
	syllables := strings.Fields(`ba be bo ca ce co da de do fa fi fo ga ge go ha he ho ja jo ka ke ko la le li lo
		ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi vo wa we wi za zo`)
	word := func() string {
		var b strings.Builder
		for range 2 + s.r.IntN(3) {
			b.WriteString(syllables[s.r.IntN(len(syllables))])
		}
		return b.String()
	}
	for range 60 {
		var words []string
		for range 150 {
			words = append(words, word())
		}
		s.subjects = append(s.subjects, words)
	}
	return s
}

// pick returns a word, the first of the list most often.
func (s *sentences) pick(words []string) string {
	i := int(math.Exp(s.r.Float64()*math.Log(float64(len(words)+1)))) - 1
	return words[min(i, len(words)-1)]
}

// next returns a sentence and the subject it is about.
func (s *sentences) next() (text string, subject int) {
	subject = s.r.IntN(len(s.subjects))
	var words []string
	n := 0
	for n < 85 {
		w := s.pick(s.common)
		if s.r.IntN(5) < 2 {
			w = s.pick(s.subjects[subject])
		}
		words = append(words, w)
		n += len(w) + 1
	}
	return fmt.Sprintf("%s %d", strings.Join(words, " "), s.r.IntN(5000)), subject
}

// sample is a generated fact with its vector.
type sample struct {
	text, category string
	vector         []float32
}

// samples returns n sentences with the vectors of the built-in embedder.
func samples(tb testing.TB, seed uint64, n int) []sample {
	tb.Helper()
	s := newSentences(seed)
	texts, subjects := make([]string, n), make([]int, n)
	for i := range texts {
		texts[i], subjects[i] = s.next()
	}
	out := embedded(tb, texts)
	for i := range out {
		out[i].category = fmt.Sprintf("subject-%d", subjects[i])
	}
	return out
}

// embedded returns texts with the vectors of the built-in embedder.
func embedded(tb testing.TB, texts []string) []sample {
	tb.Helper()
	vectors, err := builtin.New().Embed(context.Background(), texts)
	if err != nil {
		tb.Fatal(err)
	}
	out := make([]sample, len(texts))
	for i, v := range vectors {
		out[i] = sample{text: texts[i], category: "c", vector: v}
	}
	return out
}
