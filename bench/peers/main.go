package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata/bench"
)

// options are the flags.
type options struct {
	facts     int
	questions int
	nearest   int
	only      []string
	cache     string
}

// peerNames are the peers, in the order in which they run.
func peerNames() []string {
	return []string{"strata", "chromem-go", "bleve", "server-memory", "mem0ai"}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// run measures what the arguments say.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	facts := bench.Generate(max(o.facts, o.nearest), 1)
	header(stdout)
	for _, name := range peerNames() {
		if len(o.only) > 0 && !slices.Contains(o.only, name) {
			continue
		}
		err := o.runPeer(ctx, name, facts, stdout, stderr)
		if errors.Is(err, errNoNode) {
			fmt.Fprintf(stderr, "%s not run: %v\n", name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// parse reads the flags.
func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	var only string
	set := flag.NewFlagSet("peers", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.IntVar(&o.facts, "facts", 10_000, "facts given to every peer")
	set.IntVar(&o.questions, "questions", 100, "questions of each kind asked of every peer")
	set.IntVar(&o.nearest, "nearest", 100_000, "facts at which the nearest vectors alone are measured, no fewer than -facts; 0: not")
	set.StringVar(&only, "only", "", "run these peers only: "+strings.Join(peerNames(), ","))
	set.StringVar(&o.cache, "cache", "", "directory that keeps npm packages; empty: the user's cache")
	if err := set.Parse(args); err != nil {
		return o, err
	}
	if only != "" {
		o.only = strings.Split(only, ",")
	}
	for _, name := range o.only {
		if !slices.Contains(peerNames(), name) {
			return o, fmt.Errorf("no such peer: %q (there are %s)", name, strings.Join(peerNames(), ", "))
		}
	}
	switch {
	case set.NArg() > 0:
		return o, fmt.Errorf("no argument is taken: %q", set.Arg(0))
	case o.facts < 1 || o.questions < 1:
		return o, errors.New("-facts and -questions must be at least 1")
	case o.nearest != 0 && o.nearest < o.facts:
		return o, fmt.Errorf("-nearest %d is fewer than -facts %d", o.nearest, o.facts)
	}
	if o.cache == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return o, fmt.Errorf("find the user's cache: %w", err)
		}
		o.cache = filepath.Join(cache, "strata-peers")
	}
	return o, nil
}

// open starts a peer.
func (o options) open(ctx context.Context, name string) (peer, error) {
	switch name {
	case "strata":
		return newStrata(ctx)
	case "chromem-go":
		return newChromem()
	case "bleve":
		return newBleve()
	}
	modules, err := installNode(ctx, o.cache)
	if err != nil {
		return nil, err
	}
	if name == "server-memory" {
		return newServerMemory(ctx, modules)
	}
	return newMem0(modules)
}

// runPeer fills one peer and measures it: whole recalls, then its parts alone.
func (o options) runPeer(ctx context.Context, name string, facts []bench.Synthetic, stdout, stderr io.Writer) (err error) {
	p, err := o.open(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if err := fillUp(ctx, p, facts[:o.facts], stderr); err != nil {
		return err
	}
	for _, kind := range kinds() {
		asked := items(facts[:o.facts], o.questions, kind)
		m, err := measure(ctx, p.Recall, asked)
		if err != nil {
			return err
		}
		line(stdout, "PeerRecall", name, o.facts, kind.name, m)
		words := wordsOf(p)
		if words == nil {
			continue
		}
		if m, err = measure(ctx, words, asked); err != nil {
			return err
		}
		line(stdout, "PeerWords", name, o.facts, kind.name, m)
	}
	if _, ok := p.(nearester); !ok || o.nearest == 0 {
		return nil
	}
	if err := fillUp(ctx, p, facts[o.facts:o.nearest], stderr); err != nil {
		return err
	}
	m, err := measureNearest(ctx, p.(nearester), items(facts[:o.nearest], o.questions, kinds()[0]))
	if err == nil {
		line(stdout, "PeerNearest", name, o.nearest, kinds()[0].name, m)
	}
	return err
}

// wordsOf is a peer's search by words alone; nil where it has none.
func wordsOf(p peer) lookup {
	switch p := p.(type) {
	case *strataPeer:
		return p.Words
	case *blevePeer:
		return p.Recall // all it does
	}
	return nil
}

// nearester finds the nearest vectors alone.
type nearester interface {
	Nearest(ctx context.Context, v []float32) ([]string, error)
}

// measureNearest measures the search for vectors alone: questions are embedded
// before.
func measureNearest(ctx context.Context, p nearester, asked []item) (measured, error) {
	embedded, err := embedAll(ctx, asked)
	if err != nil {
		return measured{}, err
	}
	return measure(ctx, func(ctx context.Context, question string) ([]string, error) {
		return p.Nearest(ctx, embedded[question])
	}, asked)
}

// fillUp gives facts to a peer and says how it goes.
func fillUp(ctx context.Context, p peer, facts []bench.Synthetic, stderr io.Writer) error {
	all := make([]string, len(facts))
	for i, f := range facts {
		all[i] = f.Text
	}
	begin, told := time.Now(), 0
	err := fill(ctx, p, all, func(done int) {
		if done-told >= max(len(all)/5, addBatch) || done == len(all) {
			fmt.Fprintf(stderr, "%s: %d of %d facts\n", p.Name(), done, len(all))
			told = done
		}
	})
	if err == nil && len(all) > 0 {
		fmt.Fprintf(stderr, "%s: %.0f facts a second\n", p.Name(), float64(len(all))/time.Since(begin).Seconds())
	}
	return err
}
