package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"github.com/strata-memory/strata"
)

// readPacked runs a query that packs its rows with pack_rows, and reads them.
// It is for some hundred rows of moderate size: all of them are in memory at
// once.
func readPacked[T any](ctx context.Context, t *tx, query string, args []any, read func(scanner) (T, error)) ([]T, error) {
	if err := t.settle(ctx); err != nil {
		return nil, err
	}
	return lookPacked(ctx, t, query, args, read)
}

// lookPacked is readPacked for a query that reads nothing of what a tally counts
// or of the rows that are kept.
func lookPacked[T any](ctx context.Context, t *tx, query string, args []any, read func(scanner) (T, error)) ([]T, error) {
	packed, err := t.lookBlob(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var out []T
	for rows := packedReader(packed); len(rows) > 0; {
		v, err := read(rows.scan)
		if err != nil {
			return nil, wrap("read row", err)
		}
		out = append(out, v)
	}
	return out, nil
}

// lookPackedRow is lookRow for a query that packs its row with pack_rows.
func (t *tx) lookPackedRow(ctx context.Context, query string, args []any, dest ...any) error {
	ctx, err := t.begin(ctx)
	if err != nil {
		return err
	}
	packed, err := t.conn.blob(ctx, query, args)
	if err != nil {
		return t.failed("query", err)
	}
	if len(packed) == 0 {
		return sql.ErrNoRows
	}
	rows := packedReader(packed)
	return wrap("read row", rows.scan(dest...))
}

// packedReader reads packed rows, one after another. The bytes are those of
// the database itself, so a row that is cut short is a fault of ours.
type packedReader packedRows

var errPackedRow = &strata.Error{Code: strata.CodeInternal, Op: "read row", Message: "a packed row is cut short"}

// scan reads the next row, as [sql.Rows.Scan] does.
func (p *packedReader) scan(dest ...any) error {
	b := *p
	if len(b) == 0 || int(b[0]) != len(dest) {
		return errPackedRow
	}
	b = b[1:]
	for i, d := range dest {
		v, rest, err := nextValue(b)
		if err != nil {
			return err
		}
		if err := v.store(d); err != nil {
			return fmt.Errorf("value %d: %w", i+1, err)
		}
		b = rest
	}
	*p = b
	return nil
}

// packedValue is one value of a packed row.
type packedValue struct {
	kind  byte
	bits  uint64 // of a number
	bytes []byte // of a text or blob; part of the packed rows
}

// nextValue takes the first value from packed ones.
func nextValue(b []byte) (v packedValue, rest []byte, err error) {
	if len(b) == 0 {
		return v, nil, errPackedRow
	}
	v.kind, b = b[0], b[1:]
	switch v.kind {
	case packedNull:
		return v, b, nil
	case packedInteger, packedFloat:
		if len(b) < 8 {
			return v, nil, errPackedRow
		}
		v.bits = binary.LittleEndian.Uint64(b)
		return v, b[8:], nil
	case packedText, packedBlob:
		if len(b) < 4 {
			return v, nil, errPackedRow
		}
		n := int64(binary.LittleEndian.Uint32(b))
		if b = b[4:]; n > int64(len(b)) {
			return v, nil, errPackedRow
		}
		v.bytes = b[:n]
		return v, b[n:], nil
	}
	return v, nil, errPackedRow
}

// store puts a value where a pointer points to. It takes the pointers that rows
// of the store are read through, and leaves nothing of the packed rows in them.
func (v packedValue) store(dest any) error {
	switch d := dest.(type) {
	case *sql.NullInt64:
		*d = sql.NullInt64{Int64: int64(v.bits), Valid: v.kind == packedInteger}
		return nil
	case *string:
		if v.kind == packedText {
			*d = string(v.bytes)
			return nil
		}
	case *[]byte:
		switch v.kind {
		case packedText, packedBlob:
			*d = append([]byte{}, v.bytes...)
			return nil
		case packedNull:
			*d = nil
			return nil
		}
	case *int64:
		if v.kind == packedInteger {
			*d = int64(v.bits)
			return nil
		}
	case *int:
		if v.kind == packedInteger {
			*d = int(v.bits)
			return nil
		}
	case *float64:
		switch v.kind {
		case packedFloat:
			*d = math.Float64frombits(v.bits)
			return nil
		case packedInteger:
			*d = float64(int64(v.bits))
			return nil
		}
	default:
		return v.storeAny(dest)
	}
	return v.mismatch(dest)
}

// storeAny is store for types that are texts or integers underneath.
func (v packedValue) storeAny(dest any) error {
	p := reflect.ValueOf(dest)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return v.mismatch(dest)
	}
	switch d := p.Elem(); {
	case d.Kind() == reflect.String && v.kind == packedText:
		d.SetString(string(v.bytes))
	case d.CanInt() && v.kind == packedInteger && !d.OverflowInt(int64(v.bits)):
		d.SetInt(int64(v.bits))
	case d.Kind() == reflect.Bool && v.kind == packedInteger && v.bits <= 1:
		d.SetBool(v.bits == 1)
	default:
		return v.mismatch(dest)
	}
	return nil
}

func (v packedValue) mismatch(dest any) error {
	return fmt.Errorf("a packed value of kind %d for a %T", v.kind, dest)
}
