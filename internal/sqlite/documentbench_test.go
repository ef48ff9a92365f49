package sqlite

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// notes makes documents of two sections each.
func notes(b *testing.B, n int) (docs []strata.Document, list []sample) {
	list = samples(b, 1, 2*n)
	for i := range n {
		slug := fmt.Sprintf("n%d", i)
		docs = append(docs, strata.Document{ID: fmt.Sprintf("doc_%026d", i), Scope: strata.Global(), Path: "notes/project_" + slug + ".md",
			Kind: strata.DocumentNote, Type: strata.TypeProject, Slug: slug, Name: slug, Generation: 1,
			Content: list[2*i].text + "\n" + list[2*i+1].text + "\n", ModifiedAt: time.Unix(0, 0)})
	}
	return docs, list
}

// putNote stores a document of two samples.
func (b *bed) putNote(ctx context.Context, t *tx, d strata.Document, list []sample) {
	b.Helper()
	var sections []strata.Section
	for i, s := range list {
		sections = append(sections, strata.Section{Line: i + 1, EndLine: i + 1, Text: s.text})
	}
	stored, err := t.PutDocument(ctx, d, sections)
	b.ok(err)
	for i, s := range stored {
		if s.New {
			b.ok(t.PutPassage(ctx, store.Passage{Number: s.Number, Kind: strata.KindSection, Ref: d.ID, Scope: d.Scope, Parent: d.Path,
				Seq: int64(i + 1), Type: d.Type, Text: list[i].text, RecordedAt: t.Now(), Model: "test", Vector: list[i].vector}))
		}
	}
}

// BenchmarkDocuments works at 10,000 notes of two sections: what it takes to
// index them all, to compare all with the disk, to index an edit of one, and to
// search.
func BenchmarkDocuments(b *testing.B) {
	const n = 10_000
	docs, list := notes(b, n)
	bed := newBed(b)
	begun := time.Now()
	for first := 0; first < n; first += 500 {
		bed.update(func(ctx context.Context, t *tx) {
			for i := first; i < first+500; i++ {
				bed.putNote(ctx, t, docs[i], list[2*i:2*i+2])
			}
		})
	}
	took := time.Since(begun)
	b.Run("stats", func(b *testing.B) {
		bed.view(func(ctx context.Context, t *tx) {
			for b.Loop() {
				_, err := t.DocumentStats(ctx, strata.Global())
				bed.ok(err)
			}
		})
		b.ReportMetric(float64(n)/took.Seconds(), "indexed/s")
	})
	b.Run("edit", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			k := i % n
			docs[k].Generation++
			bed.update(func(ctx context.Context, t *tx) {
				// The first section is kept, the other is that of the next note.
				bed.putNote(ctx, t, docs[k], []sample{list[2*k], list[(2*k+3+2*(i/n))%(2*n)]})
			})
		}
	})
	questions := samples(b, 2, 100)
	b.Run("match", func(b *testing.B) {
		bed.view(func(ctx context.Context, t *tx) {
			for i := 0; b.Loop(); i++ {
				_, err := t.Match(ctx, strata.Global(), questions[i%100].query(), store.Filter{}, store.MatchOptions{})
				bed.ok(err)
			}
		})
	})
	b.Run("nearest", func(b *testing.B) {
		bed.view(func(ctx context.Context, t *tx) {
			for i := 0; b.Loop(); i++ {
				_, err := t.Nearest(ctx, strata.Global(), "test", questions[i%100].vector, nil, store.Filter{}, 10)
				bed.ok(err)
			}
		})
	})
	b.Run("parents", func(b *testing.B) {
		bed.view(func(ctx context.Context, t *tx) {
			for i := 0; b.Loop(); i++ {
				_, err := t.NearestParents(ctx, strata.Global(), "test", questions[i%100].vector, strata.KindSection, store.Filter{}, 12)
				bed.ok(err)
			}
		})
	})
}
