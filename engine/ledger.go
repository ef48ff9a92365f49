package engine

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/strata-memory/strata"
)

// ledgerWriter writes a session and its turns as JSON lines: the session in
// the first, then each turn in a line of its own. The same session gives the
// same bytes. See docs/formats/session.md.
type ledgerWriter struct {
	enc  *json.Encoder
	left int64 // turns that are still to come
}

func newLedgerWriter(w io.Writer, s strata.Session) (*ledgerWriter, error) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return &ledgerWriter{enc: enc, left: s.Turns}, enc.Encode(s)
}

func (w *ledgerWriter) append(t strata.Turn) error {
	w.left--
	return w.enc.Encode(t)
}

// close reports whether all turns were written.
func (w *ledgerWriter) close() error {
	if w.left != 0 {
		return &strata.Error{Code: strata.CodeCorrupt, Op: "write transcript",
			Message: fmt.Sprintf("the session counts %d turns more than it has", w.left), Hint: "run strata doctor"}
	}
	return nil
}

// maxLedgerLine is the longest line of a ledger: a turn of the largest text,
// calls and images, with every byte of the text escaped.
const maxLedgerLine = 6*(strata.MaxTurnBytes+strata.MaxCallBytes) + 2*strata.MaxImageBytes

// readLedger is the inverse of ledgerWriter.
func readLedger(r io.Reader) (strata.Session, []strata.Turn, error) {
	const op = "read transcript"
	var s strata.Session
	var turns []strata.Turn
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxLedgerLine)
	for n := 1; lines.Scan(); n++ {
		var err error
		if n == 1 {
			err = json.Unmarshal(lines.Bytes(), &s)
		} else {
			var t strata.Turn
			err = json.Unmarshal(lines.Bytes(), &t)
			turns = append(turns, t)
		}
		if err != nil {
			return s, nil, damagedLedger(fmt.Sprintf("line %d is not JSON", n), err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return s, nil, damagedLedger("a line is too long", err)
	} else if err != nil {
		return s, nil, fmt.Errorf("%s: %w", op, err)
	}
	if s.ID == "" || int64(len(turns)) != s.Turns {
		return s, nil, damagedLedger(fmt.Sprintf("it has %d of %d turns", len(turns), s.Turns), nil)
	}
	return s, turns, nil
}

func damagedLedger(message string, err error) error {
	return &strata.Error{Code: strata.CodeCorrupt, Op: "read transcript", Message: "the transcript is damaged: " + message,
		Hint: "the database holds the same turns: run strata turns", Err: err}
}
