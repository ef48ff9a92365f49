package salvage

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/migration"
	"github.com/strata-memory/strata/internal/sqlite/pages"
)

// Damage is a page that cannot be read, or a row that extends onto such a page.
type Damage struct {
	Page int64
	// Table is the table of the page, or empty for a page of no table, such as the list
	// of unused pages. Index is set for a page of an index of the table.
	Table, Index string
	Reason       string
	// Authority says that the page held authoritative data. Other damage loses nothing,
	// because the data can be rebuilt.
	Authority bool

	// oneRow says that only one row is damaged, which extends onto the page; number is
	// that row's number.
	oneRow bool
	number int64
	// after and before are the numbers of the neighboring rows; 0 if there are none.
	after, before int64
}

// LostRow is an authoritative row that cannot be read but can be identified.
type LostRow struct {
	Table string
	Noun  string // what the row is
	Scope string // key of the scope, if known
	// ID is the id of a fact, turn, decision and so on. A row without an id is
	// identified as "column=value ...".
	ID string

	number int64          // of the row in its table
	known  map[string]any // its values that indexes hold, by column
	// changed says that the row can be read but differs from what was written.
	changed bool
}

// Survey is the result of checking every page of a database.
type Survey struct {
	Pages   int64 // of the database
	Damages []Damage
	// Lost are the lost authoritative rows that could be identified. The damaged pages
	// may have held more.
	Lost []LostRow
	// Differing lists tables, indexes and triggers whose stored statements differ from
	// the original ones, such as "table fact". It is set only if all pages can be read.
	Differing []string

	schema *schema
}

// Intact reports whether no authoritative data is lost.
func (s *Survey) Intact() bool {
	return len(s.Lost) == 0 && !slices.ContainsFunc(s.Damages, func(d Damage) bool { return d.Authority })
}

// Inspect checks every page of a file. progress, which may be nil, is called with
// the number of pages done and the total.
func Inspect(ctx context.Context, f *pages.File, progress func(done, total int64)) (*Survey, error) {
	s := &Survey{Pages: f.Pages()}
	var err error
	if s.schema, err = schemaOf(ctx, f); err != nil {
		return nil, err
	}
	if err := f.HeaderSound(); err != nil {
		s.add("", "", false, pages.Lost{Page: 1, Reason: err.Error()})
	}
	seen := make(map[int64]bool)
	tree := func(table, index string, root int64, rows, authority bool) error {
		if err := ctx.Err(); err != nil {
			return database.Wrap("look at pages", err)
		}
		lost, _ := f.Rows(root, rows, seen, nil)
		for _, l := range lost {
			s.add(table, index, authority, l)
		}
		if progress != nil {
			progress(int64(len(seen)), s.Pages)
		}
		return nil
	}
	if err := tree("sqlite_schema", "", 1, true, false); err != nil {
		return nil, err
	}
	for _, t := range s.schema.tables {
		if err := tree(t.name, "", t.root, t.numbers, t.class == authority); err != nil {
			return nil, err
		}
		for _, i := range t.indexes {
			if err := tree(t.name, i.name, i.root, false, false); err != nil {
				return nil, err
			}
		}
	}
	_, lost := f.Free()
	for _, l := range lost {
		s.add("", "", false, l)
	}
	for n := int64(2); n <= s.Pages; n++ {
		if pages.IsMap(n) && !f.MapSound(n) {
			s.add("", "", false, pages.Lost{Page: n, Reason: "the pointer map is damaged"})
		}
	}
	s.dropRepeated()
	if len(s.Damages) == 0 {
		s.Differing = migration.Differing(s.schema.stored, s.schema.anew)
	}
	return s, s.nameLost(ctx, f)
}

// add records a damaged page of a table or of its index with the given name. For
// derived data it does not matter which row of a page is lost.
func (s *Survey) add(table, index string, authority bool, l pages.Lost) {
	if !authority {
		l.OneRow, l.Number, l.After, l.Before = false, 0, 0, 0
	}
	s.Damages = append(s.Damages, Damage{Page: l.Page, Table: table, Index: index, Reason: l.Reason, Authority: authority && !l.NoRows,
		oneRow: l.OneRow, number: l.Number, after: l.After, before: l.Before})
}

// dropRepeated removes duplicate damages.
func (s *Survey) dropRepeated() {
	seen := make(map[Damage]bool)
	s.Damages = slices.DeleteFunc(s.Damages, func(d Damage) bool {
		repeated := seen[d]
		seen[d] = true
		return repeated
	})
}

// nameLost identifies the authoritative rows that are lost.
func (s *Survey) nameLost(ctx context.Context, f *pages.File) error {
	scopes := s.scopeKeys(f)
	for _, t := range s.schema.tables {
		if t.class != authority || !slices.ContainsFunc(s.Damages, func(d Damage) bool { return d.ofRows(t) }) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return database.Wrap("look at pages", err)
		}
		for _, row := range s.lostOf(f, t) {
			no, ok := row.known["scope_no"].(int64)
			if !ok && t.numbers {
				no = passage.Scope(row.number)
			}
			row.Scope = scopes[no]
			row.ID = row.title()
			s.Lost = append(s.Lost, *row)
		}
	}
	return nil
}

