package fence

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns a JSON document without the characters of its texts that [Unseen] knows:
// what is remembered may come from anywhere, and goes to terminals and models. What is no
// JSON comes back without them too, and is none either.
func JSON(data []byte) []byte {
	if !suspicious(data) {
		return data
	}
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); {
		r, size := rune(data[i]), 1
		switch {
		case data[i] == '\\':
			r, size = escaped(data[i:])
		case data[i] >= utf8.RuneSelf:
			r, size = utf8.DecodeRune(data[i:])
		}
		if !Unseen(r) {
			out = append(out, data[i:i+size]...)
		}
		i += size
	}
	return out
}

// suspicious reports whether a document holds an escape or a byte beyond ASCII. Most hold
// neither.
func suspicious(data []byte) bool {
	for _, b := range data {
		if b == '\\' || b >= 0x7f {
			return true
		}
	}
	return false
}

// escaped is the character that an escape, or a pair of them for one beyond the first
// plane, stands for, and its length.
func escaped(data []byte) (r rune, size int) {
	if len(data) < 2 {
		return rune(data[0]), 1
	}
	switch data[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'r':
		return '\r', 2
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'u':
		first, ok := unit(data)
		if !ok {
			break
		}
		if second, ok := unit(data[6:]); ok && utf16.IsSurrogate(first) {
			if whole := utf16.DecodeRune(first, second); whole != utf8.RuneError {
				return whole, 12
			}
		}
		return first, 6
	}
	return rune(data[1]), 2
}

// unit is the unit of UTF-16 that an escape at the beginning stands for, if one is there.
func unit(data []byte) (rune, bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	return rune(n), err == nil
}
