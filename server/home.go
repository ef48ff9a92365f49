package server

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/base/filelock"
	"github.com/strata-memory/strata/internal/home/endpoint"
)

// Socket is the Unix socket of a home, which has at most one at a time. It is a
// [net.Listener]; Close removes it.
type Socket struct {
	net.Listener
	home string
	lock *os.File
}

// Listen creates the socket of a home, whose directory must exist. It returns conflict
// while another server holds the socket, and replaces one left by a killed server. To
// tell the two apart it uses a lock that ends with its process.
func Listen(home string) (*Socket, error) {
	lock, err := os.OpenFile(endpoint.Lock(home), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, socketError("the home cannot be locked", err)
	}
	held, err := filelock.Try(lock)
	if err == nil && !held {
		err = runsAlready(home, lock)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	listener, err := listen(home)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	s := &Socket{Listener: listener, home: home, lock: lock}
	// The process id in the lock is for people: nothing depends on it.
	if err := errors.Join(lock.Truncate(0), writeAt(lock, fmt.Sprintln(os.Getpid()))); err != nil {
		return nil, errors.Join(socketError("the lock of the home cannot be written", err), s.Close())
	}
	return s, nil
}

// Held reports whether a server appears to hold a home.
func Held(home string) bool {
	lock, err := os.OpenFile(endpoint.Lock(home), os.O_RDWR, 0)
	if err != nil {
		return false // never created
	}
	defer lock.Close() // and release the lock, if it was free
	held, err := filelock.Try(lock)
	return err == nil && !held
}

func writeAt(f *os.File, text string) error {
	_, err := f.WriteAt([]byte(text), 0)
	return err
}

// listen creates the socket in a directory that only its owner can enter, and moves it
// into place once its permissions are set. It replaces only what a killed server left.
func listen(home string) (*net.UnixListener, error) {
	if info, err := os.Lstat(endpoint.Socket(home)); err == nil && info.Mode().Type() != fs.ModeSocket {
		return nil, &strata.Error{Code: strata.CodeConflict, Op: "serve", Message: endpoint.Socket(home) + " exists and is not a socket",
			Hint: "no server created it; check what it is and move it away"}
	}
	// Not filepath.Glob, which would take the home's own path for a pattern.
	left, err := fs.Glob(os.DirFS(home), endpoint.Part())
	for _, dir := range left {
		err = errors.Join(err, os.RemoveAll(filepath.Join(home, dir)))
	}
	if err != nil {
		return nil, socketError("leftovers of a killed server cannot be removed", err)
	}
	dir, err := os.MkdirTemp(home, endpoint.Part()) // mode 0700
	if err != nil {
		return nil, socketError("the socket cannot be made", err)
	}
	defer os.RemoveAll(dir)
	part := filepath.Join(dir, "s")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: part, Net: "unix"})
	if err != nil {
		return nil, socketError("the socket cannot be made", err)
	}
	listener.SetUnlinkOnClose(false) // it is about to move
	if err := errors.Join(os.Chmod(part, 0o600), os.Rename(part, endpoint.Socket(home))); err != nil {
		return nil, errors.Join(socketError("the socket cannot be put into the home", err), listener.Close())
	}
	return listener, nil
}

// Close closes the socket and removes it. It releases the lock last, so that it never
// removes the socket of the next server.
func (s *Socket) Close() error {
	err := s.Listener.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil // the server that used it closed it
	}
	if s.lock == nil {
		return err
	}
	if gone := os.Remove(endpoint.Socket(s.home)); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	err = errors.Join(err, s.lock.Close())
	s.lock = nil
	return err
}

// runsAlready returns the error for a second server.
func runsAlready(home string, lock *os.File) error {
	who := "another process"
	if pid, err := io.ReadAll(io.LimitReader(lock, 20)); err == nil && strings.TrimSpace(string(pid)) != "" {
		who = "process " + strings.TrimSpace(string(pid))
	}
	return &strata.Error{Code: strata.CodeConflict, Op: "serve", Message: "this home is already served by " + who,
		Hint: "use its socket " + endpoint.Socket(home) + ", or stop that server first"}
}

func socketError(message string, err error) error {
	return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "serve", Message: message, Err: err,
		Hint: "the home must be on a writable local disk, and its path must be shorter than 80 bytes"}, "")
}

// shortestToken is the minimum length of a token in characters: 128 bits.
const shortestToken = 22

// Token returns the token of a home from a file that only its owner can read, and creates
// it if there is none. Only the home's server calls it.
func Token(home string) (string, error) {
	path := endpoint.Token(home)
	made := make([]byte, 32)
	_, _ = rand.Read(made) // it never fails
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case err == nil:
		token := base64.RawURLEncoding.EncodeToString(made)
		_, err = file.WriteString(token + "\n")
		if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
			return "", errors.Join(tokenError("the token cannot be written", err), os.Remove(path))
		}
		return token, nil
	case !errors.Is(err, fs.ErrExist):
		return "", tokenError("the token cannot be written", err)
	}
	return readToken(path)
}

// readToken reads an existing token.
func readToken(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", tokenError("the token cannot be read", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", tokenError("the token cannot be read", err)
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return "", tokenError("users other than its owner may read the token, so it is not accepted", nil)
	}
	data, err := io.ReadAll(io.LimitReader(file, 4<<10))
	token := strings.TrimSpace(string(data))
	if err != nil || len(token) < shortestToken {
		return "", tokenError("the file holds no token", err)
	}
	return token, nil
}

func tokenError(message string, err error) error {
	return &strata.Error{Code: strata.CodeDenied, Op: "serve", Message: message, Err: err,
		Hint: "remove the file server.token of the home; the next start makes a new one"}
}
