package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/strata-memory/strata"
)

// readText resolves a text argument: "-" is standard input, "@file" a file,
// "@@…" a text that begins with @, and anything else is the text itself.
func (a *app) readText(ctx context.Context, arg string) (string, error) {
	switch {
	case arg == "-":
		return readAll(interruptible(ctx, a.stdin), "standard input")
	case strings.HasPrefix(arg, "@@"):
		return arg[1:], nil
	case strings.HasPrefix(arg, "@"):
		f, err := openFile(arg[1:])
		if err != nil {
			return "", err
		}
		defer f.Close()
		return readAll(f, arg[1:])
	}
	return arg, nil
}

// readAll reads a text to its end, up to the longest text there is, and drops
// line breaks at the end.
func readAll(r io.Reader, name string) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, strata.MaxTurnBytes+1))
	if err != nil {
		return "", readError(name, err)
	}
	if len(data) > strata.MaxTurnBytes {
		return "", &strata.Error{Code: strata.CodeTooLarge, Message: quote(name) + " is longer than 16 MiB", Hint: "split it into shorter pieces"}
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

// openFile opens a file that a person named.
func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, readError(path, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, strata.Invalid("", quote(path)+" is a directory", "name a file")
	}
	return f, nil
}

// readError is an error of reading with the code a script can act on.
func readError(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &strata.Error{Code: strata.CodeNotFound, Message: "no file " + quote(name),
			Hint: "check the path; begin a text that starts with @ with @@"}
	}
	if strata.CodeOf(err) == strata.CodeCanceled {
		return err
	}
	return &strata.Error{Code: strata.CodeInvalid, Message: quote(name) + " cannot be read", Hint: "check its permissions", Err: err}
}

// interruptible reads from r until ctx ends, so that an interrupt is heeded
// while a person still types. The read under way is left behind: only the end
// of the process ends it.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	pr, pw := io.Pipe()
	go func() {
		_, err := io.Copy(pw, r)
		pw.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { pw.CloseWithError(ctx.Err()) })
	return pr
}
