package sqlite

import "github.com/strata-memory/strata/store"

// remembered is what a tally knows of the tables that new passages go into, so that
// it is not read for each of them. It goes from function to function and from
// transaction to transaction, as long as no other connection writes (see [alone]).
//
// It stays true by one rule. [tx.exec], which changes whatever it likes, forgets all
// of it. [tx.put] is for statements that change nothing of it, or whose caller keeps
// it true.
type remembered struct {
	heads map[headKey]*codeHead
	// opened are the numbers of categories, sessions and documents.
	opened map[parentKey]int64
	// wanted are the models that are wanted and embedding what is told of them; nil
	// where it is not known.
	wanted    *wantedModels
	embedding *store.Embedding
}

type headKey struct{ scopeNo, model, kind int64 }

type parentKey struct {
	scopeNo, kind int64
	name          string
}

func newRemembered() remembered {
	return remembered{heads: make(map[headKey]*codeHead), opened: make(map[parentKey]int64)}
}

// maxHeads bounds the heads that are remembered from one transaction to the next:
// each takes some KiB for its coder.
const maxHeads = 64

// mayStay reports whether it is no more than may be kept for the next transaction.
func (r *remembered) mayStay() bool {
	return len(r.opened) <= maxAlone && len(r.heads) <= maxHeads
}

// forget forgets what the function remembers, and what those before did.
func (t *tx) forget() {
	t.tally = nil // what it counts is settled
	if t.group != nil {
		t.group.tally = nil
	}
}
