package engine_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sqlite"
)

// wrongEmbedder says one thing of its vectors and makes others.
type wrongEmbedder struct {
	name       string
	says, made int
	vectors    int // of one text
}

func (w wrongEmbedder) Model() string   { return w.name }
func (w wrongEmbedder) Dimensions() int { return w.says }
func (w wrongEmbedder) Embed(context.Context, []string) ([][]float32, error) {
	out := make([][]float32, w.vectors)
	for i := range out {
		out[i] = make([]float32, w.made)
	}
	return out, nil
}

// An embedder that can never serve was found out by the first save, or by nobody.
func TestAWrongEmbedderIsRefusedAtOnce(t *testing.T) {
	ctx := t.Context()
	good, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "good.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(ctx, good, &engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, c := range []struct {
		emb  wrongEmbedder
		want string
	}{
		{wrongEmbedder{"", 3, 3, 1}, "has no name"},
		{wrongEmbedder{"mine", -1, 3, 1}, "have -1 numbers"},
		{wrongEmbedder{"mine", 384, 3, 1}, "says that its vectors have 384 numbers, and made one of 3"},
		{wrongEmbedder{"mine", 3, 3, 2}, "makes 2 vectors of one text"},
	} {
		st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "memory.db"), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = engine.Open(ctx, st, &engine.Options{Embedder: c.emb})
		if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("opened with %+v: %v", c.emb, err)
		}
		if err := e.UseEmbedder(ctx, c.emb); strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("used %+v: %v", c.emb, err)
		}
	}
}
