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

	"github.com/strata-memory/strata/bench"
)

// options holds the flags.
type options struct {
	facts     int
	questions int
	nearest   int
	only      []string
	cache     string
	keep      string
	result    string
}

// seed is the seed of the generated facts.
const seed = 1

// ownName is the peer with which the others are compared.
const ownName = "strata"

// peerNames returns the peers in the order in which they run.
func peerNames() []string {
	return []string{ownName, "chromem-go", "bleve", "server-memory", "mem0ai"}
}

// keptNames returns the peers whose files can be kept.
func keptNames() []string { return []string{ownName, "bleve"} }

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

// run runs the measurements that the arguments ask for.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	header(stdout)
	var rows []row
	for _, name := range peerNames() {
		if len(o.only) > 0 && !slices.Contains(o.only, name) {
			continue
		}
		got, err := o.runPeer(ctx, name, stdout, stderr)
		if errors.Is(err, errNoNode) {
			fmt.Fprintf(stderr, "%s not run: %v\n", name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, got...)
		if o.result == "" {
			continue
		}
		// Save after each peer, so that an interrupted run leaves what it has.
		if err := o.save(rows); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "result kept as %s.json\n", strings.TrimSuffix(o.result, ".json"))
	}
	if len(rows) == 0 {
		return nil // the reason has been printed
	}
	return printTable(stdout, rows)
}

// parse reads the flags.
func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	var only string
	set := flag.NewFlagSet("peers", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.IntVar(&o.facts, "facts", 10_000, "facts given to every peer")
	set.IntVar(&o.questions, "questions", 100, "questions asked in each way of every peer")
	set.IntVar(&o.nearest, "nearest", 100_000, "facts at which the nearest vectors alone are measured, no fewer than -facts; 0: not")
	set.StringVar(&only, "only", "", "run these peers only: "+strings.Join(peerNames(), ","))
	set.StringVar(&o.cache, "cache", "", "directory that keeps npm packages; empty: the user's cache")
	set.StringVar(&o.keep, "keep", "", "directory that keeps what was filled of "+strings.Join(keptNames(), " and ")+", for a later run of as many facts; empty: nothing is kept")
	set.StringVar(&o.result, "result", "", "keep the figures as NAME.json")
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
	case o.keep != "" && o.nearest != 0:
		return o, errors.New("-keep needs -nearest 0: what nearest vectors are measured on would be kept, too")
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
	if slices.Contains(keptNames(), name) {
		home, err := newPlace(o.keep, name)
		if err != nil {
			return nil, err
		}
		if name == ownName {
			return newStrata(ctx, home)
		}
		return newBleve(home)
	}
	if name == "chromem-go" {
		return newChromem()
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

// runPeer fills one peer and measures it: whole recalls, then its parts.
func (o options) runPeer(ctx context.Context, name string, stdout, stderr io.Writer) (rows []row, err error) {
	p, err := o.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	first, err := missing(ctx, p, o.facts)
	if err != nil {
		return nil, err
	}
	if first > 0 {
		fmt.Fprintf(stderr, "%s: %d facts are there\n", name, first)
	}
	if err := fill(ctx, p, first, o.facts, stderr); err != nil {
		return nil, err
	}
	add := func(what string, facts int, ask lookup, statements []bench.Asked) error {
		row, err := measure(ctx, ask, statements)
		if err != nil {
			return err
		}
		row.Peer, row.Version, row.What, row.Facts = name, versionOf(name), what, facts
		lines(stdout, row)
		rows = append(rows, row)
		return nil
	}
	asked := bench.Spread(bench.Corpus{Seed: seed}, o.facts, o.questions)
	if err := add(whatRecall, o.facts, p.Recall, asked); err != nil {
		return nil, err
	}
	if by, ok := p.(worder); ok {
		if err := add(whatWords, o.facts, by.Words, asked); err != nil {
			return nil, err
		}
	}
	by, ok := p.(nearester)
	if !ok || o.nearest == 0 {
		return rows, nil
	}
	if err := fill(ctx, p, o.facts, o.nearest, stderr); err != nil {
		return nil, err
	}
	asked = bench.Spread(bench.Corpus{Seed: seed}, o.nearest, o.questions)
	ask, err := nearest(ctx, by, asked)
	if err != nil {
		return nil, err
	}
	err = add(whatNearest, o.nearest, ask, asked)
	return rows, err
}
