package transfer

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Reader reads the rows of an export in bounded memory. It leaves out damaged lines and
// records them as problems.
type Reader struct {
	Schema int  // version of the schema of the rows
	Full   bool // the export is a full one

	// File is called with each part of a file; nil skips files. A [WriteError] that it
	// returns ends the reading; any other error leaves out the line.
	File func(FilePart) error
	// Progress is called with the number of lines read; may be nil.
	Progress func(done, total int64)

	lines   lineReader
	end     *Exported // nil until it was read
	damaged int64     // number of lines left out
	problem []store.Problem
}

// WriteError means that the destination of an import cannot be written, as opposed to an
// error in a line.
type WriteError struct{ Err error }

func (e *WriteError) Error() string { return e.Err.Error() }
func (e *WriteError) Unwrap() error { return e.Err }

// NewReader reads the header of an export that has rows, and returns a Reader for the
// rest.
func NewReader(from io.Reader) (*Reader, error) {
	r := &Reader{lines: lineReader{r: bufio.NewReaderSize(from, 1<<16)}}
	h, err := r.lines.header()
	if err == nil && !h.hasRows() {
		err = strata.Invalid("import", "the first line is not the header of a full export", "pass a file made by strata export --full")
	}
	r.Schema, r.Full = h.Schema, h.Full
	return r, err
}

// header reads the first line.
func (l *lineReader) header() (header, error) {
	text, _, err := l.next()
	if errors.Is(err, io.EOF) {
		return header{}, strata.Invalid("import", "the file is empty", "pass a file made by strata export")
	}
	if err != nil {
		return header{}, err
	}
	return parseHeader(text)
}

// Next returns the next row, or io.EOF after the last.
func (r *Reader) Next() (store.Row, error) {
	for {
		text, fits, err := r.lines.next()
		if err != nil {
			return store.Row{}, err
		}
		if r.Progress != nil && r.lines.number%1000 == 0 {
			r.Progress(r.lines.number, 0)
		}
		if !fits {
			r.Refuse(fmt.Sprintf("it is longer than %d bytes", maxLine))
			continue
		}
		row, isRow, err := r.read(text)
		var failed *WriteError
		switch {
		case errors.As(err, &failed):
			return row, err
		case err != nil:
			r.Refuse(err.Error())
		case isRow:
			return row, nil
		}
	}
}

// read reads a line. The error says what is wrong with the line.
func (r *Reader) read(text []byte) (row store.Row, isRow bool, err error) {
	line, err := parse(text)
	if err != nil {
		return row, false, err
	}
	if r.end != nil {
		return row, false, errors.New("it comes after the end")
	}
	switch line.kind {
	case kindFile:
		var part FilePart
		if err := json.Unmarshal(line.content, &part); err != nil || r.File == nil {
			return row, false, err
		}
		return row, false, r.File(part)
	case kindEnd:
		r.end = &Exported{}
		return row, false, json.Unmarshal(line.content, r.end)
	}
	row, err = line.row()
	return row, true, err
}

// Refuse records that the current line is left out.
func (r *Reader) Refuse(reason string) {
	const most = 100
	if r.damaged++; r.damaged <= most {
		r.problem = append(r.problem, store.Problem{Kind: "damaged_line", Ref: fmt.Sprint("line ", r.lines.number),
			Detail: fmt.Sprintf("line %d is left out: %s", r.lines.number, reason)})
	}
}

// LeftOut returns what is wrong with the export, given the number of rows taken from each
// table and of files, and what could not be read when the export was made.
func (r *Reader) LeftOut(rows map[string]int64, files int64) (wrong, unread []store.Problem) {
	wrong = slices.Clone(r.problem)
	lacks := func(kind, ref, detail string) {
		wrong = append(wrong, store.Problem{Kind: kind, Ref: ref, Detail: detail})
	}
	if r.end == nil {
		lacks("missing_end", "end", "the export has no end: what followed is missing")
		return wrong, nil
	}
	for _, table := range slices.Sorted(maps.Keys(r.end.Rows)) {
		if is, of := rows[table], r.end.Rows[table]; is < of {
			lacks("missing_rows", table, fmt.Sprintf("%d of %d rows of table %s are missing", of-is, of, table))
		}
	}
	if files < r.end.Files {
		lacks("missing_files", "files", fmt.Sprintf("%d of %d files are missing", r.end.Files-files, r.end.Files))
	}
	return wrong, r.end.LeftOut
}
