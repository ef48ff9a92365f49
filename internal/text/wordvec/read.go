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

// readOp is the operation that errors of Read name.
const readOp = "read word vectors"

// readHint says which formats Read accepts.
const readHint = "give word vectors as text, one word a line with its numbers behind it (GloVe, word2vec, fastText), as they are or by gzip"

// Read reads trained word vectors in other formats. It returns a builder with the first
// most words that memory looks up; wait, which must be empty, holds their values. It
// reads:
//
//   - text with a word and its values on each line, as of GloVe;
//   - the same after a line with the numbers of words and dimensions, as of word2vec and
//     fastText;
//   - JSON of npm's wink-embeddings, and the package that holds it;
//   - any of these compressed with gzip.
//
// Words must be in order of frequency. Read leaves out what memory never looks up (stop
// words, numbers, anything but a single word) and the second of two words that differ
// only in case. It calls progress from time to time with the number of words seen.
//
// Errors in the file have code invalid and say where it is wrong.
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

// reader reads one file of word vectors.
type reader struct {
	in       *bufio.Reader
	most     int
	wait     *os.File
	progress func(seen int64)

	builder *Builder // nil until the dimensions are known
	seen    int64
	capital map[string]bool // words added from a spelling with capital letters
}

// begins reports whether the unread input begins with the given text.
func (r *reader) begins(with string) bool {
	head, _ := r.in.Peek(len(with))
	return string(head) == with
}

// tarMagicAt is the offset of the magic in a tar archive.
const tarMagicAt = 257

// enterPackage moves to the embeddings in an npm package.
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

// progressEvery is the number of words between two calls of progress.
const progressEvery = 10_000

// add adds a word if memory looks it up and there is room.
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
		delete(r.capital, folded) // so that a third spelling is an error
		return nil
	}
	if word != folded {
		r.capital[folded] = true
	}
	return r.builder.Add(Word{Text: folded, Rank: rank, Values: values})
}

// isWord reports whether Strata sees w as a single word that has only letters and is not
// a stop word.
func isWord(w string) bool {
	for _, r := range w {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	words := text.Words(w)
	return len(words) == 1 && words[0] == w && !text.IsStop(w) && !text.HasUnspaced(w)
}

// invalid returns an error about the file being read.
func invalid(format string, args ...any) error {
	return strata.Invalid(readOp, "the file of word vectors cannot be used: "+fmt.Sprintf(format, args...), readHint)
}

// readError turns an error of reading into one about the file if the file is at fault.
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
