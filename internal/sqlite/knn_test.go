package sqlite

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/extension"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

var (
	knnFacts = flag.Int("knn.facts", 100_000, "vectors of the one scope in BenchmarkKNN")
	knnDir   = flag.String("knn.dir", "", "keeps what BenchmarkKNN searches between runs; empty for a temporary directory")
)

// BenchmarkKNN looks for the 10 nearest of one scope, as Nearest does and as a
// scan of sqlite-vec does: every vector as float32, from a mapped file. Texts are
// generated sentences (see sentences), questions are other sentences of the same
// generator, every other one cut in half. Passages have no words here, which
// filling would spend most of its time on.
//
//	go test -tags sqlite_fts5 -run '^$' -bench KNN ./store/sqlite -knn.facts 1000000
func BenchmarkKNN(b *testing.B) {
	dir := *knnDir
	if dir == "" {
		dir = b.TempDir()
	}
	dir = filepath.Join(dir, fmt.Sprint("facts=", *knnFacts))
	fillKNN(b, dir, *knnFacts)
	questions := knnQuestions(b, *knnFacts, 40)
	reference := newReference(b, filepath.Join(dir, "reference.db"), database.Write)
	name := fmt.Sprintf("facts=%d", *knnFacts)

	var want [][]int64
	for _, q := range questions { // also warms up
		want = append(want, reference.nearest(b, q, 10))
	}
	var exact, ours time.Duration
	b.Run(name+"/sqlite-vec", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			reference.nearest(b, questions[i%len(questions)], 10)
		}
		exact = b.Elapsed() / time.Duration(b.N)
	})
	db, err := Open(context.Background(), filepath.Join(dir, "strata.db"), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	bed := &bed{TB: b, db: db}
	ask := func(q []float32) (out []int64) {
		bed.view(func(ctx context.Context, x *tx) {
			found, err := x.Nearest(ctx, strata.Global(), "test", q, nil, store.Filter{}, 10)
			bed.ok(err)
			out = numbersNear(found)
		})
		return out
	}
	b.Run(name+"/first", func(b *testing.B) {
		for b.Loop() {
			db.near = nearest.Index{}
			ask(questions[0])
		}
	})
	hits := 0
	for i, q := range questions { // also warms up
		found := ask(q)
		for _, n := range want[i] {
			if slices.Contains(found, n) {
				hits++
			}
		}
	}
	b.Run(name+"/strata", func(b *testing.B) {
		var spent []time.Duration
		for i := 0; b.Loop(); i++ {
			begin := time.Now()
			ask(questions[i%len(questions)])
			spent = append(spent, time.Since(begin))
		}
		ours = b.Elapsed() / time.Duration(b.N)
		slices.Sort(spent)
		b.ReportMetric(float64(spent[len(spent)/2]), "p50-ns")
		b.ReportMetric(float64(spent[len(spent)*99/100]), "p99-ns")
		b.ReportMetric(float64(hits)/float64(10*len(questions)), "recall@10")
		b.ReportMetric(float64(exact)/float64(ours), "times-faster")
		b.ReportMetric(float64(db.near.Bytes())/(1<<20), "codes-MiB")
		b.ReportMetric(anonymous(b)/(1<<20), "rss-anon-MiB")
	})
}

