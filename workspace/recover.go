package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/strata-memory/strata"
)

const opRecover = "recover workspace"

// Recovered says what [Recover] did. The zero value means that it did nothing.
type Recovered struct {
	Root string `json:"root"`
	ID   string `json:"id"`
	// Problem says what was wrong with the identity file.
	Problem string `json:"problem"`
	// Aside is the new path of the damaged file; empty if there was none.
	Aside string `json:"aside,omitempty"`
}

// Recover restores the identity of the nearest .strata from dir upwards if its identity
// file is missing or damaged. known returns the id that the home stores for a key, empty
// for none (see [Found]); Recover calls it for the directory and the git repository. It
// keeps a damaged file next to the new one. If .strata was made by hand, Recover moves
// the files that the home has kept into it, as [Init] does; otherwise they would count as
// deleted.
//
// If nothing is wrong, or the file is missing and the home knows no id, Recover does
// nothing. Its errors are those of [Find], full and read_only.
func Recover(dir, home string, known func(key string) (string, error)) (Recovered, error) {
	real, err := realDir(dir)
	if err != nil {
		return Recovered{}, err
	}
	b := boundsFor(home)
	for at := real; !b.stops(at); at = filepath.Dir(at) {
		own := filepath.Join(at, markerDir)
		info, err := os.Lstat(own)
		if err == nil && info.IsDir() && (b.strata == "" || realPath(own) != b.strata) {
			return recoverAt(at, home, known)
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return Recovered{}, nil
}

func recoverAt(root, home string, known func(key string) (string, error)) (Recovered, error) {
	_, ok, damage := readMarker(root)
	if ok && damage == nil || damage != nil && strata.CodeOf(damage) != strata.CodeCorrupt {
		return Recovered{}, damage
	}
	r := Recovered{Root: root, Problem: MarkerPath + " is missing"}
	if damage != nil {
		r.Problem = damage.Error()
	}
	for _, key := range Keys(root) {
		got, err := known(key)
		if err != nil {
			return Recovered{}, err
		}
		if id, ok := parseID(got); ok {
			r.ID = id
			break
		}
	}
	if r.ID == "" {
		return Recovered{}, damage // without damage, the directory was no workspace
	}
	if err := r.write(home); err != nil {
		return Recovered{}, diskError(opRecover, "cannot write "+filepath.Join(root, filepath.FromSlash(MarkerPath)), err)
	}
	return r, nil
}

// write sets the damaged file aside and writes a new one.
func (r *Recovered) write(home string) error {
	own, err := os.OpenRoot(filepath.Join(r.Root, markerDir))
	if err != nil {
		return err
	}
	d := &directory{own}
	defer d.Close()
	ctx := context.Background()
	release, err := lockIn(ctx, own, lockName, opRecover, "the directory "+r.Root)
	if err != nil {
		return err
	}
	defer release()
	if _, ok, err := readMarker(r.Root); ok && err == nil {
		return nil // another process was faster
	}
	kept, err := openHomeFiles(ctx, home, r.ID)
	if err != nil {
		return err
	}
	defer kept.Close()
	if _, _, err := kept.moveTo(d); err != nil {
		return err
	}
	if err := r.putAside(d); err != nil {
		return err
	}
	if err := writeMarker(d, Marker{ID: r.ID, CreatedAt: time.Now().UTC().Truncate(time.Second), RealPath: r.Root}); err != nil {
		return err
	}
	if home == "" || writePointer(home, r.ID, r.Root) != nil {
		return nil // keep the home's files, because they are still looked for there
	}
	return kept.drop()
}

// putAside renames the damaged file, if there is one.
func (r *Recovered) putAside(d *directory) error {
	name := path.Base(MarkerPath)
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.damaged-%d", name, n)
		if _, err := d.Lstat(aside); err == nil {
			continue
		}
		err := d.Rename(name, aside)
		if err == nil {
			r.Aside = filepath.Join(r.Root, markerDir, aside)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
}
