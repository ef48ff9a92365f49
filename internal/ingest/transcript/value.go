package transcript

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// value is a JSON value. Long texts are cut while they are read, so that its size in
// memory is bounded.
type value struct {
	kind byte     // '{', '[', '"', '0' for a number, 't', 'f', or 0 for null or a missing value
	keys []string // of an object
	list []value  // of an array or object
	// text of a string or number, or the beginning of a string that was cut
	text string
	tail string // the end of a string that was cut
	size int    // length in bytes of the uncut string
}

// get returns the value at a path of keys, or the zero value if there is none.
func (v value) get(path ...string) value {
	for _, name := range path {
		next := value{}
		for i, k := range v.keys {
			if k == name {
				next = v.list[i]
			}
		}
		v = next
	}
	return v
}

// first returns the value of the first key that is present and not null.
func (v value) first(names ...string) value {
	for _, n := range names {
		if got := v.get(n); got.kind != 0 {
			return got
		}
	}
	return value{}
}

// has reports whether an object has all the keys, with values that are not null.
func (v value) has(names ...string) bool {
	for _, n := range names {
		if v.get(n).kind == 0 {
			return false
		}
	}
	return true
}

// is reports whether the value is true.
func (v value) is() bool { return v.kind == 't' }

// items returns the values of an array, or nil for other values.
func (v value) items() []value {
	if v.kind != '[' {
		return nil
	}
	return v.list
}

// str returns the text of a string, at most maxText bytes, or "" for other values.
func (v value) str() string {
	if v.kind != '"' {
		return ""
	}
	return v.short(maxText)
}

// name returns a string or number of up to 256 bytes, such as an id, or "" for other
// values.
func (v value) name() string {
	if v.kind != '"' && v.kind != '0' || len(v.text) > 256 || v.tail != "" {
		return ""
	}
	return v.text
}

// number returns the value of a number or of a string that contains one.
func (v value) number() (float64, bool) {
	if v.kind != '0' && v.kind != '"' {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.text, 64)
	return f, err == nil
}

// short returns the text of a string. Of one longer than limit bytes, it returns the
// beginning and the end with a mark in between. The beginning gets three fifths of the
// limit, since it is where a text says what it is.
func (v value) short(limit int) string {
	if v.tail == "" && len(v.text) <= limit {
		return v.text
	}
	head, tail := v.text, v.tail
	if tail == "" {
		tail = head
	}
	head = whole(head[:min(len(head), limit*3/5)])
	tail = tail[max(0, len(tail)-limit*2/5):]
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return head + "\n[… " + strconv.Itoa(v.size-len(head)-len(tail)) + " bytes left out …]\n" + tail
}

// whole returns s without an incomplete character at its end.
func whole(s string) string {
	end := s[max(0, len(s)-utf8.UTFMax):]
	return s[:len(s)-len(end)+len(wholeBytes([]byte(end)))]
}

// json returns v as JSON, with its strings shortened to limit bytes each.
func (v value) json(limit int) string {
	var b strings.Builder
	v.write(&b, limit)
	return b.String()
}

func (v value) write(b *strings.Builder, limit int) {
	switch v.kind {
	case '{', '[':
		b.WriteByte(v.kind)
		for i, item := range v.list {
			if i > 0 {
				b.WriteByte(',')
			}
			if v.kind == '{' {
				writeString(b, v.keys[i])
				b.WriteByte(':')
			}
			item.write(b, limit)
		}
		b.WriteByte(v.kind + 2) // "}" and "]" are two code points after their openers
	case '"':
		writeString(b, v.short(limit))
	case '0':
		b.WriteString(v.text)
	case 't':
		b.WriteString("true")
	case 'f':
		b.WriteString("false")
	default:
		b.WriteString("null")
	}
}

func writeString(b *strings.Builder, s string) {
	const hex = "0123456789abcdef"
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c < 0x20:
			b.WriteString(`\u00`)
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
}
