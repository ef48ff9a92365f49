package wordvec

import (
	"errors"
	"io"
	"sort"
)

// The file format, with little-endian numbers:
//
//	magic     16 bytes
//	words, dimensions, bytes of the texts: uint32 each
//	where the text of each word ends: uint32 each
//	texts of the words, sorted by byte, one after the other
//	steps of the words: uint16 each, in 1/Unit
//	values of the words: int8 each, in steps
const (
	magic      = "strata words 1\n\x00"
	headBytes  = len(magic) + 12
	maxWords   = 1 << 24
	maxValue   = 1e6 // no trained vector comes near this
	endBytes   = 4
	stepBytes  = 2
	valueBytes = 1

	// MaxDims is the most dimensions of a vector.
	MaxDims = 4096

	// Unit is the fixed-point representation of 1 in the values of a [Vector].
	Unit = 1 << 22

	maxWordBytes = 255
)

// ErrFile means that a file does not hold word vectors, or is truncated.
var ErrFile = errors.New("not a file of word vectors, or not all of it")

// Table finds the vectors of words. It is safe for concurrent use.
type Table struct {
	words, dims                int
	ends, texts, steps, values part
}

// Vector is the vector of a word: its value i is int8(Values[i])*Step/Unit.
type Vector struct {
	Values string
	Step   int64
}

// part is a section of a file.
type part struct {
	file        source
	begin, size int
}

// source provides the bytes of a file, in memory or on disk.
type source interface {
	// at returns n bytes from begin on, or as many as can be read.
	at(begin, n int) string
}

type memory string

func (m memory) at(begin, n int) string { return string(m[begin : begin+n]) }

type disk struct{ io.ReaderAt }

func (d disk) at(begin, n int) string {
	b := make([]byte, n)
	n, _ = d.ReadAt(b, int64(begin)) // the caller checks the length
	return string(b[:n])
}

// at returns n bytes of a part. They are all zero if the range lies outside of the part
// or cannot be read.
func (p part) at(begin, n int) string {
	if begin < 0 || n < 0 || begin+n > p.size {
		return string(make([]byte, max(0, n)))
	}
	s := p.file.at(p.begin+begin, n)
	if len(s) < n {
		return string(make([]byte, n))
	}
	return s
}

// Open returns the table in the bytes of a file. It checks only the beginning and the
// length.
func Open(file string) (*Table, error) { return open(memory(file), int64(len(file))) }

// OpenFile returns the table in a file of the given size. Each call reads only what it
// needs. A word that can no longer be read is not found.
func OpenFile(file io.ReaderAt, size int64) (*Table, error) { return open(disk{file}, size) }

func open(file source, size int64) (*Table, error) {
	if size < int64(headBytes) {
		return nil, ErrFile
	}
	head := file.at(0, headBytes)
	if len(head) < headBytes || head[:len(magic)] != magic {
		return nil, ErrFile
	}
	t := &Table{words: number(head[16:]), dims: number(head[20:])}
	texts := number(head[24:])
	if t.words < 1 || t.words > maxWords || t.dims < 1 || t.dims > MaxDims ||
		size != int64(headBytes)+int64(t.words)*int64(endBytes+stepBytes+valueBytes*t.dims)+int64(texts) {
		return nil, ErrFile
	}
	at := headBytes
	cut := func(n int) part {
		at += n
		return part{file, at - n, n}
	}
	t.ends, t.texts = cut(endBytes*t.words), cut(texts)
	t.steps, t.values = cut(stepBytes*t.words), cut(valueBytes*t.words*t.dims)
	return t, nil
}

// number reads a uint32.
func number(s string) int {
	return int(uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24)
}

// Dimensions returns the number of dimensions of the vectors.
func (t *Table) Dimensions() int { return t.dims }

// Words returns the number of words.
func (t *Table) Words() int { return t.words }

// Find returns the vector of a lower-case word, and whether the table has it.
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
	step := t.steps.at(stepBytes*i, stepBytes)
	return Vector{Values: t.values.at(i*t.dims, t.dims), Step: int64(step[0]) | int64(step[1])<<8}, true
}

// text returns the i-th word. In a damaged file it may be any text.
func (t *Table) text(i int) string {
	if i == 0 {
		return t.texts.at(0, min(number(t.ends.at(0, endBytes)), t.texts.size))
	}
	ends := t.ends.at(endBytes*(i-1), 2*endBytes)
	begin := number(ends)
	end := min(number(ends[endBytes:]), begin+maxWordBytes, t.texts.size)
	if begin >= end {
		return ""
	}
	return t.texts.at(begin, end-begin)
}
