package wordvec_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/wordvec"
)

const glove = "the 1 1 1\ncat 1 0 0.5\nDog 0 1 -2e-1\ndog 1 1 1\n. . 0 1 2\n2024 1 2 3\nnaïve 0 0 1\n"

const wink = `{"precision":8,"dimensions":3,"words":["the","cat","dog","naïve"],
	"vectors":{"the":[1,1,1,9,0],"cat":[1,0,0.5,9,1],"dog":[0,1,-0.2,9,2],"naïve":[0,0,1,9,3]},"unkVector":[0,0,0]}`

// read reads a file with room for n words.
func read(t *testing.T, in io.Reader, n int) (*wordvec.Table, error) {
	t.Helper()
	b, err := wordvec.Read(in, n, waiting(t), func(int64) {})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := b.Finish(&out); err != nil {
		t.Fatal(err)
	}
	table, err := wordvec.Open(out.String())
	if err != nil {
		t.Fatal(err)
	}
	return table, nil
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

func packaged(name, s string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range [][2]string{{"package/package.json", "{}"}, {name, s}} {
		w.WriteHeader(&tar.Header{Name: f[0], Mode: 0o644, Size: int64(len(f[1]))})
		io.WriteString(w, f[1])
	}
	w.Close()
	return b.String()
}

// Of every form the same words are read: those that a text is asked for.
func TestFilesOfOthersAreRead(t *testing.T) {
	for name, file := range map[string]string{
		"GloVe":              glove,
		"without a last end": strings.TrimSuffix(glove, "\n"),
		"tabs and CRLF":      strings.ReplaceAll(strings.ReplaceAll(glove, " ", "\t"), "\n", "\r\n"),
		"word2vec":           "7 3\n" + glove,
		"gzip":               gzipped(glove),
		"word2vec by gzip":   gzipped("7 3\n" + glove),
		"JSON":               wink,
		"JSON by gzip":       gzipped(wink),
		"a package":          gzipped(packaged("package/x-embeddings-3d.json", wink)),
	} {
		t.Run(name, func(t *testing.T) {
			table, err := read(t, strings.NewReader(file), 100)
			if err != nil {
				t.Fatal(err)
			}
			if table.Words() != 3 || table.Dimensions() != 3 {
				t.Errorf("%d words of %d dimensions", table.Words(), table.Dimensions())
			}
			for word, want := range map[string][]float64{"cat": {1, 0, 0.5}, "dog": {0, 1, -0.2}, "naïve": {0, 0, 1}} {
				if c := cosine(valuesOf(t, table, word), want); c < 0.999 {
					t.Errorf("%q has a cosine of %.4f with its values", word, c)
				}
			}
			if few, err := read(t, strings.NewReader(file), 2); err != nil || few.Words() != 2 {
				t.Errorf("the first two: %v, %v", few, err)
			}
		})
	}
}

// What cannot be used is invalid and says where.
func TestBadFilesSayWhere(t *testing.T) {
	for name, f := range map[string]struct{ file, want string }{
		"empty":                   {"", "no word"},
		"blank":                   {"\n", "line 1 is empty"},
		"no word that is asked":   {"the 1 2\n2024 1 2\n. 1 2\n", "no word"},
		"no numbers":              {"cat\ndog\n", "line 1 has 0 numbers"},
		"prose":                   {"once upon a time\nthere was a cat\n", "line 1"},
		"too many dimensions":     {"cat" + strings.Repeat(" 1", wordvec.MaxDims+1) + "\n", "line 1 has 4097 numbers"},
		"dimensions promised":     {"2 5000\ncat 1\n", "line 1 promises vectors of 5000"},
		"none promised":           {"2 0\ncat\n", "line 1 promises vectors of 0"},
		"NaN":                     {"cat 1 2\ndog 1 NaN\n", "line 2"},
		"infinite":                {"cat 1 2\ndog -Inf 1\n", "line 2"},
		"NaN of another word":     {"cat 1 2\nthe nan 1\n", "line 2"},
		"too large":               {"cat 1 2\ndog 1e300 2\n", "line 2"},
		"no number":               {"cat 1 2\ndog 1 two\n", "line 2"},
		"shorter":                 {"cat 1 2\ndog 1\n", "line 2"},
		"longer":                  {"cat 1 2\ndog 1 2 3\n", "line 2"},
		"zeros":                   {"cat 1 2\ndog 0 -0\n", "line 2"},
		"twice":                   {"cat 1 2\ndog 1 2\ncat 2 1\n", `line 3: "cat" comes twice`},
		"an empty line":           {"cat 1 2\n\ndog 1 2\n", "line 2 is empty"},
		"a long line":             {"cat 1 2\n" + strings.Repeat("x", 1<<20), "line 2"},
		"cut short by count":      {"5 2\ncat 1 2\ndog 1 2\n", "promises 5 words, and 2 follow"},
		"a cut line":              {"cat 1 2 3\ndog 1 2", "line 2"},
		"bytes":                   {"\x00\x01\x02\xff\xfe", "line 1 is not text"},
		"word2vec's binary":       {"2 2\ncat \x00\x00\x80\x3f\xff\xff", "line 2 is not text"},
		"a cut gzip":              {gzipped(glove)[:40], "cut short"},
		"a damaged gzip":          {"\x1f\x8bno gzip at all, though it begins so", "gzip"},
		"cut JSON":                {wink[:len(wink)*2/3], "cut short"},
		"JSON of something else":  {`{"a":1}`, "no vectors"},
		"JSON that is none":       {`{"dimensions":3,,}`, "at byte"},
		"JSON, another dimension": {strings.Replace(wink, `"dimensions":3`, `"dimensions":4`, 1), "values"},
		"JSON, no dimensions":     {strings.Replace(wink, `"dimensions":3,`, "", 1), "0 dimensions"},
		"JSON, no such word":      {strings.Replace(wink, `"cat":[`, `"cow":[`, 1), "have no vector"},
		"JSON, a text":            {strings.Replace(wink, `"cat":[1`, `"cat":["NaN"`, 1), "at byte"},
		"a package without":       {gzipped(packaged("package/README.md", wink)), "no file of embeddings"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(t, strings.NewReader(f.file), 100)
			if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), f.want) {
				t.Errorf("got %v, want %q", err, f.want)
			}
		})
	}
}

// lines gives n lines without holding them.
type lines struct {
	n, next int
	rest    []byte
}

func (l *lines) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		if l.next == l.n {
			return 0, io.EOF
		}
		word := []byte("aaaaaa")
		for i, n := 0, l.next; n > 0; i, n = i+1, n/26 {
			word[i] = byte('a' + n%26)
		}
		l.rest = fmt.Appendf(l.rest[:0], "q%s 0.25 %d -1 0.5\n", word, 1+l.next%7)
		l.next++
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// A million lines take the memory of the words that are kept.
func TestAMillionLines(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b, err := wordvec.Read(&lines{n: 1_000_000}, 50_000, waiting(t), func(int64) {})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if b.Len() != 50_000 {
		t.Errorf("%d words", b.Len())
	}
	if used := int64(after.HeapAlloc) - int64(before.HeapAlloc); used > 20<<20 {
		t.Errorf("%d MiB in use", used>>20)
	}
	runtime.KeepAlive(b)
}
