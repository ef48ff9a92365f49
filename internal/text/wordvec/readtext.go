package wordvec

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

// maxLine is the longest line to read, in bytes. A line of MaxDims values with 20 digits
// each is far shorter.
const maxLine = 1 << 18

// readText reads a word and its values from each line. The first line may instead hold
// the numbers of words and dimensions.
func (r *reader) readText() error {
	var promised, dims, line int
	var values []float64
	for {
		data, err := r.line()
		if errors.Is(err, io.EOF) {
			break
		}
		line++
		if err != nil {
			return atLine(line, err)
		}
		fields := bytes.Fields(data)
		if line <= 2 && !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
			return invalid("line %d is not text; convert the binary form of word2vec to text first", line)
		}
		if n, d, ok := counts(fields); ok && line == 1 {
			promised, dims = n, d
			if dims < 1 || dims > MaxDims {
				return invalid("line 1 promises vectors of %d dimensions, where 1 to %d can be", dims, MaxDims)
			}
			continue
		}
		if len(fields) == 0 {
			return invalid("line %d is empty", line)
		}
		if dims == 0 {
			if dims = len(fields) - 1; dims < 1 || dims > MaxDims {
				return invalid("line %d has %d numbers behind its word, where 1 to %d can be", line, dims, MaxDims)
			}
		}
		if values, err = numbers(fields, dims, values[:0]); err != nil {
			return atLine(line, err)
		}
		if len(fields) > dims+1 {
			continue // several words, which memory never looks up
		}
		rank := line
		if promised > 0 {
			rank--
		}
		if err := r.add(string(fields[0]), rank, values); err != nil {
			return atLine(line, err)
		}
	}
	if read := line - 1; promised > 0 && read < promised {
		return invalid("it is cut short: line 1 promises %d words, and %d follow", promised, read)
	}
	return nil
}

// errLong is the error of a line that is too long to hold a word vector.
const errLong = wordError("longer than a line of word vectors can be")

// line reads a line without its line feed. The result is valid until the next call.
func (r *reader) line() ([]byte, error) {
	var whole []byte
	for {
		part, err := r.in.ReadSlice('\n')
		if len(whole)+len(part) > maxLine {
			return nil, errLong
		}
		if err == nil && whole == nil {
			return part[:len(part)-1], nil
		}
		whole = append(whole, part...)
		switch {
		case errors.Is(err, io.EOF) && len(whole) > 0:
			return whole, nil
		case err == nil:
			return whole[:len(whole)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// counts parses the first line of a word2vec file.
func counts(fields [][]byte) (words, dims int, ok bool) {
	if len(fields) != 2 {
		return 0, 0, false
	}
	words, err := strconv.Atoi(string(fields[0]))
	if err != nil || words < 0 {
		return 0, 0, false
	}
	dims, err = strconv.Atoi(string(fields[1]))
	return words, dims, err == nil
}

// errOtherLength is the error of a line with fewer or more values than the others.
const errOtherLength = wordError("not as many numbers as in the lines before")

// numbers parses the last n fields into into. The fields before them are the word, which
// may have several parts; only the first of these may be a number.
func numbers(fields [][]byte, n int, into []float64) ([]float64, error) {
	if len(fields) < n+1 {
		return nil, errOtherLength
	}
	for _, f := range fields[1 : len(fields)-n] {
		if _, err := strconv.ParseFloat(string(f), 64); err == nil {
			return nil, errOtherLength
		}
	}
	for _, f := range fields[len(fields)-n:] {
		x, err := strconv.ParseFloat(string(f), 64)
		if err != nil || !(math.Abs(x) <= maxValue) { // also if it is NaN
			return nil, badWord("%.40q is no number that a word vector has", f)
		}
		into = append(into, x)
	}
	return into, nil
}

// atLine adds the line number to an error about the file.
func atLine(line int, err error) error {
	var bad wordError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return invalid("it is cut short at line %d", line)
	case errors.As(err, &bad):
		return invalid("line %d: %v", line, err)
	}
	return err
}
