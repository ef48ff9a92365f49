package backup_test

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/backup"
)

// forged is a backup that another program made: sealed, with entries of its own.
type forged struct {
	tar bytes.Buffer
	w   *tar.Writer
}

func forge(t *testing.T, from string) *forged {
	t.Helper()
	f := &forged{}
	f.w = tar.NewWriter(&f.tar)
	in, err := os.Open(from)
	ok(t, err)
	defer in.Close()
	zip, err := zstd.NewReader(in)
	ok(t, err)
	defer zip.Close()
	r := tar.NewReader(zip)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return f
		}
		ok(t, err)
		content, err := io.ReadAll(r)
		ok(t, err)
		f.add(t, *h, content)
	}
}

func (f *forged) add(t *testing.T, h tar.Header, content []byte) {
	t.Helper()
	ok(t, f.w.WriteHeader(&h))
	_, err := f.w.Write(content)
	ok(t, err)
}

func (f *forged) file(t *testing.T, path, content string) {
	f.add(t, tar.Header{Name: "home/" + path, Mode: 0o600, Size: int64(len(content))}, []byte(content))
}

func (f *forged) dir(t *testing.T, path string) {
	f.add(t, tar.Header{Name: "home/" + path + "/", Typeflag: tar.TypeDir, Mode: 0o700}, nil)
}

func (f *forged) link(t *testing.T, path, to string) {
	f.add(t, tar.Header{Name: "home/" + path, Typeflag: tar.TypeSymlink, Linkname: to}, nil)
}

func (f *forged) manifest(t *testing.T) {
	const text = `{"kind":"strata-backup","format":2}`
	f.add(t, tar.Header{Name: "manifest.json", Mode: 0o600, Size: int64(len(text))}, []byte(text))
}

// huge begins a file of a size that is not there.
func (f *forged) huge(t *testing.T, size int64) {
	t.Helper()
	ok(t, f.w.WriteHeader(&tar.Header{Name: "home/global/x.md", Mode: 0o600, Size: size}))
}

// write seals it.
func (f *forged) write(t *testing.T) string {
	t.Helper()
	f.w.Close() // fails where a size is not that of what was written
	zip, err := zstd.NewWriter(nil)
	ok(t, err)
	return sealed(t, zip.EncodeAll(f.tar.Bytes(), nil))
}

// sealed writes a file with the seal of a backup behind its data.
func sealed(t *testing.T, data []byte) string {
	t.Helper()
	text := fmt.Sprintf("strata-backup sha256:%x", sha256.Sum256(data))
	data = append(data, 0x50, 0x2a, 0x4d, 0x18, byte(len(text)), 0, 0, 0)
	to := filepath.Join(t.TempDir(), "forged.tar.zst")
	ok(t, os.WriteFile(to, append(data, text...), 0o600))
	return to
}

