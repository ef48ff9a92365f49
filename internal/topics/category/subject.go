package category

import (
	"sync"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/topics"
	"github.com/strata-memory/strata/llm/builtin"
)

// Subject is what a text is about, by its words.
type Subject struct {
	weights topics.Weights // for each topic
	word    string         // a category that is named by a word of the text, where it has no topic
}

// maxTags is how many concept tags a fact keeps.
const maxTags = 8

// Describe returns what a text is about, and its concept tags.
func Describe(a *text.Analysis) (Subject, []string) {
	tags, word, _ := topics.Describe(a, maxTags)
	return Subject{weights: classifier().Weigh(a), word: word}, tags
}

// classifier weighs texts. It is made once, as it takes some milliseconds.
var classifier = sync.OnceValue(func() *topics.Classifier { return topics.NewClassifier(builtin.ShippedWords()) })
