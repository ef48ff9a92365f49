package input

import (
	"io"
	"slices"
	"strings"
)

// pasteReader replaces the line breaks of pasted text by marks, so that it is one
// message. A terminal puts ESC [200~ and ESC [201~ around pasted text (xterm, "bracketed
// paste mode"). A sequence cut off by the end of a read waits for the next; so does a
// lone escape, as in readline itself.
type pasteReader struct {
	from    io.Reader
	inside  bool
	partial []byte // possible beginning of a sequence
	ready   []byte // to be returned by Read
}

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

func (p *pasteReader) Read(out []byte) (int, error) {
	for len(p.ready) == 0 {
		var buf [1024]byte
		n, err := p.from.Read(buf[:])
		p.translate(buf[:n])
		if err != nil { // what was held back is not a sequence
			p.ready, p.partial = append(p.ready, p.partial...), nil
		}
		if err != nil && len(p.ready) == 0 {
			return 0, err
		}
	}
	n := copy(out, p.ready)
	p.ready = p.ready[n:]
	return n, nil
}

// translate appends data to ready, with pasted text on one line.
func (p *pasteReader) translate(data []byte) {
	data = append(p.partial, data...)
	p.partial = nil
	for len(data) > 0 {
		mark := pasteBegin
		if p.inside {
			mark = pasteEnd
		}
		switch {
		case strings.HasPrefix(string(data), mark):
			p.inside, data = !p.inside, data[len(mark):]
		case strings.HasPrefix(mark, string(data)), p.inside && string(data) == "\r":
			p.partial = slices.Clone(data)
			return
		case p.inside && (data[0] == '\r' || data[0] == '\n'):
			if data[0] == '\r' && len(data) > 1 && data[1] == '\n' {
				data = data[1:]
			}
			p.ready = append(p.ready, string(newlineMark)...)
			data = data[1:]
		case p.inside && data[0] == '\t':
			p.ready, data = append(p.ready, "    "...), data[1:]
		case p.inside && data[0] < ' ':
			data = data[1:] // pasted text presses no keys
		default:
			p.ready, data = append(p.ready, data[0]), data[1:]
		}
	}
}
