// Package token counts tokens as the cl100k tokenizer makes them, for budgets.
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

// Count returns the number of tokens of s. Names of control tokens, such as
// "<|endoftext|>", count as the plain text they are. The first call loads the
// table, which is part of the program: about 80 ms and 12 MB. It is safe for
// concurrent use.
func Count(s string) int {
	if s == "" {
		return 0
	}
	enc, err := load()
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

// table is where the loader finds cl100k; it looks at the last part only.
const table = "cl100k_base.tiktoken"

// pattern splits a text before pairs are merged. It is part of the definition
// of cl100k.
const pattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`

// load builds the tokenizer once, without the library's registry, which would
// be shared with the rest of the program.
var load = sync.OnceValues(func() (*tiktoken.Tiktoken, error) {
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(table)
	if err != nil {
		return nil, fmt.Errorf("load tokenizer table: %w", err)
	}
	bpe, err := tiktoken.NewCoreBPE(ranks, map[string]int{}, pattern)
	if err != nil {
		return nil, fmt.Errorf("build tokenizer: %w", err)
	}
	return tiktoken.NewTiktoken(bpe, &tiktoken.Encoding{Name: tiktoken.MODEL_CL100K_BASE, PatStr: pattern, MergeableRanks: ranks}, nil), nil
})

// class tells apart what the pattern never joins into one long piece.
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
