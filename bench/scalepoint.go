package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/strata-memory/strata/engine"
)

// processes is how many processes are started for a median.
const processes = 7

// ScaleHome is a home that is filled with a corpus and measured at several sizes.
type ScaleHome struct {
	Dir    string
	Corpus Corpus
	// Open opens the home for filling.
	Open func(ctx context.Context) (*engine.Engine, error)
	// Command runs the strata command with the given arguments in a process of its own,
	// and returns its output.
	Command func(ctx context.Context, args ...string) ([]byte, error)
}

// Fill fills the home from held to want facts, and marks its progress after each batch.
// It returns the number of facts saved per second.
func (h ScaleHome) Fill(ctx context.Context, held, want int, progress func(done int)) (perSecond float64, err error) {
	if held == want {
		return 0, nil
	}
	mem, err := h.Open(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, mem.Close()) }()
	// A fill that was interrupted may have saved a batch without marking it. Saving a
	// fact again changes nothing.
	begin := time.Now()
	var marking error
	mark := func(done int) {
		marking = errors.Join(marking, MarkHome(h.Dir, h.Corpus, done))
		progress(done)
	}
	mark(held)
	if err := Fill(ctx, mem, h.Corpus, held, want, mark); err != nil {
		return 0, err
	}
	perSecond = float64(want-held) / time.Since(begin).Seconds()
	return perSecond, errors.Join(marking, mem.Drain(ctx))
}

// Steps is how many times Measure reports progress.
const Steps = 3

// Measure measures the filled home. It measures recalls in a separate process, so that
// their memory is that of serving alone, and times whole processes from start to end.
func (h ScaleHome) Measure(ctx context.Context, facts, questions int, progress func(step int)) (Point, error) {
	bytes, err := DiskUsage(h.Dir)
	if err != nil {
		return Point{}, err
	}
	point, err := h.measured(ctx, facts, questions)
	if err != nil {
		return Point{}, err
	}
	progress(1)
	opened := []time.Duration{point.Open}
	for len(opened) < processes {
		again, err := h.measured(ctx, facts, 0)
		if err != nil {
			return Point{}, err
		}
		opened = append(opened, again.Open)
	}
	progress(2)
	var shell []time.Duration
	for s := range Statements(h.Corpus.Seed) {
		if len(shell) == processes {
			break
		}
		scope := h.Corpus.Scope(len(shell)).Key()
		begin := time.Now()
		if _, err := h.Command(ctx, "recall", "--home", h.Dir, "--scope", scope, s.Question); err != nil {
			return Point{}, err
		}
		shell = append(shell, time.Since(begin))
	}
	progress(Steps)
	point.Open, point.Shell = PercentilesOf(opened).P50, PercentilesOf(shell).P50
	point.Bytes, point.Fact = bytes, float64(bytes/int64(facts))
	return point, nil
}

// measured runs bench measure.
func (h ScaleHome) measured(ctx context.Context, facts, questions int) (Point, error) {
	out, err := h.Command(ctx, "bench", "measure", "--home", h.Dir, "--facts", fmt.Sprint(facts),
		"--scopes", fmt.Sprint(h.Corpus.Scopes), "--questions", fmt.Sprint(questions), "-o", "json")
	if err != nil {
		return Point{}, err
	}
	var p Point
	if err := json.Unmarshal(out, &p); err != nil {
		return Point{}, fmt.Errorf("read what bench measure printed: %w", err)
	}
	return p, nil
}
