package local_test

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
)

// sector is what a disk loses at once.
const sector = 512

// overwritten is a part of a page that is zeros, or random bytes.
type overwritten struct {
	table    string // or index
	from, to int    // sectors of one of its leaves
	random   bool
}

// A page of which only a part is overwritten is reported with what it belongs to, and
// mended where reindex can.
func TestDamage_OfPartOfAPage(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	fillHome(t, model)
	keys := keysOf(t, local.Database(model))
	whole := rowsOf(t, local.Database(model), keys)
	list := []overwritten{
		{"sketch", 12, 13, false}, {"sketch", 15, 16, false}, {"embedding", 15, 16, false}, {"embedding", 8, 16, false},
		{"sqlite_schema", 6, 7, false}, {"sqlite_schema", 15, 16, false}, {"embedding", 0, 8, true},
		{"turn_id", 12, 13, false}, {"fact_version", 14, 15, false}, {"pending_code", 15, 16, false}, {"turn_seq", 9, 10, false},
		{"decision_request", 13, 14, true}, {"passage_place", 14, 15, true}, {"document", 8, 16, false},
	}
	if !testing.Short() {
		for k := range 16 {
			for i, table := range []string{"sketch", "sqlite_schema", "turn_seq", "fact_version", "passage_place", "decision_request", "embedding"} {
				if o := (overwritten{table, k, k + 1, (i+k)%2 == 0}); !slices.Contains(list, o) {
					list = append(list, o)
				}
			}
		}
	}
	for _, o := range list {
		t.Run(fmt.Sprint(o), func(t *testing.T) {
			home := copyHome(t, model)
			page := leafOf(t, local.Database(home), o.table)
			overwrite(t, local.Database(home), page, o)
			problems := doctor(t, home)
			if len(problems) == 0 {
				t.Skip("the part is not in use")
			}
			if o.table == "document" {
				return // it holds what is memory itself
			}
			for _, p := range problems {
				if p.Repair != "strata reindex" {
					t.Errorf("%+v is not to be mended by reindex", p)
				}
			}
			if !slices.ContainsFunc(problems, func(p store.Problem) bool {
				return p.Kind == "damaged_index" && strings.Contains(p.Detail, o.table) && strings.Contains(p.Detail, "nothing is lost")
			}) {
				t.Errorf("%+v do not say that %s is damaged and nothing is lost", problems, o.table)
			}
			if _, err := local.Mend(t.Context(), home, nil); err != nil {
				t.Fatal(err)
			}
			reindex(t, home)
			got := rowsOf(t, local.Database(home), keys)
			for table := range whole {
				missing(t, page, table, whole[table], got[table])
			}
		})
	}
}

// SQLite says of a page that can be read that it is not in order, without saying of what
// it is.
func TestDamage_OfTheOrderOfAPage(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	fillHome(t, model)
	for table, loses := range map[string]bool{"turn_seq": false, "sketch": false, "fact": true} {
		t.Run(table, func(t *testing.T) {
			home := copyHome(t, model)
			page := leafOf(t, local.Database(home), table)
			const cells, fragments = 4, 7 // SQLite's file format, 1.6
			change(t, local.Database(home), page, func(p []byte) {
				if loses {
					p[fragments]++
				} else {
					p[cells]-- // a row less
				}
			})
			problems := doctor(t, home)
			named := slices.IndexFunc(problems, func(p store.Problem) bool { return strings.Contains(p.Detail, fmt.Sprintf("page %d of ", page)) })
			if named < 0 || !strings.Contains(problems[named].Detail, table) || strings.Contains(problems[named].Detail, "nothing is lost") == loses {
				t.Fatalf("%+v do not name page %d of %s", problems, page, table)
			}
			t.Logf("%+v", problems)
			if loses {
				return
			}
			for _, p := range problems {
				if p.Repair != "strata reindex" {
					t.Errorf("%+v is not to be mended by reindex", p)
				}
			}
			if _, err := local.Mend(t.Context(), home, nil); err != nil {
				t.Fatal(err)
			}
			reindex(t, home)
		})
	}
}

// A file whose row is lost is named by its path, which an index has.
func TestDamage_OfFilesNamesTheirPaths(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	fillHome(t, home)
	destroyPage(t, local.Database(home), leafOf(t, local.Database(home), "document"), rand.New(rand.NewPCG(1, 0)))
	lost := 0
	for _, p := range doctor(t, home) {
		if p.Kind == "lost_row" {
			lost++
			if !strings.HasPrefix(p.Ref, "doc_") || !strings.Contains(p.Detail, "the copy of the file ") || !strings.Contains(p.Detail, ".md cannot be read") {
				t.Errorf("%+v does not say which file it is", p)
			}
		}
	}
	if lost == 0 {
		t.Error("no row is lost")
	}
}

// leafOf is the page of the last leaf of a table or index.
func leafOf(t *testing.T, path, name string) (page int64) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.QueryRow(`SELECT coalesce((SELECT rootpage FROM sqlite_schema WHERE name = ?), 1)`, name).Scan(&page)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for {
		head := content[(page-1)*pageSize:]
		if page == 1 {
			head = head[100:]
		}
		if kind := head[0]; kind != 2 && kind != 5 { // SQLite's file format, 1.6
			return page
		}
		page = int64(binary.BigEndian.Uint32(head[8:]))
	}
}

func overwrite(t *testing.T, path string, page int64, o overwritten) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(o.from), 1))
	change(t, path, page, func(p []byte) {
		for i := o.from * sector; i < o.to*sector; i++ {
			p[i] = 0
			if o.random {
				p[i] = byte(rng.Uint32())
			}
		}
	})
}

// change changes a page of a file.
func change(t *testing.T, path string, page int64, by func(p []byte)) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	by(content[(page-1)*pageSize : page*pageSize])
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// doctor is what strata doctor reports: what cannot be read, else what a look at all
// finds.
func doctor(t *testing.T, home string) []store.Problem {
	t.Helper()
	problems, err := local.Examine(t.Context(), home, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) > 0 {
		return problems
	}
	opened, err := local.OpenWith(t.Context(), local.Options{Home: home, LookLater: true})
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	defer mem.Close()
	report, err := mem.Doctor(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return report.Problems
}
