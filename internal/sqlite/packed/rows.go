package packed

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Rows holds any number of packed rows, one after another.
type Rows []byte

// The kinds of values.
const (
	null = iota
	integer
	float
	text
	blob
)

// MaxColumns is the maximum number of values in a row.
const MaxColumns = 24

// Numbers packs rows of one number each: a list that SQL reads with unpack(?), as
// column c0.
func Numbers(numbers []int64) []byte {
	const size = 1 + 1 + 8
	b := make([]byte, 0, size*len(numbers))
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(append(b, 1, integer), uint64(n))
	}
	return b
}

// Texts is like Numbers, for texts.
func Texts(list []string) []byte {
	size := 0
	for _, s := range list {
		size += 1 + 1 + 4 + len(s)
	}
	b := make([]byte, 0, size)
	for _, s := range list {
		b = binary.LittleEndian.AppendUint32(append(b, 1, text), uint32(len(s)))
		b = append(b, s...)
	}
	return b
}

// Add appends a row. Its values must be nil or of type int64, [sql.NullInt64],
// float64, string or []byte.
func (p *Rows) Add(values ...any) error {
	if len(values) > MaxColumns {
		return fmt.Errorf("a row of %d values, not of up to %d", len(values), MaxColumns)
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

// room returns the rows with room for another. When they grow, they at least double:
// a batch has a megabyte of rows, which would be copied five times if they grew as
// slices do.
func (p *Rows) room(values []any) []byte {
	size := 1
	for _, v := range values {
		size += 1 + 8 // enough for most kinds
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

// errType means that a value has a type that cannot be packed. It does not say which
// type: that would make every value escape to the heap, about fifty for a save.
var errType = errors.New("a value of a type that is not packed")

// appendValue appends a value of one of the types below.
func appendValue(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, null), nil
	case int64:
		return binary.LittleEndian.AppendUint64(append(b, integer), uint64(v)), nil
	case sql.NullInt64:
		if !v.Valid {
			return append(b, null), nil
		}
		return appendValue(b, v.Int64)
	case float64:
		return binary.LittleEndian.AppendUint64(append(b, float), math.Float64bits(v)), nil
	case string:
		b = binary.LittleEndian.AppendUint32(append(b, text), uint32(len(v)))
		return append(b, v...), nil
	case []byte:
		b = binary.LittleEndian.AppendUint32(append(b, blob), uint32(len(v)))
		return append(b, v...), nil
	}
	return nil, errType
}
