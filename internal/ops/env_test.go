package ops_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

// newEnv returns what a front end gives to operations, over a new memory.
func newEnv(t *testing.T) *operation.Env {
	t.Helper()
	return envOver(t, newStore(t, nil), nil)
}

// newStore returns a new store, which is closed by the memory over it.
func newStore(t *testing.T, o *sqlite.Options) store.Store {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "strata.db"), o)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// envOver is [newEnv] over a store.
func envOver(t *testing.T, st store.Store, o *engine.Options) *operation.Env {
	t.Helper()
	e, err := engine.Open(t.Context(), st, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return &operation.Env{Engine: e, View: strata.Global().View(), Out: new(bytes.Buffer)}
}

// run runs an operation on an input in JSON.
func run(env *operation.Env, name, input string) (any, error) {
	op, ok := ops.Find(name)
	if !ok {
		return nil, strata.NotFound("find", "operation", name)
	}
	in, err := op.Decode([]byte(input))
	if err != nil {
		return nil, err
	}
	return op.Run(context.Background(), env, in)
}

// mustRun runs an operation that has an output of one type.
func mustRun[T any](t *testing.T, env *operation.Env, name, input string) T {
	t.Helper()
	out, err := run(env, name, input)
	if err != nil {
		t.Fatal(err)
	}
	return out.(T)
}
