package server

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// What the socket adds to a recall is the difference of the two medians.
func BenchmarkRecall(b *testing.B) {
	e := memory(b)
	for i := range 500 {
		c := strata.Candidate{Scope: strata.Global(), Origin: strata.OriginAPI, Content: fmt.Sprintf("Pump %d runs at %d bar", i, i+3)}
		if _, err := e.Write(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
	const question = "at what pressure does pump 77 run?"
	env := operation.Env{Engine: e, View: strata.Global().View(), Origin: strata.OriginAPI}
	op, _ := ops.Find("recall")
	b.Run("engine", func(b *testing.B) {
		var took laps
		for b.Loop() {
			took.begin()
			in, err := op.Decode([]byte(`{"query": "` + question + `"}`))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := op.Run(b.Context(), &env, in); err != nil {
				b.Fatal(err)
			}
			took.end()
		}
		b.ReportMetric(took.median(), "ms-p50")
	})
	b.Run("socket", func(b *testing.B) {
		home, err := os.MkdirTemp("", "strata")
		if err != nil {
			b.Fatal(err)
		}
		defer os.RemoveAll(home)
		socket, err := Listen(home)
		if err != nil {
			b.Fatal(err)
		}
		defer socket.Close()
		s := New(Options{Env: operation.Env{Engine: e}})
		ctx, cancel := context.WithCancel(b.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx, Endpoint{socket, s.Open()}) }()
		client := unixClient(home)
		var took laps
		for b.Loop() {
			took.begin()
			res, err := client.Post("http://strata/v1/recall", jsonType, strings.NewReader(`{"query": "`+question+`"}`))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != 200 {
				b.Fatal(res.Status, err)
			}
			res.Body.Close()
			took.end()
		}
		b.ReportMetric(took.median(), "ms-p50")
		client.CloseIdleConnections()
		cancel()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	})
}

// laps are how long each of several runs took.
type laps struct {
	begun time.Time
	took  []time.Duration
}

func (l *laps) begin() { l.begun = time.Now() }
func (l *laps) end()   { l.took = append(l.took, time.Since(l.begun)) }

// median is in milliseconds.
func (l *laps) median() float64 {
	slices.Sort(l.took)
	return float64(l.took[len(l.took)/2].Microseconds()) / 1000
}
