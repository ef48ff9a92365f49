package database

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// Readers is a pool of read connections. They are opened when first needed and kept
// with their statements.
type Readers struct {
	sql  *sql.DB
	free chan struct{} // one token for each read that may run

	mu   sync.Mutex // guards idle
	idle []*Conn
}

// NewReaders returns a pool of up to most connections.
func NewReaders(f File, m Mode, most int) *Readers {
	r := &Readers{sql: f.Open(m), free: make(chan struct{}, most)}
	for range most {
		r.free <- struct{}{}
	}
	return r
}

// Most returns the maximum number of concurrent reads.
func (r *Readers) Most() int { return cap(r.free) }

// Busy reports whether a read is in progress.
func (r *Readers) Busy() bool { return len(r.free) < cap(r.free) }

// Take returns a connection, waiting for one if all are in use.
func (r *Readers) Take(ctx context.Context) (*Conn, error) {
	if err := r.wait(ctx); err != nil {
		return nil, err
	}
	r.mu.Lock()
	if n := len(r.idle); n > 0 {
		c := r.idle[n-1]
		r.idle = r.idle[:n-1]
		r.mu.Unlock()
		return c, nil
	}
	r.mu.Unlock()
	return r.open(ctx)
}

// TakeNew is like Take, but returns a new connection, which must be given to Drop.
func (r *Readers) TakeNew(ctx context.Context) (*Conn, error) {
	if err := r.wait(ctx); err != nil {
		return nil, err
	}
	return r.open(ctx)
}

// wait takes a token.
func (r *Readers) wait(ctx context.Context) error {
	select {
	case <-r.free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// open opens a connection for a caller that has taken a token.
func (r *Readers) open(ctx context.Context) (*Conn, error) {
	c, err := r.sql.Conn(ctx)
	if err != nil {
		r.free <- struct{}{}
		return nil, err
	}
	return NewConn(c), nil
}

// Give gives back a connection that Take returned.
func (r *Readers) Give(c *Conn) {
	r.mu.Lock()
	r.idle = append(r.idle, c)
	r.mu.Unlock()
	r.free <- struct{}{}
}

// Drop closes a connection that is not to be used again.
func (r *Readers) Drop(c *Conn) {
	c.Close()
	r.free <- struct{}{}
}

// Close closes all connections. None may be in use.
func (r *Readers) Close() error {
	var errs []error
	for _, c := range r.idle {
		errs = append(errs, c.Close())
	}
	return errors.Join(append(errs, r.sql.Close())...)
}
