package transfer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Exported is the result of an export.
type Exported struct {
	Rows    map[string]int64 `json:"rows"` // by table
	Files   int64            `json:"files"`
	LeftOut []store.Problem  `json:"left_out,omitempty"` // what could not be read
}

// Export writes the memory of the given scopes, or of all scopes if there are none, as of
// a single consistent state. leftOut lists what is known to be missing from the store
// because it could not be read.
func Export(ctx context.Context, st store.Store, scopes []strata.Scope, leftOut []store.Problem, to io.Writer) (Exported, error) {
	rows, ok := st.(store.RowStore)
	if !ok {
		return Exported{}, noRows("export")
	}
	w := NewWriter(to, nil)
	w.Out.LeftOut = leftOut
	err := rows.Rows(ctx, store.RowOptions{Scopes: scopes}, func(schema int) error { return w.Begin(schema, false) }, w.Row)
	if err == nil {
		err = w.End()
	}
	return w.Out, err
}

func noRows(op string) error {
	return &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: "the store of this memory cannot write its rows out or read them back", Hint: "use the default store"}
}

// Writer writes an export. Call Begin first, then Row for each row and File for each
// file, and finally End.
type Writer struct {
	Out Exported // what was written and left out

	w        *bufio.Writer
	buf      []byte
	lines    int64
	progress func(done, total int64)
}

// NewWriter returns a Writer. progress, which may be nil, is called with the number of
// lines written.
func NewWriter(to io.Writer, progress func(done, total int64)) *Writer {
	return &Writer{Out: Exported{Rows: make(map[string]int64)}, w: bufio.NewWriterSize(to, 1<<16), progress: progress}
}

// Begin writes the header.
func (w *Writer) Begin(schema int, full bool) error {
	return json.NewEncoder(w.w).Encode(header{Kind: kindHeader, Format: format, Version: Version, Schema: schema, Full: full})
}

// Row writes a row as an object of its columns.
func (w *Writer) Row(r store.Row) error {
	w.buf = append(w.buf[:0], '{')
	for i, column := range r.Columns {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.buf = append(strconv.AppendQuote(w.buf, column), ':') // column names need no JSON escapes
		var err error
		if w.buf, err = appendValue(w.buf, r.Values[i]); err != nil {
			return err
		}
	}
	w.buf = append(w.buf, '}')
	w.Out.Rows[r.Table]++
	return w.put(r.Table, w.buf)
}

// UnreadError means that a file cannot be read, as opposed to an error of the export's
// own writer.
type UnreadError struct{ Err error }

func (e *UnreadError) Error() string { return e.Err.Error() }

// File writes a file of a home in parts. path is its path in the home, and at its
// modification time.
func (w *Writer) File(path string, from io.Reader, at time.Time) error {
	buf := make([]byte, partSize)
	for offset := int64(0); ; {
		n, err := io.ReadFull(from, buf)
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !last {
			return &UnreadError{Err: err}
		}
		part := FilePart{Path: path, Offset: offset, Data: buf[:n], Last: last}
		if last {
			part.Time = at.UTC() // the time tells that a file has not changed
		}
		if err := w.value(kindFile, part); err != nil {
			return err
		}
		if last {
			w.Out.Files++
			return nil
		}
		offset += int64(n)
	}
}

// End writes the last line and flushes the export.
func (w *Writer) End() error {
	return errors.Join(w.value(kindEnd, w.Out), w.w.Flush())
}

func (w *Writer) value(kind string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	return w.put(kind, bytes.TrimSpace(b.Bytes()))
}

// put writes a line with a kind, its content and the CRC-32C of the content.
func (w *Writer) put(kind string, content []byte) error {
	if w.lines++; w.progress != nil && w.lines%1000 == 0 {
		w.progress(w.lines, 0)
	}
	_, err := fmt.Fprintf(w.w, `{"kind":%q,"crc":%d,%q:%s}`+"\n", kind, crc32.Checksum(content, castagnoli), kind, content)
	return err
}
