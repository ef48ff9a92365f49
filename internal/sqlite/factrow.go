package sqlite

import (
	"context"
	"database/sql"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/packed"
)

// factSelect reads fact versions with their access counts, for scanFact. The caller
// appends a condition on f.
const factSelect = `SELECT ` + factColumns + ` FROM fact f ` + factJoins

// factColumns are the columns that scanFact reads. factJoins joins the tables they
// need besides fact f.
const factColumns = `f.id, s.key, f.generation, f.type, f.recorded_at, f.retired_at, f.valid_from, f.confidence, f.origin,
		f.superseded_by, f.supersedes, f.category, f.entity, f.attribute, f.sources, f.tags, f.text, f.verbatim, f.valid_to,
		coalesce(a.accesses, 0), nullif(a.last_access, 0), a.confirmed_at`

const factJoins = `
	JOIN scope s ON s.no = f.scope_no
	LEFT JOIN access a ON a.scope_no = f.scope_no AND a.memory_id = f.id
	`

// factReader reads rows of factSelect. It is made for reading many: it allocates the
// scan destinations once, and parses a scope only if it differs from the one before.
type factReader struct {
	number                   int64
	fact                     strata.Fact
	key, sources, tags       string
	recorded                 int64
	retired, valid, accessed sql.NullInt64
	until, confirmed         sql.NullInt64
	into                     []any // destinations of a scan: the number, then factColumns

	scope strata.Scope // parsed from known
	known string       // the key of the previous row
}

func newFactReader() *factReader {
	r := new(factReader)
	f := &r.fact
	r.into = []any{&r.number, &f.ID, &r.key, &f.Generation, &f.Type, &r.recorded, &r.retired, &r.valid, &f.Confidence, &f.Origin,
		&f.SupersededBy, &f.Supersedes, &f.Category, &f.Entity, &f.Attribute, &r.sources, &r.tags, &f.Text, &f.Verbatim, &r.until,
		&f.Accesses, &r.accessed, &r.confirmed}
	return r
}

// scanFact reads a row of factSelect.
func scanFact(scan scanner) (strata.Fact, error) {
	r := newFactReader()
	return r.read(scan, r.into[1:])
}

// read scans a row into into, which is part of r.into.
func (r *factReader) read(scan scanner, into []any) (strata.Fact, error) {
	if err := scan(into...); err != nil {
		return strata.Fact{}, err
	}
	f := r.fact
	f.RecordedAt = fromMicros(r.recorded)
	f.RetiredAt, f.ValidFrom, f.ValidTo, f.ConfirmedAt = fromNullMicros(r.retired), fromNullMicros(r.valid), fromNullMicros(r.until), fromNullMicros(r.confirmed)
	if r.accessed.Valid {
		f.LastAccess = fromMicros(r.accessed.Int64)
	}
	var err error
	if r.key != r.known {
		if r.scope, err = strata.ParseScope(r.key); err != nil {
			return f, err
		}
		r.known = r.key
	}
	f.Scope = r.scope
	if f.Sources, err = listOfTexts(r.sources); err != nil {
		return f, err
	}
	f.Tags, err = listOfTexts(r.tags)
	return f, err
}

// factsAt returns the fact versions with the given numbers, by number.
func (t *tx) factsAt(ctx context.Context, numbers []int64) (map[int64]*strata.Fact, error) {
	out := make(map[int64]*strata.Fact, len(numbers))
	if len(numbers) == 0 {
		return out, nil
	}
	blob, err := t.queryBlob(ctx, `SELECT pack_rows(f.number, `+factColumns+`)
		FROM unpack(?) AS j CROSS JOIN fact AS f ON f.number = j.c0 `+factJoins, packed.Numbers(distinct(numbers)))
	if err != nil {
		return nil, err
	}
	facts := make([]strata.Fact, 0, len(numbers))
	r := newFactReader()
	for rows := packed.Reader(blob); len(rows) > 0; {
		f, err := r.read(rows.Scan, r.into)
		if err != nil {
			return nil, wrap("read row", err)
		}
		facts = append(facts, f)
		out[r.number] = &facts[len(facts)-1]
	}
	return out, nil
}
