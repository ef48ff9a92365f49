package wordvec

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// readOp is the operation in errors of Read.
const readOp = "read word vectors"

// readHint says what Read takes.
const readHint = "give word vectors as text, one word a line with its numbers behind it (GloVe, word2vec, fastText), as they are or by gzip"

// Read reads trained vectors of words as others write them and returns a builder
// that holds the first most words of them that are looked up, whose values wait in
// a file that is empty. It reads:
//
//   - text with a word and its values in each line, as of GloVe;
//   - the same after a line with the numbers of words and of dimensions, as of
//     word2vec and fastText;
//   - JSON of npm's wink-embeddings, and the package that holds it;
//   - any of these by gzip.
//
// Words are in the order of their frequency. Those that no text is asked for
// (stop words, numbers, what is not one word) are left out, as is the second of
// two that differ in capitals alone. progress is called now and then with the
// words that were seen.
//
// Errors of the file are invalid and name the line.
func Read(in io.Reader, most int, wait *os.File, progress func(seen int64)) (*Builder, error) {
	r := &reader{in: bufio.NewReaderSize(in, 1<<16), most: most, wait: wait, progress: progress, capital: make(map[string]bool)}
	if r.begins("\x1f\x8b") {
		unzipped, err := gzip.NewReader(r.in)
		if err != nil {
			return nil, invalid("it begins like a file of gzip and is none")
		}
		r.in = bufio.NewReaderSize(unzipped, 1<<16)
	}
	if head, _ := r.in.Peek(512); len(head) > tarMagicAt && bytes.HasPrefix(head[tarMagicAt:], []byte("ustar")) {
		if err := r.enterPackage(); err != nil {
			return nil, readError(err)
		}
	}
	read := r.readText
	if r.begins("{") {
		read = r.readJSON
	}
	if err := read(); err != nil {
		return nil, readError(err)
	}
	if r.builder == nil || r.builder.Len() == 0 {
		return nil, invalid("it has no word that memory would look up")
	}
	return r.builder, nil
}

// reader reads one file.
type reader struct {
	in       *bufio.Reader
	most     int
	wait     *os.File
	progress func(seen int64)

	builder *Builder // nil until the dimensions are known
	seen    int64
	capital map[string]bool // words that were taken from a spelling with capitals
}

// begins reports whether what follows begins so.
func (r *reader) begins(with string) bool {
	head, _ := r.in.Peek(len(with))
	return string(head) == with
}

// tarMagicAt is where in an archive of tar its magic stands.
const tarMagicAt = 257

// enterPackage goes to the embeddings in a package of npm.
func (r *reader) enterPackage() error {
	for files := tar.NewReader(r.in); ; {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			return invalid("the package has no file of embeddings")
		}
		if err != nil {
			return err
		}
		if strings.Contains(head.Name, "-embeddings-") && strings.HasSuffix(head.Name, ".json") {
			r.in = bufio.NewReaderSize(files, 1<<16)
			return nil
		}
	}
}

// progressEvery is after how many words progress is called.
const progressEvery = 10_000

// add takes a word, if it is one that is looked up and there is room.
func (r *reader) add(word string, rank int, values []float64) error {
	if r.seen++; r.seen%progressEvery == 0 {
		r.progress(r.seen)
	}
	if r.builder == nil {
		var err error
		if r.builder, err = NewBuilder(len(values), r.wait); err != nil {
			return err
		}
	}
	folded := strings.ToLower(word)
	if r.builder.Len() >= r.most || !isWord(folded) {
		return nil
	}
	if r.builder.Has(folded) && (word != folded || r.capital[folded]) {
		delete(r.capital, folded) // a third time it comes twice
		return nil
	}
	if word != folded {
		r.capital[folded] = true
	}
	return r.builder.Add(Word{Text: folded, Rank: rank, Values: values})
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

// invalid is an error of the file that is read.
func invalid(format string, args ...any) error {
	return strata.Invalid(readOp, "the file of word vectors cannot be used: "+fmt.Sprintf(format, args...), readHint)
}

// readError is an error of reading: one of the file, or that of its reader.
func readError(err error) error {
	var coded *strata.Error
	switch {
	case errors.As(err, &coded):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return invalid("it is cut short")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, tar.ErrHeader):
		return invalid("it is damaged: %v", err)
	}
	return fmt.Errorf("%s: %w", readOp, err)
}
