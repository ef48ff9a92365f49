package openai

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/strata-memory/strata/internal/models/wire"
)

// events reads a stream of server-sent events and returns their data. It is more lenient
// than the standard: an event may lack its empty line before the next one or at the end,
// and a line may be bare JSON, which is how some servers report an error.
type events struct {
	lines *wire.Lines
	data  []byte // of the event being read
	ready []byte // a line read too far, which starts the next event
	out   []byte
}

func newEvents(r io.Reader) *events {
	return &events{lines: wire.NewLines(r, wire.MaxLine)}
}

// next returns the data of the next event, which is valid until the next call. At the end
// it returns io.EOF. whole says whether the event was complete.
func (e *events) next() (data []byte, whole bool, err error) {
	e.data = append(e.data[:0], e.ready...)
	e.ready = e.ready[:0]
	for {
		line, _, err := e.lines.Next()
		if err == io.EOF && len(e.data) > 0 {
			return e.take(), json.Valid(e.data), nil
		}
		if err != nil {
			return nil, false, err
		}
		payload, ok := dataOf(line)
		switch {
		case len(line) == 0:
			if len(e.data) > 0 {
				return e.take(), true, nil
			}
		case !ok:
			// A comment, or a field that is not needed.
		case len(e.data) > 0 && (isWhole(e.data) || isDone(e.data)):
			e.ready = append(e.ready, payload...)
			return e.take(), true, nil
		case len(e.data)+len(payload) > wire.MaxLine:
			return nil, false, wire.ErrLineTooLong
		default:
			if len(e.data) > 0 {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, payload...)
		}
	}
}

// take returns the collected data; the buffer is kept for the next event.
func (e *events) take() []byte {
	e.out = append(e.out[:0], e.data...)
	return e.out
}

// dataOf returns the data of a line.
func dataOf(line []byte) (payload []byte, ok bool) {
	if rest, found := bytes.CutPrefix(line, []byte("data:")); found {
		return bytes.TrimPrefix(rest, []byte(" ")), true
	}
	if len(line) > 0 && line[0] == '{' {
		return line, true
	}
	return nil, false
}

// isWhole reports whether data is a JSON object.
func isWhole(data []byte) bool {
	return bytes.HasSuffix(bytes.TrimSpace(data), []byte("}")) && json.Valid(data)
}

// isDone reports whether data is the end-of-stream marker.
func isDone(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte("[DONE]")) }
