package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// textBed is a store whose facts' texts are compared one by one.
type textBed struct{ *turnsBed }

func newTextBed(t testing.TB, seed uint64, file int64) *textBed {
	b := &textBed{newTurnsBed(t, seed, file)}
	b.changing, b.asking = b.change, b.ask
	return b
}

// fewTexts are those of the facts of a textBed. One has no content terms.
var fewTexts = []string{"the build runner is slow", "a cat sleeps", "deploys go out on Tuesdays", "and of the", "ports open at noon"}

// text is one of few texts, written in one of several ways.
func (b *textBed) text() string {
	s := fewTexts[b.rng.IntN(len(fewTexts))]
	switch b.rng.IntN(3) {
	case 0:
		return strings.ToUpper(s)
	case 1:
		return "  " + strings.ReplaceAll(s, " ", "\t ")
	}
	return s
}

// put stores a version of a fact.
func (b *textBed) put(ctx context.Context, w *tx, f strata.Fact) {
	b.Helper()
	number, err := w.PutFact(ctx, f)
	b.ok(err)
	b.facts[number] = f
	b.index(ctx, w, number)
}

// save saves facts of a scope and sometimes asks in between.
func (b *textBed) save(ctx context.Context, w *tx) {
	b.Helper()
	scope := b.scope()
	for range 1 + b.rng.IntN(4) {
		b.ids++
		f := plainFact(fmt.Sprintf("fact_%06d", b.ids), b.text())
		f.Scope, f.RecordedAt = scope, w.Now()
		b.put(ctx, w, f)
		if b.rng.IntN(3) == 0 {
			b.ask(ctx, w)
		}
	}
}

// revise puts a version of a fact with the text of one that it had, whether it is
// current or not.
func (b *textBed) revise(ctx context.Context, w *tx) {
	b.Helper()
	list, err := w.FactVersions(ctx, b.scope(), fmt.Sprintf("fact_%06d", 1+b.rng.IntN(b.ids+1)))
	b.ok(err)
	if len(list) == 0 {
		return
	}
	f := list[len(list)-1]
	if f.RetiredAt == nil {
		b.retire(ctx, w, f)
	}
	f.Generation, f.RetiredAt, f.SupersededBy = f.Generation+1, nil, ""
	f.Text = append(list, strata.Fact{Text: b.text()})[b.rng.IntN(len(list)+1)].Text
	b.put(ctx, w, f)
}

func (b *textBed) retire(ctx context.Context, w *tx, f strata.Fact) {
	b.Helper()
	b.ok(w.RetireFact(ctx, f.Scope, f.ID, f.Generation, ""))
	b.drop(f)
}

// drop expects a fact no longer.
func (b *textBed) drop(f strata.Fact) {
	for number, other := range b.facts {
		if other.Scope == f.Scope && other.ID == f.ID {
			delete(b.facts, number)
		}
	}
}

// change does one thing to the store.
func (b *textBed) change(ctx context.Context, w *tx) {
	b.Helper()
	number, there := b.some()
	f := b.facts[number]
	switch what := b.rng.IntN(12); {
	case what < 5 || !there:
		b.save(ctx, w)
	case what < 7:
		b.retire(ctx, w, f)
	case what < 9:
		b.revise(ctx, w)
	case what < 11:
		_, err := w.Forget(ctx, f.Scope, f.ID)
		b.ok(err)
		b.drop(f)
	default: // hashes are no part of the index
		b.ok(w.DropIndex(ctx, f.Scope))
		b.ask(ctx, w)
		list, err := w.Sources(ctx, f.Scope, 0, 10_000)
		b.ok(err)
		for _, s := range list {
			b.ok(w.PutPassage(ctx, passageOf(s.Number, *s.Fact, nil)))
		}
	}
}