// A backup that somebody else made brings memory, and nothing that opens it, leads elsewhere
// or has programs run.
func TestAForeignBackupBringsMemoryAlone(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	fill(t, open(t, home))
	f := forge(t, create(t, home))
	f.file(t, "config.toml", "base_url = \"http://example.org\"\n")
	f.file(t, "server.token", "known")
	f.file(t, "tokens.json", "{}")
	f.file(t, "SERVER.TOKEN", "known")
	f.file(t, "Config.toml", "base_url = \"http://example.org\"\n")
	f.dir(t, "elsewhere")
	f.file(t, "elsewhere/profile", "x")
	f.link(t, "global/out", "/etc")
	f.link(t, "global/notes/inside.md", "../MEMORY.md")
	f.file(t, "global/notes/user_sound.md", "# Sound\n\nWhat is plainly there.\n")
	f.dir(t, "agents")
	f.dir(t, "agents/a")
	f.dir(t, "agents/a/.git")
	f.dir(t, "agents/a/.git/hooks")
	f.file(t, "agents/a/.git/config", "[core]\n\tfsmonitor = touch /tmp/x\n")
	f.file(t, "agents/a/.git/HEAD", "ref: refs/heads/main\n")
	f.file(t, "agents/a/.git/hooks/post-commit", "#!/bin/sh\n")
	f.dir(t, "agents/a/notes")
	f.file(t, "agents/a/notes/.git", "gitdir: ../x\n")
	again := filepath.Join(t.TempDir(), "again")
	r, err := backup.Restore(t.Context(), backup.RestoreOptions{From: f.write(t), Home: again, Now: noon})
	ok(t, err)
	for _, name := range []string{"config.toml", "Config.toml", "server.token", "SERVER.TOKEN", "tokens.json", "elsewhere", "global/out", "global/notes/inside.md",
		"agents/a/.git/config", "agents/a/.git/hooks", "agents/a/notes/.git"} {
		if _, err := os.Lstat(filepath.Join(again, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s was taken", name)
		}
		if !slices.ContainsFunc(r.Left, func(l backup.Left) bool { return l.Path == name }) {
			t.Errorf("%s is not named", name)
		}
	}
	for _, name := range []string{"global/notes/user_sound.md", "agents/a/.git/HEAD"} {
		if _, err := os.Lstat(filepath.Join(again, name)); err != nil {
			t.Error(err)
		}
	}
	if mem := open(t, again); len(answers(t, mem)) == 0 {
		t.Error("the memory that it brought answers nothing")
	}
}

// What no backup holds is refused, and nothing is left behind.
func TestAnArchiveWithOtherThanFilesIsRefused(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	_, err := open(t, home).Save(t.Context(), strata.Global(), "The ferry leaves at noon")
	ok(t, err)
	from := create(t, home)
	for name, change := range map[string]func(f *forged){
		"hard link": func(f *forged) {
			f.add(t, tar.Header{Name: "home/global/x.md", Typeflag: tar.TypeLink, Linkname: "home/strata.db"}, nil)
		},
		"device": func(f *forged) {
			f.add(t, tar.Header{Name: "home/global/x.md", Typeflag: tar.TypeBlock}, nil)
		},
		"pipe": func(f *forged) {
			f.add(t, tar.Header{Name: "home/global/x.md", Typeflag: tar.TypeFifo}, nil)
		},
		"traversal":         func(f *forged) { f.file(t, "global/../../x.md", "x") },
		"absolute":          func(f *forged) { f.file(t, "/tmp/x.md", "x") },
		"twice":             func(f *forged) { f.file(t, "global/x.md", "x"); f.file(t, "global/x.md", "y") },
		"through a link":    func(f *forged) { f.link(t, "global/l", "/tmp"); f.file(t, "global/l/x.md", "x") },
		"outside of home":   func(f *forged) { f.add(t, tar.Header{Name: "global/x.md", Mode: 0o600}, nil) },
		"a second manifest": func(f *forged) { f.add(t, tar.Header{Name: "manifest.json", Mode: 0o600}, nil) },
		"in no directory":   func(f *forged) { f.file(t, "global/none/x.md", "x") },
		"backslash":         func(f *forged) { f.file(t, `global\..\x.md`, "x") },
		"database as link": func(f *forged) {
			*f = forged{}
			f.w = tar.NewWriter(&f.tar)
			f.manifest(t)
			f.link(t, "strata.db", "/etc/passwd")
		},
		"no database":    func(f *forged) { *f = forged{}; f.w = tar.NewWriter(&f.tar); f.manifest(t); f.dir(t, "global") },
		"huge":           func(f *forged) { f.huge(t, 1<<62) },
		"more than fits": func(f *forged) { f.huge(t, 1<<41) },
	} {
		t.Run(name, func(t *testing.T) {
			f := forge(t, from)
			change(f)
			dir := t.TempDir()
			_, err := backup.Restore(t.Context(), backup.RestoreOptions{From: f.write(t), Home: filepath.Join(dir, "home"), Now: noon})
			if strata.CodeOf(err) != strata.CodeCorrupt {
				t.Errorf("%v, want corrupt", err)
			}
			if left, _ := os.ReadDir(dir); len(left) != 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

// Who goes back to a backup of the own home keeps settings, tokens and links as they are.
func TestAHomeThatIsReplacedKeepsItsOwn(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	mem := open(t, home)
	fill(t, mem)
	ok(t, mem.Close())
	put := func(name, content string) {
		t.Helper()
		ok(t, os.WriteFile(filepath.Join(home, name), []byte(content), 0o600))
	}
	put("config.toml", "max_results = 7\n")
	put("tokens.json", `{"old":true}`)
	vault := t.TempDir()
	ok(t, os.Symlink(vault, filepath.Join(home, "global", "vault")))
	from := create(t, home)
	put("config.toml", "max_results = 9\n")
	put("tokens.json", `{"new":true}`)
	put("server.token", "mine")
	holds := func(want map[string]string) {
		t.Helper()
		for name, content := range want {
			is, err := os.ReadFile(filepath.Join(home, name))
			if err != nil || string(is) != content {
				t.Errorf("%s holds %q, %v; want %q", name, is, err, content)
			}
		}
		if to, err := os.Readlink(filepath.Join(home, "global", "vault")); err != nil || to != vault {
			t.Errorf("the link leads to %q, %v", to, err)
		}
	}
	r, err := backup.Restore(t.Context(), backup.RestoreOptions{From: from, Home: home, Replace: true, Now: noon})
	ok(t, err)
	if want := []string{"config.toml", "global/vault", "server.token", "tokens.json"}; !slices.Equal(slices.DeleteFunc(r.Kept, func(s string) bool {
		return filepath.Base(filepath.Dir(s)) == ".git"
	}), want) {
		t.Errorf("kept %v, want %v", r.Kept, want)
	}
	holds(map[string]string{"config.toml": "max_results = 9\n", "tokens.json": `{"new":true}`, "server.token": "mine"})
	_, err = backup.Restore(t.Context(), backup.RestoreOptions{From: from, Home: home, Replace: true, WithSettings: true, Now: noon.AddDate(0, 0, 1)})
	ok(t, err)
	holds(map[string]string{"config.toml": "max_results = 7\n", "tokens.json": `{"new":true}`, "server.token": "mine"})

	refused := errors.New("no such setting")
	_, err = backup.Restore(t.Context(), backup.RestoreOptions{From: from, Home: home, Replace: true, WithSettings: true, Now: noon.AddDate(0, 0, 2),
		CheckSettings: func([]byte) error { return refused }})
	if !errors.Is(err, refused) {
		t.Errorf("settings that are none: %v", err)
	}
	holds(map[string]string{"config.toml": "max_results = 7\n"})
}
