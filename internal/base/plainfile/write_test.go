//go:build unix

package plainfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/strata-memory/strata"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wrote checks what a file holds and what it is, and that nothing was left beside it.
func wrote(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || string(data) != text {
		t.Errorf("%s holds %q, %v; want %q", path, data, err, text)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode() != mode {
		t.Errorf("%s is %v, %v; want %v", path, info.Mode(), err, mode)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".strata-*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestWriteAPlainFile(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 255))
	must(t, WriteBytes(path, 0o644, []byte("one")))
	wrote(t, path, "one", 0o640)
	must(t, os.Chmod(path, 0o604))
	must(t, WriteBytes(path, 0o600, []byte("two")))
	wrote(t, path, "two", 0o604)
}

func TestWhatFailsHalfwayLeavesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	failed := errors.New("failed")
	half := func(w io.Writer) error {
		_, err := io.WriteString(w, "half")
		return errors.Join(err, failed)
	}
	if err := Write(t.Context(), path, 0o600, half); !errors.Is(err, failed) {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("half a file: %v", err)
	}
	must(t, WriteBytes(path, 0o600, []byte("whole")))
	if err := Write(t.Context(), path, 0o600, half); !errors.Is(err, failed) {
		t.Error(err)
	}
	wrote(t, path, "whole", 0o600)
}

func TestALinkStays(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.Mkdir(at("far"), 0o700))
	must(t, os.WriteFile(at("far/file"), []byte("old"), 0o640))
	must(t, os.Symlink("far/file", at("link")))
	must(t, os.Symlink(at("link"), at("second")))
	must(t, os.Symlink("far/new", at("dangling")))
	must(t, os.Symlink("none/new", at("nowhere")))
	must(t, os.Symlink("loop", at("loop")))
	must(t, os.Symlink("far", at("directory")))

	must(t, WriteBytes(at("second"), 0o600, []byte("new")))
	wrote(t, at("far/file"), "new", 0o640)
	must(t, WriteBytes(at("dangling"), 0o600, []byte("made")))
	wrote(t, at("far/new"), "made", 0o600)
	must(t, WriteBytes(at("directory/file"), 0o600, []byte("below")))
	wrote(t, at("far/file"), "below", 0o640)
	for _, name := range []string{"nowhere", "loop", "directory", "none/file", "far", "far/file/below", ""} {
		err := WriteBytes(at(name), 0o600, []byte("text"))
		var known *strata.Error
		if !errors.As(err, &known) || known.Code != strata.CodeInvalid || known.Hint == "" {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"link", "second", "dangling", "nowhere", "loop", "directory"} {
		if info, err := os.Lstat(at(name)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("the link %s is %v, %v", name, info.Mode(), err)
		}
	}
}

// A device is written to, by root too, who could put a file in its place.
func TestADeviceStays(t *testing.T) {
	null := filepath.Join(t.TempDir(), "null")
	if err := syscall.Mknod(null, syscall.S_IFCHR|0o666, 1<<8|3); err != nil {
		null = "/dev/null" // only root makes devices, and nobody else could replace this one
	}
	before, err := os.Lstat(null)
	must(t, err)
	must(t, WriteBytes(null, 0o600, []byte("text")))
	if after, err := os.Lstat(null); err != nil || after.Mode() != before.Mode() || !os.SameFile(before, after) {
		t.Errorf("the device is %v, %v; it was %v", after.Mode(), err, before.Mode())
	}
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(null, link))
	must(t, WriteBytes(link, 0o600, []byte("text")))
	if after, err := os.Lstat(null); err != nil || after.Mode() != before.Mode() {
		t.Errorf("by a link: %v, %v", after.Mode(), err)
	}
}

func TestAPipeIsWaitedFor(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	must(t, syscall.Mkfifo(pipe, 0o600))
	text := bytes.Repeat([]byte("line\n"), 100_000) // more than a pipe holds
	done := make(chan error, 1)
	go func() { done <- WriteBytes(pipe, 0o600, text) }()
	got, err := os.ReadFile(pipe)
	must(t, err)
	must(t, <-done)
	if !bytes.Equal(got, text) {
		t.Errorf("read %d bytes", len(got))
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v", info.Mode(), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Write(ctx, pipe, 0o600, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody reads: %v", err)
	}
}

func TestASocketIsNoFile(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "socket")
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	must(t, err)
	defer syscall.Close(fd)
	must(t, syscall.Bind(fd, &syscall.SockaddrUnix{Name: socket}))
	if err := WriteBytes(socket, 0o600, []byte("text")); strata.CodeOf(err) != strata.CodeInvalid {
		t.Error(err)
	}
	if info, err := os.Lstat(socket); err != nil || info.Mode()&fs.ModeSocket == 0 {
		t.Errorf("the socket is %v, %v", info.Mode(), err)
	}
}

// A name of an open file, as /dev/stdout is, leads to that file, not to its directory.
func TestAnOpenFileIsWrittenTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	f, err := os.Create(path)
	must(t, err)
	defer f.Close()
	_, err = f.WriteString("before ")
	must(t, err)
	name := filepath.Join("/dev/fd", strconv.Itoa(int(f.Fd())))
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(name, link))
	must(t, WriteBytes(name, 0o600, []byte("text")))
	must(t, WriteBytes(link, 0o600, []byte(" more")))
	if got, err := os.ReadFile(path); err != nil || string(got) != "before text more" {
		t.Errorf("%q, %v", got, err)
	}
	now, err := f.Stat()
	must(t, err)
	if at, err := os.Lstat(path); err != nil || !os.SameFile(now, at) {
		t.Errorf("another file is in its place: %v", err)
	}
}

func TestADirectoryThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "file"), []byte("old"), 0o400))
	must(t, os.Chmod(dir, 0o500))
	t.Cleanup(func() { os.Chmod(dir, 0o700) })
	if os.Geteuid() == 0 {
		dir = "/proc/self" // root may write everywhere but here
	}
	for _, name := range []string{"file", "new"} {
		var known *strata.Error
		if err := WriteBytes(filepath.Join(dir, name), 0o600, []byte("text")); !errors.As(err, &known) || known.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
