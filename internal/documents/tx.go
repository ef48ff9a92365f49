// Package documents manages the part of memory that is stored in files: notes, daily
// logs, and what people write for their agents.
//
// It finds and lists documents, and takes a candidate for one through the write path. A
// [Draft] is what is known about it before the transaction, and a [Tx] what one
// transaction knows about documents. The engine orders these steps and handles facts
// itself.
//
// The packages below this one do the rest: projection renders decisions into files,
// handedit records edits made by hand, edit composes and moves documents, and checkpoint
// records files in their version history.
//
// # How a document is saved
//
//   - edit composes the text of the file and makes a candidate with a path. [NewDraft]
//     reads the text, divides it into sections and scans it.
//   - Before the transaction, handedit takes in what people changed in the file, so that
//     their version is in the history.
//   - In the transaction, [Tx.Decide] reads what memory has at the path, decide.DecideDocument
//     decides, and the version is recorded. Passages of unchanged sections stay.
//   - projection writes the file by compare-and-swap of its hash, then the index in
//     MEMORY.md. A file that a person changed meanwhile stays as it is.
//   - When a home is opened, and after each signal of the watcher, handedit compares the
//     files with memory and makes candidates of the differences.
//
// For the reasons, see docs/decisions/0008-files-as-memory.md.
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

// Place is the location of a document.
type Place struct {
	Scope strata.Scope
	Path  string
}

// Vectors maps the indexed text of a document's sections to their vectors.
type Vectors map[string]store.Vectors

// Tx is the state of one transaction that concerns documents.
type Tx struct {
	reader store.Reader
	ids    *id.Maker
	models *embedding.Models
	wanted *store.Embedding                   // embedding models to use; nil until read
	paths  map[strata.Scope]map[string]string // paths of each scope, by their folded form
	dirty  map[Place]bool                     // files that are marked
}

// NewTx returns a Tx for the transaction of r.
func NewTx(r store.Reader, ids *id.Maker, models *embedding.Models) *Tx {
	return &Tx{reader: r, ids: ids, models: models, paths: make(map[strata.Scope]map[string]string), dirty: make(map[Place]bool)}
}

// Record stores a version of a document and indexes its new sections.
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

// index indexes a section under the number of its passage.
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

// alike returns the path of another document in the scope that a file system may treat as
// the same file, or "" if there is none. It reads the paths of a scope once.
func (t *Tx) alike(ctx context.Context, scope strata.Scope, path string) (string, error) {
	paths, ok := t.paths[scope]
	if !ok {
		stats, err := t.reader.DocumentStats(ctx, scope)
		if err != nil {
			return "", fmt.Errorf("read paths of %s: %w", scope, err)
		}
		paths = make(map[string]string, len(stats))
		for p, st := range stats {
			if st.Hash != "" { // otherwise only its removal is pending
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

// folded returns the same string for paths that a file system may treat as the same. Some
// ignore case, or the Unicode form of accented letters.
func folded(path string) string {
	return norm.NFC.String(strings.ToLower(strings.ToUpper(norm.NFC.String(path))))
}
