package sqlite

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// packedRows are rows as unpack of package sqlfunc reads them.
type packedRows []byte

// The kinds of values of packed rows.
const (
	packedNull = iota
	packedInteger
	packedFloat
	packedText
	packedBlob
)

// maxPackedColumns is how many values a row may have.
const maxPackedColumns = 24

// packNumbers makes rows of one number each: a list that SQL reads with
// unpack(?), whose column c0 they are.
func packNumbers(numbers []int64) []byte {
	const size = 1 + 1 + 8
	b := make([]byte, 0, size*len(numbers))
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(append(b, 1, packedInteger), uint64(n))
	}
	return b
}

// add appends a row.
func (p *packedRows) add(values ...any) error {
	if len(values) > maxPackedColumns {
		return fmt.Errorf("a row of %d values, not of up to %d", len(values), maxPackedColumns)
	}
	b := append(p.room(values), byte(len(values)))
	for i, v := range values {
		var err error
		if b, err = appendValue(b, v); err != nil {
			return fmt.Errorf("value %d: %w", i+1, err)
		}
	}
	*p = b
	return nil
}

// room returns the rows with room for another. They at least double when they
// grow: a batch has rows of a megabyte, which would be copied five times if they
// grew as slices do.
func (p *packedRows) room(values []any) []byte {
	size := 1
	for _, v := range values {
		size += 1 + 8 // of most kinds no more is needed
		switch v := v.(type) {
		case string:
			size += len(v)
		case []byte:
			size += len(v)
		}
	}
	if cap(*p)-len(*p) >= size {
		return *p
	}
	return append(make([]byte, 0, max(2*cap(*p), len(*p)+size)), *p...)
}

// errPackedKind means a value is of none of the types that rows are packed from.
// It does not say which one it is: then all values of rows would be allocated, a
// save's some fifty.
var errPackedKind = errors.New("a value of a type that is not packed")

// appendValue appends a value of one of the types below.
func appendValue(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, packedNull), nil
	case int64:
		return binary.LittleEndian.AppendUint64(append(b, packedInteger), uint64(v)), nil
	case sql.NullInt64:
		if !v.Valid {
			return append(b, packedNull), nil
		}
		return appendValue(b, v.Int64)
	case float64:
		return binary.LittleEndian.AppendUint64(append(b, packedFloat), math.Float64bits(v)), nil
	case string:
		b = binary.LittleEndian.AppendUint32(append(b, packedText), uint32(len(v)))
		return append(b, v...), nil
	case []byte:
		b = binary.LittleEndian.AppendUint32(append(b, packedBlob), uint32(len(v)))
		return append(b, v...), nil
	}
	return nil, errPackedKind
}
