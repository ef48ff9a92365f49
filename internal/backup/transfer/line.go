// Package transfer exports memory as JSON lines and imports it: either as rows into a new
// database, or as records into a memory that may already contain others. The format is
// described in docs/formats/export.md.
//
// Memory use is bounded by the longest row.
package transfer

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Version is the version of the format.
const Version = 2

// format is the format name in the first line. Version 1 had no rows. Full exports of
// that time had their own format, earlierFull, with the lines of version 2.
const format, earlierFull = "strata-export", "strata-full-export"

// Kinds of lines. All others are names of tables.
const (
	kindHeader = "header"
	kindFile   = "file"
	kindEnd    = "end"
)

// header is the first line.
type header struct {
	Kind    string `json:"kind"`
	Format  string `json:"format"`
	Version int    `json:"version"`
	Schema  int    `json:"schema"` // version of the rows' schema, docs/formats/schema.md
	Full    bool   `json:"full,omitempty"`
}

// parseHeader reads the first line of an export of any version.
func parseHeader(text []byte) (h header, err error) {
	newest := Version
	bad := json.Unmarshal(text, &h) != nil || h.Kind != kindHeader
	switch {
	case !bad && h.Format == format:
	case !bad && h.Format == earlierFull:
		h.Full, newest = true, 1
	default:
		return h, strata.Invalid("import", "the first line is not the header of an export", "pass a file made by strata export")
	}
	if h.Version > newest {
		return h, &strata.Error{Code: strata.CodeNewerVersion, Op: "import",
			Message: fmt.Sprintf("the export has version %d, this program reads up to %d", h.Version, newest), Hint: "install the newest strata"}
	}
	return h, nil
}

// hasRows reports whether the lines after the header are rows.
func (h header) hasRows() bool { return h.Full || h.Version > 1 }

// MostHeader is an upper bound on the size of a header in bytes.
const MostHeader = 256

// IsFull reports whether a file that begins with first is a full export.
func IsFull(first []byte) bool {
	text, _, _ := bytes.Cut(first, []byte("\n"))
	h, err := parseHeader(text)
	return h.Full && (err == nil || strata.CodeOf(err) == strata.CodeNewerVersion)
}

// FilePart is a part of a file of the home.
type FilePart struct {
	Path   string    `json:"path"` // in the home, with slashes
	Offset int64     `json:"offset"`
	Data   []byte    `json:"data"`
	Time   time.Time `json:"time,omitzero"` // in the last part: modification time of the file
	Last   bool      `json:"last,omitempty"`
}

const (
	// partSize is the number of bytes of a file in one line.
	partSize = 1 << 20
	// maxLine is an upper bound on the size of a row: a turn with the largest text, every
	// byte of which is escaped, or an image.
	maxLine = 6*(strata.MaxTurnBytes+strata.MaxCallBytes) + 2*strata.MaxImageBytes
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendValue appends a value: null, a number, a string, or an object with base64 data,
// which is {"bytes":…} for bytes and {"text":…} for text that is not valid UTF-8.
func appendValue(to []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(to, "null"...), nil
	case int64:
		return strconv.AppendInt(to, v, 10), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return to, &strata.Error{Code: strata.CodeCorrupt, Op: "export", Message: "a row holds an invalid number", Hint: "run strata doctor"}
		}
		return strconv.AppendFloat(to, v, 'g', -1, 64), nil
	case []byte:
		to = append(to, `{"bytes":"`...)
		return append(base64.StdEncoding.AppendEncode(to, v), `"}`...), nil
	case string:
		if !utf8.ValidString(v) {
			to = append(to, `{"text":"`...)
			return append(base64.StdEncoding.AppendEncode(to, []byte(v)), `"}`...), nil
		}
		if strings.IndexFunc(v, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) < 0 {
			to = append(append(to, '"'), v...)
			return append(to, '"'), nil
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return to, err
		}
		return append(to, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...), nil
	}
	return to, fmt.Errorf("a row holds a %T", v)
}

// line is a line whose checksum was verified.
type line struct {
	kind    string
	content json.RawMessage
}

// parse parses a line and verifies its checksum. The error says what is wrong with the
// line.
func parse(text []byte) (l line, err error) {
	if !utf8.Valid(text) {
		return l, errors.New("it is not UTF-8")
	}
	fields := make(map[string]json.RawMessage)
	if err := json.Unmarshal(text, &fields); err != nil {
		return l, fmt.Errorf("it is not a JSON object: %w", err)
	}
	var sum uint32
	if json.Unmarshal(fields["kind"], &l.kind) != nil || json.Unmarshal(fields["crc"], &sum) != nil || len(fields) != 3 {
		return l, errors.New("it is not a line of an export")
	}
	if l.content = fields[l.kind]; l.content == nil || crc32.Checksum(l.content, castagnoli) != sum {
		return l, errors.New("it is not what was written: its checksum differs")
	}
	return l, nil
}

// row reads the content of a line as a row.
func (l line) row() (r store.Row, err error) {
	r.Table = l.kind
	fields := make(map[string]json.RawMessage)
	if err := json.Unmarshal(l.content, &fields); err != nil {
		return r, fmt.Errorf("its row is not an object: %w", err)
	}
	r.Columns = slices.Sorted(maps.Keys(fields))
	for _, column := range r.Columns {
		v, err := readValue(fields[column])
		if err != nil {
			return r, fmt.Errorf("%s: %w", column, err)
		}
		r.Values = append(r.Values, v)
	}
	return r, nil
}

// readValue is the inverse of appendValue.
func readValue(text json.RawMessage) (any, error) {
	switch text[0] {
	case 'n':
		return nil, nil
	case '"':
		var s string
		err := json.Unmarshal(text, &s)
		return s, err
	case '{':
		var coded struct{ Bytes, Text *[]byte }
		err := json.Unmarshal(text, &coded)
		switch {
		case err != nil:
			return nil, err
		case coded.Bytes != nil:
			return *coded.Bytes, nil
		case coded.Text != nil:
			return string(*coded.Text), nil
		}
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return n, nil
		}
		return strconv.ParseFloat(string(text), 64)
	}
	return nil, errors.New("it is not a value of a row")
}

// lineReader reads lines in bounded memory.
type lineReader struct {
	r      *bufio.Reader
	number int64 // number of the line read last, from 1
	buf    []byte
}

// next returns the next line without its end, or io.EOF after the last line. The text is
// valid until the following call. fits is false if the line exceeds maxLine.
func (l *lineReader) next() (text []byte, fits bool, err error) {
	l.buf, fits = l.buf[:0], true
	for {
		part, err := l.r.ReadSlice('\n')
		if fits = fits && len(l.buf)+len(part) <= maxLine; fits {
			l.buf = append(l.buf, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(part) == 0 && len(l.buf) == 0:
			return nil, true, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, true, err
		}
		l.number++
		return bytes.TrimRight(l.buf, "\r\n"), fits, nil
	}
}
