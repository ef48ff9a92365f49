package input

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/strata-memory/strata"
)

// Lines reads messages from a pipe, one a line. A backslash at the end of a line
// joins it to the next.
type Lines struct{ from *bufio.Reader }

// NewLines returns the messages of r.
func NewLines(r io.Reader) *Lines { return &Lines{bufio.NewReader(r)} }

// Read returns the next message without white space around it, io.EOF at the
// end, and an error with code too_large for one longer than
// strata.MaxTurnBytes.
func (l *Lines) Read() (string, error) {
	var text strings.Builder
	for {
		line, err := l.from.ReadString('\n')
		if text.Len()+len(line) > strata.MaxTurnBytes {
			return "", tooLong("a message is")
		}
		part, continued := strings.CutSuffix(strings.TrimRight(line, "\r\n"), `\`)
		text.WriteString(part)
		switch {
		case err == nil && continued:
			text.WriteByte('\n')
			continue
		case err == nil, errors.Is(err, io.EOF) && text.Len() > 0:
			return strings.TrimSpace(text.String()), nil
		case errors.Is(err, io.EOF):
			return "", io.EOF
		}
		return "", ReadError("standard input", err)
	}
}

// Confirm refuses: nobody can be asked in a pipe.
func (l *Lines) Confirm(string) error {
	return strata.Invalid("", "there is no terminal to ask on", "add --yes to go ahead")
}

// Close does nothing: the reader belongs to the caller.
func (l *Lines) Close() {}
