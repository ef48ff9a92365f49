package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
)

// checkIdentity returns a conflict unless the home's files show that a directory with the
// marker of a workspace may be that workspace: the home saw the workspace there last, or
// in the same repository, or the directory holds the home's key. If the home's files do
// not name the workspace, the database may know more; see [Admit].
func (b bounds) checkIdentity(root, id, made string) error {
	if b.anyMarker {
		return nil
	}
	known, _ := readPointer(b.strata, id) // a damaged pointer tells nothing
	last := known.Root
	if last != "" {
		last = realPath(last)
		made = last
	}
	if last == root || last != "" && sameRepository(root, last) {
		return nil
	}
	if err := checkCopy(root, id, made); err != nil {
		return err
	}
	if last == "" || holdsKey(root, known.Key) {
		return nil
	}
	return disputed(root, id, last)
}

// checkCopy returns a conflict if another existing directory, origin, rightfully has the
// identity. A directory that was moved leaves nothing behind, and worktrees of one
// repository share what is checked in.
func checkCopy(root, id, origin string) error {
	if origin = realPath(origin); origin == root || !owns(origin, id) {
		return nil
	}
	here, errHere := os.Stat(root)
	other, errOther := os.Stat(origin)
	if errHere != nil || errOther != nil || os.SameFile(here, other) || sameRepository(root, origin) {
		return nil
	}
	return &strata.Error{
		Code: strata.CodeConflict, Op: op,
		Message: root + " is a copy of the workspace " + origin + " and has the same id",
		Hint:    "run strata init --identity new in the copy to give it an id and a memory of its own",
	}
}

// sameRepository reports whether two directories are worktrees of one repository.
func sameRepository(one, other string) bool {
	a, errA := inGit(one)
	b, errB := inGit(other)
	return errA == nil && errB == nil && a.Source == SourceGit && a.Key == b.Key
}

// disputed returns the error that asks a person whether root is the workspace whose id it
// has.
func disputed(root, id, last string) error {
	where := ""
	if last != "" {
		where = " in " + last
	}
	return &strata.Error{
		Code: strata.CodeConflict, Op: op,
		Message: root + " has the id of the workspace " + id + ", which this home knows" + where + "; nothing shows that this is the same project",
		Hint:    "run there strata init --identity same to say that it is, and to give it that memory, or strata init --identity new to make it another project",
	}
}

// IsDisputed reports whether an error says that a directory has the id of a workspace but
// may not be that workspace, because it is a copy or a person must confirm it. Such a
// directory must not get the workspace's memory.
func IsDisputed(err error) bool {
	var known *strata.Error
	return errors.As(err, &known) && known.Code == strata.CodeConflict && known.Op == op
}

// Admit returns a conflict unless a workspace that was found may have the memory of its
// id. [Find] has already checked the home's files. If these do not name the workspace, as
// in the home of an earlier version, Admit asks the database: admits reports whether the
// id is new to it or stored for one of the keys.
func Admit(found Found, home string, admits func(id string, keys ...string) (bool, error)) error {
	if found.Source != SourceMarker || found.ID == "" || found.Root == "" || lastRoot(home, found.ID) != "" {
		return nil
	}
	if ok, err := admits(found.ID, Keys(found.Root)...); ok || err != nil {
		return err
	}
	return disputed(found.Root, found.ID, "")
}

// Claimed returns the workspace whose id the directory around dir has, even if nothing
// shows that it is that workspace. It returns a conflict if the directory is a copy of
// one that still exists; its other errors are those of [Find].
func Claimed(dir, home string) (Found, error) {
	root, m, err := markedRoot(dir, home)
	if err != nil {
		return Found{}, err
	}
	origin := m.RealPath
	if last := lastRoot(home, m.ID); last != "" {
		origin = last
	}
	if err := checkCopy(root, m.ID, origin); err != nil {
		return Found{}, err
	}
	return Found{Root: root, ID: m.ID, Source: SourceMarker, NoIngest: m.optsOut()}, nil
}

// Disown gives the directory around dir a new id. Its files stay, as files of the new
// workspace.
func Disown(dir, home string) error {
	root, _, err := markedRoot(dir, home)
	if err != nil {
		return err
	}
	if err := renew(root); err != nil {
		var known *strata.Error
		if errors.As(err, &known) {
			return err
		}
		return diskError(opInit, "cannot write "+filepath.Join(root, filepath.FromSlash(MarkerPath)), err)
	}
	return nil
}

// renew writes a marker with a new id. It refuses a .strata that is a link, because that
// is not the directory's own.
func renew(root string) error {
	project, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer project.Close()
	if err := checkDirs(project, markerDir, opInit); err != nil {
		return err
	}
	own, err := project.OpenRoot(markerDir)
	if err != nil {
		return err
	}
	d := &directory{own}
	defer d.Close()
	if err := d.RemoveAll(keyDir); err != nil {
		return err
	}
	now := time.Now()
	var ids id.Maker
	return writeMarker(d, Marker{ID: ids.New(id.Workspace, now), CreatedAt: now.UTC().Truncate(time.Second), RealPath: root})
}

// markedRoot returns the directory whose marker puts dir in a workspace, and that marker.
func markedRoot(dir, home string) (string, Marker, error) {
	real, err := realDir(dir)
	if err != nil {
		return "", Marker{}, err
	}
	b := boundsFor(home)
	b.anyMarker = true
	found, err := findAny(real, b)
	if err != nil {
		return "", Marker{}, err
	}
	if found.Source == SourceMarker {
		for _, root := range []string{found.Root, mainOf(found.Root)} {
			if m, ok, err := readMarker(root); ok || err != nil {
				return root, m, err
			}
		}
	}
	return "", Marker{}, strata.Invalid(opInit, dir+" is in no workspace with an id of its own", "strata init gives it one")
}
