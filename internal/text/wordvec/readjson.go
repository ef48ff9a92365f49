package wordvec

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// readJSON reads an object with "dimensions", "words" and "vectors". The words are in
// order of frequency and come before the vectors. Each vector has two values more than
// "dimensions": its length and the index of the word. readJSON skips other members.
func (r *reader) readJSON() error {
	d := json.NewDecoder(r.in)
	if err := r.readObject(d); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return invalid("it is cut short after %d words", r.seen)
		case errors.As(err, &syntax), errors.As(err, &kind):
			return invalid("at byte %d: %v", d.InputOffset(), err)
		}
		return err
	}
	return nil
}

func (r *reader) readObject(d *json.Decoder) error {
	if err := expect(d, json.Delim('{')); err != nil {
		return err
	}
	dims := 0
	ranks := make(map[string]int)
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		switch name {
		case "dimensions":
			err = d.Decode(&dims)
		case "words":
			var words []string
			err = d.Decode(&words)
			ranks = r.choose(words)
		case "vectors":
			return r.readVectors(d, dims, ranks)
		default:
			var skipped json.RawMessage
			err = d.Decode(&skipped)
		}
		if err != nil {
			return err
		}
	}
	return invalid("it has no vectors")
}

// choose returns the ranks, from 1, of the first words that memory looks up.
func (r *reader) choose(words []string) map[string]int {
	ranks := make(map[string]int)
	for i, w := range words {
		if len(ranks) == r.most {
			break
		}
		if isWord(strings.ToLower(w)) {
			ranks[w] = i + 1
		}
	}
	return ranks
}

// readVectors reads the vectors of the chosen words.
func (r *reader) readVectors(d *json.Decoder, dims int, ranks map[string]int) error {
	if dims < 1 || dims > MaxDims {
		return invalid("its vectors have %d dimensions, where 1 to %d can be", dims, MaxDims)
	}
	if err := expect(d, json.Delim('{')); err != nil {
		return err
	}
	found := 0
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var values []float64
		if err := d.Decode(&values); err != nil {
			return err
		}
		word, _ := name.(string)
		rank, ok := ranks[word]
		if !ok {
			continue
		}
		if len(values) != dims+2 {
			return invalid("word %d, %.40q, has %d values, where %d and two more should be", rank, word, len(values), dims)
		}
		if err := r.add(word, rank, values[:dims]); err != nil {
			var bad wordError
			if errors.As(err, &bad) {
				return invalid("word %d: %v", rank, err)
			}
			return err
		}
		found++
	}
	if found < len(ranks) {
		return invalid("%d words have no vector", len(ranks)-found)
	}
	return expect(d, json.Delim('}'))
}

// expect reads one token and returns an error if it is not want.
func expect(d *json.Decoder, want json.Delim) error {
	t, err := d.Token()
	if err == nil && t != want {
		err = invalid("%v where %v should be", t, want)
	}
	return err
}
