package snapshot

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"

	"github.com/strata-memory/strata"
)

// LedgerWriter writes the ledger of a session turn by turn, in the order of their
// sequence numbers. The same input gives the same bytes. It refuses, as invalid or
// too_large, what could not be read back unchanged; what was written before is then not a
// complete ledger, so write to a temporary file. Errors of the underlying writer are
// wrapped. A LedgerWriter is not safe for concurrent use.
type LedgerWriter struct {
	session strata.Session
	out     *bufio.Writer
	line    bytes.Buffer // turn being written
	last    int64        // sequence number of the last turn
	written int64        // number of turns written
	err     error        // first error, which every later call returns
}

// NewLedgerWriter returns a writer after writing the first line, which announces s.Turns
// turns.
func NewLedgerWriter(w io.Writer, s strata.Session) (*LedgerWriter, error) {
	if err := checkSession(s); err != nil {
		return nil, fmt.Errorf("write ledger: %w", err)
	}
	lw := &LedgerWriter{session: s, out: bufio.NewWriterSize(w, 64<<10)}
	if err := lw.put(metaOf(s)); err != nil {
		return nil, fmt.Errorf("write ledger of %s: %w", s.ID, err)
	}
	return lw, nil
}

// Append writes the next turn.
func (w *LedgerWriter) Append(t strata.Turn) error {
	if w.err == nil {
		w.err = w.append(t)
	}
	return w.err
}

func (w *LedgerWriter) append(t strata.Turn) error {
	if w.written == w.session.Turns {
		return strata.Invalid("write ledger", fmt.Sprintf("the session counts %d turns, and more were given", w.written),
			"read the session and its turns in one transaction")
	}
	if err := checkTurn(w.session, t, w.last); err != nil {
		return fmt.Errorf("write turn %s: %w", t.ID, err)
	}
	images := 0
	for _, i := range t.Images {
		images += base64.StdEncoding.EncodedLen(len(i.Data))
	}
	if images > MaxLedgerLine { // checked before encoding them
		return fmt.Errorf("write turn %s: %w", t.ID, tooLong())
	}
	if err := w.put(lineOf(t)); err != nil {
		return fmt.Errorf("write turn %s: %w", t.ID, err)
	}
	w.last = t.Seq
	w.written++
	return nil
}

// Close flushes the buffer and returns an error if the ledger is incomplete. It does not
// close the underlying writer.
func (w *LedgerWriter) Close() error {
	if w.err != nil {
		return w.err
	}
	if w.written != w.session.Turns {
		w.err = strata.Invalid("write ledger", fmt.Sprintf("the session counts %d turns, and %d were given", w.session.Turns, w.written),
			"read the session and its turns in one transaction")
		return w.err
	}
	if err := w.out.Flush(); err != nil {
		w.err = fmt.Errorf("write ledger of %s: %w", w.session.ID, err)
	}
	return w.err
}

// put writes one line.
func (w *LedgerWriter) put(line any) error {
	w.line.Reset()
	enc := json.NewEncoder(&w.line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil {
		return err
	}
	if w.line.Len()-1 > MaxLedgerLine {
		return tooLong()
	}
	_, err := w.out.Write(w.line.Bytes())
	return err
}

func tooLong() error {
	return &strata.Error{Code: strata.CodeTooLarge, Op: "write ledger",
		Message: "the line is longer than 128 MiB", Hint: "keep large images out of the turn"}
}
