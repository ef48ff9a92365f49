package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/text/wordvec"
)

// pack writes a package with one file of embeddings and returns its path.
func pack(t *testing.T, name, embeddings string) string {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	files := tar.NewWriter(zipped)
	for _, f := range []struct{ name, text string }{{"package/package.json", "{}"}, {name, embeddings}} {
		if err := files.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := files.Write([]byte(f.text)); err != nil {
			t.Fatal(err)
		}
	}
	files.Close()
	zipped.Close()
	path := filepath.Join(t.TempDir(), "package.tgz")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const embeddingsName = "package/x-embeddings-2d.json"

const small = `{"precision":8,"size":9,"dimensions":2,
	"words":["the","cat","2024","piano","its-own","naïve","boat","rare","猫"],
	"vectors":{"the":[1,1,1,0],"cat":[3,1,3,1],"2024":[1,2,2,2],"piano":[-1,2,2,3],"its-own":[1,1,1,4],
		"naïve":[2,-2,2,5],"boat":[-2,-1,2,6],"rare":[1,5,5,7],"猫":[1,1,1,8]},"unkVector":[0,0,0,-1]}`

// Of the words those are kept that the embedder will look up, the most frequent
// ones.
func TestTheFirstWordsAreKept(t *testing.T) {
	to := filepath.Join(t.TempDir(), "out.bin")
	if err := run(pack(t, embeddingsName, small), to, 4); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	table, err := wordvec.Open(string(file))
	if err != nil {
		t.Fatal(err)
	}
	if table.Words() != 4 || table.Dimensions() != 2 {
		t.Errorf("%d words of %d dimensions", table.Words(), table.Dimensions())
	}
	for _, w := range []string{"cat", "piano", "naïve", "boat"} {
		if _, ok := table.Find(w); !ok {
			t.Errorf("%q is missing", w)
		}
	}
}

func TestBadPackagesAreRefusedAndNothingIsWritten(t *testing.T) {
	for name, path := range map[string]string{
		"no such file":      filepath.Join(t.TempDir(), "absent.tgz"),
		"no embeddings":     pack(t, "package/README.md", small),
		"cut short":         pack(t, embeddingsName, small[:len(small)/2]),
		"another dimension": pack(t, embeddingsName, strings.Replace(small, `"dimensions":2`, `"dimensions":3`, 1)),
		"no such word":      pack(t, embeddingsName, strings.Replace(small, `"cat":[`, `"dog":[`, 1)),
		"not a number":      pack(t, embeddingsName, strings.Replace(small, "[3,1,", `["NaN",1,`, 1)),
		"not an object":     pack(t, embeddingsName, `[]`),
	} {
		to := filepath.Join(t.TempDir(), "out.bin")
		if err := run(path, to, 4); err == nil {
			t.Errorf("%s: taken", name)
		}
		if _, err := os.Stat(to); err == nil {
			t.Errorf("%s: a file was written", name)
		}
	}
}
