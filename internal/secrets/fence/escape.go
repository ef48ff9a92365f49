package fence

import (
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape returns a JSON document with every character escaped that shows nothing, turns a
// line around or commands a terminal: control and format characters, line and paragraph
// separators, and others that most fonts leave out. Its values stay as they are. Outside of
// texts JSON has none of these; what is not UTF-8 becomes U+FFFD, as readers take it.
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

// shows reports whether a character beyond ASCII takes up room on a screen, or says how the
// one before it is to be drawn.
func shows(r rune) bool {
	switch {
	case r == '\ufe0e', r == '\ufe0f': // drawn as text, drawn as an emoji
		return true
	case unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return false
	}
	return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r)
}
