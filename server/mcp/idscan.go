package mcp

import "encoding/json"

// maxID is the longest id that is answered, in bytes.
const maxID = 1 << 10

// idScanner finds the id of a message of JSON-RPC while its bytes go by, so that one
// which is too long to be read can still be answered. The zero value is ready.
type idScanner struct {
	depth             int
	inString, escaped bool
	// named says that a name of the message itself is to come or being read, and not
	// the value behind it.
	named bool
	name  []byte // that was read last, in quotes
	value []byte // of the id, as far as it is read
}

// feed reads on.
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
			// What is inside an array is no message of its own here.
			s.named = s.depth == 1 && c == '{'
		case '}', ']':
			s.depth--
		case ':':
			if s.depth == 1 {
				s.named = false
				if string(s.name) == `"id"` {
					s.value = s.value[:0] // of two the last counts, as everywhere
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

// keep keeps a byte where it belongs to a name or to the id.
func (s *idScanner) keep(c byte) {
	switch {
	case s.depth != 1:
	case s.named && len(s.name) <= maxID:
		s.name = append(s.name, c)
	case !s.named && string(s.name) == `"id"` && len(s.value) <= maxID:
		s.value = append(s.value, c)
	}
}

// id is the id that was found; nil if there is none that can be answered.
func (s *idScanner) id() json.RawMessage {
	v := s.value
	if len(v) == 0 || len(v) > maxID || !json.Valid(v) || v[0] != '"' && v[0] != '-' && (v[0] < '0' || v[0] > '9') {
		return nil
	}
	return v
}

// idOf finds the id of a message.
func idOf(data []byte) json.RawMessage {
	var s idScanner
	s.feed(data)
	return s.id()
}