// ask looks for a text, a reader for each in each scope.
func (b *textBed) ask(ctx context.Context, x *tx) {
	b.Helper()
	if x.group != nil {
		b.askFor(ctx, x, b.scope(), b.text())
		return
	}
	for _, scope := range plainScopes {
		for _, s := range fewTexts {
			b.askFor(ctx, x, scope, s)
		}
	}
}

// askFor compares what is found with a look at all current facts.
func (b *textBed) askFor(ctx context.Context, x *tx, scope strata.Scope, s string) {
	b.Helper()
	got, err := x.FactsByText(ctx, scope, s)
	b.ok(err)
	name := func(f strata.Fact) string { return fmt.Sprint(f.ID, "/", f.Generation) }
	var found, want []string
	for _, f := range got {
		found = append(found, name(f))
	}
	for _, f := range b.facts {
		if f.Scope == scope && text.Normalize(f.Text) == text.Normalize(s) {
			want = append(want, name(f))
		}
	}
	slices.Sort(want)
	if !slices.Equal(found, want) {
		b.Fatalf("%q in %s: got %v, want %v", s, scope, found, want)
	}
}

// Whatever waits, was filed, was retired, removed or undone, and by whom, the
// facts that are found by a text are those that have it.
func TestFactsByText_FindsWhatALookAtAllFinds(t *testing.T) {
	first := rand.Uint64()
	for _, file := range []int64{1, 5, fileFrom} {
		for i := range uint64(4) {
			t.Run(fmt.Sprintf("filed from %d, seed=%d", file, first+i), func(t *testing.T) {
				newTextBed(t, first+i, file).run()
			})
		}
	}
}

// normed counts the hashes that are filed of a scope, and the facts that wait.
func (b *bed) normed(scopeNo int64) (wait, filed int) {
	b.Helper()
	b.view(func(ctx context.Context, x *tx) {
		b.ok(x.queryRow(ctx, `
			SELECT (SELECT count(*) FROM fact WHERE scope_no = no AND number > (no << 40 | norms_filed)),
				(SELECT count(*) FROM filed_norm WHERE scope_no = no)
			FROM scope WHERE no = ?`, scopeNo).Scan(&wait, &filed))
	})
	return wait, filed
}

// byText counts the facts of a scope that a reader finds by a text, and those
// that a writer does.
func (b *bed) byText(s string) (reader, writer int) {
	b.Helper()
	b.view(func(ctx context.Context, x *tx) { reader = b.having(ctx, x, s) })
	b.update(func(ctx context.Context, x *tx) { writer = b.having(ctx, x, s) })
	return reader, writer
}

// having counts the facts with a text.
func (b *bed) having(ctx context.Context, x *tx, s string) int {
	b.Helper()
	list, err := x.FactsByText(ctx, strata.Global(), s)
	b.ok(err)
	return len(list)
}

// Hashes of few facts of a scope wait, whatever there is of others and whoever
// saved them; many are filed together, but for what is retired by then.
func TestNorms_WaitUntilAScopeHasMany(t *testing.T) {
	b := newBed(t)
	other, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	defer other.Close()
	const many = 50
	b.db.FileFrom(many)
	other.FileFrom(many)
	check := func(when string, no int64, wait, filed int) {
		t.Helper()
		if w, f := b.normed(no); w != wait || f != filed {
			t.Errorf("%s %d hashes wait and %d are filed, want %d and %d", when, w, f, wait, filed)
		}
	}
	save := func(db *DB, scope strata.Scope, n int) {
		t.Helper()
		one := &bed{TB: t, db: db, facts: b.facts}
		for range n {
			one.save(scope, "c", fmt.Sprint("text ", one.facts), nil)
		}
		b.facts = one.facts
	}
	save(b.db, strata.Global(), many/2)
	save(other, strata.Global(), many/2-1)
	save(b.db, strata.InWorkspace("w"), 5)
	check("one before many", 1, many-1, 0)
	b.update(func(ctx context.Context, x *tx) {
		b.ok(x.RetireFact(ctx, strata.Global(), fmt.Sprintf("fact_%026d", 3), 1, ""))
	})
	save(b.db, strata.Global(), 1)
	check("with one more", 1, 0, many-1)
	check("in the other scope", 2, 5, 0)
	b.update(func(ctx context.Context, x *tx) {
		_, err := x.Forget(ctx, strata.Global(), fmt.Sprintf("fact_%026d", 5))
		b.ok(err)
	})
	check("when one is forgotten", 1, 0, many-2)
	b.rebuild(strata.Global())
	check("when indexed anew", 1, 0, many-2)
	save(b.db, strata.Global(), 3)
	check("with three more", 1, 3, many-2)
	b.sound()
}

