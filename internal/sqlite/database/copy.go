package database

import (
	"context"
	"errors"

	"github.com/mattn/go-sqlite3"
)

// CopyPages copies all pages of a database over another with SQLite's online backup, in
// one transaction of the other, at most atOnce pages between two looks at ctx; -1 means
// all. Progress is called with the pages that are copied and those there are; it may be
// nil.
func CopyPages(ctx context.Context, dst, src *sqlite3.SQLiteConn, atOnce int, progress func(done, total int64)) (err error) {
	b, err := dst.Backup("main", src, "main")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Finish()) }()
	for done := false; !done; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if done, err = b.Step(atOnce); err != nil {
			return err
		}
		if progress != nil {
			progress(int64(b.PageCount()-b.Remaining()), int64(b.PageCount()))
		}
	}
	return nil
}
