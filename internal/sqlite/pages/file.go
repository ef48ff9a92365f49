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

// Size is the bytes of a page of every database of Strata.
const Size = 8192

// Register makes the function of file.c part of every connection opened from now
// on in this process.
func Register() error {
	if rc := C.strata_pages(); rc != 0 {
		return errors.New("SQLite does not take extensions")
	}
	return nil
}

// Conn is a connection of SQLite.
type Conn interface {
	// Blob runs a query for one blob.
	Blob(ctx context.Context, query string, args []any) ([]byte, error)
}

// File is a database file. The pages of the log that were committed stand for those
// of the file. One goroutine uses it at a time.
type File struct {
	page  func(number int64) ([]byte, error) // of the file alone
	close func() error
	log   *log
	count int64
	size  int64            // pages of the file alone
	maps  map[int64][]byte // pages of the pointer map
}

// errNone says that a page lies behind the end.
var errNone = errors.New("the page lies behind the end of the file")

// On returns the file of a connection that reads in a transaction, at path. While
// it does, no page that it has changes.
func On(ctx context.Context, c Conn, path string) (*File, error) {
	f := &File{close: func() error { return nil }, page: func(number int64) ([]byte, error) {
		p, err := c.Blob(ctx, `SELECT file_page(?, ?)`, []any{number, Size})
		if err == nil && len(p) == 0 {
			err = errNone
		}
		return p, err
	}}
	return f, f.begin(path)
}

// Open opens the file at path, which nobody in this process has open by SQLite,
// because closing it frees the locks of all. It is for files that SQLite does not
// open any more.
func Open(path string) (*File, error) {
	disk, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{close: disk.Close, page: func(number int64) ([]byte, error) {
		p := make([]byte, Size)
		_, err := disk.ReadAt(p, (number-1)*Size)
		if errors.Is(err, io.EOF) {
			err = errNone
		}
		return p, err
	}}
	if err := f.begin(path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// begin reads the log and finds out how many pages there are.
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

// Pages is how many pages there are.
func (f *File) Pages() int64 { return f.count }

// Page returns a page, which is not to be changed.
func (f *File) Page(number int64) ([]byte, error) {
	if number < 1 || number > f.count {
		return nil, fmt.Errorf("page %d of %d: %w", number, f.count, errNone)
	}
	p, err := f.log.page(number)
	if p != nil || err != nil {
		return p, err
	}
	return f.page(number)
}

// Whole reports whether the file of a connection, at path, has every page that the log has
// not. Nobody writes to the database meanwhile, and pages may move out of the log.
func Whole(ctx context.Context, c Conn, path string) (whole bool, err error) {
	f, err := On(ctx, c, path)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return f.whole()
}

func (f *File) whole() (bool, error) {
	const counted = 28 // where the header of the database has the number of pages
	header, err := f.Page(1)
	if errors.Is(err, errNone) {
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

// Blank reports whether the file is a sound database without any table: one whose creation
// was not finished.
func (f *File) Blank() bool {
	const (
		header     = 100 // bytes before the tree of page 1
		leafOfRows = 0x0d
		cells      = header + 3 // where it has how many rows there are
	)
	p, err := f.Page(1)
	return err == nil && len(p) == Size && f.HeaderSound() == nil && p[header] == leafOfRows && be16(p[cells:]) == 0 &&
		f.count == int64(be32(p[28:])) && f.count <= 2 // a page of the pointer map may be there
}

// Kinds of pages in the pointer map.
const (
	mapRoot      = 1 // of a b-tree
	mapFree      = 2
	mapOverflow  = 3 // the first of a row's; above it is the page of the row
	mapOverflow2 = 4 // another; above it is the one before
	mapNode      = 5 // of a b-tree, below another
)

const (
	mapEntry = 5                   // bytes
	perMap   = Size/mapEntry + 1   // pages from one page of the map to the next
	pending  = 0x40000000/Size + 1 // a page that is never used
)

// IsMap reports whether a page is one of the pointer map.
func IsMap(number int64) bool { return number > 1 && mapOf(number) == number }

// mapOf is the page of the map that tells of a page.
func mapOf(number int64) int64 {
	at := (number-2)/perMap*perMap + 2
	if at == pending {
		at++
	}
	return at
}

// above returns what the pointer map says of a page: its kind, and the page above.
// Both are 0 where the map is damaged.
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
		f.maps[at] = p // nil is remembered, too
	}
	i := mapEntry * (number - at - 1)
	if p == nil || i+mapEntry > int64(len(p)) {
		return 0, 0
	}
	return p[i], int64(be32(p[i+1:]))
}

// Root is the first page of the tree that a page is part of, by the pointer map; 0 where
// it is part of none, or the map does not tell.
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

// below lists the pages of b-trees that the pointer map says are below a page, and
// whether all of the map can be read.
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

// MapSound reports whether a page of the pointer map says nothing impossible.
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
