package pages

import (
	"encoding/binary"
	"math"
)

// varint reads an integer of one to nine bytes and returns how many there are, or 0
// if p ends too early.
func varint(p []byte) (v uint64, n int) {
	for n < 8 {
		if n >= len(p) {
			return 0, 0
		}
		v = v<<7 | uint64(p[n]&0x7f)
		n++
		if p[n-1] < 0x80 {
			return v, n
		}
	}
	if n >= len(p) {
		return 0, 0
	}
	return v<<8 | uint64(p[n]), n + 1
}

// addsUp reports whether the header of a record matches the record's length. A
// record that was overwritten with zeros does not match.
func addsUp(p []byte) bool {
	size, n := varint(p)
	if n == 0 || size < uint64(n) || size > uint64(len(p)) {
		return false
	}
	rest := uint64(len(p)) - size
	for types := p[n:size]; len(types) > 0; {
		t, n := varint(types)
		if n == 0 {
			return false
		}
		types = types[n:]
		length, ok := lengthOf(t)
		if !ok || length > rest {
			return false
		}
		rest -= length
	}
	return rest == 0
}

// decode returns the values of a record for which addsUp is true: int64, float64,
// string, []byte or nil.
func decode(p []byte) (values []any) {
	size, n := varint(p)
	types, body := p[n:size], p[size:]
	for len(types) > 0 {
		t, n := varint(types)
		types = types[n:]
		length, _ := lengthOf(t)
		values = append(values, value(t, body[:length]))
		body = body[length:]
	}
	return values
}

// lengthOf returns the length in bytes of a value of a serial type.
func lengthOf(t uint64) (n uint64, ok bool) {
	switch {
	case t <= 4:
		return t, true
	case t == 5:
		return 6, true
	case t <= 7:
		return 8, true
	case t <= 9:
		return 0, true
	case t <= 11:
		return 0, false // never in a file
	}
	return (t - 12) / 2, true
}

func value(t uint64, p []byte) any {
	switch {
	case t == 0:
		return nil
	case t == 7:
		return math.Float64frombits(binary.BigEndian.Uint64(p))
	case t <= 6:
		v := int64(int8(p[0]))
		for _, b := range p[1:] {
			v = v<<8 | int64(b)
		}
		return v
	case t <= 9:
		return int64(t - 8)
	case t%2 == 0:
		return append([]byte{}, p...)
	}
	return string(p)
}
