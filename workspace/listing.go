package workspace

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/parallel"
	"github.com/strata-memory/strata/store/files"
)

// The reasons for which a scan leaves out a name.
const (
	reasonHidden     = "hidden"
	reasonTemporary  = "temporary"
	reasonLink       = "a link"
	reasonSpecial    = "neither a file nor a directory"
	reasonNoMarkdown = "not Markdown"
	reasonName       = "a name that no document can have"
	reasonUnreadable = "not readable"
	reasonOtherScope = "kept apart; these are not documents"
	reasonAgents     = "is among the directories of the agents"
	reasonSystem     = "names that begin with _system are reserved for the system"
)

// listing is the content of a scope's directory.
type listing struct {
	// known are the documents as last recorded, and now is the time of the scan. stats
	// has the known documents that are unchanged. Both maps are nil if nothing is known.
	known map[string]files.Stat
	now   time.Time
	stats map[string]files.Stat

	found map[string]fs.FileInfo // all other documents, by path
	dirs  []string               // directories, "." for the scope's own
	left  map[string]string      // what is not a document, with the reason; the path of a directory ends in a slash

	// follow opens the directory to which a link leads; nil if the link is not followed.
	// links has the directories that were opened, by the name of the link.
	follow func(o *opened, name string) (*opened, error)
	links  map[string]*opened
}

// at returns the open directory that contains a document.
func (l *listing) at(o *opened, doc string) *opened {
	first, _, _ := strings.Cut(doc, "/")
	if link, ok := l.links[first]; ok {
		return link
	}
	return o
}

// close closes the directories that were opened through links.
func (l *listing) close() {
	for _, o := range l.links {
		o.Close()
	}
}

// list finds the documents of a scope. It follows only links that are allowed.
func (l *listing) list(ctx context.Context, o *opened) error {
	l.found = make(map[string]fs.FileInfo)
	if l.left == nil {
		l.left = make(map[string]string)
	}
	err := checkDirs(o.root, o.name("."), o.op)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the root directory is there, so the documents below it are gone
	}
	if err != nil {
		return err
	}
	for next := []string{"."}; len(next) > 0; {
		dir := next[len(next)-1]
		next = next[:len(next)-1]
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := readDir(l.at(o, dir), dir)
		if err != nil && dir == "." {
			return o.fail("", err)
		}
		if err != nil {
			l.skip(dir+"/", reasonUnreadable)
			continue
		}
		l.dirs = append(l.dirs, dir)
		for _, e := range entries {
			if l.take(o, dir, e) {
				next = append(next, path.Join(dir, e.Name()))
			}
		}
	}
	return nil
}

// readDir lists a directory with the file information of each entry. For a large
// directory several goroutines call Lstat, because that takes most of the time of a scan.
func readDir(o *opened, dir string) ([]fs.FileInfo, error) {
	d, err := o.root.OpenRoot(o.name(dir))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	f, err := d.Open(".")
	if err != nil {
		return nil, err
	}
	names, err := f.Readdirnames(-1)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	infos, errs := make([]fs.FileInfo, len(names)), make([]error, len(names))
	parallel.For(len(names), 256, func(i int) { infos[i], errs[i] = d.Lstat(names[i]) })
	for _, err := range errs {
		if err != nil && !isMissing(err) {
			return nil, err
		}
	}
	return slices.DeleteFunc(infos, func(i fs.FileInfo) bool { return i == nil }), nil
}

// take records an entry and reports whether it is a directory to list.
func (l *listing) take(o *opened, dir string, e fs.FileInfo) (into bool) {
	doc, name := e.Name(), e.Name()
	if dir != "." {
		doc = dir + "/" + name
	}
	kind := e.Mode().Type()
	was, known := l.known[doc] // then its path was checked before
	switch {
	case dir == "." && isOwn(name):
		return false
	case dir == "." && kind.IsDir() && (strings.EqualFold(name, "transcripts") || strings.EqualFold(name, "media")):
		l.skip(doc+"/", reasonOtherScope)
	case dir == "." && kind.IsDir() && o.scope.Kind == strata.ScopeWorkspace && strings.EqualFold(name, files.AgentsDir):
		l.agents(o, doc)
	case strings.HasPrefix(name, "."):
		l.skip(slashIf(kind.IsDir(), doc), reasonHidden)
	case kind&fs.ModeSymlink != 0 && dir == "." && l.open(o, name):
		return true
	case kind&fs.ModeSymlink != 0:
		l.skip(doc, reasonLink)
	case kind.IsDir():
		if len(doc) > 512 || !utf8.ValidString(doc) || strata.ValidateName("path", name) != nil {
			l.skip(doc+"/", reasonName)
			return false
		}
		return true
	case !kind.IsRegular():
		l.skip(doc, reasonSpecial)
	case strings.HasSuffix(name, ".tmp"), strings.HasSuffix(name, ".swp"):
		l.skip(doc, reasonTemporary)
	case !strings.HasSuffix(name, ".md"):
		l.skip(doc, reasonNoMarkdown)
	case isOfSystem(name):
		l.skip(doc, reasonSystem)
	case !known && files.CheckPath(o.scope, doc) != nil:
		l.skip(doc, reasonName)
	case e.Size() > strata.MaxDocumentBytes:
		l.skip(doc, files.ReasonTooLarge)
	case known && unchanged(was, e, l.now):
		l.stats[doc] = was
	default:
		l.found[doc] = e
	}
	return false
}

// open opens the directory to which a link leads, and reports whether the link is
// followed.
func (l *listing) open(o *opened, name string) bool {
	at, err := l.follow(o, name)
	if err != nil || at == nil {
		return false
	}
	if l.links == nil {
		l.links = make(map[string]*opened)
	}
	l.links[name] = at
	return true
}

// agents records the files that lie next to the directories of a workspace's agents and
// so belong to no scope.
func (l *listing) agents(o *opened, dir string) {
	entries, err := readDir(o, dir)
	if err != nil {
		l.skip(dir+"/", reasonUnreadable)
		return
	}
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			l.skip(path.Join(dir, e.Name()), reasonAgents)
		}
	}
}

// isOfSystem reports whether a file name looks like that of a system file; system files
// have a directory of their own.
func isOfSystem(name string) bool { return strings.HasPrefix(strings.ToLower(name), "_system_") }

// isOwn reports whether Strata itself keeps a file of this name at the top of a scope's
// directory.
func isOwn(name string) bool {
	switch name {
	case ".git", ".gitignore", ".gitattributes", lockName, tempName, followName, pointerName, keyDir:
		return true
	}
	return strings.HasPrefix(name, path.Base(MarkerPath))
}

func slashIf(dir bool, doc string) string {
	if dir {
		return doc + "/"
	}
	return doc
}

func (l *listing) skip(doc, why string) { l.left[strings.ToValidUTF8(doc, "\uFFFD")] = why }

// covered reports whether a path or a directory above it was left out, so that a document
// there is not known to be gone.
func (l *listing) covered(doc string) bool {
	if _, ok := l.left[doc]; ok {
		return true
	}
	for dir := path.Dir(doc); dir != "."; dir = path.Dir(dir) {
		if _, ok := l.left[dir+"/"]; ok {
			return true
		}
		if _, ok := l.left[dir]; ok { // a link in place of a directory
			return true
		}
	}
	return false
}
