package workspace

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/store/files"
)

var _ files.Transcripts = (*Transcripts)(nil)

// Transcripts keeps the transcripts of sessions as files of mode 0600 in directories of
// mode 0700 named transcripts, one in the directory of each scope (see [Tree]). A file is
// complete or does not exist: it is written to a temporary file, synced and renamed. No
// path leads out of the home or .strata, through links or otherwise.
type Transcripts struct {
	layout *layout
	kind   fileKind
}

// fileKind says which kind of files are kept and how their names end.
type fileKind struct{ ending string }

var (
	transcriptFiles = fileKind{".jsonl"}
	archiveFiles    = fileKind{".jsonl.gz"}
)

// The directories of the two kinds: transcriptDir in the directory of each scope,
// archiveDir in the home.
const (
	transcriptDir = "transcripts"
	archiveDir    = "archive"
)

// owns reports whether files of this kind lie in a directory.
func (k fileKind) owns(dir string) bool {
	if k == archiveFiles {
		return strings.HasPrefix(dir, archiveDir+"/")
	}
	return path.Base(dir) == transcriptDir
}

// NewTranscripts returns the transcripts of a home. workspaces holds the directories of
// the available workspaces by id; nil for none.
func NewTranscripts(home string, workspaces map[string]string) *Transcripts {
	return &Transcripts{newLayout(home, workspaces), transcriptFiles}
}

// NewArchives returns the archives of a home. They are kept like transcripts, but always
// below the home's archive directory: an archive is all that is left of a conversation,
// must stay when a project goes, and must not be recorded in a history of files.
func NewArchives(home string) *Transcripts {
	return &Transcripts{newLayout(home, nil), archiveFiles}
}

const transcriptOp = "keep transcript"

// The first elements of a place.
const (
	placeHome      = "home"      // followed by the id; below the .strata of that workspace
	placeWorkspace = "workspace" // then the id; below .strata of that workspace
)

// Place returns where the transcript of a session belongs: "home/" and a path below the
// home, or "workspace/", a workspace id and a path below its .strata.
func (t *Transcripts) Place(scope strata.Scope, session string) string {
	if t.kind == archiveFiles {
		return path.Join(placeHome, archiveDir, t.layout.inHome(scope).dir, fileName(session)+t.kind.ending)
	}
	at := t.layout.find(scope)
	place := placeHome
	if at.workspace != "" {
		place = path.Join(placeWorkspace, at.workspace)
	}
	return path.Join(place, at.dir, transcriptDir, fileName(session)+t.kind.ending)
}

// Write writes a transcript. If there is another one at the place, it returns conflict.
func (t *Transcripts) Write(ctx context.Context, place string, c files.Content) error {
	return t.write(ctx, place, c, false)
}

// Replace writes a transcript, whether or not there is one at the place.
func (t *Transcripts) Replace(ctx context.Context, place string, c files.Content) error {
	return t.write(ctx, place, c, true)
}

func (t *Transcripts) write(ctx context.Context, place string, c files.Content, replace bool) error {
	d, name, err := t.enter(place, true)
	if err != nil {
		return err
	}
	defer d.Close()
	release, err := d.lock(ctx)
	if err != nil {
		return describe(place, err)
	}
	defer release()
	// The name is always the same and the lock is held, so this overwrites what a killed
	// process left.
	temp := "." + name + ".new"
	if err := d.fill(temp, c); err != nil {
		return describe(place, errors.Join(err, removeIfThere(d.Root, temp)))
	}
	failpoint.Hit(failpoint.TranscriptFilled)
	same, err := d.same(temp, name)
	switch {
	case err == nil && same:
		return describe(place, removeIfThere(d.Root, temp))
	case err == nil && !replace:
		err = &strata.Error{Code: strata.CodeConflict, Op: transcriptOp, Message: "there is another transcript at " + place,
			Hint: "move it away if you do not want it"}
	case err == nil || errors.Is(err, fs.ErrNotExist):
		err = d.Rename(temp, name)
		if err == nil {
			return describe(place, d.sync())
		}
	}
	return describe(place, errors.Join(err, removeIfThere(d.Root, temp)))
}

