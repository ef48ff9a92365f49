package sqlite

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Whatever was written, removed, overwritten in place or marked as deleted, and
// merged in whole or in part, the leaves say what the texts say. Small leaves have
// entries, lists of positions and terms begin and end everywhere in them.
//
// FTS5 itself is no measure: asked for rows from a number on, it goes by an index
// of the leaves of a long list that is not changed when entries are overwritten,
// and may hand over rows of the next term (SQLite 3.54, leaves of 64 bytes).
func TestEntriesInLeaves_AreThoseOfTheTexts(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	for _, leaf := range []int{64, 300, 4050} {
		t.Run(fmt.Sprint("leaf=", leaf), func(t *testing.T) {
			b := newBed(t)
			low, high := numbers(2)
			rows := map[int64]string{}
			tell := func(command string, value int) {
				b.update(func(ctx context.Context, x *tx) {
					_, err := x.exec(ctx, `INSERT INTO word (word, rank) VALUES (?, ?)`, command, value)
					b.ok(err)
				})
			}
			tell("pgsz", leaf)
			seen, void := 0, 0
			for range 60 {
				switch rnd.IntN(8) {
				case 0: // from now on removals are marked, and overwrite nothing
					if rnd.IntN(6) == 0 {
						tell("secure-delete", 0)
					}
				case 1:
					tell("merge", []int{1, 4, -3, 100}[rnd.IntN(4)])
				case 2:
					tell("crisismerge", 2+rnd.IntN(6))
				}
				b.update(func(ctx context.Context, x *tx) {
					for range 1 + rnd.IntN(40) {
						row := low - 30 + rnd.Int64N(400)
						if _, there := rows[row]; there {
							_, err := x.exec(ctx, `DELETE FROM word WHERE rowid = ?`, row)
							b.ok(err)
							b.ok(x.flushWords(ctx))
							delete(rows, row)
						}
						if rnd.IntN(3) > 0 {
							rows[row] = randomTerms(rnd)
							_, err := x.exec(ctx, `INSERT INTO word (rowid, terms) VALUES (?, ?)`, row, rows[row])
							b.ok(err)
						}
					}
				})
				b.view(func(ctx context.Context, x *tx) {
					for word := range 31 { // the last is in no row
						term := fmt.Sprint("w", word)
						got, err := x.entriesInLeaves(ctx, new([]termEntry), term, low, high)
						b.ok(err)
						want := entriesOf(rows, term, low, high)
						if !slices.Equal(got, want) {
							t.Fatalf("%s: %d entries in leaves, %d in the texts\n%v\n%v", term, len(got), len(want), got, want)
						}
						if seen += len(got); len(got) == 0 {
							void++
						}
					}
				})
			}
			if seen < 1000 || void < 60 {
				t.Errorf("%d entries, %d terms without any", seen, void)
			}
		})
	}
}

// entriesOf are the entries of a term in some texts.
func entriesOf(rows map[int64]string, term string, low, high int64) (out []termEntry) {
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		n := 0
		for t := range termsIn(rows[row]) {
			if t == term {
				n++
			}
		}
		if n > 0 && row >= low && row <= high {
			out = append(out, newTermEntry(row, int64(n)))
		}
	}
	return out
}

// What is damaged is left to FTS5, which says so: never is a part taken for all.
func TestTermEntries_LeavesWhatIsDamagedToTheIndex(t *testing.T) {
	for name, damage := range map[string]string{
		"segments cut short":       `UPDATE word_data SET block = substr(block, 1, 9) WHERE id = 10`,
		"no segments":              `DELETE FROM word_data WHERE id = 10`,
		"the last leaf is missing": `DELETE FROM word_data WHERE id = (SELECT max(id) FROM word_data WHERE id >> 36 & 1 = 0)`,
		"one before it is missing": `DELETE FROM word_data WHERE id = (SELECT max(id) - 1 FROM word_data WHERE id >> 36 & 1 = 0)`,
		"the first is missing":     `DELETE FROM word_data WHERE id = (SELECT (segid << 37) + (pgno >> 1) FROM word_idx ORDER BY term DESC LIMIT 1)`,
		"a leaf is cut":            `UPDATE word_data SET block = substr(block, 1, 3) WHERE id = (SELECT max(id) FROM word_data WHERE id >> 36 & 1 = 0)`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			b.update(func(ctx context.Context, x *tx) {
				_, err := x.exec(ctx, `INSERT INTO word (word, rank) VALUES ('pgsz', 64)`)
				b.ok(err)
			})
			b.db.CutFrom(1)
			for i := range 40 {
				b.save(strata.Global(), "c", fmt.Sprint("one word ", i), nil)
			}
			b.update(func(ctx context.Context, x *tx) {
				_, err := x.exec(ctx, `INSERT INTO word (word) VALUES ('optimize')`)
				b.ok(err)
			})
			_, err := b.db.writing.ExecContext(context.Background(), damage)
			b.ok(err)
			err = b.db.View(context.Background(), func(r store.Reader) error {
				x := r.(*tx)
				x.walks = map[int64]bool{1: true}
				return x.termEntries(context.Background(), 1, nothingWaits, text.Term("word"), func(list []termEntry) {
					if len(list) != 40 {
						t.Errorf("%d entries of 40", len(list))
					}
				})
			})
			if strata.CodeOf(err) != strata.CodeCorrupt {
				t.Errorf("got %v, want that the database is damaged", err)
			}
		})
	}
}

// randomTerms are the terms of a text: some rare, some very often in it.
func randomTerms(rnd *rand.Rand) string {
	var terms []string
	for range rnd.IntN(8) {
		word := int(30 * rnd.Float64() * rnd.Float64())
		for range 1 + rnd.IntN(3)*rnd.IntN(3)*rnd.IntN(40) {
			terms = append(terms, fmt.Sprint("w", word))
		}
	}
	rnd.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
	return strings.Join(terms, " ")
}

// Whatever stands in the leaves, reading them ends, and goes nowhere else.
func FuzzLeafScan(f *testing.F) {
	f.Add([]byte{0, 0, 0, 12, 3, '0', 'w', '1', 5, 2, 7, 1, 4}, []byte{4, 0, 0, 6, 9, 2})
	f.Add([]byte{0, 0, 0, 4}, []byte{0, 4, 0, 9, 200, 9, 8, 1, 1})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		scan := leafScan{rest: [][]byte{first, second}}
		entries, err := scan.entries(nil, []byte("0w1"), 0, 1<<40)
		if err != nil && err != errSegment {
			t.Error(err)
		}
		if most := len(first) + len(second); len(entries) > most {
			t.Errorf("%d entries of %d bytes", len(entries), most)
		}
	})
}

func FuzzDecodeSegments(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 1, 1, 5, 0, 1, 1, 1, 9})
	f.Add([]byte{0, 0, 0, 0, 1, 1, 5, 0, 1})
	f.Add([]byte{0, 0, 0, 0, 1, 0x83, 0xff, 0xff, 0x7f, 5, 0, 0x83, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, record []byte) {
		segments, err := decodeSegments(record)
		if err != nil && len(segments) > 0 {
			t.Errorf("%d segments beside %v", len(segments), err)
		}
		for _, s := range segments {
			if s.number <= 0 || s.first < 0 || s.last < s.first {
				t.Errorf("segment %+v", s)
			}
		}
	})
}
