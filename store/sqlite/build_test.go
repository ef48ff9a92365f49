//go:build !sqlite_fts5 && !fts5

package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
)

// This test is built without the tag: GOFLAGS= go test -run TestOpen_WithoutFullText
func TestOpen_WithoutFullTextSearchSaysHowToBuild(t *testing.T) {
	if checkBuild() == nil {
		t.Skip("FTS5 came with CGO_CFLAGS")
	}
	path := filepath.Join(t.TempDir(), "strata.db")
	_, err := Open(context.Background(), path, nil)
	e, ok := err.(*strata.Error)
	if !ok || e.Code != strata.CodeUnsupported || e.Hint != "build with -tags sqlite_fts5 (see README)" {
		t.Errorf("open returned %#v", err)
	}
}
