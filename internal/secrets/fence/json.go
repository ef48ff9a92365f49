package fence

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON removes the characters reported by [Unseen] from the texts of a JSON document:
// what is remembered may come from anywhere, and goes to terminals and models. It also
// removes them from input that is not JSON.
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

// suspicious reports whether a document contains an escape or a byte beyond ASCII. Most
// contain neither.
func suspicious(data []byte) bool {
	for _, b := range data {
		if b == '\\' || b >= 0x7f {
			return true
		}
	}
	return false
}

// escaped decodes an escape, or a pair of them for a character beyond the Basic
// Multilingual Plane, and returns the character and the length of the escape.
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

// unit returns the UTF-16 code unit of the escape that data begins with, if there is one.
func unit(data []byte) (rune, bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	return rune(n), err == nil
}
