package backup

import (
	"archive/tar"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/durable"
	"github.com/strata-memory/strata/internal/base/plainfile"
	"github.com/strata-memory/strata/internal/sqlite/migration"
)

const (
	timeMark   = "{time}"
	timeLayout = "20060102T150405Z"
)

// plainName is the name of a backup for which only a directory was given.
var plainName = migration.BackupPrefix + timeMark + zstandard.suffix

// place is where backups are written: a fixed name, or a name with the time between
// before and after.
type place struct {
	dir, before, after string
	timed              bool
	own                bool // in the home: all backups there belong to it, whatever its path was
}

// ownPlace returns the place of a home's own backups.
func ownPlace(dir string) place {
	before, after, _ := strings.Cut(plainName, timeMark)
	return place{dir: dir, before: before, after: after, timed: true, own: true}
}

// parsePlace parses the destination of a backup.
func parsePlace(to string, keep int, encrypted bool) (place, error) {
	const op = "backup"
	if to == "" {
		return place{}, strata.Invalid(op, "no file was given", "name the file of the backup, or a directory")
	}
	if keep < 0 {
		return place{}, strata.Invalid(op, "the number of backups to keep is negative", "give 1 or more")
	}
	abs, err := filepath.Abs(to)
	if err != nil {
		return place{}, unavailable("the location of the backup cannot be found", err)
	}
	if info, err := os.Stat(abs); err == nil && info.IsDir() {
		abs = filepath.Join(abs, plainName)
		if encrypted {
			abs += ageSuffix
		}
	}
	p := place{dir: filepath.Dir(abs)}
	p.before, p.after, p.timed = strings.Cut(filepath.Base(abs), timeMark)
	if info, err := os.Stat(p.dir); err != nil || !info.IsDir() {
		return p, strata.NotFound(op, "directory", p.dir)
	}
	if keep > 0 && !p.timed {
		return p, strata.Invalid(op, "--keep needs names that differ", "name a directory, or a file with "+timeMark+" in its name")
	}
	return p, nil
}

// at returns the path of a backup that begins at a time.
func (p place) at(now time.Time) string {
	if !p.timed {
		return filepath.Join(p.dir, p.before)
	}
	return filepath.Join(p.dir, p.before+now.UTC().Format(timeLayout)+p.after)
}

// rotate removes old backups of a home in this place. It keeps the newest, up to keep
// backups and maxSize bytes in total (0 means no limit), and always keeps the one just
// made. It does not touch anything that is not a backup of this home.
func (p place) rotate(home, made string, keep int, maxSize int64) (removed []string, err error) {
	own, err := p.list(home)
	if err != nil {
		return nil, err
	}
	bounded := maxSize > 0
	own = slices.DeleteFunc(own, func(b kept) bool {
		if b.path == made {
			maxSize -= b.size
			keep--
		}
		return b.path == made
	})
	for i := len(own) - 1; i >= 0; i-- { // newest first
		keep--
		maxSize -= own[i].size
		if keep >= 0 && (!bounded || maxSize >= 0) {
			continue
		}
		if err := os.Remove(own[i].path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, unavailable("an older backup cannot be removed", err)
		}
		removed = append(removed, own[i].path)
	}
	if len(removed) > 0 {
		err = durable.Directory(p.dir)
	}
	slices.Sort(removed)
	return removed, err
}

// kept is an existing backup.
type kept struct {
	path string
	time time.Time // when it began, according to its name
	size int64     // in bytes
}

// list returns the backups of a home in this place, oldest first.
func (p place) list(home string) (own []kept, err error) {
	entries, err := os.ReadDir(p.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unavailable("older backups cannot be listed", err)
	}
	for _, e := range entries {
		middle, ok := strings.CutPrefix(e.Name(), p.before)
		if !ok || !e.Type().IsRegular() {
			continue
		}
		if middle, ok = p.cutAfter(middle); !ok {
			continue
		}
		began, err := time.Parse(timeLayout, middle)
		if err != nil {
			continue
		}
		info, err := e.Info()
		if path := filepath.Join(p.dir, e.Name()); err == nil && (p.own || isOf(path, home)) {
			own = append(own, kept{path, began, info.Size()})
		}
	}
	slices.SortFunc(own, func(a, b kept) int { return a.time.Compare(b.time) })
	return own, nil
}

// cutAfter removes from a name what follows the time. It also accepts the suffix of
// earlier versions, which used another compression.
func (p place) cutAfter(name string) (middle string, ok bool) {
	if middle, ok = strings.CutSuffix(name, p.after); ok {
		return middle, true
	}
	rest, plain := strings.CutPrefix(p.after, zstandard.suffix)
	middle, ok = strings.CutSuffix(name, gzipped.suffix+rest)
	return middle, ok && plain
}

// isOf reports whether a file is a backup of a home.
func isOf(path, home string) bool {
	f, err := plainfile.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if isEncrypted(f) {
		return isMarked(f, home)
	}
	zip, err := decompressed(f)
	if err != nil {
		return false
	}
	defer zip.Close()
	info, err := f.Stat()
	if err != nil {
		return false
	}
	m, err := readManifest(tar.NewReader(zip), info.Size())
	return err == nil && m.Home == home
}
