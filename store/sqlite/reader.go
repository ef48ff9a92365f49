package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/strata-memory/strata/store"
)

// pool holds the connections that read. They are opened when first needed and
// kept with their statements.
type pool struct {
	sql  *sql.DB
	free chan struct{} // one token for each read that may run

	mu   sync.Mutex // guards idle
	idle []*conn
}

func newPool(p *sql.DB, most int) *pool {
	out := &pool{sql: p, free: make(chan struct{}, most)}
	for range most {
		out.free <- struct{}{}
	}
	return out
}

// take returns a connection, waiting for one if all are in use.
func (p *pool) take(ctx context.Context) (*conn, error) {
	select {
	case <-p.free:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	return p.open(ctx)
}

// fresh is take for a connection that nobody has used. It is to be dropped.
func (p *pool) fresh(ctx context.Context) (*conn, error) {
	select {
	case <-p.free:
		return p.open(ctx)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// open opens a connection for a caller that has taken a token.
func (p *pool) open(ctx context.Context) (*conn, error) {
	c, err := p.sql.Conn(ctx)
	if err != nil {
		p.free <- struct{}{}
		return nil, err
	}
	return newConn(c), nil
}

// give returns a connection that take gave.
func (p *pool) give(c *conn) {
	p.mu.Lock()
	p.idle = append(p.idle, c)
	p.mu.Unlock()
	p.free <- struct{}{}
}

// drop closes a connection that cannot be used again.
func (p *pool) drop(c *conn) {
	c.close()
	p.free <- struct{}{}
}

// close closes all connections. None may be in use.
func (p *pool) close() error {
	var errs []error
	for _, c := range p.idle {
		errs = append(errs, c.close())
	}
	return errors.Join(append(errs, p.sql.Close())...)
}

// View runs fn in a read transaction.
func (db *DB) View(ctx context.Context, fn func(store.Reader) error) error {
	return db.view(ctx, func(t *tx) error { return fn(t) })
}

func (db *DB) view(ctx context.Context, fn func(*tx) error) error {
	return db.viewOn(ctx, db.readers.take, db.readers.give, fn)
}

// viewAfresh is view on a connection of its own that has read nothing yet.
func (db *DB) viewAfresh(ctx context.Context, fn func(*tx) error) error {
	return db.viewOn(ctx, db.readers.fresh, db.readers.drop, fn)
}

// viewOn runs fn in a read transaction of a connection and gives that back.
func (db *DB) viewOn(ctx context.Context, take func(context.Context) (*conn, error), giveBack func(*conn), fn func(*tx) error) error {
	const op = "read store"
	if err := db.enter(op); err != nil {
		return err
	}
	defer db.leave()
	c, err := take(ctx)
	if err != nil {
		return wrap(op, err)
	}
	if err := c.control("BEGIN"); err != nil {
		db.readers.drop(c)
		return wrap(op, err)
	}
	defer func() { // also when fn panics
		if err := c.control("ROLLBACK"); err != nil {
			giveBack = db.readers.drop
		}
		giveBack(c)
	}()
	return fn(&tx{db: db, conn: c, now: db.now(), cached: new(cachedRows)})
}

// busy reports whether anything is read at the moment.
func (p *pool) busy() bool { return len(p.free) < cap(p.free) }