// fillKNN makes a store and the reference in dir, unless they are there.
func fillKNN(b *testing.B, dir string, n int) {
	done := filepath.Join(dir, "done")
	if _, err := os.Stat(done); err == nil {
		return
	}
	check := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	check(os.RemoveAll(dir))
	check(os.MkdirAll(dir, 0o700))
	db, err := Open(context.Background(), filepath.Join(dir, "strata.db"), nil)
	check(err)
	defer db.Close()
	bed := &bed{TB: b, db: db}
	reference := newReference(b, filepath.Join(dir, "reference.db"), database.Write)
	reference.exec(b, `CREATE VIRTUAL TABLE v USING vec0 (e float[384])`)
	s := newSentences(1)
	for begin := 0; begin < n; begin += 5000 {
		texts, parents := make([]string, min(5000, n-begin)), make([]int, min(5000, n-begin))
		for i := range texts {
			texts[i], parents[i] = s.next()
		}
		vectors, err := builtin.New().Embed(context.Background(), texts)
		check(err)
		var numbers []int64
		bed.update(func(ctx context.Context, x *tx) {
			no, _, err := x.scopeNo(ctx, strata.Global(), true)
			check(err)
			for i, v := range vectors {
				m, _, err := x.modelFor(ctx, "test", v)
				check(err)
				p := passageRow{number: no<<passage.ScopeBits + int64(1000+begin+i), kind: 1}
				p.parent, err = x.openParent(ctx, no, 1, fmt.Sprint("subject-", parents[i]))
				check(err)
				_, err = x.exec(ctx, `INSERT INTO passage (number, kind, parent, type, words, recorded_at, change) VALUES (?, 1, ?, 3, 0, 0, 0)`,
					p.number, p.parent)
				check(err)
				check(x.putVector(ctx, p, m, v))
				numbers = append(numbers, p.number)
			}
		})
		reference.exec(b, `BEGIN`)
		for i, v := range vectors {
			reference.exec(b, `INSERT INTO v (rowid, e) VALUES (?, ?)`, numbers[i], vector.Encode(unit(v)))
		}
		reference.exec(b, `COMMIT`)
	}
	reference.exec(b, `PRAGMA wal_checkpoint(TRUNCATE)`)
	check(os.WriteFile(done, nil, 0o600))
}

// knnQuestions returns questions whose subjects are those of n sentences.
func knnQuestions(b *testing.B, n, count int) [][]float32 {
	s := newSentences(1)
	for range n {
		s.next()
	}
	texts := make([]string, count)
	for i := range texts {
		texts[i], _ = s.next()
		if words := strings.Fields(texts[i]); i%2 == 1 {
			texts[i] = strings.Join(words[:len(words)/2], " ")
		}
	}
	vectors, err := builtin.New().Embed(context.Background(), texts)
	if err != nil {
		b.Fatal(err)
	}
	return vectors
}

// reference is a database in which sqlite-vec keeps the vectors.
type reference struct {
	*sql.Conn
	stmts map[string]*sql.Stmt
}

func newReference(tb testing.TB, path string, m database.Mode) *reference {
	tb.Helper()
	fail := func(err error) {
		if err != nil {
			tb.Fatal(err)
		}
	}
	fail(extension.Register())
	f, err := os.OpenFile(path, os.O_CREATE, 0o600)
	fail(err)
	fail(f.Close())
	db := database.File{Path: path, BusyTimeout: time.Second}.Open(m)
	c, err := db.Conn(context.Background())
	fail(err)
	tb.Cleanup(func() { c.Close(); db.Close() })
	r := &reference{Conn: c, stmts: make(map[string]*sql.Stmt)}
	// The whole file is mapped, as far as SQLite allows.
	r.exec(tb, `PRAGMA mmap_size = 4294967296`)
	r.exec(tb, `PRAGMA journal_mode = WAL`)
	return r
}

func (r *reference) stmt(tb testing.TB, query string) *sql.Stmt {
	tb.Helper()
	if r.stmts[query] == nil {
		s, err := r.PrepareContext(context.Background(), query)
		if err != nil {
			tb.Fatal(err)
		}
		r.stmts[query] = s
	}
	return r.stmts[query]
}

func (r *reference) exec(tb testing.TB, query string, args ...any) {
	tb.Helper()
	rows, err := r.stmt(tb, query).Query(args...)
	if err != nil {
		tb.Fatal(err)
	}
	for rows.Next() { // a pragma answers with a row
	}
	if err := rows.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
}

// nearest returns the k nearest of all vectors. Their length is 1, so that the
// nearest by distance are those by cosine.
func (r *reference) nearest(tb testing.TB, v []float32, k int) (out []int64) {
	tb.Helper()
	rows, err := r.stmt(tb, `SELECT rowid FROM v WHERE e MATCH ? AND k = ?`).Query(vector.Encode(unit(v)), k)
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			tb.Fatal(err)
		}
		out = append(out, n)
	}
	if err := rows.Err(); err != nil || len(out) != k {
		tb.Fatal(len(out), err)
	}
	return out
}

// anonymous is the process's anonymous memory in bytes, 0 where the system does
// not tell.
func anonymous(tb testing.TB) float64 {
	tb.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kib float64
		if n, _ := fmt.Sscanf(line, "RssAnon: %g kB", &kib); n == 1 {
			return kib * 1024
		}
	}
	return 0
}
