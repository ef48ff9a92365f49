//go:build tokenfit

package token

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"
)

var corpus = flag.String("corpus", "", "directory of texts to count")

// TestFit counts the table of the estimate anew over the files of a directory:
//
//	go test -tags tokenfit -run TestFit ./internal/token -corpus DIR
//
// The present table is from FastAPI's documentation in 11 languages (the
// European ones but English, Russian and Ukrainian twice), conversations of
// LoCoMo, Go's and Python's standard libraries, the documents of Go modules,
// PostgreSQL's SQL, JSON, and random hexadecimal and base64. Since it was counted,
// pairs that stood nowhere in these were raised to what smoothed gives them now.
func TestFit(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(*corpus, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %q (%v)", *corpus, err)
	}
	var seen [size]float64
	var starts [2][size]float64
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		s := string(b)
		at := cells(s)
		for _, c := range at {
			if c >= 0 {
				seen[c]++
			}
		}
		for k, e := range []*encoding{cl100k, o200k} {
			for _, i := range boundaries(t, e, s) {
				for at[i] < 0 { // inside a character
					i--
				}
				starts[k][at[i]]++
			}
		}
	}
	table := make([]byte, size)
	for cell := range table {
		best := 0.0
		for k := range starts {
			best = max(best, smoothed(&seen, &starts[k], cell))
		}
		table[cell] = byte(min(255, max(1, best*margin*unit+0.5)))
	}
	if err := os.WriteFile("estimate.table", table, 0o644); err != nil {
		t.Fatal(err)
	}
}

const (
	firstTriple = symbols * symbols
	firstRun    = firstTriple + (letters+1)*letters*letters
	size        = firstRun + symbols
	// margin makes the estimate rather high than low.
	margin = 1.06
	// trust is how many sightings weigh as much as what a rarer cell is taken
	// to be otherwise.
	trust = 20
)

// smoothed is the average of a cell; of a rare one it leans to the average of
// the pair. A rare pair leans to a token that begins nearly always: characters that
// seldom stand together are seldom in one token. White space joins, and what is not
// ASCII leans to one token and a half.
func smoothed(seen, starts *[size]float64, cell int) float64 {
	rest := 0.85
	switch {
	case cell >= firstRun:
		rest = 0.15
	case cell >= firstTriple:
		p, c := (cell-firstTriple)/letters%letters+1, (cell-firstTriple)%letters+1
		n, s := 0.0, 0.0
		for before := range letters + 1 {
			at := firstTriple + (before*letters+p-1)*letters + c - 1
			n, s = n+seen[at], s+starts[at]
		}
		rest = (s + trust*0.3) / (n + trust)
	case isSpace(cell/symbols) && isSpace(cell%symbols):
		rest = 0.4
	case cell%symbols >= symWide:
		c := cell % symbols
		n, s := 0.0, 0.0
		for prev := range symbols {
			n, s = n+seen[prev*symbols+c], s+starts[prev*symbols+c]
		}
		rest = (s + trust*1.5) / (n + trust)
	}
	return (starts[cell] + trust*rest) / (seen[cell] + trust)
}

// isSpace reports whether a symbol is a space, a tab or a line feed.
func isSpace(c int) bool {
	return c == int(layOut().narrow[' ']) || c == int(layOut().narrow['\t']) || c == int(layOut().narrow['\n'])
}

// cells returns the cell of the table that counts for each byte of s, or -1.
func cells(s string) []int {
	out := make([]int, len(s))
	before, prev := 0, symNone
	var last byte
	run := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			c := wide(r, n)
			out[i] = prev*symbols + c
			for k := 1; k < n; k++ {
				out[i+k] = -1
			}
			before, prev, last, run = 0, c, 0, 0
			i += n
			continue
		}
		c := int(layOut().narrow[b])
		if b == last {
			if run++; run >= longRun {
				out[i] = firstRun + c
				i++
				continue
			}
		} else {
			last, run = b, 0
		}
		if c <= letters && prev >= 1 && prev <= letters {
			out[i] = firstTriple + (before*letters+prev-1)*letters + c - 1
		} else {
			if c == symDigit {
				c = digitAfter(prev)
			}
			out[i] = prev*symbols + c
		}
		before, prev = int(layOut().folded[prev]), c
		i++
	}
	return out
}

// boundaries returns where the tokens of s begin, in bytes.
func boundaries(t *testing.T, e *encoding, s string) []int {
	enc, err := e.table()
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for i := 0; i < len(s); {
		end := i + part(s[i:])
		at := i
		for _, tok := range enc.EncodeOrdinary(s[i:end]) {
			out = append(out, at)
			at += len(enc.Decode([]int{tok}))
		}
		i = end
	}
	return out
}
