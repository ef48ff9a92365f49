package input

import (
	"io"
	"testing"
)

func TestAPasteIsOneLineWhereverItIsCut(t *testing.T) {
	const typed = "a\x1b[200~one\r\ntwo\nthr\tee\x03\x1b[201~\x1b[Ab\x1b"
	const want = "aone⏎two⏎thr    ee\x1b[Ab\x1b"
	for size := 1; size <= len(typed); size++ {
		p := pasteReader{from: &slowly{text: typed, size: size}}
		got, err := io.ReadAll(&p)
		if err != nil || string(got) != want {
			t.Errorf("in pieces of %d: %q, %v; want %q", size, got, err, want)
		}
	}
}

// slowly is a reader that returns a text in pieces.
type slowly struct {
	text string
	size int
}

func (s *slowly) Read(p []byte) (int, error) {
	if s.text == "" {
		return 0, io.EOF
	}
	n := copy(p, s.text[:min(s.size, len(s.text))])
	s.text = s.text[n:]
	return n, nil
}
