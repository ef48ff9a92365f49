package sqlite

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/extension"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

var (
	layoutScopes = flag.Int("layout.scopes", 1000, "scopes of 100 vectors in BenchmarkLayout")
	layoutFacts  = flag.Int("layout.facts", 100_000, "vectors of the one large scope in BenchmarkLayout")
)

// layout is one way to keep vectors so that the nearest of one scope can be
// found. Its statements take: insert (number, scope, vector), search (scope,
// vector, lowest and highest number of the scope).
type layout struct {
	name, create, insert, search string
}

var layouts = []layout{
	{"vec0-partition", `CREATE VIRTUAL TABLE v USING vec0 (scope integer partition key, e float[384])`,
		`INSERT INTO v (rowid, scope, e) VALUES (?1, ?2, ?3)`,
		`SELECT rowid, distance FROM v WHERE scope = ?1 AND e MATCH ?2 AND k = 10 AND ?3 <> ?4`},
	{"vec0-partition-chunk8", `CREATE VIRTUAL TABLE v USING vec0 (scope integer partition key, e float[384], chunk_size=8)`,
		`INSERT INTO v (rowid, scope, e) VALUES (?1, ?2, ?3)`,
		`SELECT rowid, distance FROM v WHERE scope = ?1 AND e MATCH ?2 AND k = 10 AND ?3 <> ?4`},
	{"vec0-rowid-in", `CREATE VIRTUAL TABLE v USING vec0 (e float[384])`,
		`INSERT INTO v (rowid, e) SELECT ?1, ?3 WHERE ?2 IS NOT NULL`,
		`SELECT rowid, distance FROM v WHERE e MATCH ?2 AND k = 10 AND ?1 = ?1
			AND rowid IN (WITH RECURSIVE c(i) AS (VALUES (?3) UNION ALL SELECT i + 1 FROM c WHERE i < ?4) SELECT i FROM c)`},
	{"table", `CREATE TABLE v (number INTEGER PRIMARY KEY, e BLOB)`,
		`INSERT INTO v (number, e) SELECT ?1, ?3 WHERE ?2 IS NOT NULL`,
		`SELECT number, vec_distance_L2(e, ?2) AS d FROM v WHERE ?1 = ?1 AND number BETWEEN ?3 AND ?4 ORDER BY d LIMIT 10`},
}

// BenchmarkLayout compares ways to keep vectors: latency of the 10 nearest of
// a scope, insertions a second and bytes a vector. "strata" is the whole index
// with facts, words and substrings; the others hold vectors alone.
func BenchmarkLayout(b *testing.B) {
	if testing.Short() {
		b.Skip("takes minutes")
	}
	list := samples(b, 1, 100_000)
	questions := samples(b, 2, 50)
	for _, c := range []struct{ scopes, each int }{{1, *layoutFacts}, {*layoutScopes, 100}} {
		where := fmt.Sprintf("%dx%d", c.scopes, c.each)
		for _, l := range layouts {
			b.Run(where+"/"+l.name, func(b *testing.B) { l.bench(b, c.scopes, c.each, list, questions) })
		}
		b.Run(where+"/strata", func(b *testing.B) {
			bed := newBed(b)
			begun := time.Now()
			var scopes []strata.Scope
			for i := range c.scopes {
				scopes = append(scopes, strata.InWorkspace(fmt.Sprint(i)))
				mine := make([]sample, c.each)
				for j := range mine {
					mine[j] = list[(i*c.each+j)%len(list)]
					mine[j].category = fmt.Sprint("c", j%10) // as many as the engine makes of 100
				}
				bed.fill(scopes[i], mine)
			}
			rate := float64(c.scopes*c.each) / time.Since(begun).Seconds()
			bed.view(func(ctx context.Context, x *tx) {
				for i := 0; b.Loop(); i++ {
					_, err := x.Nearest(ctx, scopes[i%len(scopes)], "test", questions[i%50].vector, nil, store.Filter{}, 10)
					bed.ok(err)
				}
			})
			bed.ok(bed.db.Compact(context.Background()))
			info, err := os.Stat(bed.path)
			bed.ok(err)
			b.ReportMetric(rate, "vectors/s")
			b.ReportMetric(float64(info.Size())/float64(c.scopes*c.each), "bytes/vector")
		})
	}
}

func (l layout) bench(b *testing.B, scopes, each int, list, questions []sample) {
	ctx := context.Background()
	path := filepath.Join(b.TempDir(), "layout.db")
	check := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	check(os.WriteFile(path, nil, 0o600))
	check(extension.Register())
	db := database.File{Path: path, BusyTimeout: time.Second}.Open(database.Write)
	defer db.Close()
	_, err := db.ExecContext(ctx, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;"+l.create)
	check(err)
	begun := time.Now()
	for first := 0; first < scopes*each; first += 500 {
		tx, err := db.BeginTx(ctx, nil)
		check(err)
		stmt, err := tx.PrepareContext(ctx, l.insert)
		check(err)
		for i := first; i < min(first+500, scopes*each); i++ {
			_, err := stmt.ExecContext(ctx, i+1, i/each, vector.Encode(unit(list[i%len(list)].vector)))
			check(err)
		}
		check(tx.Commit())
	}
	rate := float64(scopes*each) / time.Since(begun).Seconds()
	stmt, err := db.PrepareContext(ctx, l.search)
	check(err)
	r := rand.New(rand.NewPCG(1, 1))
	for i := 0; b.Loop(); i++ {
		scope := r.IntN(scopes)
		rows, err := stmt.QueryContext(ctx, scope, vector.Encode(unit(questions[i%50].vector)), scope*each+1, (scope+1)*each)
		check(err)
		n := 0
		for rows.Next() {
			n++
		}
		check(rows.Err())
		if n != 10 {
			b.Fatalf("%d found, want 10", n)
		}
	}
	b.ReportMetric(rate, "vectors/s")
	_, err = db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	check(err)
	info, err := os.Stat(path)
	check(err)
	b.ReportMetric(float64(info.Size())/float64(scopes*each), "bytes/vector")
}
