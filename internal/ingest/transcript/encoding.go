package transcript

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// newText returns a reader that converts text to UTF-8. It recognizes UTF-16 by a byte
// order mark or by the zeros in its first characters, and takes invalid UTF-8 for
// Windows-1252. NUL becomes U+FFFD.
func newText(r io.Reader) *bufio.Reader {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		_, _ = in.Discard(3)
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), len(head) == 4 && head[0] != 0 && head[1] == 0 && head[3] == 0:
		return bufio.NewReaderSize(&wide{in: in, low: 0}, 64<<10)
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}), len(head) == 4 && head[0] == 0 && head[1] != 0 && head[2] == 0:
		return bufio.NewReaderSize(&wide{in: in, low: 1}, 64<<10)
	}
	return bufio.NewReaderSize(&narrow{in: in}, 64<<10)
}

// wide reads UTF-16 as UTF-8.
type wide struct {
	in   *bufio.Reader
	low  int    // place of the low byte in a unit
	half rune   // a high surrogate without its low surrogate yet; 0 for none
	out  []byte // UTF-8 that has not been read yet
}

// Read implements [io.Reader]. It drops an incomplete unit at the end.
func (w *wide) Read(p []byte) (int, error) {
	for len(w.out) < len(p) {
		var unit [2]byte
		if _, err := io.ReadFull(w.in, unit[:]); err != nil {
			if len(w.out) > 0 {
				break
			}
			if err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
			return 0, err
		}
		w.unit(rune(unit[w.low]) | rune(unit[1-w.low])<<8)
	}
	n := copy(p, w.out)
	w.out = append(w.out[:0], w.out[n:]...)
	return n, nil
}

func (w *wide) unit(r rune) {
	if w.half != 0 {
		pair := utf16.DecodeRune(w.half, r)
		w.half = 0
		w.out = utf8.AppendRune(w.out, pair)
		if pair != utf8.RuneError {
			return
		}
	}
	switch {
	case r >= 0xd800 && r < 0xdc00:
		w.half = r
	case r == 0xfeff:
	case r == 0:
		w.out = utf8.AppendRune(w.out, utf8.RuneError)
	default:
		w.out = utf8.AppendRune(w.out, r) // a low surrogate without a high one becomes U+FFFD
	}
}

// narrow reads UTF-8, and invalid bytes as Windows-1252.
type narrow struct {
	in  *bufio.Reader
	out []byte
}

// Read implements [io.Reader].
func (n *narrow) Read(p []byte) (int, error) {
	if len(n.out) == 0 {
		if head, err := n.in.Peek(utf8.UTFMax); len(head) == 0 {
			return 0, err
		}
		head, _ := n.in.Peek(n.in.Buffered())
		if plain := wholeBytes(head[:min(len(head), len(p))]); len(plain) > 0 && utf8.Valid(plain) && bytes.IndexByte(plain, 0) < 0 {
			c := copy(p, plain)
			_, _ = n.in.Discard(c)
			return c, nil
		}
		n.out = n.convert(head)
	}
	c := copy(p, n.out)
	n.out = n.out[c:]
	return c, nil
}

// wholeBytes returns b without an incomplete character at its end.
func wholeBytes(b []byte) []byte {
	for i := 1; i <= utf8.UTFMax && i <= len(b); i++ {
		if utf8.RuneStart(b[len(b)-i]) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// convert consumes and converts the characters in b, which is buffered in n.in. It leaves
// an incomplete character at the end for the next call, unless nothing comes before it.
func (n *narrow) convert(b []byte) []byte {
	var out []byte
	used := 0
	for used < len(b) {
		r, size := utf8.DecodeRune(b[used:])
		if r == utf8.RuneError && size == 1 {
			if used > 0 && !utf8.FullRune(b[used:]) {
				break
			}
			r = windows1252(b[used])
		}
		if r == 0 {
			r = utf8.RuneError
		}
		out = utf8.AppendRune(out, r)
		used += size
	}
	_, _ = n.in.Discard(used)
	return out
}

// windows1252 returns the character of a byte from 0x80.
func windows1252(b byte) rune {
	if b >= 0xa0 {
		return rune(b)
	}
	return [32]rune{
		'€', 0xfffd, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0xfffd, 'Ž', 0xfffd,
		0xfffd, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0xfffd, 'ž', 'Ÿ',
	}[b-0x80]
}
