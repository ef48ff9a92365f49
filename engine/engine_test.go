package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns an engine over a new home that is closed with the test.
func open(t testing.TB, change ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "strata.db"), change...)
}

func openAt(t testing.TB, db string, change ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	ctx := context.Background()
	opts := &engine.Options{Embedder: builtin.New()}
	for _, c := range change {
		c(opts)
	}
	st, err := sqlite.Open(ctx, db, &sqlite.Options{Now: opts.Now})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(ctx, st, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return e
}

// save writes text into the global scope and fails the test on an error.
func save(t *testing.T, e *engine.Engine, text string) strata.Decision {
	t.Helper()
	d, err := e.Save(context.Background(), strata.Global(), text)
	if err != nil {
		t.Fatalf("save %q: %v", text, err)
	}
	return d
}

// write writes a candidate and fails the test on an error.
func write(t *testing.T, e *engine.Engine, c strata.Candidate) strata.Decision {
	t.Helper()
	d, err := e.Write(context.Background(), c)
	if err != nil {
		t.Fatalf("write %+v: %v", c, err)
	}
	return d
}

// current returns the texts of the current facts of a scope, newest first.
func current(t *testing.T, e *engine.Engine, scope strata.Scope) []string {
	t.Helper()
	facts, err := e.Facts(context.Background(), scope.View(), strata.FactFilter{})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, f := range facts {
		texts = append(texts, f.Text)
	}
	return texts
}

// wantCode fails the test unless err has the code and a hint.
func wantCode(t *testing.T, err error, code strata.Code) {
	t.Helper()
	if strata.CodeOf(err) != code {
		t.Fatalf("error is %v (%s), want code %s", err, strata.CodeOf(err), code)
	}
	var e *strata.Error
	if errors.As(err, &e) && e.Hint == "" && code != strata.CodeCanceled {
		t.Errorf("error %v has no hint", err)
	}
}

// healthy fails the test unless doctor finds nothing.
func healthy(t *testing.T, e *engine.Engine) {
	t.Helper()
	report, err := e.Doctor(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Problems {
		t.Errorf("doctor: %+v", p)
	}
}

// flaky is an embedder that fails as long as it is told to.
type flaky struct {
	llm.Embedder
	down chan struct{} // closed: works
}

func (f *flaky) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	select {
	case <-f.down:
		return f.Embedder.Embed(ctx, texts)
	default:
		return nil, errors.New("connection refused")
	}
}
