package fence

import (
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape escapes the characters of a JSON document that are invisible, reverse the
// direction of a line or control a terminal: control and format characters, line and
// paragraph separators, and others that most fonts leave out. The values stay the same.
// Outside of strings JSON has no such characters. Invalid UTF-8 becomes U+FFFD, as
// decoders read it.
func Escape(data []byte) []byte {
	var out []byte // nil as long as nothing is escaped
	from := 0
	for i := 0; i < len(data); {
		if b := data[i]; b < utf8.RuneSelf && b != 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if isOut := r == utf8.RuneError && size == 1; isOut || !shows(r) {
			out = append(out, data[from:i]...)
			out = appendEscape(out, r)
			from = i + size
		}
		i += size
	}
	if from == 0 {
		return data
	}
	return append(out, data[from:]...)
}

func appendEscape(out []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Appendf(out, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}

// shows reports whether a character beyond ASCII takes up space on a screen, or selects
// how the one before it is drawn.
func shows(r rune) bool {
	switch {
	case r == '\ufe0e', r == '\ufe0f': // variation selectors for text and for emoji
		return true
	case unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return false
	}
	return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r)
}
