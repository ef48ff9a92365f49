package database

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var register = sync.OnceValue(Register)

// writer is a connection that writes to a new database.
func writer(t *testing.T) (File, *Conn) {
	t.Helper()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ok(register())
	f := File{Path: filepath.Join(t.TempDir(), "x.db"), BusyTimeout: 10 * time.Second}
	ok(f.Create())
	pool := f.Open(Write)
	t.Cleanup(func() { pool.Close() })
	c, err := pool.Conn(context.Background())
	ok(err)
	conn := NewConn(c)
	t.Cleanup(func() { conn.Close() })
	ok(LayOut(conn))
	ok(UseLog(context.Background(), conn))
	return f, conn
}

// Writes that follow each other without pause must not let the log grow without
// bound, and what is in it must not be lost when it begins anew.
func TestCheckpointer_TheLogBeginsAnewUnderSteadyWrites(t *testing.T) {
	ctx := context.Background()
	f, c := writer(t)
	cp := &Checkpointer{File: f}
	defer cp.Stop()
	if err := c.Control(`CREATE TABLE x (text TEXT) STRICT`); err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("x", 4<<20) // some 500 frames
	const writes = 60                  // some 30,000 frames
	for range writes {
		if _, err := c.Exec(ctx, `INSERT INTO x VALUES (?)`, []any{text}); err != nil {
			t.Fatal(err)
		}
		cp.AfterCommit(c)
	}
	info, err := os.Stat(f.Path + "-wal")
	if err != nil || info.Size() > (tooLong+2000)*8300 {
		t.Errorf("the log has %d bytes, %v", info.Size(), err)
	}
	n, err := c.Integers(ctx, 1, `SELECT count(*) FROM x WHERE length(text) = ?`, []any{len(text)})
	if err != nil || n[0] != writes {
		t.Errorf("%d rows of %d, %v", n, writes, err)
	}
}
