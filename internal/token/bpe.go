package token

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

const (
	// maxRun is the longest run of letters, of punctuation or of white space
	// that is encoded at once, in bytes. The encoder's work grows with the
	// square of a run: 40,000 times "a" takes it a second. Words are shorter, so
	// the cut changes only the count of noise, by one or two in each run.
	maxRun = 256
	// maxChunk is the length after which a text is cut before the next space,
	// in bytes, so that a long text needs little memory. Tokens begin at a
	// space that follows a word, so this cut changes no count.
	maxChunk = 16 << 10
)

// encoding is a tokenizer whose table is part of the program. It is loaded at
// the first count and kept.
type encoding struct {
	load func() (*tiktoken.Tiktoken, error)
}

// The tokenizers. The patterns split a text before pairs are merged; they are
// part of the definition of each tokenizer.
var (
	cl100k = newEncoding(tiktoken.MODEL_CL100K_BASE,
		`(?i:'s|'t|'re|'ve|'m|'ll|'d)`+
			`|[^\r\n\p{L}\p{N}]?\p{L}+`+
			`|\p{N}{1,3}`+
			`| ?[^\s\p{L}\p{N}]+[\r\n]*`+
			`|\s*[\r\n]+`+
			`|\s+(?!\S)`+
			`|\s+`)
	o200k = newEncoding(tiktoken.MODEL_O200K_BASE,
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?`+
			`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?`+
			`|\p{N}{1,3}`+
			`| ?[^\s\p{L}\p{N}]+[\r\n/]*`+
			`|\s*[\r\n]+`+
			`|\s+(?!\S)`+
			`|\s+`)
)

// newEncoding builds a tokenizer without the library's registry, which would
// be shared with the rest of the program.
func newEncoding(name, pattern string) *encoding {
	return &encoding{load: sync.OnceValues(func() (*tiktoken.Tiktoken, error) {
		// The loader looks at the last part of the address only.
		ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
		if err != nil {
			return nil, fmt.Errorf("load tokenizer table %s: %w", name, err)
		}
		bpe, err := tiktoken.NewCoreBPE(ranks, map[string]int{}, pattern)
		if err != nil {
			return nil, fmt.Errorf("build tokenizer %s: %w", name, err)
		}
		return tiktoken.NewTiktoken(bpe, &tiktoken.Encoding{Name: name, PatStr: pattern, MergeableRanks: ranks}, nil), nil
	})}
}

// Exact is true: the tokens are counted.
func (*encoding) Exact() bool { return true }

// Count returns the number of tokens of s.
func (e *encoding) Count(s string) int {
	if s == "" {
		return 0
	}
	enc, err := e.load()
	if err != nil {
		// The table is inside the program, so this is a broken build. A token
		// has at least one byte: a hard budget stays hard.
		return len(s)
	}
	n := 0
	for s != "" {
		end := cut(s)
		n += len(enc.EncodeOrdinary(strings.ToValidUTF8(s[:end], "\uFFFD")))
		s = s[end:]
	}
	return n
}

// class tells apart what the patterns never join into one long piece.
type class int

const (
	space class = iota
	letter
	digit
	other
)

func classOf(r rune) class {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.IsLetter(r):
		return letter
	case unicode.IsNumber(r):
		return digit
	}
	return other
}

// cut returns how much of s is encoded at once: up to the end of a run that is
// too long, or to a space once the chunk is full.
func cut(s string) int {
	run, last := 0, class(-1)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		c := classOf(r)
		if c != last {
			if i >= maxChunk && c == space && (last == letter || last == digit) {
				return i
			}
			run, last = 0, c
		}
		if run += size; run > maxRun && c != digit {
			return i
		}
		i += size
	}
	return len(s)
}
