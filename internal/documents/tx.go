// Package documents is the part of memory that lies in files: notes, daily logs
// and what people write for their agent.
//
// It finds and lists documents, and carries a candidate about one through the
// write path: a [Draft] is what is known of it before the transaction, a [Tx]
// what one transaction knows of documents. The engine orders these steps; what
// it does with facts is none of this package's business.
//
// The packages below it are what else is done with documents: projection renders
// decisions into files, handedit takes in what people did to files, edit composes
// and moves documents, and checkpoint records files in their version history.
package documents

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/store"
)

// Place is where a document lies.
type Place struct {
	Scope strata.Scope
	Path  string
}

// Vectors are those of the sections of a document, by what is indexed of each.
type Vectors map[string]store.Vectors

// Tx is what one transaction knows of documents.
type Tx struct {
	reader store.Reader
	ids    *id.Maker
	models *embedding.Models
	wanted *store.Embedding                   // which models are; nil until that is read
	paths  map[strata.Scope]map[string]string // of each scope, by what they fold to
	dirty  map[Place]bool                     // files that are marked
}

// NewTx returns a Tx for the transaction of r.
func NewTx(r store.Reader, ids *id.Maker, models *embedding.Models) *Tx {
	return &Tx{reader: r, ids: ids, models: models, paths: make(map[strata.Scope]map[string]string), dirty: make(map[Place]bool)}
}

// Record records a version of a document and indexes what of it is new.
func (t *Tx) Record(ctx context.Context, w store.Writer, d strata.Document, sections []strata.Section, v Vectors) error {
	if d.Content == "" {
		sections = nil
	}
	stored, err := w.PutDocument(ctx, d, sections)
	if err != nil {
		return err
	}
	if paths, ok := t.paths[d.Scope]; ok {
		paths[folded(d.Path)] = d.Path
	}
	failpoint.Hit(failpoint.WriteStored)
	for i, s := range stored {
		if !s.New {
			continue
		}
		section := sections[i]
		section.Document, section.Path, section.Seq = d.ID, d.Path, int64(i+1)
		if err := t.index(ctx, w, s.Number, d, section, v); err != nil {
			return err
		}
	}
	failpoint.Hit(failpoint.WriteIndexed)
	return nil
}

// index puts a section with the number of its passage into the index.
func (t *Tx) index(ctx context.Context, w store.Writer, number int64, d strata.Document, s strata.Section, v Vectors) error {
	if t.wanted == nil {
		st, err := t.models.Refresh(ctx, t.reader)
		if err != nil {
			return err
		}
		t.wanted = &st
	}
	p := recall.SectionPassage(number, d, s)
	return embedding.Put(ctx, w, *t.wanted, p, v[p.Text])
}

// remove removes the document at a path.
func (t *Tx) remove(ctx context.Context, w store.Writer, scope strata.Scope, path string) error {
	if paths := t.paths[scope]; paths[folded(path)] == path {
		delete(paths, folded(path))
	}
	return w.RemoveDocument(ctx, scope, path)
}

// alike returns the path of another document of a scope that a disk may take
// for the same file; empty if there is none. The paths are read once.
func (t *Tx) alike(ctx context.Context, scope strata.Scope, path string) (string, error) {
	paths, ok := t.paths[scope]
	if !ok {
		stats, err := t.reader.DocumentStats(ctx, scope)
		if err != nil {
			return "", fmt.Errorf("read paths of %s: %w", scope, err)
		}
		paths = make(map[string]string, len(stats))
		for p, st := range stats {
			if st.Hash != "" { // else only its removal is outstanding
				paths[folded(p)] = p
			}
		}
		t.paths[scope] = paths
	}
	if other := paths[folded(path)]; other != path {
		return other, nil
	}
	return "", nil
}

// folded is what paths have in common that a disk may take for one: disks know
// names apart neither by case, some of them, nor by the Unicode form in which a
// letter with an accent is written.
func folded(path string) string {
	return norm.NFC.String(strings.ToLower(strings.ToUpper(norm.NFC.String(path))))
}
