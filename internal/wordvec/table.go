package wordvec

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
)

// The file, numbers little-endian:
//
//	magic     16 bytes
//	words, dimensions, bytes of the texts: uint32 each
//	where the text of each word ends: uint32 each
//	texts of the words, sorted by byte, one behind the other
//	steps of the words: uint16 each, in 1/Unit
//	values of the words: int8 each, in steps
const (
	magic      = "strata words 1\n\x00"
	headBytes  = len(magic) + 12
	largest    = math.MaxInt8
	maxWords   = 1 << 24
	maxDims    = 4096
	maxValue   = 1e6 // no trained vector comes near it
	endBytes   = 4
	stepBytes  = 2
	valueBytes = 1

	// Unit is the fixed-point 1 of the amounts of a [Vector].
	Unit = 1 << 22

	maxWordBytes = 255
)

// ErrFile means that a file is not one of word vectors, or is cut short.
var ErrFile = errors.New("not a file of word vectors, or not all of it")

// Table finds the vectors of words. It is safe for concurrent use.
type Table struct {
	words, dims                int
	ends, texts, steps, values string // parts of the file
}

// Vector is the vector of a word: its value i is int8(Values[i])*Step/Unit.
type Vector struct {
	Values string
	Step   int64
}

// Open returns the table that the bytes of a file are. It looks at the beginning
// and the length alone.
func Open(file string) (*Table, error) {
	if len(file) < headBytes || file[:len(magic)] != magic {
		return nil, ErrFile
	}
	t := &Table{words: number(file[16:]), dims: number(file[20:])}
	texts := number(file[24:])
	if t.words < 1 || t.words > maxWords || t.dims < 1 || t.dims > maxDims ||
		len(file) != headBytes+t.words*(endBytes+stepBytes+valueBytes*t.dims)+texts {
		return nil, ErrFile
	}
	rest := file[headBytes:]
	cut := func(n int) (part string) {
		part, rest = rest[:n], rest[n:]
		return part
	}
	t.ends, t.texts = cut(endBytes*t.words), cut(texts)
	t.steps, t.values = cut(stepBytes*t.words), rest
	return t, nil
}

// number reads a uint32.
func number(s string) int {
	return int(uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24)
}

// Dimensions is the length of every vector.
func (t *Table) Dimensions() int { return t.dims }

// Words is how many words there are.
func (t *Table) Words() int { return t.words }

// Find returns the vector of a word in lower case.
func (t *Table) Find(word string) (Vector, bool) {
	if len(word) > maxWordBytes {
		return Vector{}, false
	}
	i, found := sort.Find(t.words, func(i int) int {
		switch text := t.text(i); {
		case word < text:
			return -1
		case word > text:
			return 1
		}
		return 0
	})
	if !found {
		return Vector{}, false
	}
	step := int64(t.steps[stepBytes*i]) | int64(t.steps[stepBytes*i+1])<<8
	return Vector{Values: t.values[i*t.dims : (i+1)*t.dims], Step: step}, true
}

// text returns a word by its place. In a damaged file it is any text.
func (t *Table) text(i int) string {
	begin, end := 0, number(t.ends[endBytes*i:])
	if i > 0 {
		begin = number(t.ends[endBytes*(i-1):])
	}
	end = min(end, len(t.texts))
	return t.texts[min(begin, end):end]
}

// Write writes the file of words that [Build] made. Each value is rounded to 1/127
// of the largest of its word.
func Write(out io.Writer, words []Word) error {
	if err := check(words); err != nil {
		return err
	}
	if !slices.IsSortedFunc(words, func(a, b Word) int { return cmp.Compare(a.Text, b.Text) }) {
		return errors.New("words out of order")
	}
	file := append([]byte(nil), magic...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(words)))
	file = binary.LittleEndian.AppendUint32(file, uint32(len(words[0].Values)))
	var ends, texts, steps, values []byte
	for _, w := range words {
		texts = append(texts, w.Text...)
		ends = binary.LittleEndian.AppendUint32(ends, uint32(len(texts)))
		step, err := stepOf(w)
		if err != nil {
			return err
		}
		steps = binary.LittleEndian.AppendUint16(steps, step)
		for _, x := range w.Values {
			n := math.RoundToEven(x * Unit / float64(max(step, 1)))
			values = append(values, byte(int8(max(-largest, min(n, largest)))))
		}
	}
	file = binary.LittleEndian.AppendUint32(file, uint32(len(texts)))
	_, err := out.Write(slices.Concat(file, ends, texts, steps, values))
	return err
}

// stepOf returns the step of the values of a word.
func stepOf(w Word) (uint16, error) {
	most := 0.0
	for _, x := range w.Values {
		most = max(most, math.Abs(x))
	}
	if most > 1 {
		return 0, fmt.Errorf("%q has the value %g, above 1", w.Text, most)
	}
	return uint16(math.Ceil(most * Unit / largest)), nil
}
