package schema

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Object writes a JSON object member by member, in order. The zero value is an empty
// one.
type Object struct {
	buf bytes.Buffer
	err error
}

// Member adds a member; an error is that of Bytes.
func (w *Object) Member(name string, value any) {
	if w.err != nil {
		return
	}
	var data []byte
	if data, w.err = Marshal(value); w.err == nil {
		w.Raw(name, data)
	}
}

// Raw adds a member whose value is JSON already.
func (w *Object) Raw(name string, data []byte) {
	w.buf.WriteByte("{,"[min(w.buf.Len(), 1)])
	w.buf.WriteString(strconv.Quote(name)) // names are plain words
	w.buf.WriteByte(':')
	w.buf.Write(data)
}

// Bytes returns the object.
func (w *Object) Bytes() ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	if w.buf.Len() == 0 {
		return []byte("{}"), nil
	}
	return append(w.buf.Bytes(), '}'), nil
}

// Marshal is json.Marshal that leaves <, > and & as they are: what is written
// is for models, not for web pages.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
