// Package input reads what a person gives the program: texts in arguments, files and
// standard input, answers to questions, and the messages of a chat, which come from a
// pipe or are edited on a terminal.
package input

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/base/plainfile"
)

// Text returns the text that an argument stands for: "-" is standard input, "@file" a
// file, "@@…" a text that begins with @, and anything else is the text itself.
func Text(ctx context.Context, arg string, stdin io.Reader) (string, error) {
	switch {
	case arg == "-":
		return ReadAll(Interruptible(ctx, stdin), "standard input")
	case strings.HasPrefix(arg, "@@"):
		return arg[1:], nil
	case strings.HasPrefix(arg, "@"):
		return File(arg[1:])
	}
	return arg, nil
}

// File returns the text of a file that a person named.
func File(path string) (string, error) {
	f, err := Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return ReadAll(f, path)
}

// ReadAll reads a text of at most the allowed length to its end, and drops trailing line
// breaks. Errors mention the name.
func ReadAll(r io.Reader, name string) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, strata.MaxTurnBytes+1))
	if err != nil {
		return "", ReadError(name, err)
	}
	if len(data) > strata.MaxTurnBytes {
		return "", tooLong(terminal.Quote(name) + " is")
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

// tooLong returns the error for a text longer than strata.MaxTurnBytes.
func tooLong(what string) error {
	return &strata.Error{Code: strata.CodeTooLarge, Message: what + " longer than 16 MiB", Hint: "split it into shorter pieces"}
}

// OpenOr opens a file that a person named; "-" is standard input, which is
// read until ctx ends.
func OpenOr(ctx context.Context, path string, stdin io.Reader) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(Interruptible(ctx, stdin)), nil
	}
	return Open(path)
}

// Open opens a file that a person named.
func Open(path string) (*os.File, error) {
	f, err := plainfile.Open(path)
	if errors.Is(err, plainfile.ErrPipe) {
		return nil, strata.Invalid("", terminal.Quote(path)+" is a pipe", "name a file, or pass - and the text on standard input")
	}
	if err != nil {
		return nil, ReadError(path, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, strata.Invalid("", terminal.Quote(path)+" is a directory", "name a file")
	}
	return f, nil
}

// ReadError gives a read error a code that a script can act on.
func ReadError(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &strata.Error{Code: strata.CodeNotFound, Message: "no file " + terminal.Quote(name),
			Hint: "check the path; begin a text that starts with @ with @@"}
	}
	if strata.CodeOf(err) == strata.CodeCanceled {
		return err
	}
	return &strata.Error{Code: strata.CodeInvalid, Message: terminal.Quote(name) + " cannot be read", Hint: "check its permissions", Err: err}
}

// Interruptible returns a reader of r that ends with ctx, so that an interrupt works
// while a person is typing. It abandons a pending read, which ends with the process.
func Interruptible(ctx context.Context, r io.Reader) io.Reader {
	pr, pw := io.Pipe()
	go func() {
		_, err := io.Copy(pw, r)
		pw.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { pw.CloseWithError(ctx.Err()) })
	return pr
}
