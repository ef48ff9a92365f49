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

// Data names what was asked, so that two runs are known to be of the same.
type Data struct {
	Name string `json:"name"` // of the file or directory, without its path
	// SHA256 is that of the file; of a directory in the BEIR layout, that of its
	// files one after the other; of generated data, that of its texts.
	SHA256 string `json:"sha256,omitempty"`
	// Seed is that of generated data.
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
