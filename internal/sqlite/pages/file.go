package pages

// #cgo CFLAGS: -I${SRCDIR}/../include
// #cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// #include "file.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Size is the page size in bytes of every database of Strata.
const Size = 8192

// Register adds the function of file.c to every connection that this process opens
// afterwards.
func Register() error {
	if rc := C.strata_pages(); rc != 0 {
		return errors.New("SQLite does not take extensions")
	}
	return nil
}

// Conn is an SQLite connection.
type Conn interface {
	// Blob runs a query that returns one blob.
	Blob(ctx context.Context, query string, args []any) ([]byte, error)
}

// File is a database file. Committed pages of the log take precedence over those of
// the file. A File must be used by one goroutine at a time.
type File struct {
	page  func(number int64) ([]byte, error) // reads from the file alone
	close func() error
	log   *log
	count int64
	size  int64            // pages of the file alone
	maps  map[int64][]byte // pages of the pointer map
}

// errBeyondEnd means that a page lies beyond the end of the file.
var errBeyondEnd = errors.New("the page lies beyond the end of the file")

// On returns the file at path of a connection in a read transaction. While the
// transaction lasts, the pages it sees do not change.
func On(ctx context.Context, c Conn, path string) (*File, error) {
	f := &File{close: func() error { return nil }, page: func(number int64) ([]byte, error) {
		p, err := c.Blob(ctx, `SELECT file_page(?, ?)`, []any{number, Size})
		if err == nil && len(p) == 0 {
			err = errBeyondEnd
		}
		return p, err
	}}
	return f, f.begin(path)
}

// Open opens the file at path. Nothing in this process may have it open through
// SQLite, because closing the file drops all of SQLite's locks on it. Open is meant
// for files that SQLite can no longer open.
func Open(path string) (*File, error) {
	disk, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{close: disk.Close, page: func(number int64) ([]byte, error) {
		p := make([]byte, Size)
		_, err := disk.ReadAt(p, (number-1)*Size)
		if errors.Is(err, io.EOF) {
			err = errBeyondEnd
		}
		return p, err
	}}
	if err := f.begin(path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// begin reads the log and determines the number of pages.
func (f *File) begin(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	f.maps = make(map[int64][]byte)
	if f.log, err = openLog(path + "-wal"); err != nil {
		return err
	}
	f.size = info.Size() / Size
	f.count = f.size
	if f.log.pages > 0 {
		f.count = f.log.pages
	}
	return nil
}

// Close releases the file.
func (f *File) Close() error { return errors.Join(f.log.close(), f.close()) }

// Pages returns the number of pages.
func (f *File) Pages() int64 { return f.count }

// Page returns a page, which must not be modified.
func (f *File) Page(number int64) ([]byte, error) {
	if number < 1 || number > f.count {
		return nil, fmt.Errorf("page %d of %d: %w", number, f.count, errBeyondEnd)
	}
	p, err := f.log.page(number)
	if p != nil || err != nil {
		return p, err
	}
	return f.page(number)
}

// Whole reports whether the file at path, which c has open, has every page that is
// not in the log. Nobody may write to the database at the same time, but pages may
// move out of the log.
func Whole(ctx context.Context, c Conn, path string) (whole bool, err error) {
	f, err := On(ctx, c, path)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return f.whole()
}

func (f *File) whole() (bool, error) {
	const counted = 28 // offset of the number of pages in the header
	header, err := f.Page(1)
	if errors.Is(err, errBeyondEnd) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for n := f.size + 1; n <= max(f.count, int64(be32(header[counted:]))); n++ {
		if _, ok := f.log.at[n]; !ok && n != pending {
			return false, nil
		}
	}
	return true, nil
}

// Blank reports whether the file is a sound database without tables, whose creation
// was not finished.
func (f *File) Blank() bool {
	const (
		header     = 100 // bytes before the tree of page 1
		leafOfRows = 0x0d
		cells      = header + 3 // offset of the number of rows
	)
	p, err := f.Page(1)
	return err == nil && len(p) == Size && f.HeaderSound() == nil && p[header] == leafOfRows && be16(p[cells:]) == 0 &&
		f.count == int64(be32(p[28:])) && f.count <= 2 // there may be a page of the pointer map
}

// Kinds of pages in the pointer map.
const (
	mapRoot      = 1 // of a b-tree
	mapFree      = 2
	mapOverflow  = 3 // the first overflow page of a row; its parent is the page of the row
	mapOverflow2 = 4 // a further overflow page; its parent is the one before
	mapNode      = 5 // a page of a b-tree that has a parent
)

const (
	mapEntry = 5                   // bytes
	perMap   = Size/mapEntry + 1   // pages from one page of the map to the next
	pending  = 0x40000000/Size + 1 // a page that is never used
)

// IsMap reports whether a page belongs to the pointer map.
func IsMap(number int64) bool { return number > 1 && mapOf(number) == number }

// mapOf returns the page of the map that has the entry of a page.
func mapOf(number int64) int64 {
	at := (number-2)/perMap*perMap + 2
	if at == pending {
		at++
	}
	return at
}

// above returns the pointer map's entry for a page: its kind and its parent. Both
// are 0 if the map is damaged.
func (f *File) above(number int64) (kind byte, parent int64) {
	at := mapOf(number)
	if number < 3 || number == at {
		return 0, 0
	}
	p, ok := f.maps[at]
	if !ok {
		if f.MapSound(at) {
			p, _ = f.Page(at)
		}
		f.maps[at] = p // nil is cached too
	}
	i := mapEntry * (number - at - 1)
	if p == nil || i+mapEntry > int64(len(p)) {
		return 0, 0
	}
	return p[i], int64(be32(p[i+1:]))
}

// Root returns the root page of the tree that a page belongs to, according to the
// pointer map, or 0 if it belongs to none or the map cannot tell.
func (f *File) Root(page int64) int64 {
	for range f.count {
		kind, parent := f.above(page)
		if kind == mapRoot || page == 1 {
			return page
		}
		page = parent
	}
	return 0
}

// below lists the b-tree pages whose parent is the given page, according to the
// pointer map, and reports whether the whole map can be read.
func (f *File) below(number int64) (list []int64, all bool) {
	all = true
	for n := int64(3); n <= f.count; n++ {
		kind, parent := f.above(n)
		if kind == mapNode && parent == number {
			list = append(list, n)
		}
		if kind == 0 && f.maps[mapOf(n)] == nil && !IsMap(n) {
			all = false
		}
	}
	return list, all
}

// MapSound reports whether a page of the pointer map has only possible entries.
func (f *File) MapSound(at int64) bool {
	p, err := f.Page(at)
	if err != nil {
		return false
	}
	for i, n := 0, at+1; i+mapEntry <= len(p) && n <= f.count; i, n = i+mapEntry, n+1 {
		kind, parent := p[i], int64(be32(p[i+1:]))
		if n == pending && kind == 0 {
			continue
		}
		if kind < mapRoot || kind > mapNode || parent > f.count || (parent == 0) != (kind <= mapFree) {
			return false
		}
	}
	return true
}

func be16(p []byte) int { return int(p[0])<<8 | int(p[1]) }

func be32(p []byte) uint32 {
	return uint32(p[0])<<24 | uint32(p[1])<<16 | uint32(p[2])<<8 | uint32(p[3])
}
