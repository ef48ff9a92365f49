package token

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// encoding is a tokenizer of the tiktoken module. Its table is embedded in the program
// and takes 0.1 to 0.2 s to load, once.
type encoding struct {
	table  func() (*tiktoken.Tiktoken, error) // waits until the table is loaded
	loaded atomic.Bool
	once   sync.Once // guards load
}

var (
	cl100k = newEncoding(tiktoken.MODEL_CL100K_BASE)
	o200k  = newEncoding(tiktoken.MODEL_O200K_BASE)
)

// offline makes the module read its tables from the program rather than from the network.
var offline = sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader.NewOfflineLoader()) })

func newEncoding(name string) *encoding {
	e := new(encoding)
	e.table = sync.OnceValues(func() (*tiktoken.Tiktoken, error) {
		offline()
		t, err := tiktoken.GetEncoding(name)
		if err != nil {
			return nil, fmt.Errorf("load tokenizer table %s: %w", name, err)
		}
		e.loaded.Store(true)
		return t, nil
	})
	return e
}

// load starts loading the table in the background. The goroutine ends once the table is
// loaded. Callers that count meanwhile wait for it.
func (e *encoding) load() {
	e.once.Do(func() { go e.table() })
}

// Ready reports whether Count returns without waiting.
func (e *encoding) Ready() bool { return e.loaded.Load() }

// Count returns the number of tokens in s. It counts each invalid UTF-8 byte as U+FFFD,
// which is how JSON encodes it.
func (e *encoding) Count(s string) int {
	if s == "" {
		return 0
	}
	table, err := e.table()
	if err != nil {
		// The table is embedded, so this is a broken build. A token has at least one
		// byte, so len(s) keeps hard budgets hard.
		return len(s)
	}
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	n := 0
	for s != "" {
		end := part(s)
		// Encode would panic on the names of control tokens.
		n += len(table.EncodeOrdinary(s[:end]))
		s = s[end:]
	}
	return n
}

// maxRun is how many bytes of one run are encoded at a time. The work grows with the
// square of the length, and only noise has longer runs, such as "a" repeated 40,000
// times. Cutting a run changes its count by one or two for each cut.
const maxRun = 256

// part returns the end of the first part of s to encode at a time: all of s, or up to
// where a run becomes too long. A run is what a tokenizer may treat as one piece:
// letters, white space, or other characters. Tokenizers split numbers into groups of
// three.
func part(s string) int {
	start, last := 0, number // of the run
	for i, r := range s {
		c := classOf(r)
		if c == mark && last != number {
			c = last // a mark may join anything but a number
		}
		if c != last || c == number {
			start, last = i, c
		} else if i-start >= maxRun {
			return i
		}
	}
	return len(s)
}

// class is a class of characters that tokenizer patterns distinguish.
type class int

const (
	symbol class = iota
	letter
	mark // combining mark
	number
	space
)

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf && (r|0x20 >= 'a' && r|0x20 <= 'z'), unicode.IsLetter(r):
		return letter
	case unicode.IsSpace(r):
		return space
	case unicode.IsNumber(r):
		return number
	case unicode.IsMark(r):
		return mark
	}
	return symbol
}
