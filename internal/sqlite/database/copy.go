package database

import (
	"context"
	"errors"

	"github.com/mattn/go-sqlite3"
)

// CopyPages copies all pages of a database over another with SQLite's online backup,
// in one transaction of the latter. It copies up to atOnce pages between two checks
// of ctx; -1 means all. progress, which may be nil, is called with the number of
// pages copied and the total.
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
