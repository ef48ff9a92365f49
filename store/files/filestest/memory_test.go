package filestest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
)

func TestMemory(t *testing.T) {
	filestest.Run(t, func(*testing.T) filestest.Bench {
		m := filestest.NewMemory()
		return filestest.Bench{Tree: m, Hand: m}
	})
}

func TestMemoryFailsWhereItIsTold(t *testing.T) {
	m, ctx := filestest.NewMemory(), context.Background()
	full := errors.New("full")
	m.Fault(func(op string, _ strata.Scope, path string) error {
		if op == "write" && path == "b.md" {
			return full
		}
		return nil
	})
	if _, err := m.Write(ctx, strata.Global(), "a.md", nil, strata.NoFile); err != nil {
		t.Error(err)
	}
	if _, err := m.Write(ctx, strata.Global(), "b.md", nil, strata.NoFile); !errors.Is(err, full) {
		t.Error(err)
	}
	if got := m.Files(strata.Global()); len(got) != 1 {
		t.Errorf("files %v", got)
	}
	m.Away(strata.Global(), true)
	if _, err := m.Scan(ctx, strata.Global(), map[string]files.Stat{}); strata.CodeOf(err) != strata.CodeUnavailable {
		t.Error(err)
	}
	if _, ok := m.Directory(strata.Global()); ok {
		t.Error("a directory that is away is at hand")
	}
}