// A reader finds what was there when it began, whatever is filed and forgotten
// meanwhile.
func TestFactsByText_AReaderSeesItsOwnState(t *testing.T) {
	const early, late = "saved before", "saved after"
	b := newBed(t)
	b.db.FileFrom(2)
	b.save(strata.Global(), "c", early, nil)
	b.view(func(ctx context.Context, x *tx) {
		check := func(when string, r *tx, wantEarly, wantLate int) {
			t.Helper()
			if e, l := b.having(ctx, r, early), b.having(ctx, r, late); e != wantEarly || l != wantLate {
				t.Errorf("%s %d and %d are found, want %d and %d", when, e, l, wantEarly, wantLate)
			}
		}
		check("before", x, 1, 0)
		b.save(strata.Global(), "c", late, nil)
		b.update(func(ctx context.Context, w *tx) {
			_, err := w.Forget(ctx, strata.Global(), fmt.Sprintf("fact_%026d", 1))
			b.ok(err)
			check("by the writer", w, 0, 1)
		})
		check("by the reader of before", x, 1, 0)
	})
}

// A fact whose removal is undone is found, though what waits was read meanwhile.
func TestFactsByText_FindsWhatWasNotRemovedAfterAll(t *testing.T) {
	const said = "a cat sleeps"
	b := newBed(t)
	b.save(strata.Global(), "c", said, nil)
	b.db.norms.dropAll()
	err := b.db.Update(context.Background(), func(w store.Writer) error {
		ctx, x := context.Background(), w.(*tx)
		_, err := x.Forget(ctx, strata.Global(), fmt.Sprintf("fact_%026d", 1))
		b.ok(err)
		if n := b.having(ctx, x, said); n != 0 {
			t.Errorf("%d facts are found that were forgotten", n)
		}
		return errUndone
	})
	if r, w := b.byText(said); !errors.Is(err, errUndone) || r != 1 || w != 1 {
		t.Errorf("%v: a reader finds %d and a writer %d, want one", err, r, w)
	}
}

// Thousands of equal facts are found, those that wait and those that are filed.
func TestFactsByText_FindsThousandsOfEqual(t *testing.T) {
	const each, said = 1500, "the same in all"
	b := newBed(t)
	b.db.FileFrom(2 * each)
	for range 3 {
		b.update(func(ctx context.Context, x *tx) {
			for range each {
				b.put(ctx, x, strata.Global(), "c", said, nil)
			}
		})
	}
	if wait, filed := b.normed(1); wait != each || filed != 2*each {
		t.Fatalf("%d hashes wait and %d are filed", wait, filed)
	}
	if r, w := b.byText(said); r != 3*each || w != 3*each {
		t.Errorf("a reader finds %d and a writer %d, want %d", r, w, 3*each)
	}
}

// Of a fact that is forgotten no hash is left.
func TestForget_LeavesNoHashOfTheText(t *testing.T) {
	const said = "a text that is to be forgotten"
	for _, file := range []int64{1, 100} {
		b := newBed(t)
		b.db.FileFrom(file)
		b.save(strata.Global(), "c", said, nil)
		b.save(strata.Global(), "c", "another", nil)
		norm := normHash(text.Normalize(said))
		if !bytes.Contains(b.bytesOnDisk(), norm) {
			t.Fatalf("filed from %d: the hash was never there", file)
		}
		b.update(func(ctx context.Context, x *tx) {
			_, err := x.Forget(ctx, strata.Global(), fmt.Sprintf("fact_%026d", 1))
			b.ok(err)
		})
		b.ok(b.db.Compact(context.Background()))
		if bytes.Contains(b.bytesOnDisk(), norm) {
			t.Errorf("filed from %d: the hash is left", file)
		}
		if len(b.db.norms.scopes) > 0 {
			t.Errorf("filed from %d: hashes are left in memory", file)
		}
	}
}

