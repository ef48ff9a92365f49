package language

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

//go:embed rules/*.txt
var files embed.FS

// Language is what is known of one language.
type Language struct {
	// Name is the English name in lower case, that of its file.
	Name   string
	script string
	stop   string
	words  []string
	// letters are evidence of the language, as words are.
	letters string
	source  *source
	once    sync.Once
	*grammar
}

// Cased reports whether a capital inside a sentence tells a name: where every noun has one,
// or no letter has, it does not.
func (l *Language) Cased() bool {
	return (l.script == "latin" || l.script == "cyrillic") && l.Name != "german"
}

// grammar is what clauses are read with. It is compiled on first use, so that a language
// that nobody speaks costs nothing.
type grammar struct {
	spaced bool // words are parted by spaces

	// Parts of clauses, as doc.go tells.
	greeting, lead, correct, remember, condition, ask, material *regexp.Regexp
	begins, subject, pronoun, article, particle, pointing       *regexp.Regexp
	joint, refuse, report, passing, past, when, tail            *regexp.Regexp
	calendar                                                    []*regexp.Regexp // the lists weekday and day

	feedback, leave, rules, right []rule
	orders                        []order
	bid, forbid                   *regexp.Regexp // of standing wishes
	topics                        []topic
	wordings                      []order
	dates                         []date
	relations, attributes         map[string]string // to English
}

// rule is a pattern and what a clause says that it matches.
type rule struct {
	kind    string // fact, gone, plan, leave, feedback or right
	key     string
	pattern *regexp.Regexp
	needs   []string // one of these stands in every match; nil: unknown
}

// order is another order of the words of a clause.
type order struct {
	pattern *regexp.Regexp
	text    string
	retold  bool
}

// all are the languages in the order of their names.
var all = sync.OnceValue(func() []*Language {
	names, err := fs.Glob(files, "rules/*.txt")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	var out []*Language
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			panic(err) // embedded
		}
		l, err := parse(strings.TrimSuffix(path.Base(name), ".txt"), string(data))
		if err != nil {
			panic(err) // the tests read every file
		}
		out = append(out, l)
	}
	return out
})

// prepare compiles the grammar of the language.
func (l *Language) prepare() *Language {
	l.once.Do(func() {
		g, err := l.source.compile(l.script)
		if err != nil {
			panic(fmt.Sprintf("language %s: %v", l.Name, err)) // the tests compile every file
		}
		l.grammar = g
	})
	return l
}

// Stop is the mark that ends a statement.
func (l *Language) Stop() string { return l.stop }

// Example is a sentence of a language's file with what is kept of it.
type Example struct {
	Sentence string
	Facts    []string // "key: text"; none where the sentence is left alone
}

// Examples returns the examples of every language by its name.
func Examples() map[string][]Example {
	out := make(map[string][]Example)
	for _, l := range all() {
		out[l.Name] = l.source.examples
	}
	return out
}