// scopeKeys returns the keys of the scopes that can be read, by scope number.
func (s *Survey) scopeKeys(f *pages.File) map[int64]string {
	keys := make(map[int64]string)
	for _, t := range s.schema.tables {
		if t.name != "scope" {
			continue
		}
		t.eachKnown(f, func(number int64, known map[string]any) {
			if key, ok := known["key"].(string); ok {
				keys[number] = key
			}
		})
	}
	return keys
}

// ofRows reports whether damage affects the rows of a table and not an index.
func (d Damage) ofRows(t *table) bool { return d.Table == t.name && d.Index == "" }

// lostOf returns the rows that an index of a table has but the table has not, and
// rows that begin on a sound page and end on a damaged one.
func (s *Survey) lostOf(f *pages.File, t *table) []*LostRow {
	have := make(map[string]bool)
	_, _ = f.Rows(t.root, t.numbers, map[int64]bool{}, func(r pages.Row) error {
		have[t.keyOf(r)] = true
		return nil
	})
	var lost []*LostRow
	byKey := make(map[string]*LostRow)
	put := func(key string, number int64, known map[string]any) {
		if have[key] {
			return
		}
		row := byKey[key]
		if row == nil {
			row = &LostRow{Table: t.name, Noun: nouns[t.name], number: number, known: make(map[string]any)}
			byKey[key] = row
			lost = append(lost, row)
		}
		maps.Copy(row.known, known)
	}
	t.eachIndexed(f, put)
	for _, d := range s.Damages {
		if d.ofRows(t) && d.oneRow && t.numbers {
			put(fmt.Sprint(d.number), d.number, nil)
		}
	}
	return lost
}

// keyOf returns a key that is unique among the rows of a table.
func (t *table) keyOf(r pages.Row) string {
	if t.numbers {
		return fmt.Sprint(r.Number)
	}
	return t.keyIn(t.valuesOf(r))
}

// valuesOf returns the values of a row by column. A row that is older than a column
// lacks it.
func (t *table) valuesOf(r pages.Row) map[string]any {
	values := make(map[string]any)
	for i, column := range t.columns {
		if i < len(r.Values) {
			values[column] = r.Values[i]
		}
	}
	return values
}

// keyIn is like keyOf, for the known values of a row in a table without numbers.
// Each index of such a table ends with the columns of the key.
func (t *table) keyIn(known map[string]any) string {
	var b strings.Builder
	for _, column := range t.keyColumns() {
		fmt.Fprintf(&b, "%v\x00", known[column])
	}
	return b.String()
}

// keyColumns returns the columns that identify rows without a number: those that all
// indexes of the table have.
func (t *table) keyColumns() []string {
	return slices.DeleteFunc(slices.Clone(t.columns), func(column string) bool {
		return slices.ContainsFunc(t.indexes, func(i index) bool { return !slices.Contains(i.columns, column) })
	})
}

// eachIndexed calls put with what the indexes of a table hold of its rows.
func (t *table) eachIndexed(f *pages.File, put func(key string, number int64, known map[string]any)) {
	for _, i := range t.indexes {
		_, _ = f.Rows(i.root, false, map[int64]bool{}, func(r pages.Row) error {
			known := make(map[string]any)
			var number int64
			for at, column := range i.columns {
				if at >= len(r.Values) {
					return nil
				}
				if column == "" {
					number, _ = r.Values[at].(int64)
					continue
				}
				known[column] = r.Values[at]
			}
			if t.numbers {
				put(fmt.Sprint(number), number, known)
			} else {
				put(t.keyIn(known), 0, known)
			}
			return nil
		})
	}
}

// eachKnown calls visit with what the rows and indexes of a table with numbers hold.
func (t *table) eachKnown(f *pages.File, visit func(number int64, known map[string]any)) {
	_, _ = f.Rows(t.root, t.numbers, map[int64]bool{}, func(r pages.Row) error {
		visit(r.Number, t.valuesOf(r))
		return nil
	})
	t.eachIndexed(f, func(_ string, number int64, known map[string]any) { visit(number, known) })
}

// title identifies a row for people.
func (r *LostRow) title() string {
	if id, ok := r.known["id"].(string); ok {
		return id
	}
	var parts []string
	for column, v := range r.known {
		switch v := v.(type) {
		case string:
			parts = append(parts, column+"="+v)
		case int64:
			if column != "scope_no" {
				parts = append(parts, fmt.Sprint(column, "=", v))
			}
		}
	}
	slices.Sort(parts)
	if r.number != 0 {
		parts = append([]string{fmt.Sprint("number=", r.number)}, parts...)
	}
	return strings.Join(parts, " ")
}