// A hash that is filed already, which doctor tells of, is no reason to refuse what
// is saved.
func TestNorms_AreFiledThoughOneIsThere(t *testing.T) {
	b := newBed(t)
	b.db.FileFrom(2)
	b.save(strata.Global(), "c", "the first text", nil)
	b.update(func(ctx context.Context, x *tx) {
		_, err := x.exec(ctx, `INSERT INTO filed_norm SELECT scope_no, norm, number FROM fact`)
		b.ok(err)
	})
	b.save(strata.Global(), "c", "another text", nil)
	if wait, filed := b.normed(1); wait != 0 || filed != 2 {
		t.Errorf("%d hashes wait and %d are filed, want 0 and 2", wait, filed)
	}
	b.sound()
}

// A process that starts reads once what waits, and nothing of what is filed.
func TestNorms_AreReadOnce(t *testing.T) {
	b := newBed(t)
	b.db.FileFrom(10)
	for i := range 13 {
		b.save(strata.Global(), "c", fmt.Sprint("text ", i), nil)
	}
	b.db.norms.dropAll()
	b.update(func(ctx context.Context, x *tx) {
		b.having(ctx, x, "text 1")
		c := b.db.norms.scopes[1]
		b.having(ctx, x, "text 12")
		if c == nil || c != b.db.norms.scopes[1] || c.facts != 3 || !c.filed {
			t.Errorf("kept is %+v, want 3 facts, read once", c)
		}
	})
	before := b.db.norms.scopes[1]
	b.save(strata.Global(), "c", "text 13", nil)
	if c := b.db.norms.scopes[1]; c != before || c.facts != 4 {
		t.Errorf("kept is %+v after one more, want 4 facts in the same place", c)
	}
}

// before0013 makes the schema what it was before that step.
const before0013 = before0016 + `
	INSERT INTO word (rowid, terms) SELECT number, terms FROM uncut WHERE terms IS NOT NULL;
	ALTER TABLE uncut DROP COLUMN terms;
	DROP TABLE posted;
	DROP TRIGGER fact_gone;
	DROP TABLE filed_norm;
	ALTER TABLE scope DROP COLUMN norms_filed;
	CREATE INDEX fact_norm ON fact (scope_no, norm) WHERE retired_at IS NULL;
	DELETE FROM schema_migration WHERE version >= 13`

// Facts of a home from before are found by their texts, and new ones wait.
func TestMigrate_FilesTheHashesThatAreThere(t *testing.T) {
	b := newTextBed(t, rand.Uint64(), 5)
	for range 20 {
		b.update(b.dbs[0])
	}
	b.ok(b.dbs[1].Close())
	_, err := b.dbs[0].writing.ExecContext(context.Background(), before0013)
	b.ok(err)
	b.reopen(0)
	db, err := Open(context.Background(), b.path, nil)
	b.ok(err)
	db.FileFrom(b.file)
	b.dbs[1] = db
	b.ok(db.View(context.Background(), func(r store.Reader) error {
		var wrong int
		b.ok(r.(*tx).queryRow(context.Background(), `
			SELECT count(*) FROM fact JOIN scope ON no = scope_no WHERE number > (no << 40 | norms_filed)`).Scan(&wrong))
		if wrong > 0 {
			t.Errorf("%d facts from before wait", wrong)
		}
		b.ask(context.Background(), r.(*tx))
		return nil
	}))
	b.run()
}
