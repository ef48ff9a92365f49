package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/strata-memory/strata"
)

// The forms of collections.
const (
	CollectionLoCoMo = "locomo"
	CollectionBEIR   = "beir"
)

// Source is the location of a collection.
type Source struct {
	Form string
	Path string // the file, or the directory
	// Plain leaves out the words by which LoCoMo's images were searched.
	Plain bool
}

// Name returns the last element of the path, without the extension of a file. It ends in
// "-plain" for a plain LoCoMo source.
func (s Source) Name() string {
	base := filepath.Base(s.Path)
	switch {
	case s.Form != CollectionLoCoMo:
		return base
	case s.Plain:
		return strings.TrimSuffix(base, filepath.Ext(base)) + "-plain"
	}
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// Read reads the collection.
func (s Source) Read() (Collection, error) {
	if s.Form == CollectionLoCoMo {
		return ReadLoCoMo(s.Path, s.Plain)
	}
	return ReadBEIR(s.Path)
}

// Hash identifies the data.
func (s Source) Hash() (Data, error) {
	return hashFiles(s.Path, s.Files()...)
}

// Files returns the files from which the collection is read.
func (s Source) Files() []string {
	if s.Form == CollectionLoCoMo {
		return []string{s.Path}
	}
	files := []string{filepath.Join(s.Path, "corpus.jsonl"), filepath.Join(s.Path, "queries.jsonl"), filepath.Join(s.Path, "qrels", "test.tsv")}
	if superseded := filepath.Join(s.Path, "superseded.tsv"); exists(superseded) {
		files = append(files, superseded)
	}
	return files
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// FindSources returns the collections at paths, and the paths that do not exist. Each
// path is a LoCoMo file, a directory in the BEIR layout, or a directory of such
// directories. Two collections with the same name are an error with code invalid.
func FindSources(paths []string) (found []Source, absent []string, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			absent = append(absent, path)
		case !info.IsDir():
			found = append(found, Source{Form: CollectionLoCoMo, Path: path})
		default:
			inside, err := sourcesIn(path)
			if err != nil {
				return nil, nil, err
			}
			found = append(found, inside...)
		}
	}
	names := make(map[string]string)
	for _, s := range found {
		if other, ok := names[s.Name()]; ok {
			return nil, nil, strata.Invalid("read data", fmt.Sprintf("%s and %s are collections of one name", other, s.Path), "name each once, and rename one of two")
		}
		names[s.Name()] = s.Path
	}
	return found, absent, nil
}

// sourcesIn returns the directory itself if it is a collection, or else the collections
// directly below it.
func sourcesIn(dir string) ([]Source, error) {
	if exists(filepath.Join(dir, "corpus.jsonl")) {
		return []Source{{Form: CollectionBEIR, Path: dir}}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	var out []Source
	for _, e := range entries {
		if below := filepath.Join(dir, e.Name()); exists(filepath.Join(below, "corpus.jsonl")) {
			out = append(out, Source{Form: CollectionBEIR, Path: below})
		}
	}
	if len(out) == 0 {
		return nil, &strata.Error{Code: strata.CodeNotFound, Op: "read data", Message: "there is no collection in " + dir,
			Hint: "a collection in the BEIR layout is a directory with corpus.jsonl, queries.jsonl and qrels/test.tsv"}
	}
	return out, nil
}
