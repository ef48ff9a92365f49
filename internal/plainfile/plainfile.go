// Package plainfile reads and writes files that a person named, or a home has. Opening a
// pipe waits until somebody writes to it, and nothing ends that wait; putting a new file in
// the place of a device destroys it.
package plainfile

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// ErrPipe says that a file is a pipe or socket.
var ErrPipe = errors.New("it is a pipe, not a file")

// Open opens a file for reading, and waits for nobody. A pipe is refused, but for one that
// the shell has opened already and names below /dev, as it does for <(command).
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 && !strings.HasPrefix(path, "/dev/") {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrPipe}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
