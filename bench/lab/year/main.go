package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/plainfile"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/local"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	sessions := flag.Int("sessions", 1000, fmt.Sprintf("sessions in the year, %d to %d", MinSessions, MaxSessions))
	seed := flag.Uint64("seed", 1, "the same seed makes the same year")
	report := flag.String("report", "", "write a page about it to this file, as HTML")
	result := flag.String("result", "", "keep the figures and examples as NAME.json")
	flag.Parse()
	if err := live(ctx, *sessions, *seed, *report, *result); err != nil {
		fmt.Fprintln(os.Stderr, "year:", err)
		os.Exit(1)
	}
}

// live runs the year, then prints and saves the result.
func live(ctx context.Context, sessions int, seed uint64, report, result string) error {
	dir, err := os.MkdirTemp("", "strata-year-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	got, err := Run(ctx, Options{
		Dir: dir, Seed: seed, Sessions: sessions, Open: openBuiltin,
		Progress: func(done int) {
			if done%100 == 0 {
				fmt.Fprintf(os.Stderr, "%d of %d sessions\n", done, sessions)
			}
		},
	})
	if err != nil {
		return err
	}
	if report != "" {
		page, err := got.Report()
		if err != nil {
			return err
		}
		if err := plainfile.WriteBytes(report, 0o644, page); err != nil {
			return err
		}
	}
	if result != "" {
		if err := got.save(result); err != nil {
			return err
		}
	}
	return got.print(os.Stdout)
}

// openBuiltin opens a home with the built-in embedder.
func openBuiltin(ctx context.Context, home string, workspaces map[string]string, now func() time.Time) (*engine.Engine, error) {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	opened, err := local.OpenWith(ctx, local.Options{Home: home, Workspaces: workspaces, Embedder: builtin.New(), Logger: log, Now: now})
	if err != nil {
		return nil, err
	}
	return opened.Engine(), nil
}

// save saves the figures along with what produced them.
func (r Result) save(name string) error {
	kept := struct {
		bench.Result
		Year Result `json:"year"`
	}{bench.NewResult("year", fmt.Sprintf("%s -sessions %d -seed %d", filepath.Base(os.Args[0]), r.Sessions, r.Seed)), r}
	kept.Data = bench.Data{Name: "year", Seed: r.Seed}
	kept.Settings = bench.Settings{Embedder: builtin.Model}
	return bench.WriteFigures(name, kept)
}

// print writes the figures for people.
func (r Result) print(w io.Writer) error {
	fmt.Fprintf(w, "%d sessions, %d turns, seed %d\n\n", r.Sessions, r.Figures.Turns, r.Seed)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "figure\treached\twanted")
	for _, line := range r.Headlines() {
		fmt.Fprintf(t, "%s\t%s\t%s\n", line.Name, line.Value, line.Goal)
	}
	return t.Flush()
}
