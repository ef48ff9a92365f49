package token

import (
	"fmt"
	"sync"
	"unicode/utf8"

	loader "github.com/pkoukk/tiktoken-go-loader"
)

// maxPiece is how much of one piece of text is encoded at once, in bytes. The
// work grows with the square of it, and only noise has longer pieces: 40,000
// times "a" is one. Cutting them changes their count by one or two at each cut.
const maxPiece = 256

// encoding is a tokenizer whose table is part of the program. It is loaded at
// the first count and kept.
//
// Strata needs the number of tokens, not the tokens. So it takes only the
// tables from the tiktoken module, and splits and merges itself: that is some
// ten times as fast, and the tests compare it with the module.
type encoding struct {
	// piece returns the end of the piece of s that begins at i.
	piece func(s string, i int) int
	ranks func() (map[string]int, error)
}

var (
	cl100k = newEncoding("cl100k_base", pieceCL100K)
	o200k  = newEncoding("o200k_base", pieceO200K)
)

func newEncoding(name string, piece func(string, int) int) *encoding {
	return &encoding{piece: piece, ranks: sync.OnceValues(func() (map[string]int, error) {
		// The loader looks at the last part of the address only.
		ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
		if err != nil {
			return nil, fmt.Errorf("load tokenizer table %s: %w", name, err)
		}
		return ranks, nil
	})}
}

// Exact is true: the tokens are counted.
func (*encoding) Exact() bool { return true }

// Count returns the number of tokens of s. Every byte that is not
// UTF-8 counts as U+FFFD, which is what JSON makes of it.
func (e *encoding) Count(s string) int {
	if s == "" {
		return 0
	}
	ranks, err := e.ranks()
	if err != nil {
		// The table is inside the program, so this is a broken build. A token
		// has at least one byte: a hard budget stays hard.
		return len(s)
	}
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	n := 0
	for i := 0; i < len(s); {
		end := e.piece(s, i)
		n += count(ranks, s[i:end])
		i = end
	}
	return n
}

// count returns the tokens of one piece.
func count(ranks map[string]int, piece string) int {
	n := 0
	for len(piece) > maxPiece {
		end := maxPiece
		for !utf8.RuneStart(piece[end]) {
			end--
		}
		n += merge(ranks, piece[:end])
		piece = piece[end:]
	}
	if piece == "" {
		return n
	}
	if _, ok := ranks[piece]; ok {
		return n + 1
	}
	return n + merge(ranks, piece)
}

// merge returns how many tokens are left of a piece of at most maxPiece bytes
// when the pair of the lowest rank has been merged again and again, the
// leftmost first.
func merge(ranks map[string]int, piece string) int {
	const none = int(^uint(0) >> 1)
	// Token i is piece[starts[i]:starts[i+1]], pair[i] the rank of it and the
	// next one together.
	var starts [maxPiece + 1]int
	var pair [maxPiece]int
	n := len(piece)
	rank := func(i int) int {
		if i+2 <= n {
			if r, ok := ranks[piece[starts[i]:starts[i+2]]]; ok {
				return r
			}
		}
		return none
	}
	for i := range n + 1 {
		starts[i] = i
	}
	for i := range n {
		pair[i] = rank(i)
	}
	for n > 1 {
		best := 0
		for i := range n - 1 {
			if pair[i] < pair[best] {
				best = i
			}
		}
		if pair[best] == none {
			break
		}
		copy(starts[best+1:n], starts[best+2:n+1])
		copy(pair[best+1:n-1], pair[best+2:n])
		n--
		pair[best] = rank(best)
		if best > 0 {
			pair[best-1] = rank(best - 1)
		}
	}
	return n
}
