package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// movedBed saves and removes passages of very different lengths, so that SQLite
// moves cells from page to page, and knows what must be gone.
type movedBed struct {
	*bed
	rng   *rand.Rand
	saved int
	there []movedPassage
	gone  []string
}

type movedPassage struct {
	number int64
	word   string // of no other passage
}

func newMovedBed(t *testing.T, seed uint64) *movedBed {
	return &movedBed{bed: newBed(t), rng: rand.New(rand.NewPCG(seed, 7))}
}

// change saves a few passages and removes some, by a database.
func (b *movedBed) change(db *DB) {
	b.Helper()
	scopes := []strata.Scope{strata.Global(), strata.InWorkspace("a"), strata.InWorkspace("b")}
	ctx := context.Background()
	b.ok(db.Update(ctx, func(w store.Writer) error {
		x := w.(*tx)
		for range 1 + b.rng.IntN(8) {
			b.saved++
			word := make([]byte, 12)
			for i := range word {
				word[i] = byte('a' + b.rng.IntN(26))
			}
			f := plainFact(fmt.Sprintf("fact_%d", b.saved), "plain")
			f.Scope, f.Category = scopes[b.rng.IntN(len(scopes))], "c"
			number, err := x.PutFact(ctx, f)
			if err != nil {
				return err
			}
			p := passageOf(number, f, nil)
			repeat := 1 + b.rng.IntN(1+b.rng.IntN(150))
			if b.rng.IntN(20) == 0 {
				repeat *= 20 // pages of their own, which become free with it
			}
			p.Text = strings.Repeat(string(word)+" ", repeat)
			if err := x.PutPassage(ctx, p); err != nil {
				return err
			}
			b.there = append(b.there, movedPassage{number, string(word)})
		}
		for b.rng.IntN(3) == 0 && len(b.there) > 0 {
			i := b.rng.IntN(len(b.there))
			p := b.there[i]
			if err := x.removePassage(ctx, p.number); err != nil {
				return err
			}
			if _, err := x.exec(ctx, `DELETE FROM fact WHERE number = ?`, p.number); err != nil {
				return err
			}
			b.gone, b.there = append(b.gone, p.word), append(b.there[:i], b.there[i+1:]...)
		}
		return nil
	}))
}

// nothingLeft looks for a part of each word that is gone.
func (b *movedBed) nothingLeft() {
	b.Helper()
	left := b.bytesOnDisk()
	for _, word := range b.gone {
		if at := bytes.Index(left, []byte(word[:8])); at >= 0 {
			b.Errorf("%q is left in page %d", word, at/8192+1)
		}
	}
	if len(b.gone) < 20 {
		b.Errorf("only %d passages were removed", len(b.gone))
	}
}

// SQLite leaves copies of the cells that it moves. Compacting leaves none of
// what was removed, wherever it had been, and the database as sound as it was.
func TestCompact_LeavesNoByteOfWhatWasMovedAndRemoved(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	for i := range uint64(rounds(4)) {
		t.Run(fmt.Sprint("seed ", seed+i), func(t *testing.T) {
			b := newMovedBed(t, seed+i)
			b.db.MergePendingFrom(mergeFromsOf[i%3])
			b.db.purger.Plain = i == 3
			for range 250 {
				b.change(b.db)
			}
			b.ok(b.db.Compact(context.Background()))
			b.nothingLeft()
			b.sound()
			b.intact()
		})
	}
}

// mergeFromsOf are sizes from which texts are put into the index of substrings.
var mergeFromsOf = []int64{4, 20, 256}

// A process that has pages in memory from before does not bring back what was in
// their gaps.
func TestCompact_PagesInMemoryElsewhereBringNothingBack(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	b := newMovedBed(t, seed)
	other, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	defer other.Close()
	for range rounds(4) {
		for range 60 {
			b.change(b.db)
			b.change(other)
		}
		b.ok(b.db.Compact(context.Background()))
		b.nothingLeft()
		gone := len(b.gone)
		for range 20 { // both go on with the pages that were compacted
			b.change(other)
			b.change(b.db)
		}
		all := b.gone
		b.gone = all[:gone] // of what was removed since, bytes may be left
		b.ok(b.db.emptyLog(context.Background(), time.Now()))
		b.nothingLeft()
		b.gone = all
	}
	b.ok(b.db.Compact(context.Background()))
	b.nothingLeft()
	b.sound()
	b.intact()
}

// FTS5 finds the leaves of its index by terms that stay when they are removed
// from the leaf. Words that differ at their end alone are such terms as a whole.
func TestCompact_LeavesNoRemovedWordAsASplitKey(t *testing.T) {
	t.Run("as known", func(t *testing.T) { leavesNoSplitKey(newMovedBed(t, 1)) })
	t.Run("the plain way", func(t *testing.T) {
		b := newMovedBed(t, 1)
		b.db.PurgePlainly()
		leavesNoSplitKey(b)
	})
}

func leavesNoSplitKey(b *movedBed) {
	word := func(i int) string { return fmt.Sprintf("warehouseparcel%04d", i) }
	const words = 2_000
	numbers := make([]int64, words)
	b.update(func(ctx context.Context, x *tx) {
		for i := range numbers {
			f := plainFact(fmt.Sprintf("fact_%d", i), "plain")
			number, err := x.PutFact(ctx, f)
			b.ok(err)
			p := passageOf(number, f, nil)
			p.Text = word(i)
			b.ok(x.PutPassage(ctx, p))
			numbers[i] = number
		}
	})
	var keys []string
	rows, err := b.db.writing.QueryContext(context.Background(), `SELECT CAST(term AS TEXT) FROM term_index_idx WHERE length(term) > 0`)
	b.ok(err)
	for rows.Next() {
		var key string
		b.ok(rows.Scan(&key))
		keys = append(keys, strings.TrimPrefix(key, "0")) // FTS5 writes 0 before a word
	}
	b.ok(rows.Err())
	kept := make(map[int]bool, words)
	b.update(func(ctx context.Context, x *tx) {
		for i, number := range numbers {
			if !slices.ContainsFunc(keys, func(key string) bool { return strings.HasPrefix(word(i), key) }) {
				kept[i] = true
				continue
			}
			b.ok(x.removePassage(ctx, number))
			_, err := x.exec(ctx, `DELETE FROM fact WHERE number = ?`, number)
			b.ok(err)
			b.gone = append(b.gone, word(i))
		}
	})
	if len(b.gone) == 0 || len(kept) == 0 {
		b.Fatalf("of %d words %d are split keys: %q", words, len(b.gone), keys)
	}
	b.ok(b.db.Compact(context.Background()))
	left := b.bytesOnDisk()
	for _, key := range keys {
		if bytes.Contains(left, []byte("0"+key)) {
			b.Errorf("%q is left", key)
		}
	}
	for i := range numbers {
		if got := len(b.match(strata.Global(), store.Filter{}, word(i)).Passages); got > 0 != kept[i] {
			b.Errorf("%s is found %d times, kept: %v", word(i), got, kept[i])
		}
	}
	b.sound()
	b.intact()
}

// intact has SQLite check the file.
func (b *movedBed) intact() {
	b.Helper()
	c, err := sql.Open("sqlite3", "file:"+b.path+"?mode=ro")
	b.ok(err)
	defer c.Close()
	var said string
	b.ok(c.QueryRow(`PRAGMA integrity_check`).Scan(&said))
	if said != "ok" {
		b.Error(said)
	}
}
