// Command tune scores weights of the ranking on collections. It keeps in memory what the
// store answered to each question, so that hundreds of weights can be tried on thousands
// of questions.
//
//	tune -data locomo.json -data collections -do validate   # choose without each collection, score on it
//	tune -data locomo.json -data collections -do ablate     # each component off
//	echo '{"K1":1.2}' | tune -data locomo.json
//
// Scripted models (embedder.go) and word vectors show what a model is worth in addition
// to the built-in embedder, or to an earlier version of it:
//
//	echo '{}' | tune -data collections -embedder opposed
//	echo '{}' | tune -data collections -embedder means -vectors glove.txt
//	echo '{}' | tune -data collections -embedder same -base builtin/ngram-384@2
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
)

// setting is a configuration of the ranking.
type setting struct {
	recall.Weights
	NoVector bool
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// options tells what to score.
type options struct {
	data     []string // collections, as for strata bench board
	embedder string
	words    *means // nil without -vectors
	base     *builtin.Embedder
	join     bool
	most     int            // most questions of each collection; 0 means all
	only     *regexp.Regexp // parameters that validate chooses
}

func run() error {
	o := options{only: regexp.MustCompile(""), base: builtin.New()}
	flag.Func("data", "LoCoMo's JSON, a collection in the BEIR layout or a directory of such; may be repeated", func(path string) error {
		o.data = append(o.data, path)
		return nil
	})
	flag.StringVar(&o.embedder, "embedder", "builtin", "builtin, or one of the scripted ones in embedder.go")
	flag.Func("vectors", "word vectors as GloVe's text has them, for -embedder means and opposed-means", func(path string) (err error) {
		o.words, err = readMeans(path)
		return err
	})
	flag.Func("base", "another built-in embedder beside the model, such as "+builtin.Earlier, func(model string) error {
		if o.base = builtin.Named(model); o.base == nil {
			return errors.New("no such model")
		}
		return nil
	})
	flag.BoolVar(&o.join, "join", false, "ask every two questions of a conversation as one")
	flag.IntVar(&o.most, "most", 0, "ask at most so many questions of each collection, evenly spread; 0: all")
	flag.Func("only", "a regular expression of the parameters that validate chooses, such as 'B$|Reply'", func(s string) (err error) {
		o.only, err = regexp.Compile(s)
		return err
	})
	do := flag.String("do", "set", "ablate, validate, or set: score the weights in each line of standard input")
	flag.Parse()
	from, absent, err := bench.FindSources(o.data)
	if err != nil {
		return err
	}
	if len(absent) > 0 || len(from) == 0 {
		return fmt.Errorf("no collection: %q", absent)
	}
	home, err := os.MkdirTemp("", "tune-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	ctx := context.Background()
	return openBoard(ctx, home, o, from, func(b board) error {
		switch *do {
		case "ablate":
			return b.ablate(ctx)
		case "validate":
			return b.validate(ctx, o.only)
		}
		return b.set(ctx, os.Stdin)
	})
}

// newEmbedder returns the embedder that the options name.
func (o options) newEmbedder(c bench.Collection) llm.Embedder {
	switch o.embedder {
	case "means":
		return o.words
	case "opposed-means":
		return newOpposed(o.words, c)
	}
	return newEmbedder(o.embedder, c)
}

// set scores the weights in each line of in on each collection.
func (b board) set(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		w := setting{Weights: recall.DefaultWeights()}
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			return fmt.Errorf("read weights: %w", err)
		}
		for _, e := range b {
			rs, err := e.score(ctx, w)
			if err != nil {
				return err
			}
			e.print(lines.Text(), rs)
		}
	}
	return lines.Err()
}

// print prints recall at each cutoff, recall of sessions at 5 and 10, and recall of each
// group at 5 and 10.
func (e *evaluation) print(name string, r []result) {
	groups := make(map[string][]result)
	for i, a := range e.asks {
		groups[a.query.Group] = append(groups[a.query.Group], r[i])
	}
	m := mean(r)
	fmt.Printf("%-10.10s %-50s %.2f %.2f %.2f %.2f | s %.2f %.2f |", e.name, name,
		100*m.turns[0], 100*m.turns[1], 100*m.turns[2], 100*m.turns[3], 100*m.sessions[0], 100*m.sessions[1])
	for _, g := range slices.Sorted(maps.Keys(groups)) {
		m := mean(groups[g])
		fmt.Printf(" %s %.1f %.1f", cmp.Or(g, "no group"), 100*m.turns[0], 100*m.turns[1])
	}
	fmt.Println()
}

func mean(rs []result) result {
	var m result
	for _, r := range rs {
		for i := range r.turns {
			m.turns[i] += r.turns[i] / float64(len(rs))
			m.sessions[i] += r.sessions[i] / float64(len(rs))
		}
	}
	return m
}
