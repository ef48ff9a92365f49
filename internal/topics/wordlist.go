package topics

import (
	_ "embed"
	"iter"
	"strings"
	"sync"
)

// The lists say in their first lines how they are written.
var (
	//go:embed words/topics.txt
	topicList string
	//go:embed words/synonyms.txt
	synonymList string
	//go:embed words/kinds.txt
	kindList string
	//go:embed words/glossary.txt
	glossaryList string
	//go:embed words/noise.txt
	noiseList string
	//go:embed words/general.txt
	generalList string
)

// topicTable are the topics of everyday life and work, in the order of the list.
var topicTable = sync.OnceValue(func() []topicWords { return readTopics(topicList) })

// topicWords is a topic and the words that speak for it, separated by spaces.
type topicWords struct {
	name  string
	field string // the wider subject it belongs to; empty: none
	clear string // words of this topic alone
	vague string // words that others have too
	east  string // words in scripts that are not separated by spaces
}

// readTopics reads a list of topics.
func readTopics(list string) []topicWords {
	var topics []topicWords
	for line := range lines(list) {
		key, words, _ := strings.Cut(line, " ")
		if key == "topic" {
			name, field, _ := strings.Cut(words, " in ")
			topics = append(topics, topicWords{name: name, field: field})
			continue
		}
		switch t := &topics[len(topics)-1]; key {
		case "clear":
			t.clear += words + " "
		case "vague":
			t.vague += words + " "
		case "east":
			t.east += words + " "
		}
	}
	return topics
}

// lines returns the lines of a list that are neither empty nor comments.
func lines(list string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.SplitSeq(list, "\n") {
			line = strings.TrimSpace(line)
			if line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}
