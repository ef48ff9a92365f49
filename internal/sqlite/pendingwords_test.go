package sqlite

import (
	"context"
	"fmt"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

func sameCount(t *testing.T, what string, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %d, want %d", what, got, want)
	}
}

// What was pending before a merge is not taken for what is pending after it.
func TestPending_SeesThatTextsWereMerged(t *testing.T) {
	b := newBed(t)
	global := strata.Global()
	for i := range 5 {
		b.save(global, "c", fmt.Sprint("cat number ", i), nil)
	}
	b.match(global, store.Filter{}, "cat")
	b.db.MergePendingFrom(1)
	b.save(global, "c", "cat number five", nil)
	b.db.MergePendingFrom(pendingTexts)
	b.save(global, "c", "cat number six", nil)
	if m := b.match(global, store.Filter{}, "cat"); len(m.Passages) != 7 || len(m.Terms[0]) != 7 {
		t.Errorf("found %+v, want 7 cats, each once", m)
	}
}

// before0016 makes the schema what it was before that step.
const before0016 = before0017 + `
	INSERT INTO word (word, rank) VALUES ('usermerge', 4);
	INSERT INTO piece (piece, rank) VALUES ('usermerge', 4);
	DROP INDEX passage_place;
	CREATE INDEX passage_place ON passage (parent, seq);
	CREATE TABLE diary (
		scope_no INTEGER NOT NULL REFERENCES scope (no),
		change   INTEGER NOT NULL,
		kind     TEXT NOT NULL,
		ref      TEXT NOT NULL,
		detail   TEXT NOT NULL,
		at       INTEGER NOT NULL,
		PRIMARY KEY (scope_no, change)
	) STRICT, WITHOUT ROWID;
	INSERT INTO diary SELECT scope_no, number & (1 << 40) - 1, kind, ref, detail, at FROM event;
	DROP TABLE event;
	ALTER TABLE diary RENAME TO event;
	DELETE FROM schema_migration WHERE version >= 16;`

// before0015 makes the schema what it was before that step: the words of what
// waits are in the index of words.
const before0015 = before0016 + `
	INSERT INTO word (rowid, terms) SELECT number, terms FROM uncut WHERE terms IS NOT NULL ORDER BY number;
	ALTER TABLE uncut DROP COLUMN terms;
	DELETE FROM schema_migration WHERE version >= 15`

// In a home from before, words of texts that wait are where they were, until the
// texts are merged together with those that came since.
func TestMigrate_LeavesWordsWhereTheyAre(t *testing.T) {
	b := newBed(t)
	global := strata.Global()
	for i := range 5 {
		b.save(global, "c", fmt.Sprint("cat number ", i), nil)
	}
	_, err := b.db.writing.ExecContext(context.Background(), before0015)
	b.ok(err)
	b.ok(b.db.Close())
	db, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	t.Cleanup(func() { db.Close() })
	b.db = db
	check := func(when string, cats, wait, words int) {
		t.Helper()
		m := b.match(global, store.Filter{}, "cat")
		sameCount(t, "cats "+when, len(m.Terms[0]), cats)
		b.view(func(ctx context.Context, x *tx) {
			n, err := x.queryIntegers(ctx, 1, `SELECT count(*) FROM term_index_content`)
			b.ok(err)
			sameCount(t, "words in the index "+when, int(n[0]), words)
			n, err = x.queryIntegers(ctx, 1, `SELECT count(*) FROM pending WHERE terms IS NOT NULL`)
			b.ok(err)
			sameCount(t, "pending words "+when, int(n[0]), wait)
			found, err := x.MatchSubstring(ctx, global, "cat num", store.Filter{}, 100)
			b.ok(err)
			sameCount(t, "parts "+when, len(found), cats)
		})
		b.sound()
	}
	check("as it was opened", 5, 0, 5)
	b.save(global, "c", "cat number five", nil)
	check("with another", 6, 1, 5)
	b.update(func(ctx context.Context, x *tx) {
		_, err := x.Forget(ctx, global, "fact_00000000000000000000000002", nil)
		b.ok(err)
	})
	check("without one from before", 5, 1, 4)
	b.db.MergePendingFrom(1)
	b.save(global, "c", "cat number six", nil)
	check("after all were merged", 6, 0, 6)
}

func TestAreTerms(t *testing.T) {
	for s, want := range map[string]bool{"": true, "cat": true, "cat 会議 v2\uE0004": true, "カ‿ ‿キ": false, "cat ☃": false, "a \u0301": false} {
		if got := passage.AreTerms(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

// A save writes words at once only where the index parts one of them.
func TestPending_WordsAreWrittenTogether(t *testing.T) {
	b := newBed(t)
	for i, c := range []struct {
		text  string
		words int64
	}{{"a cat", 0}, {"?!", 0}, {"カ‿キ", 1}, {"a dog", 1}} {
		b.save(strata.Global(), "c", c.text, nil)
		b.view(func(ctx context.Context, x *tx) {
			n, err := x.queryIntegers(ctx, 2, `SELECT (SELECT count(*) FROM term_index_content), (SELECT count(*) FROM pending WHERE terms IS NULL)`)
			b.ok(err)
			if n[0] != c.words || n[1] != c.words {
				t.Errorf("after %d saves the index has words of %d passages, and %d wait without, want %d", i+1, n[0], n[1], c.words)
			}
		})
	}
	b.db.MergePendingFrom(1)
	b.save(strata.Global(), "c", "the end", nil)
	b.sound()
}
