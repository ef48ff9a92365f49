package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine bounds one line of a stream, in bytes. A whole answer may come in
// one line; no answer of a model is nearly as long.
const MaxLine = 16 << 20

// ErrLineTooLong is returned for a line over [MaxLine].
var ErrLineTooLong = fmt.Errorf("a line of the stream is longer than %d bytes", MaxLine)

// Lines reads a stream line by line. Unlike bufio.Scanner it starts small and
// distinguishes a clean end from one that broke off.
type Lines struct {
	r   *bufio.Reader
	buf []byte
	max int
}

// NewLines reads the lines of r, which may be up to max bytes long.
func NewLines(r io.Reader, max int) *Lines {
	return &Lines{r: bufio.NewReader(r), max: max}
}

// Next returns the next line without its end, which is "\n" or "\r\n". The
// line is valid until the next call. At the end it returns io.EOF; whole says
// whether the line had an end, which the last one may lack.
func (l *Lines) Next() (line []byte, whole bool, err error) {
	l.buf = l.buf[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		if len(l.buf)+len(part) > l.max {
			return nil, false, ErrLineTooLong
		}
		if err == nil && len(l.buf) == 0 {
			return trimEnd(part), true, nil // the usual case: no copy
		}
		l.buf = append(l.buf, part...)
		switch {
		case err == nil:
			return trimEnd(l.buf), true, nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(l.buf) > 0:
			return trimEnd(l.buf), false, nil
		}
		return nil, false, err
	}
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