// Remove removes a transcript. It is no error if there is none.
func (t *Transcripts) Remove(ctx context.Context, place string) error {
	d, name, err := t.enter(place, false)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	release, err := d.lock(ctx)
	if err != nil {
		return describe(place, err)
	}
	defer release()
	if err := errors.Join(removeIfThere(d.Root, name), removeIfThere(d.Root, "."+name+".new")); err != nil {
		return describe(place, err)
	}
	return describe(place, d.sync())
}

// Open opens a transcript for reading.
func (t *Transcripts) Open(_ context.Context, place string) (io.ReadCloser, error) {
	d, name, err := t.enter(place, false)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	f, err := d.openRegular(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, strata.NotFound("read transcript", "transcript", place)
	}
	if err != nil {
		return nil, describe(place, err)
	}
	return f, nil
}

// enter opens the directory of a place and returns the name of the file in it. With
// create, it makes the directory; otherwise a missing directory is not_found.
func (t *Transcripts) enter(place string, create bool) (*directory, string, error) {
	base, dir, name, err := t.resolve(place)
	if err != nil {
		return nil, "", err
	}
	root, err := os.OpenRoot(base)
	if err != nil {
		return nil, "", unreachable(place, err)
	}
	defer root.Close()
	if create {
		if err := makePrivate(root, dir); err != nil {
			return nil, "", describe(place, err)
		}
	}
	inner, err := root.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", strata.NotFound(transcriptOp, "transcript", place)
	}
	if err != nil {
		return nil, "", describe(place, err)
	}
	d := &directory{inner}
	if create && strings.HasPrefix(place, placeWorkspace+"/") {
		if err := d.ignore(); err != nil {
			return nil, "", errors.Join(describe(place, err), d.Close())
		}
	}
	return d, name, nil
}

// resolve splits a place into a directory on disk, a path below it and a file name.
func (t *Transcripts) resolve(place string) (base, dir, name string, err error) {
	first, rest, _ := strings.Cut(place, "/")
	switch first {
	case placeHome:
		base = t.layout.home
	case placeWorkspace:
		var id string
		id, rest, _ = strings.Cut(rest, "/")
		if base = t.layout.strataDir(id); base == "" {
			return "", "", "", unreachable(place, nil)
		}
	}
	dir, name = path.Split(rest)
	dir = path.Clean(dir)
	if base == "" || !t.kind.owns(dir) || !strings.HasSuffix(name, t.kind.ending) || path.Join(dir, name) != rest || !filepath.IsLocal(filepath.FromSlash(rest)) {
		return "", "", "", strata.Invalid(transcriptOp, "not the place of a transcript: "+place, "use what Place returned")
	}
	return base, filepath.FromSlash(dir), name, nil
}

func unreachable(place string, err error) error {
	return &strata.Error{Code: strata.CodeUnavailable, Op: transcriptOp, Message: "the directory of the transcript " + place + " is not available",
		Hint: "run it inside that workspace", Err: cause(err)}
}

// describe gives a file system error a code. A nil err stays nil.
func describe(place string, err error) error {
	var known *strata.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	e := diskError(transcriptOp, "the transcript "+place+" cannot be kept", err)
	if e.Code == strata.CodeFull {
		e.Hint += "; the session is kept in the database"
	}
	return e
}

// diskError wraps a file system error in one with a code.
func diskError(op, message string, err error) *strata.Error {
	e := &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: message, Hint: "check the directory's permissions and links", Err: cause(err)}
	switch {
	case errors.Is(err, syscall.ENAMETOOLONG):
		e.Code, e.Hint = strata.CodeInvalid, "use a shorter name"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Code, e.Hint = strata.CodeCanceled, ""
	}
	return diskfault.Explain(e, "")
}

// sameBytes reports whether two readers give the same bytes.
func sameBytes(a, b io.Reader) (bool, error) {
	const chunk = 64 << 10
	x, y := bufio.NewReaderSize(a, chunk), bufio.NewReaderSize(b, chunk)
	one, two := make([]byte, chunk), make([]byte, chunk)
	for {
		n, errA := io.ReadFull(x, one)
		m, errB := io.ReadFull(y, two)
		if !bytes.Equal(one[:n], two[:m]) {
			return false, nil
		}
		for _, err := range []error{errA, errB} {
			if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
				return false, err
			}
		}
		if errA != nil || errB != nil {
			return errA != nil && errB != nil, nil
		}
	}
}
