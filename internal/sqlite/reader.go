package sqlite

import (
	"context"

	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

// View runs fn in a read transaction.
func (db *DB) View(ctx context.Context, fn func(store.Reader) error) error {
	return db.view(ctx, func(t *tx) error { return fn(t) })
}

func (db *DB) view(ctx context.Context, fn func(*tx) error) error {
	return db.viewOn(ctx, (*database.Readers).Take, (*database.Readers).Give, fn)
}

// viewAfresh is like view, but uses a new connection that has not read anything yet.
func (db *DB) viewAfresh(ctx context.Context, fn func(*tx) error) error {
	return db.viewOn(ctx, (*database.Readers).TakeNew, (*database.Readers).Drop, fn)
}

// viewOn runs fn in a read transaction on a connection that it takes and gives back.
func (db *DB) viewOn(ctx context.Context, take func(*database.Readers, context.Context) (*database.Conn, error),
	giveBack func(*database.Readers, *database.Conn), fn func(*tx) error) error {
	const op = "read store"
	if err := db.enter(op); err != nil {
		return err
	}
	defer db.leave()
	if err := db.opened.Check(); err != nil {
		return err
	}
	c, err := take(db.readers, ctx)
	if err != nil {
		return db.wrap(op, err)
	}
	if err := c.Control("BEGIN"); err != nil {
		db.readers.Drop(c)
		return db.wrap(op, err)
	}
	defer func() { // also when fn panics
		if err := c.Control("ROLLBACK"); err != nil {
			giveBack = (*database.Readers).Drop
		}
		giveBack(db.readers, c)
	}()
	err = fn(&tx{db: db, conn: c, now: db.now(), cached: new(cachedRows)})
	db.opened.Note(err)
	return err
}
