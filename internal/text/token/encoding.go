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

// encoding is a tokenizer of the tiktoken module. Its table is part of the
// program and takes 0.1 to 0.2 s to load, once.
type encoding struct {
	table  func() (*tiktoken.Tiktoken, error) // waits until it is loaded
	loaded atomic.Bool
	once   sync.Once // of load
}

var (
	cl100k = newEncoding(tiktoken.MODEL_CL100K_BASE)
	o200k  = newEncoding(tiktoken.MODEL_O200K_BASE)
)

// offline makes the module read its tables from the program, not the network.
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

// load begins to load the table in the background. The goroutine ends with the
// loading; whoever counts waits for it.
func (e *encoding) load() {
	e.once.Do(func() { go e.table() })
}

// Ready reports whether Count does not wait.
func (e *encoding) Ready() bool { return e.loaded.Load() }

// Count returns the number of tokens of s. Every byte that is not
// UTF-8 counts as U+FFFD, which is what JSON makes of it.
func (e *encoding) Count(s string) int {
	if s == "" {
		return 0
	}
	table, err := e.table()
	if err != nil {
		// The table is inside the program, so this is a broken build. A token
		// has at least one byte: a hard budget stays hard.
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

// maxRun is how much of one run is encoded at once, in bytes. The work grows
// with the square of it, and only noise has longer runs: 40,000 times "a" is
// one. Cutting them changes their count by one or two at each cut.
const maxRun = 256

// part returns the end of the part of s that is encoded at once: all of it, or
// up to where a run becomes too long. A run is what a tokenizer may take for one
// piece: letters, white space, or what is neither; numbers it takes by threes.
func part(s string) int {
	start, last := 0, number // of the run
	for i, r := range s {
		c := classOf(r)
		if c == mark && last != number {
			c = last // it may go with anything but numbers
		}
		if c != last || c == number {
			start, last = i, c
		} else if i-start >= maxRun {
			return i
		}
	}
	return len(s)
}

// class is what the patterns of tokenizers tell apart.
type class int

const (
	symbol class = iota
	letter
	mark // a combining one
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
