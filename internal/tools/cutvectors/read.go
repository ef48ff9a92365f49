package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/wordvec"
)

// readPackage returns the most frequent words of the package that count as
// words, with their vectors.
func readPackage(in io.Reader, most int) ([]wordvec.Word, error) {
	unzipped, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	for files := tar.NewReader(unzipped); ; {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil, errors.New("it has no embeddings.json")
		}
		if err != nil {
			return nil, err
		}
		if strings.Contains(head.Name, "-embeddings-") && strings.HasSuffix(head.Name, ".json") {
			return readEmbeddings(files, most)
		}
	}
}

// readEmbeddings reads an object whose "words" are in the order of frequency and
// stand before its "vectors", which have two more values than "dimensions": their
// length and the word's place. Other members are skipped.
func readEmbeddings(in io.Reader, most int) ([]wordvec.Word, error) {
	d := json.NewDecoder(in)
	if err := expect(d, json.Delim('{')); err != nil {
		return nil, err
	}
	dims := 0
	wanted := make(map[string]int) // ranks
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch name {
		case "dimensions":
			err = d.Decode(&dims)
		case "words":
			var words []string
			err = d.Decode(&words)
			wanted = choose(words, most)
		case "vectors":
			return readVectors(d, dims, wanted)
		default:
			var skipped json.RawMessage
			err = d.Decode(&skipped)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, errors.New("it has no vectors")
}

// choose returns the ranks, from 1, of the first words that the built-in embedder
// would look up.
func choose(words []string, most int) map[string]int {
	out := make(map[string]int, most)
	for i, w := range words {
		if len(out) == most {
			break
		}
		if isWord(w) {
			out[w] = i + 1
		}
	}
	return out
}

// isWord reports whether w is one word as Strata splits texts, of letters alone,
// that is no stop word.
func isWord(w string) bool {
	for _, r := range w {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	words := text.Words(w)
	return len(words) == 1 && words[0] == w && !text.IsStop(w) && !text.HasUnspaced(w)
}

// readVectors reads the vectors of the wanted words.
func readVectors(d *json.Decoder, dims int, wanted map[string]int) ([]wordvec.Word, error) {
	if err := expect(d, json.Delim('{')); err != nil {
		return nil, err
	}
	var out []wordvec.Word
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var values []float64
		if err := d.Decode(&values); err != nil {
			return nil, err
		}
		word, _ := name.(string)
		rank, ok := wanted[word]
		if !ok {
			continue
		}
		if len(values) != dims+2 {
			return nil, fmt.Errorf("%q has %d values, want %d and two more", word, len(values), dims)
		}
		out = append(out, wordvec.Word{Text: word, Rank: rank, Values: values[:dims]})
	}
	if len(out) != len(wanted) {
		return nil, fmt.Errorf("%d words have no vector", len(wanted)-len(out))
	}
	return out, expect(d, json.Delim('}'))
}

// expect reads one token.
func expect(d *json.Decoder, want json.Delim) error {
	if t, err := d.Token(); err != nil || t != want {
		return errors.Join(fmt.Errorf("%v where %v should be", t, want), err)
	}
	return nil
}
