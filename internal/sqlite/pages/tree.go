package pages

import (
	"fmt"
)

// Kinds of pages of b-trees.
const (
	interiorIndex = 2
	interiorTable = 5
	leafIndex     = 10
	leafTable     = 13
)

// Row is a row of a table, or an entry of an index or of a table without rowids.
type Row struct {
	Number int64 // the rowid; 0 in an index
	Values []any // int64, float64, string, []byte or nil, as stored
}

// Lost is a part of a b-tree that could not be read: a page, or one row whose
// overflow pages are damaged.
type Lost struct {
	Page   int64
	Reason string
	// OneRow says that only one row of the page could not be read. Number is that row's
	// number in a table with rowids.
	OneRow bool
	Number int64
	// NoRows says that the page held no rows, only pointers to other pages, which were
	// found without it.
	NoRows bool
	// After and Before are the numbers of the rows before and after the lost part; 0 if
	// there is none or it was not read.
	After, Before int64
}

// tree is a b-tree being read.
type tree struct {
	file  *File
	table bool // a table with rowids
	seen  map[int64]bool
	visit func(Row) error
	lost  []Lost
	last  int64 // number of the last row read
}

// Rows reads all readable rows of the b-tree at root, which is that of a table with
// rowids if table is set, and otherwise that of an index. It calls visit, if not
// nil, with each row; rows below a damaged page come last. It adds each page it uses
// to seen. It returns an error only if visit does.
func (f *File) Rows(root int64, table bool, seen map[int64]bool, visit func(Row) error) ([]Lost, error) {
	t := &tree{file: f, table: table, seen: seen, visit: visit}
	err := t.walk(root)
	// The pages below an unreadable page are found through the pointer map.
	t.last = 0
	for i := 0; i < len(t.lost) && err == nil; i++ {
		if t.lost[i].OneRow {
			continue
		}
		children, all := f.below(t.lost[i].Page)
		t.lost[i].NoRows = table && all && len(children) > 0
		for _, child := range children {
			if !seen[child] && err == nil {
				err = t.walk(child)
			}
		}
	}
	return t.lost, err
}

