package main

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed node/package.json node/package-lock.json node/mem0.mjs
var nodeFiles embed.FS

// errNoNode means that the npm peers cannot run.
var errNoNode = errors.New("node and npm are not there: install Node.js 20 or later")

// installNode installs the pinned npm packages below cache, once for each lock file, and
// returns the directory. If node or npm is missing, the error is errNoNode.
func installNode(ctx context.Context, cache string) (string, error) {
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			return "", errNoNode
		}
	}
	dir, err := nodeDirectory(cache)
	if err != nil {
		return "", err
	}
	done := filepath.Join(dir, "installed")
	if _, err := os.Stat(done); err == nil {
		return dir, nil
	}
	fmt.Fprintln(os.Stderr, "installing npm packages in", dir, "(once; a few minutes where a module is compiled)")
	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("npm ci in %s: %w", dir, err)
	}
	return dir, os.WriteFile(done, nil, 0o644)
}

// nodeDirectory writes the files that npm needs into a directory named after a hash of
// their content.
func nodeDirectory(cache string) (string, error) {
	names, err := fs.Glob(nodeFiles, "node/*")
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	contents := make(map[string][]byte)
	for _, name := range names {
		data, err := nodeFiles.ReadFile(name)
		if err != nil {
			return "", err
		}
		contents[filepath.Base(name)] = data
		sum.Write(data)
	}
	dir := filepath.Join(cache, hex.EncodeToString(sum.Sum(nil)[:8]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for name, data := range contents {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}
