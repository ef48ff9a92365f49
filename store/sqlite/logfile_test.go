package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What was committed is in the files and nowhere else, whatever the log's file
// system held back meanwhile: transactions larger than the cache, pages written
// twice, parts undone.
func TestLogFile_HoldsNothingCommitted(t *testing.T) {
	ctx := context.Background()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	db := openTest(t)
	for _, how := range []string{"FULL", "NORMAL", "OFF"} { // none of them may rest on a sync
		t.Run(how, func(t *testing.T) {
			table := "held_" + how
			l := logTest{t: t, path: db.path, table: table, rnd: rnd, rows: make(map[int64][]byte)}
			pool := openSQL(db.path, writing, Options{BusyTimeout: time.Second, Now: time.Now})
			defer pool.Close()
			conn, err := pool.Conn(ctx)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			l.conn = conn
			l.do(`PRAGMA synchronous = ` + how)
			l.do(`PRAGMA cache_size = 20`) // pages: more goes into the log before the commit
			l.do(`CREATE TABLE ` + table + ` (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT`)
			for range 12 {
				l.transaction()
				l.check()
			}
		})
	}
}

// logTest writes at random into a table and knows what must be in it.
type logTest struct {
	t           *testing.T
	path, table string
	conn        *sql.Conn
	rnd         *rand.Rand
	rows        map[int64][]byte
}

func (l *logTest) do(statement string, args ...any) {
	l.t.Helper()
	if _, err := l.conn.ExecContext(context.Background(), statement, args...); err != nil {
		l.t.Fatalf("%s: %v", statement, err)
	}
}

// transaction changes rows, reads some back, and undoes a part or all of it.
func (l *logTest) transaction() {
	l.do(`BEGIN IMMEDIATE`)
	before := maps.Clone(l.rows)
	var kept map[int64][]byte
	for range 50 + l.rnd.IntN(1500) {
		switch l.rnd.IntN(40) {
		case 0:
			if kept == nil {
				l.do(`SAVEPOINT s`)
				kept = maps.Clone(l.rows)
			}
		case 1:
			if kept != nil {
				l.do(`ROLLBACK TO s`)
				l.do(`RELEASE s`)
				l.rows, kept = kept, nil
			}
		case 2:
			l.readBack()
		default:
			id := int64(l.rnd.IntN(800))
			data := make([]byte, l.rnd.IntN(3000))
			for i := range data {
				data[i] = byte(l.rnd.Uint32())
			}
			l.do(`INSERT INTO `+l.table+` VALUES (?, ?) ON CONFLICT DO UPDATE SET data = excluded.data`, id, data)
			l.rows[id] = data
		}
	}
	if l.rnd.IntN(4) == 0 {
		l.do(`ROLLBACK`)
		l.rows = before
		return
	}
	l.do(`COMMIT`)
}

func (l *logTest) readBack() {
	for id, want := range l.rows {
		var got []byte
		err := l.conn.QueryRowContext(context.Background(), `SELECT data FROM `+l.table+` WHERE id = ?`, id).Scan(&got)
		if err != nil || !bytes.Equal(got, want) {
			l.t.Fatalf("row %d reads as %d bytes, want %d; %v", id, len(got), len(want), err)
		}
		return
	}
}

// check compares a copy of the files, as a kill would leave them, with what was
// committed.
func (l *logTest) check() {
	l.t.Helper()
	ctx := context.Background()
	to := filepath.Join(l.t.TempDir(), "copy.db")
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(to+suffix, l.path+suffix); err != nil {
			l.t.Fatal(err)
		}
	}
	pool := openSQL(to, writing, Options{BusyTimeout: time.Second, Now: time.Now})
	defer pool.Close()
	rows, err := pool.QueryContext(ctx, `SELECT id, data FROM `+l.table)
	if err != nil {
		l.t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var id int64
		var data []byte
		if err := rows.Scan(&id, &data); err != nil {
			l.t.Fatal(err)
		}
		if want, ok := l.rows[id]; !ok || !bytes.Equal(data, want) {
			l.t.Fatalf("row %d has %d bytes, want %d (%v)", id, len(data), len(want), ok)
		}
		n++
	}
	if err := rows.Err(); err != nil {
		l.t.Fatal(err)
	}
	if n != len(l.rows) {
		l.t.Fatalf("%d rows of %d are there", n, len(l.rows))
	}
	rows.Close()
	var sound string
	if err := pool.QueryRowContext(ctx, `PRAGMA integrity_check`).Scan(&sound); err != nil || sound != "ok" {
		l.t.Fatalf("%s, %v", sound, err)
	}
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
