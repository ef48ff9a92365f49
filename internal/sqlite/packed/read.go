package packed

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"github.com/strata-memory/strata"
)

// Reader reads rows, one after another. The bytes come from the database itself, so
// a row that is cut short is a bug in Strata.
type Reader Rows

var errCutShort = &strata.Error{Code: strata.CodeInternal, Op: "read row", Message: "a packed row is cut short"}

// Scan reads the next row, as [sql.Rows.Scan] does.
func (p *Reader) Scan(dest ...any) error {
	b := *p
	if len(b) == 0 || int(b[0]) != len(dest) {
		return errCutShort
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

// Each calls fn with the values of each row, which must have the given number of
// columns, and returns the number of rows. The values are valid until fn returns.
func Each(rows []byte, columns int, fn func([]Value) error) (n int, err error) {
	row := make([]Value, columns)
	for ; len(rows) > 0; n++ {
		if int(rows[0]) != columns {
			return n, errCutShort
		}
		rows = rows[1:]
		for i := range row {
			if row[i], rows, err = nextValue(rows); err != nil {
				return n, err
			}
		}
		if err := fn(row); err != nil {
			return n, err
		}
	}
	return n, nil
}

// Value is one value of a row.
type Value struct {
	kind  byte
	bits  uint64 // of a number
	bytes []byte // of a text or blob; they alias the rows
}

// IsNull reports whether the value is null.
func (v Value) IsNull() bool { return v.kind == null }

// Int returns an integer value, or 0 for null.
func (v Value) Int() int64 { return int64(v.bits) }

// Float returns a floating-point value, or 0 for null.
func (v Value) Float() float64 { return math.Float64frombits(v.bits) }

// Bytes returns a text or blob, which aliases the rows, or nil for null.
func (v Value) Bytes() []byte { return v.bytes }

// nextValue returns the first of the packed values and the rest.
func nextValue(b []byte) (v Value, rest []byte, err error) {
	if len(b) == 0 {
		return v, nil, errCutShort
	}
	v.kind, b = b[0], b[1:]
	switch v.kind {
	case null:
		return v, b, nil
	case integer, float:
		if len(b) < 8 {
			return v, nil, errCutShort
		}
		v.bits = binary.LittleEndian.Uint64(b)
		return v, b[8:], nil
	case text, blob:
		if len(b) < 4 {
			return v, nil, errCutShort
		}
		n := int64(binary.LittleEndian.Uint32(b))
		if b = b[4:]; n > int64(len(b)) {
			return v, nil, errCutShort
		}
		v.bytes = b[:n]
		return v, b[n:], nil
	}
	return v, nil, errCutShort
}

// store stores a value in the variable that dest points to, copying its bytes. It
// supports the pointer types that the store scans into.
func (v Value) store(dest any) error {
	switch d := dest.(type) {
	case *sql.NullInt64:
		*d = sql.NullInt64{Int64: int64(v.bits), Valid: v.kind == integer}
		return nil
	case *string:
		if v.kind == text {
			*d = string(v.bytes)
			return nil
		}
	case *[]byte:
		switch v.kind {
		case text, blob:
			*d = append([]byte{}, v.bytes...)
			return nil
		case null:
			*d = nil
			return nil
		}
	case *int64:
		if v.kind == integer {
			*d = int64(v.bits)
			return nil
		}
	case *int:
		if v.kind == integer {
			*d = int(v.bits)
			return nil
		}
	case *float64:
		switch v.kind {
		case float:
			*d = math.Float64frombits(v.bits)
			return nil
		case integer:
			*d = float64(int64(v.bits))
			return nil
		}
	default:
		return v.storeAny(dest)
	}
	return v.mismatch(dest)
}

// storeAny is like store, for types whose underlying type is a string, an integer or
// a bool.
func (v Value) storeAny(dest any) error {
	p := reflect.ValueOf(dest)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return v.mismatch(dest)
	}
	switch d := p.Elem(); {
	case d.Kind() == reflect.String && v.kind == text:
		d.SetString(string(v.bytes))
	case d.CanInt() && v.kind == integer && !d.OverflowInt(int64(v.bits)):
		d.SetInt(int64(v.bits))
	case d.Kind() == reflect.Bool && v.kind == integer && v.bits <= 1:
		d.SetBool(v.bits == 1)
	default:
		return v.mismatch(dest)
	}
	return nil
}

func (v Value) mismatch(dest any) error {
	return fmt.Errorf("a packed value of kind %d for a %T", v.kind, dest)
}
