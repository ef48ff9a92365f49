// Command tuneranking scores weights of the ranking on a collection. It keeps
// what the store answered to each question in memory, so that hundreds of
// weights can be tried on a thousand questions.
//
//	tuneranking -data locomo.json -do validate   # choose without each conversation, score on it
//	tuneranking -data locomo.json -do ablate     # each component off
//	echo '{"K1":1.2}' | tuneranking -data locomo.json
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/recall"
)

// setting is what the ranking is run with.
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

func run() error {
	data := flag.String("data", "", "LoCoMo's JSON")
	dir := flag.String("dir", "", "a collection in the BEIR layout")
	kind := flag.String("embedder", "builtin", "builtin, or one of the scripted ones in embedder.go")
	join := flag.Bool("join", false, "ask every two questions of a conversation as one")
	do := flag.String("do", "set", "ablate, validate, or set: score the weights in each line of standard input")
	flag.Parse()
	var c bench.Collection
	var err error
	if *dir != "" {
		c, err = bench.ReadBEIR(*dir)
	} else {
		c, err = bench.ReadLoCoMo(*data)
	}
	if err != nil {
		return err
	}
	if *join {
		c = joined(c)
	}
	home, err := os.MkdirTemp("", "tuneranking-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	ctx := context.Background()
	return openEvaluation(ctx, home, c, newEmbedder(*kind, c), func(b *evaluation) error {
		switch *do {
		case "ablate":
			return b.ablate(ctx)
		case "validate":
			rs, err := b.crossValidate(ctx)
			if err != nil {
				return err
			}
			fitted, err := b.score(ctx, moved())
			b.print("cross-validated", rs)
			b.print("fitted", fitted)
			return err
		}
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			w := setting{Weights: recall.DefaultWeights()}
			if err := json.Unmarshal(in.Bytes(), &w); err != nil {
				return fmt.Errorf("read weights: %w", err)
			}
			r, err := b.score(ctx, w)
			if err != nil {
				return err
			}
			b.print(in.Text(), r)
		}
		return nil
	})
}

func (b *evaluation) print(name string, r []result) {
	group := map[string][]result{}
	for i, a := range b.asks {
		group["all"] = append(group["all"], r[i])
		group[a.query.Group] = append(group[a.query.Group], r[i])
	}
	fmt.Printf("%-60s", name)
	for _, g := range []string{"all", "multi-hop", "temporal", "open-domain", "single-hop", "adversarial"} {
		if len(group[g]) == 0 {
			continue
		}
		m := mean(group[g])
		if g == "all" {
			fmt.Printf(" %.2f %.2f %.2f %.2f | s %.2f %.2f |", 100*m.turns[0], 100*m.turns[1], 100*m.turns[2], 100*m.turns[3], 100*m.sessions[0], 100*m.sessions[1])
		} else {
			fmt.Printf(" %s %.1f %.1f", g[:2], 100*m.turns[0], 100*m.turns[1])
		}
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
