package backup_test

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/strata-memory/strata/internal/backup"
)

// asEarlier writes a backup as earlier versions did: with a list of what is in it,
// compressed by gzip, with the hash of that as the comment of an empty member.
func asEarlier(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	ok(t, err)
	defer in.Close()
	decompressed, err := zstd.NewReader(in)
	ok(t, err)
	defer decompressed.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	ok(t, err)
	defer out.Close()
	sum := sha256.New()
	zip, err := gzip.NewWriterLevel(io.MultiWriter(out, sum), gzip.BestSpeed)
	ok(t, err)
	r, w := tar.NewReader(decompressed), tar.NewWriter(zip)
	for {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		ok(t, err)
		content, err := io.ReadAll(r)
		ok(t, err)
		if h.Name == "manifest.json" {
			m := make(map[string]any)
			ok(t, json.Unmarshal(content, &m))
			delete(m, "files")
			delete(m, "bytes")
			m["format"], m["entries"] = 1, []any{map[string]any{"path": "strata.db", "size": 1, "sha256": "00"}, map[string]any{"path": "global", "dir": true}}
			content, err = json.Marshal(m)
			ok(t, err)
			h.Size = int64(len(content))
		}
		ok(t, w.WriteHeader(h))
		_, err = w.Write(content)
		ok(t, err)
	}
	ok(t, w.Close())
	ok(t, zip.Close())
	end := gzip.NewWriter(out)
	end.Comment = fmt.Sprintf("strata-backup sha256:%x", sum.Sum(nil))
	ok(t, end.Close())
}

func TestABackupOfAnEarlierVersionIsRestored(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	fill(t, open(t, home))
	want := rows(t, home)
	old := filepath.Join(t.TempDir(), "old.tar.gz")
	asEarlier(t, create(t, home), old)
	if got := rows(t, restore(t, old)); !maps.Equal(got, want) {
		t.Errorf("%d rows, want the same %d", len(got), len(want))
	}
	content, err := os.ReadFile(old)
	ok(t, err)
	content[len(content)/2] ^= 1
	ok(t, os.WriteFile(old, content, 0o600))
	if _, err := backup.Restore(t.Context(), backup.RestoreOptions{From: old, Home: filepath.Join(t.TempDir(), "h"), Now: noon}); err == nil {
		t.Error("a damaged one was restored")
	}
}

// Backups of earlier versions count among those that are kept, and go in their turn.
func TestBackupsOfAnEarlierVersionAreRotated(t *testing.T) {
	home, dir := filepath.Join(t.TempDir(), "home"), t.TempDir()
	fill(t, open(t, home))
	made := create(t, home)
	for day := 1; day <= 2; day++ {
		asEarlier(t, made, filepath.Join(dir, noon.AddDate(0, 0, -day).UTC().Format("strata-20060102T150405Z.tar.gz")))
	}
	mine := filepath.Join(dir, "strata-mine.tar.gz")
	ok(t, os.Rename(made, mine))
	c, err := backup.Create(t.Context(), backup.Options{Home: home, To: dir, Keep: 2, Now: noon})
	ok(t, err)
	want := noon.AddDate(0, 0, -2).UTC().Format("strata-20060102T150405Z.tar.gz")
	if len(c.Removed) != 1 || filepath.Base(c.Removed[0]) != want {
		t.Errorf("removed %v, want %s", c.Removed, want)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

// A reader of zstandard and tar that knows nothing of backups reads one to its end.
func TestABackupIsATarFile(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	fill(t, open(t, home))
	in, err := os.Open(create(t, home))
	ok(t, err)
	defer in.Close()
	decompressed, err := zstd.NewReader(in)
	ok(t, err)
	defer decompressed.Close()
	var names []string
	for r := tar.NewReader(decompressed); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		ok(t, err)
		names = append(names, h.Name)
	}
	if len(names) < 3 || names[0] != "manifest.json" || names[1] != "home/strata.db" {
		t.Errorf("it holds %q", names)
	}
	if n, err := io.Copy(io.Discard, decompressed); n != 0 || err != nil {
		t.Errorf("%d bytes follow, %v", n, err)
	}
}
