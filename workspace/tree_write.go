package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/durable"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/store/files"
)

// Write replaces the file whose hash is base with content. If the file has another hash,
// Write returns conflict.
func (t *Tree) Write(ctx context.Context, scope strata.Scope, doc string, content []byte, base string) (files.File, error) {
	if err := files.CheckWritable(scope, doc); err != nil {
		return files.File{}, err
	}
	if err := files.CheckContent(doc, content); err != nil {
		return files.File{}, err
	}
	if err := ctx.Err(); err != nil {
		return files.File{}, err
	}
	if f, ok, err := t.alreadyWritten(scope, doc, files.Hash(content)); ok || err != nil {
		return f, err
	}
	o, release, err := t.openLocked(ctx, opWrite, scope, true)
	if err != nil {
		return files.File{}, err
	}
	defer o.Close()
	defer release()
	at, done, err := t.holdingLocked(ctx, o, doc)
	if err != nil {
		return files.File{}, o.fail(doc, err)
	}
	defer done()
	name := at.name(doc)
	was, err := t.current(at, doc, name)
	switch {
	case err != nil:
		return files.File{}, o.fail(doc, err)
	case was.Hash == files.Hash(content): // written while we waited
		return was, o.fail(doc, syncFile(at.root, name))
	case was.Hash != base:
		return files.File{}, changed(opWrite, doc, base, was.Hash)
	}
	f, err := t.put(at, doc, name, content, was.Hash)
	return f, o.fail(doc, err)
}

// Remove removes the file whose hash is base. If the file has another hash, Remove
// returns conflict; if there is no file, it does nothing.
func (t *Tree) Remove(ctx context.Context, scope strata.Scope, doc, base string) error {
	if err := files.CheckWritable(scope, doc); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	o, release, err := t.openLocked(ctx, opRemove, scope, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer o.Close()
	defer release()
	at, done, err := t.holdingLocked(ctx, o, doc)
	if err != nil {
		return o.fail(doc, err)
	}
	defer done()
	name := at.name(doc)
	was, err := t.current(at, doc, name)
	switch {
	case err != nil:
		return o.fail(doc, err)
	case was.Hash == strata.NoFile:
		return nil
	case was.Hash != base:
		return changed(opRemove, doc, base, was.Hash)
	}
	undo := t.noteWrite(scope, doc, strata.NoFile)
	if err := at.root.Remove(name); err != nil {
		undo()
		return o.fail(doc, err)
	}
	return o.fail(doc, durable.DirectoryIn(at.root, filepath.Dir(name)))
}

// alreadyWritten reports whether a file already has the content to write. It needs no
// lock, so it works on a read-only file system.
func (t *Tree) alreadyWritten(scope strata.Scope, doc, hash string) (files.File, bool, error) {
	o, name, err := t.openFor(opWrite, scope, doc)
	if err != nil {
		return files.File{}, false, nil // taking the lock will report the error
	}
	defer o.Close()
	f, err := t.load(o, doc, name)
	if err != nil || f.Hash != hash {
		return files.File{}, false, nil
	}
	return f, true, o.fail(doc, syncFile(o.root, name))
}

// openLocked opens the directory of a scope, locks its root directory, and removes what a
// killed writer left. Without create, the error is fs.ErrNotExist if there is no
// directory.
func (t *Tree) openLocked(ctx context.Context, op string, scope strata.Scope, create bool) (*opened, func(), error) {
	for {
		o, err := t.open(op, scope, create)
		if err != nil {
			return nil, nil, err
		}
		release, err := t.lockWrites(ctx, o)
		if err != nil {
			o.Close()
			return nil, nil, o.fail("", err)
		}
		// While we waited, the workspace may have been given a .strata.
		now, err := t.place(op, scope)
		if err == nil && now == o.place {
			err = o.fail("", removeIfThere(o.root, tempName))
			if err == nil {
				return o, release, nil
			}
		}
		release()
		o.Close()
		if err != nil {
			return nil, nil, err
		}
	}
}

// current returns the document at a name; its hash is strata.NoFile if there is none. A
// file that is not a document is a conflict.
func (t *Tree) current(o *opened, doc, name string) (files.File, error) {
	f, err := t.load(o, doc, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return files.File{Path: doc, Stat: files.Stat{Hash: strata.NoFile}}, nil
	case strata.CodeOf(err) == strata.CodeTooLarge, strata.CodeOf(err) == strata.CodeInvalid:
		return files.File{}, &strata.Error{Code: strata.CodeConflict, Op: o.op, Message: "what is at " + doc + " is not a document", Hint: "move it away", Err: err}
	}
	return f, err
}

// put writes a temporary file and renames it.
func (t *Tree) put(o *opened, doc, name string, content []byte, was string) (files.File, error) {
	if err := makePrivate(o.root, filepath.Dir(name)); err != nil {
		return files.File{}, err
	}
	info, err := fillNew(o.root, tempName, content)
	if err != nil {
		return files.File{}, errors.Join(err, removeIfThere(o.root, tempName))
	}
	failpoint.Hit(failpoint.FileFilled)
	// Somebody may have saved the file meanwhile.
	now, err := t.current(o, doc, name)
	if err == nil && now.Hash != was {
		err = changed(o.op, doc, was, now.Hash)
	}
	if err != nil {
		return files.File{}, errors.Join(err, removeIfThere(o.root, tempName))
	}
	f := files.File{Path: doc, Content: content, Stat: statOf(content, info, t.now())}
	undo := t.noteWrite(o.scope, doc, f.Hash)
	if err := o.root.Rename(tempName, name); err != nil {
		undo()
		return files.File{}, errors.Join(err, removeIfThere(o.root, tempName))
	}
	failpoint.Hit(failpoint.FileRenamed)
	return f, durable.DirectoryIn(o.root, filepath.Dir(name))
}

// fillNew creates a file, which must not exist, and makes its bytes durable.
func fillNew(root *os.Root, name string, content []byte) (fs.FileInfo, error) {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	info, errStat := f.Stat()
	return info, errors.Join(err, errStat, f.Close())
}

// syncFile makes an existing file durable, in case the process that wrote it was killed
// before doing so.
func syncFile(root *os.Root, name string) error {
	f, _, err := openFile(root, name, opWrite)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close(), durable.DirectoryIn(root, filepath.Dir(name)))
}

// removeIfThere removes a file if it exists.
func removeIfThere(root *os.Root, name string) error {
	err := root.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// noteWrite records what this Tree is about to write to a path, so that watchers
// recognize the change as its own. undo takes the record back.
func (t *Tree) noteWrite(scope strata.Scope, doc, hash string) (undo func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.written[scope] == nil {
		t.written[scope] = make(map[string]string)
	}
	was, ok := t.written[scope][doc]
	t.written[scope][doc] = hash
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.written[scope][doc] = was; !ok {
			delete(t.written[scope], doc)
		}
	}
}

// changed returns the error for a file that is not as expected.
func changed(op, doc, base, hash string) error {
	return &strata.Error{
		Code: strata.CodeConflict, Op: op, Message: "the file " + doc + " changed since it was read", Hint: "read it again",
		Details: map[string]string{"path": doc, "expected": base, "found": hash},
	}
}
