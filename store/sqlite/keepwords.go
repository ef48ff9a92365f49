package sqlite

import (
	"context"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store/sqlite/packed"
)

// The rows of the texts that wait are kept until the whole transaction ends: they
// are written, and it is looked whether enough of their scope wait, once for all.
// What FTS5 holds in memory it writes out, as a segment of its own that must be
// merged later, at every savepoint and for every statement of many rows. A
// statement that looks into these tables comes after [tx.writeWords].
type keptWords struct {
	texts packed.Rows // (number, normalized text, terms)
	// parted are (number, terms) of texts whose terms do not wait: the index takes
	// one of them for several, or for none, as only FTS5 knows.
	parted packed.Rows
}

const insertWords = `INSERT INTO word (rowid, terms) SELECT c0, c1 FROM unpack(?)`

// keepWords adds a passage to the texts that wait.
func (t *tx) keepWords(ctx context.Context, number int64, terms, normal string) error {
	var waiting any = terms
	if !areTerms(terms) {
		waiting = nil
		if err := t.words.parted.Add(number, terms); err != nil {
			return err
		}
	}
	if err := t.words.texts.Add(number, normal, waiting); err != nil {
		return err
	}
	if t.words.size()+t.group.words.size() >= maxKept {
		return t.writeWords(ctx)
	}
	return nil
}

// areTerms reports whether each term of a passage is one of the index.
func areTerms(terms string) bool {
	for term := range passage.Terms(terms) {
		if !passage.IsTerm(term) {
			return false
		}
	}
	return true
}

// writeWords writes what the function keeps, and what others of its group do.
func (t *tx) writeWords(ctx context.Context) error {
	g := t.group
	if g == nil {
		return nil
	}
	all := g.words
	all.append(t.words)
	if all.size() == 0 {
		return nil
	}
	if err := t.putWords(ctx, all); err != nil {
		return err
	}
	// Should this function be undone, then those of others go with it.
	g.written.append(g.words)
	g.words, t.words = keptWords{}, keptWords{}
	return nil
}

// putWords writes the rows of texts, and cuts those of the scopes in which enough
// wait.
func (t *tx) putWords(ctx context.Context, k keptWords) error {
	if k.size() == 0 {
		return nil
	}
	if len(k.parted) > 0 {
		if _, err := t.put(ctx, insertWords, []byte(k.parted)); err != nil {
			return err
		}
		t.db.unmerged.words += len(k.parted)
	}
	return t.addPending(ctx, k.texts)
}

// Segments of the full-text tables are merged, a part at a time, in proportion
// to the bytes that were written since. Words take a quarter of the pages that
// pieces take. What a short-lived process does not come to, the bound on the
// segments of a level makes others do.
const (
	mergeFrom      = 32 << 10 // bytes of rows
	mergePieces    = 512      // bytes for each page that is merged
	mergeWords     = 2 << 10
	mergeWordPart  = `INSERT INTO word (word, rank) VALUES ('merge', ?)`
	mergePiecePart = `INSERT INTO piece (piece, rank) VALUES ('merge', ?)`
)

// unmerged is how many bytes went into the full-text tables since a part of
// them was merged.
type unmerged struct{ words, pieces int }

// mergeSome merges a part of the segments if it is time. The caller holds the
// baton.
func (t *tx) mergeSome(ctx context.Context) error {
	u := &t.db.unmerged
	if n := u.words; n >= mergeFrom {
		u.words = 0
		if _, err := t.put(ctx, mergeWordPart, n/mergeWords); err != nil {
			return err
		}
	}
	if n := u.pieces; n >= mergeFrom {
		u.pieces = 0
		if _, err := t.put(ctx, mergePiecePart, n/mergePieces); err != nil {
			return err
		}
	}
	return nil
}

// append adds the rows of other, or takes them over.
func (k *keptWords) append(other keptWords) {
	if k.size() == 0 {
		*k = other
		return
	}
	k.texts = append(k.texts, other.texts...)
	k.parted = append(k.parted, other.parted...)
}

// size is how many bytes the rows take.
func (k *keptWords) size() int { return len(k.texts) + len(k.parted) }
