package sqlite

import (
	"context"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

func TestZZBuild(t *testing.T) {
	path := os.Getenv("ZZDB")
	if path == "" {
		t.Skip()
	}
	db, err := Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	b := &bed{TB: t, db: db, path: path}
	if _, ok, _ := (&tx{}).zz(db); !ok {
		s := samples(t, 1, 100_000)
		start := cpu()
		b.fill(strata.Global(), s)
		t.Log("fill", (cpu() - start))
	}
	q := samples(t, 2, 20)
	b.view(func(ctx context.Context, x *tx) {
		for range 3 {
			start := cpu()
			_, err := x.nearestExact(ctx, strata.Global(), "test", q[0].vector, store.Filter{}, 10)
			b.ok(err)
			t.Log("exact", (cpu() - start))
			start = cpu()
			for i := range 20 {
				_, err = x.Nearest(ctx, strata.Global(), "test", q[i].vector, nil, store.Filter{}, 10)
				b.ok(err)
			}
			t.Log("nearest", (cpu()-start)/20)
			start = cpu()
			n := 0
			for i := range 20 {
				m, err := x.Match(ctx, strata.Global(), q[i].query(), store.Filter{})
				b.ok(err)
				n += len(m.Passages)
			}
			t.Log("match", (cpu()-start)/20, n/20)
		}
	})
}

func (t *tx) zz(db *DB) (int, bool, error) {
	n := 0
	err := db.view(context.Background(), func(t *tx) error {
		return t.queryRow(context.Background(), `SELECT count(*) FROM passage`).Scan(&n)
	})
	return n, n > 0, err
}

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func TestZZFill(t *testing.T) {
	if os.Getenv("ZZFILL") == "" {
		t.Skip()
	}
	b := newBed(t)
	s := samples(t, 1, 30_000)
	for i := range 3 {
		start := cpu()
		w := time.Now()
		b.fill(strata.Global(), s[i*10000:(i+1)*10000])
		t.Log("fill 10k cpu", cpu()-start, "wall", time.Since(w))
	}
}

func TestZZNear(t *testing.T) {
	path := os.Getenv("ZZDB")
	if path == "" {
		t.Skip()
	}
	db, err := Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	b := &bed{TB: t, db: db, path: path}
	q := samples(t, 2, 20)
	b.view(func(ctx context.Context, x *tx) {
		for range 10 {
			start := cpu()
			for i := range 20 {
				_, err = x.Nearest(ctx, strata.Global(), "test", q[i].vector, nil, store.Filter{}, 10)
				b.ok(err)
			}
			t.Log("nearest", (cpu()-start)/20)
		}
	})
}

func TestZZSave(t *testing.T) {
	if os.Getenv("ZZSAVE") == "" {
		t.Skip()
	}
	b := newBed(t)
	b.fill(strata.Global(), samples(t, 1, 10_000))
	s := samples(t, 2, 12_000)
	start, w := cpu(), time.Now()
	b.fill(strata.Global(), s[:5000])
	t.Log("batch 500: cpu/fact", (cpu()-start)/5000, "wall", time.Since(w)/5000)
	var ds []time.Duration
	start = cpu()
	for i := range 1000 {
		w := time.Now()
		b.save(strata.Global(), s[6000+i].category, s[6000+i].text, s[6000+i].vector)
		ds = append(ds, time.Since(w))
	}
	slices.Sort(ds)
	t.Log("single: cpu", (cpu()-start)/1000, "p50", ds[500], "p90", ds[900], "p99", ds[990])
	q := samples(t, 3, 100)
	b.view(func(ctx context.Context, x *tx) {
		start := cpu()
		for i := range 100 {
			_, err := x.Nearest(ctx, strata.Global(), "test", q[i].vector, nil, store.Filter{}, 10)
			b.ok(err)
		}
		t.Log("nearest", (cpu()-start)/100)
		start = cpu()
		for i := range 100 {
			_, err := x.Match(ctx, strata.Global(), q[i].query(), store.Filter{})
			b.ok(err)
		}
		t.Log("match", (cpu()-start)/100)
	})
	b.ok(b.db.Compact(context.Background()))
	info, _ := os.Stat(b.path)
	t.Log("bytes/fact", info.Size()/16000)
}

func TestZZRecall(t *testing.T) {
	path := os.Getenv("ZZR")
	if path == "" {
		t.Skip()
	}
	db, err := Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	b := &bed{TB: t, db: db, path: path}
	q := samples(t, 2, 40)
	for _, c := range []int{300, 600, 1000, 1500, 2000, 3000} {
		zzC = c
		r10 := b.agree(q, store.Filter{}, 10)
		b.view(func(ctx context.Context, x *tx) {
			start := cpu()
			for i := range q {
				_, err := x.Nearest(ctx, strata.Global(), "test", q[i].vector, nil, store.Filter{}, 10)
				b.ok(err)
			}
			t.Log(c, r10, (cpu()-start)/time.Duration(len(q)))
		})
	}
}

func TestZZSizes(t *testing.T) {
	if os.Getenv("ZZS") == "" {
		t.Skip()
	}
	b := newBed(t)
	s := samples(t, 1, 40000)
	q := samples(t, 2, 60)
	at := 0
	for _, n := range []int{2500, 5000, 10000, 20000, 40000} {
		b.fill(strata.Global(), s[at:n])
		at = n
		for _, c := range []int{300, 500, 625, 800, 1000, 1250, 1500} {
			zzC = c
			t.Log(n, c, b.agree(q, store.Filter{}, 10), b.agree(q, store.Filter{}, 50), b.agree(q, store.Filter{}, 100))
		}
	}
}