// walk reads a page and all pages below it.
func (t *tree) walk(number int64) error {
	if t.seen[number] {
		t.lose(number, "the page has several parents")
		return nil
	}
	p, err := t.file.Page(number)
	if err != nil {
		t.lose(number, err.Error())
		return nil
	}
	t.seen[number] = true
	n, reason := t.parse(number, p)
	if reason != "" {
		t.lose(number, reason)
		return nil
	}
	for _, c := range n.cells {
		if c.child != 0 {
			if err := t.walk(c.child); err != nil {
				return err
			}
		}
		if c.row {
			if last := len(t.lost) - 1; last >= 0 && t.lost[last].Before == 0 {
				t.lost[last].Before = c.number
			}
			t.last = c.number
			if err := t.read(number, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// lose records that a page cannot be read.
func (t *tree) lose(page int64, reason string) {
	t.lost = append(t.lost, Lost{Page: page, Reason: reason, After: t.last})
}

// read calls visit with the row of a cell.
func (t *tree) read(page int64, c cell) error {
	lost := Lost{Page: page, OneRow: true, Number: c.number}
	payload := c.local
	if c.overflow != 0 {
		var at int64
		if payload, at, lost.Reason = t.file.chain(c, t.seen); lost.Reason != "" {
			lost.Page = at
			t.lost = append(t.lost, lost)
			return nil
		}
	}
	if !addsUp(payload) {
		lost.Reason = "the row does not add up"
		t.lost = append(t.lost, lost)
		return nil
	}
	if t.visit == nil {
		return nil
	}
	return t.visit(Row{c.number, decode(payload)})
}

// chain reads the overflow pages of a row. If one cannot be read, it returns the
// page that leads to it and the reason.
func (f *File) chain(c cell, seen map[int64]bool) (payload []byte, at int64, reason string) {
	payload = append(make([]byte, 0, c.size), c.local...)
	kind, before := byte(mapOverflow), c.page
	for next := int64(c.overflow); len(payload) < c.size; {
		p, err := f.Page(next)
		saysKind, saysAbove := f.above(next)
		if err != nil || seen[next] || saysKind != 0 && (saysKind != kind || saysAbove != before) {
			return nil, before, "the page does not lead to the rest of its row"
		}
		seen[next] = true
		rest := min(c.size-len(payload), Size-4)
		payload = append(payload, p[4:4+rest]...)
		kind, before, next = mapOverflow2, next, int64(be32(p))
		if done := len(payload) == c.size; done != (next == 0) {
			return nil, before, "the page does not lead to the rest of its row"
		}
	}
	return payload, 0, ""
}

// node is a page of a b-tree. The rightmost child has a cell of its own.
type node struct{ cells []cell }

type cell struct {
	page     int64 // the page that holds the cell
	child    int64 // the page to the left of the cell; 0 in a leaf
	row      bool  // whether it holds a row
	number   int64 // rowid
	size     int   // of the record
	local    []byte
	overflow uint32 // first overflow page; 0 if there is none
}

// parse splits a page into cells, or returns the reason why it cannot.
func (t *tree) parse(number int64, p []byte) (n node, reason string) {
	start := 0
	if number == 1 {
		start = 100
	}
	kind := p[start]
	interior := kind == interiorIndex || kind == interiorTable
	head := start + 8
	switch {
	case t.table && kind != interiorTable && kind != leafTable, !t.table && kind != interiorIndex && kind != leafIndex:
		return n, "the page does not belong to its table"
	case interior:
		head += 4
	}
	count, content := be16(p[start+3:]), be16(p[start+5:])
	if content == 0 {
		content = 1 << 16
	}
	if head+2*count > content || content > Size || be16(p[start+1:]) > Size-4 || p[start+7] > 60 {
		return n, "the head of the page is damaged"
	}
	used := 0
	n.cells = make([]cell, 0, count+1)
	for i := range count {
		at := be16(p[head+2*i:])
		if at < content || at > Size-4 {
			return n, "the list of rows of the page is damaged"
		}
		c, length := t.cell(number, p[at:], interior)
		if length == 0 {
			return n, "a row of the page is damaged"
		}
		if used += max(length, 4); used > Size-content {
			return n, "rows of the page overlap"
		}
		if last := len(n.cells) - 1; t.table && last >= 0 && c.number <= n.cells[last].number {
			return n, "the rows of the page are not in order"
		}
		n.cells = append(n.cells, c)
	}
	if interior {
		right := int64(be32(p[start+8:]))
		if right < 2 || right > t.file.count {
			return n, "the head of the page is damaged"
		}
		n.cells = append(n.cells, cell{page: number, child: right})
	}
	return n, ""
}

// cell reads the cell at the beginning of p and returns its length, or 0 if it is
// damaged.
func (t *tree) cell(number int64, p []byte, interior bool) (c cell, length int) {
	c.page = number
	at := 0
	if interior {
		if len(p) < 4 {
			return c, 0
		}
		if c.child = int64(be32(p)); c.child < 2 || c.child > t.file.count {
			return c, 0
		}
		at = 4
	}
	if interior && t.table {
		v, n := varint(p[at:])
		c.number = int64(v)
		if n == 0 {
			return c, 0
		}
		return c, at + n
	}
	size, n := varint(p[at:])
	if n == 0 || size > 1<<31 {
		return c, 0
	}
	at += n
	c.row, c.size = true, int(size)
	if t.table {
		v, n := varint(p[at:])
		if n == 0 {
			return c, 0
		}
		c.number = int64(v)
		at += n
	}
	local := localSize(c.size, t.table)
	if at+local > len(p) {
		return c, 0
	}
	c.local = p[at : at+local]
	at += local
	if local < c.size {
		if at+4 > len(p) {
			return c, 0
		}
		c.overflow = be32(p[at:])
		at += 4
		if int64(c.overflow) > t.file.count || c.overflow < 2 {
			return c, 0
		}
	}
	return c, at
}

// localSize returns how many bytes of a record are stored on its page, according to
// section 1.6 of the format.
func localSize(size int, table bool) int {
	most := (Size-12)*64/255 - 23
	if table {
		most = Size - 35
	}
	if size <= most {
		return size
	}
	least := (Size-12)*32/255 - 23
	if local := least + (size-least)%(Size-4); local <= most {
		return local
	}
	return least
}

// Free lists the unused pages, and the damaged pages of their list.
func (f *File) Free() (free []int64, lost []Lost) {
	p, err := f.Page(1)
	if err != nil {
		return nil, []Lost{{Page: 1, Reason: err.Error()}}
	}
	seen := make(map[int64]bool)
	for trunk := int64(be32(p[32:])); trunk != 0; {
		page := trunk
		p, err := f.Page(page)
		if err != nil || seen[page] {
			return free, append(lost, Lost{Page: page, Reason: "the list of unused pages leads nowhere"})
		}
		seen[page] = true
		n := int(be32(p[4:]))
		trunk = int64(be32(p))
		if n > Size/4-2 || trunk > f.count {
			return free, append(lost, Lost{Page: page, Reason: "the list of unused pages is damaged"})
		}
		free = append(free, page)
		for i := range n {
			leaf := int64(be32(p[8+4*i:]))
			if leaf < 2 || leaf > f.count || seen[leaf] {
				return free, append(lost, Lost{Page: page, Reason: "the list of unused pages is damaged"})
			}
			seen[leaf] = true
			free = append(free, leaf)
		}
	}
	return free, lost
}

// HeaderSound returns an error if the first page does not begin like that of a
// database of Strata.
func (f *File) HeaderSound() error {
	p, err := f.Page(1)
	if err != nil {
		return err
	}
	if string(p[:16]) != "SQLite format 3\x00" || be16(p[16:]) != Size || p[20] != 0 ||
		p[18] > 2 || p[19] > 2 || p[21] != 64 || p[22] != 32 || p[23] != 32 {
		return fmt.Errorf("the head of the database is damaged")
	}
	return nil
}
