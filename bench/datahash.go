package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Data identifies the data of a run, to tell whether two runs used the same.
type Data struct {
	Name string `json:"name"` // base name of the file or directory
	// SHA256 is the hash of the file; for a directory in the BEIR layout, that of its
	// files one after another; for generated data, that of its texts.
	SHA256 string `json:"sha256,omitempty"`
	// Seed is the seed of generated data.
	Seed uint64 `json:"seed,omitempty"`
}

func hashFiles(name string, paths ...string) (Data, error) {
	sum := sha256.New()
	for _, path := range paths {
		if err := hashFile(sum, path); err != nil {
			return Data{}, fmt.Errorf("hash %s: %w", path, err)
		}
	}
	return Data{Name: filepath.Base(name), SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

func hashFile(w io.Writer, path string) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = io.Copy(w, f)
	return err
}
