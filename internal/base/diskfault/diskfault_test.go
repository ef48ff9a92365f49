package diskfault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/strata-memory/strata"
)

func TestOf(t *testing.T) {
	dir := t.TempDir()
	named := filepath.Join(dir, "below", "named")
	for _, c := range []struct {
		err  error
		code strata.Code // empty: no refusal of a disk
		says []string
	}{
		{syscall.ENOSPC, strata.CodeFull, []string{"no room", dir, "free space"}},
		{&fs.PathError{Op: "write", Path: named, Err: syscall.ENOSPC}, strata.CodeFull, []string{named}},
		{&fs.PathError{Op: "write", Path: "relative", Err: syscall.ENOSPC}, strata.CodeFull, []string{dir}},
		{&os.LinkError{Op: "rename", Old: "/a", New: named, Err: syscall.EDQUOT}, strata.CodeFull, []string{"quota", named}},
		{fmt.Errorf("save: %w", errors.Join(fs.ErrClosed, syscall.EFBIG)), strata.CodeFull, []string{"grow", "ulimit -f"}},
		{syscall.EROFS, strata.CodeReadOnly, []string{"read-only", "mount"}},
		{syscall.EACCES, strata.CodeReadOnly, []string{dir, "owns"}},
		{syscall.EPERM, strata.CodeReadOnly, []string{"owns"}},
		{syscall.EMFILE, strata.CodeUnavailable, []string{"ulimit -n"}},
		{syscall.EIO, strata.CodeUnavailable, []string{"errors", "backup"}},
		{syscall.ENOENT, "", nil},
		{syscall.Errno(0), "", nil},
		{errors.New("no space left on device"), "", nil},
		{nil, "", nil},
	} {
		got := Of(c.err, dir)
		if got == nil {
			if c.code != "" {
				t.Errorf("%v: no refusal, want %s", c.err, c.code)
			}
			continue
		}
		if got.Code != c.code {
			t.Errorf("%v: code %s, want %s", c.err, got.Code, c.code)
		}
		for _, s := range c.says {
			if !strings.Contains(got.Message+"\n"+got.Hint, s) {
				t.Errorf("%v: %q, %q do not say %q", c.err, got.Message, got.Hint, s)
			}
		}
	}
}

func TestExplain(t *testing.T) {
	e := Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "export", Message: "no export", Hint: "look", Err: syscall.ENOSPC}, "")
	if e.Code != strata.CodeFull || e.Op != "export" || e.Message != "no export" || e.Hint == "look" {
		t.Errorf("%+v", e)
	}
	e = Explain(&strata.Error{Code: strata.CodeUnavailable, Hint: "look", Err: fs.ErrNotExist}, "")
	if e.Code != strata.CodeUnavailable || e.Hint != "look" {
		t.Errorf("what is no refusal: %+v", e)
	}
}

func TestCoded(t *testing.T) {
	if err := Coded("write", &fs.PathError{Op: "write", Path: "/x", Err: syscall.ENOSPC}); strata.CodeOf(err) != strata.CodeFull || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := Coded("write", &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}); !strings.Contains(strata.MessageOf(err), filepath.Join(here, "x")) {
		t.Errorf("a relative path: %v", err)
	}
	known := strata.Invalid("write", "too long", "")
	known.Err = syscall.ENOSPC
	if err := Coded("write", known); err != error(known) {
		t.Errorf("an error with a code: %v", err)
	}
	if err := Coded("write", fs.ErrClosed); err != fs.ErrClosed {
		t.Errorf("what is no refusal: %v", err)
	}
	if err := Coded("write", nil); err != nil {
		t.Errorf("nil: %v", err)
	}
}

func TestLook(t *testing.T) {
	dir := t.TempDir()
	if e := Look(filepath.Join(dir, "not", "there", "yet")); e != nil {
		t.Errorf("a sound disk: %v", e)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 bytes", 1023: "1023 bytes", 12 << 10: "12 KiB", 3 << 19: "1.5 MiB", 5 << 30: "5.0 GiB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestFree(t *testing.T) {
	bytes, files, known := Free(t.TempDir())
	if !known || bytes == 0 || files == 0 {
		t.Errorf("%d bytes, %d files, %v", bytes, files, known)
	}
	if _, _, known := Free("/not/there"); known {
		t.Error("the room of a directory that is not there is known")
	}
}
