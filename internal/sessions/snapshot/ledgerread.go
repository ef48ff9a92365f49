package snapshot

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/strata-memory/strata"
)

// ReadLedger reads a whole ledger. Its errors name the line: corrupt if a line is
// damaged, cut off or missing, newer_version if a newer Strata wrote the ledger, and
// too_large if a line exceeds [MaxLedgerLine].
func ReadLedger(r io.Reader) (strata.Session, []strata.Turn, error) {
	lr, err := NewLedgerReader(r)
	if err != nil {
		return strata.Session{}, nil, err
	}
	var turns []strata.Turn
	for {
		t, err := lr.Next()
		if errors.Is(err, io.EOF) {
			return lr.Session(), turns, nil
		}
		if err != nil {
			return strata.Session{}, nil, err
		}
		turns = append(turns, t)
	}
}

// LedgerReader reads a ledger turn by turn, holding one line at a time. It is
// not safe for concurrent use.
type LedgerReader struct {
	session strata.Session
	in      *bufio.Reader
	longest int    // longest allowed line, in bytes
	buf     []byte // last line read, if it did not fit in the reader's buffer
	line    int64  // number of the line last read, from 1
	last    int64  // sequence number of the last turn
	read    int64  // number of turns read
	err     error  // first error or io.EOF, which every later call returns
}

// NewLedgerReader returns a reader after reading the first line.
func NewLedgerReader(r io.Reader) (*LedgerReader, error) {
	return newLedgerReader(r, MaxLedgerLine)
}

func newLedgerReader(r io.Reader, longest int) (*LedgerReader, error) {
	lr := &LedgerReader{in: bufio.NewReaderSize(r, 64<<10), longest: longest}
	line, err := lr.next()
	if errors.Is(err, io.EOF) {
		return nil, atLine(1, strata.CodeCorrupt, "the ledger is empty", nil)
	}
	if err != nil {
		return nil, err
	}
	lr.session, err = parseMeta(line)
	return lr, err
}

// Session returns the session that the first line describes.
func (r *LedgerReader) Session() strata.Session { return r.session }

// Next returns the next turn. After the last turn it returns [io.EOF], which means that
// the whole ledger is complete.
func (r *LedgerReader) Next() (strata.Turn, error) {
	if r.err != nil {
		return strata.Turn{}, r.err
	}
	t, err := r.turn()
	if err != nil {
		r.err = err
		return strata.Turn{}, err
	}
	return t, nil
}

func (r *LedgerReader) turn() (strata.Turn, error) {
	line, err := r.next()
	switch {
	case errors.Is(err, io.EOF) && r.read == r.session.Turns:
		return strata.Turn{}, io.EOF
	case errors.Is(err, io.EOF):
		return strata.Turn{}, atLine(r.line+1, strata.CodeCorrupt,
			fmt.Sprintf("the ledger ends after %d of %d turns", r.read, r.session.Turns), nil)
	case err != nil:
		return strata.Turn{}, err
	case r.read == r.session.Turns:
		return strata.Turn{}, atLine(r.line, strata.CodeCorrupt, fmt.Sprintf("there are more than the %d turns of the first line", r.read), nil)
	}
	var l ledgerTurn
	if err := decode(line, &l); err != nil {
		return strata.Turn{}, atLine(r.line, strata.CodeCorrupt, "not a turn", err)
	}
	t := l.turn(r.session)
	if err := checkTurn(r.session, t, r.last); err != nil {
		return strata.Turn{}, atLine(r.line, strata.CodeCorrupt, "not a turn of this session", err)
	}
	r.last = t.Seq
	r.read++
	return t, nil
}

// next returns the next line without its end; it is valid until the next call. It returns
// io.EOF if the file ends after a complete line.
func (r *LedgerReader) next() ([]byte, error) {
	r.line++
	r.buf = r.buf[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		if len(r.buf)+len(part) > r.longest+1 || len(r.buf)+len(part) > r.longest && err != nil {
			return nil, atLine(r.line, strata.CodeTooLarge, fmt.Sprintf("longer than %d bytes", r.longest), nil)
		}
		switch {
		case err == nil && len(r.buf) == 0:
			return part[:len(part)-1], nil
		case err == nil:
			r.buf = append(r.buf, part...)
			return r.buf[:len(r.buf)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
			r.buf = append(r.buf, part...)
		case errors.Is(err, io.EOF) && len(r.buf)+len(part) > 0:
			return nil, atLine(r.line, strata.CodeCorrupt, "cut off before its end", nil)
		case errors.Is(err, io.EOF):
			r.line--
			return nil, io.EOF
		default:
			return nil, fmt.Errorf("read ledger: line %d: %w", r.line, err)
		}
	}
}

// parseMeta parses the first line. It checks the format and version first, because a
// newer version may have fields that this one does not know.
func parseMeta(line []byte) (strata.Session, error) {
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return strata.Session{}, atLine(1, strata.CodeCorrupt, "not JSON", err)
	}
	switch {
	case head.Format != ledgerFormat:
		return strata.Session{}, atLine(1, strata.CodeCorrupt, "not a ledger", nil)
	case head.Version > LedgerVersion:
		return strata.Session{}, atLine(1, strata.CodeNewerVersion,
			fmt.Sprintf("the ledger has version %d; this build reads up to %d", head.Version, LedgerVersion), nil)
	case head.Version < 1:
		return strata.Session{}, atLine(1, strata.CodeCorrupt, "the version is not a positive number", nil)
	}
	var m ledgerMeta
	if err := decode(line, &m); err != nil {
		return strata.Session{}, atLine(1, strata.CodeCorrupt, "not the first line of a ledger", err)
	}
	s, err := m.session()
	if err != nil {
		return strata.Session{}, atLine(1, strata.CodeCorrupt, "not a session", err)
	}
	return s, nil
}

// decode decodes a line that must be exactly one JSON object without fields unknown to v.
func decode(line []byte, v any) error {
	if !utf8.Valid(line) {
		return errors.New("the line is not valid UTF-8")
	}
	if len(line) == 0 || line[0] != '{' {
		return errors.New("a line must be one JSON object")
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}
