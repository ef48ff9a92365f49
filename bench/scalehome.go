package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/strata-memory/strata"
)

// homeMark is the file that marks a home that was filled.
const homeMark = "bench-scale.json"

// filled is the content of the mark of a filled home.
type filled struct {
	Seed  uint64 `json:"seed"`
	Facts int    `json:"facts"`
	// Scopes is omitted for a single scope, and was by older programs.
	Scopes int `json:"scopes,omitempty"`
}

// HomeHolds returns how many facts of a corpus the home in a directory holds. If the
// directory holds anything else, the error has code invalid.
func HomeHolds(dir string, corpus Corpus) (facts int, err error) {
	refuse := strata.Invalid("", dir+" is not empty, and bench scale has not filled it", "name an empty directory")
	data, err := os.ReadFile(filepath.Join(dir, homeMark))
	if errors.Is(err, fs.ErrNotExist) {
		list, err := os.ReadDir(dir)
		if len(list) > 0 {
			return 0, refuse
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, fmt.Errorf("look into %s: %w", dir, err)
		}
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("look into %s: %w", dir, err)
	}
	var mark filled
	if json.Unmarshal(data, &mark) != nil || mark.Facts < 0 || mark.Seed != corpus.Seed {
		return 0, refuse
	}
	if held := max(1, mark.Scopes); held != corpus.Scopes {
		return 0, strata.Invalid("", fmt.Sprintf("the home in %s was filled with --scopes %d", dir, held),
			fmt.Sprintf("pass --scopes %d", held))
	}
	return mark.Facts, nil
}

// MarkHome notes how many facts of a corpus a home holds.
func MarkHome(dir string, corpus Corpus, facts int) error {
	mark := filled{Seed: corpus.Seed, Facts: facts}
	if corpus.Scopes > 1 {
		mark.Scopes = corpus.Scopes
	}
	data, err := json.Marshal(mark)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, homeMark), data, 0o600)
}
