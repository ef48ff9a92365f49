package mcp

import "encoding/json"

// maxID is the longest id that is answered, in bytes.
const maxID = 1 << 10

// idScanner finds the id of a JSON-RPC message in a stream of bytes, so that a message
// too long to be read can still be answered. The zero value is ready to use.
type idScanner struct {
	depth             int
	inString, escaped bool
	// named means that the scanner is at a name of the message itself, not at the value
	// after it.
	named bool
	name  []byte // the last name read, in quotes
	value []byte // the value of the id, as far as it is read
}

// feed scans more bytes.
func (s *idScanner) feed(data []byte) {
	for _, c := range data {
		if s.inString {
			s.keep(c)
			switch {
			case s.escaped:
				s.escaped = false
			case c == '\\':
				s.escaped = true
			case c == '"':
				s.inString = false
			}
			continue
		}
		switch c {
		case '"':
			s.inString = true
			if s.depth == 1 && s.named {
				s.name = s.name[:0]
			}
			s.keep(c)
		case '{', '[':
			s.depth++
			// Objects inside an array do not count as the message.
			s.named = s.depth == 1 && c == '{'
		case '}', ']':
			s.depth--
		case ':':
			if s.depth == 1 {
				s.named = false
				if string(s.name) == `"id"` {
					s.value = s.value[:0] // if there are two, the last one counts, as elsewhere
				}
			}
		case ',':
			s.named = s.named || s.depth == 1
		case ' ', '\t', '\r', '\n':
		default:
			s.keep(c)
		}
	}
}

// keep stores a byte if it belongs to a name or to the id.
func (s *idScanner) keep(c byte) {
	switch {
	case s.depth != 1:
	case s.named && len(s.name) <= maxID:
		s.name = append(s.name, c)
	case !s.named && string(s.name) == `"id"` && len(s.value) <= maxID:
		s.value = append(s.value, c)
	}
}

// id returns the id that was found; nil if there is none that can be answered.
func (s *idScanner) id() json.RawMessage {
	v := s.value
	if len(v) == 0 || len(v) > maxID || !json.Valid(v) || v[0] != '"' && v[0] != '-' && (v[0] < '0' || v[0] > '9') {
		return nil
	}
	return v
}

// idOf returns the id of a message.
func idOf(data []byte) json.RawMessage {
	var s idScanner
	s.feed(data)
	return s.id()
}
