package main

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strata-memory/strata/bench/lab/life"
)

// judgeFiles checks every MEMORY.md.
func (a *audit) judgeFiles() error {
	out := &a.out.Figures.Index
	for project := range a.projects {
		dir, _ := a.mem.Directory(a.scope(project))
		text, err := os.ReadFile(filepath.Join(dir, index))
		if err != nil {
			return err
		}
		have := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		out.Bytes, out.Lines = max(out.Bytes, len(text)), max(out.Lines, len(have))
		for _, l := range a.written {
			switch {
			case l.project != project:
			case slices.Contains(have, l.text):
				out.Written, out.Intact = out.Written+1, out.Intact+1
			default:
				out.Written++
				a.fail(Failure{FailLine, "", l.text, "", ""})
			}
		}
	}
	return nil
}

// judgeSecrets searches for every secret in all files and in an export of the memory.
func (a *audit) judgeSecrets(ctx context.Context) error {
	leaks := make(map[int]string) // where each secret was found
	look := func(place string, content []byte) {
		for i, s := range a.life.Secrets {
			if _, ok := leaks[i]; !ok && bytes.Contains(content, []byte(s.Text)) {
				leaks[i] = place
			}
		}
	}
	var export bytes.Buffer
	if _, err := a.mem.Export(ctx, nil, &export); err != nil {
		return err
	}
	err := filepath.WalkDir(a.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a temporary file
		}
		if err != nil {
			return err
		}
		place, _ := filepath.Rel(a.Dir, path)
		look(place, content)
		if strings.Contains(place, ".git") {
			inflate(content, func(part []byte) { look(place, part) })
		}
		if archived, err := gzip.NewReader(bytes.NewReader(content)); err == nil {
			whole, err := io.ReadAll(archived)
			if err != nil {
				return fmt.Errorf("read archive %s: %w", place, err)
			}
			look(place, whole)
		}
		return nil
	})
	if err != nil {
		return err
	}
	look("an export", export.Bytes())
	a.out.Figures.Secrets, a.out.Figures.SecretsLeaked = len(a.life.Secrets), len(leaks)
	for i, s := range a.life.Secrets {
		if place, ok := leaks[i]; ok {
			a.fail(Failure{FailSecret, life.Secret, a.saidSecret(s), "no " + s.Form, place})
		}
	}
	return nil
}

// saidSecret returns the turn that holds a secret, with only the beginning of the secret,
// since reports are passed on.
func (a *audit) saidSecret(s life.Hidden) string {
	for _, t := range a.life.Sessions[s.Session].Turns {
		if strings.Contains(t.Text, s.Text) {
			const shown = 6
			return string(t.Role) + ": " + strings.ReplaceAll(t.Text, s.Text, s.Text[:shown]+"…")
		}
	}
	return ""
}

// inflate calls each with what is compressed in a file of a git repository: an object, or
// many of them in a pack. It tries every byte that can begin a zlib stream.
func inflate(content []byte, each func([]byte)) {
	const header = 0x78
	for at := 0; ; at++ {
		next := bytes.IndexByte(content[at:], header)
		if next < 0 {
			return
		}
		at += next
		z, err := zlib.NewReader(bytes.NewReader(content[at:]))
		if err != nil {
			continue
		}
		if part, err := io.ReadAll(z); err == nil {
			each(part)
		}
	}
}
