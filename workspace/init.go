package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/store/files"
)

const opInit = "make workspace"

// InitOptions say what a new workspace begins with.
type InitOptions struct {
	// ID is the id under which the home has kept the workspace so far, so that
	// its memory stays; empty for a new one.
	ID string
	// Adopt says that the directory is the workspace whose id it has, where that has to be
	// asked about.
	Adopt bool
	// Text returns the starting text of a standard file by its path; empty
	// leaves the file out. A nil Text leaves all out.
	Text func(path string) string
	// Documents are those that memory keeps of the workspace. Those whose files are
	// not there are written before the workspace has its identity, so that they are
	// never taken for deleted.
	Documents []strata.Document
	// Now is the time of creation; zero means the time of the call.
	Now time.Time
	// DryRun says what would be written and changes nothing. What the home kept
	// so far is not looked through: Moved and Left stay empty.
	DryRun bool
}

// Initialized says what [Init] did. All lists are empty the second time.
type Initialized struct {
	Root string `json:"root"` // the workspace's directory, with links resolved
	ID   string `json:"id"`
	// Created says that the workspace had no identity of its own before.
	Created bool `json:"created"`
	// Keys are those for which the home should keep the id, so that the identity
	// can be recovered; see [Found].
	Keys []string `json:"-"`
	// Written are the standard files that were written, below .strata, and Restored
	// those that were written back from what memory keeps of them. Moved are the files
	// that the home kept so far, and Left those of them that stay there because another
	// is in their place.
	Written  []string `json:"written,omitempty"`
	Restored []string `json:"restored,omitempty"`
	Moved    []string `json:"moved,omitempty"`
	Left     []string `json:"left,omitempty"`
	// Exclude is the file of the project's git repository that got a line;
	// empty where there is no repository or the line stood there.
	Exclude string `json:"exclude,omitempty"`
	// Warnings say what could not be done and does no harm to memory.
	Warnings []string `json:"warnings,omitempty"`
}

// StandardFiles are the paths of the files that every workspace begins with.
func StandardFiles() []string {
	return []string{strata.IndexPath, "AGENTS.md", "SOUL.md", "USER.md", "HEARTBEAT.md"}
}

// Init makes the project around dir a workspace with a memory of its own: a
// directory .strata with identity and standard files. What is there is left as
// it is, so that it may be done again. The project is the one [Resolve] finds;
// in a linked worktree it is the main one, because linked ones come and go. Files
// that the home kept for the workspace so far move into .strata, save
// transcripts, which memory knows by where they are.
//
// Of the project's git repository, info/exclude gets one line; nothing else is
// touched. Errors are those of [Resolve], and invalid for a home directory or a
// bare repository, full and read_only.
func Init(dir, home string, o InitOptions) (Initialized, error) {
	find := Resolve
	if o.Adopt {
		find = Claimed
	}
	found, err := find(dir, home)
	if err != nil {
		return Initialized{}, err
	}
	if found.Source == SourceID {
		return Initialized{}, strata.Invalid(opInit, dir+" is the id of a workspace", "name the directory of the project")
	}
	if found.Root == "" {
		return Initialized{}, homeDirectory(dir)
	}
	b := boundsFor(home)
	in, err := identify(found, b)
	if err != nil {
		return Initialized{}, err
	}
	strataDir := filepath.Join(in.Root, markerDir)
	if b.stops(in.Root) || b.strata != "" && realPath(strataDir) == b.strata {
		return Initialized{}, homeDirectory(in.Root)
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	if in.ID == "" {
		if in.ID, err = newID(o); err != nil {
			return Initialized{}, err
		}
	}
	in.Keys = Keys(in.Root)
	if o.DryRun {
		return in, in.plan(o)
	}
	// Git must not see the directory, not even for a moment.
	if in.Exclude, err = excludeFromGit(in.Root); err != nil {
		in.Warnings = append(in.Warnings, "add the line "+excludeLine+" to the repository's info/exclude yourself: "+err.Error())
	}
	if err := in.fill(home, o); err != nil {
		var known *strata.Error
		if errors.As(err, &known) {
			return in, err
		}
		return in, diskError(opInit, "cannot write "+strataDir, err)
	}
	return in, nil
}

// identify finds out where the memory of a workspace is to be, and the id that it has
// already; empty for none.
func identify(found Found, b bounds) (in Initialized, err error) {
	if _, own, err := readMarker(found.Root); err == nil && !own && found.Source == SourceMarker {
		// A linked worktree, whose identity its main one keeps.
		if found, err = find(found.Root, b, inGit); err != nil {
			return in, err
		}
	}
	if found.ID != "" {
		return Initialized{Root: found.Root, ID: found.ID}, nil
	}
	if in.Root, err = mainRoot(found); err != nil {
		return in, err
	}
	m, ok, err := readMarker(in.Root)
	if err == nil && ok {
		in.ID = m.ID // another worktree is the workspace's own
	}
	return in, err
}

// homeDirectory is the error of a directory that cannot be a workspace's.
func homeDirectory(dir string) error {
	return strata.Invalid(opInit, dir+" cannot have a .strata of its own, because it is a home directory", "go to the directory of a project")
}

// plan fills in what would be written.
func (in *Initialized) plan(o InitOptions) error {
	_, ok, err := readMarker(in.Root)
	if err != nil {
		return err
	}
	in.Created = !ok
	for _, d := range Missing(in.Root, o.Documents) {
		in.Restored = append(in.Restored, pathOf(d))
	}
	for _, doc := range StandardFiles() {
		_, err := os.Lstat(filepath.Join(in.Root, markerDir, doc))
		if errors.Is(err, fs.ErrNotExist) && o.Text != nil && o.Text(doc) != "" && !slices.Contains(in.Restored, doc) {
			in.Written = append(in.Written, doc)
		}
	}
	if in.Exclude, err = wouldExclude(in.Root); err != nil {
		in.Warnings = append(in.Warnings, "the repository's info/exclude cannot be read: "+err.Error())
	}
	return nil
}

func newID(o InitOptions) (string, error) {
	if o.ID == "" {
		var maker id.Maker
		return maker.New(id.Workspace, o.Now), nil
	}
	got, ok := parseID(o.ID)
	if !ok || got != o.ID {
		return "", strata.Invalid(opInit, "the id "+o.ID+" is not a ULID in capitals", "leave it out to get a new one")
	}
	return got, nil
}

// Keys returns the keys under which the home should keep the id of a workspace
// with a directory of its own, so that the identity can be recovered.
func Keys(root string) []string {
	keys := []string{directoryKey(root)}
	if at, err := find(root, bounds{}, inGit); err == nil && at.Root == root && at.Source == SourceGit {
		keys = append(keys, at.Key)
	}
	return keys
}

// fill writes what a workspace has below its root: the identity last, so that
// what is half done is no workspace yet.
func (in *Initialized) fill(home string, o InitOptions) error {
	d, err := in.openStrata()
	if err != nil {
		return err
	}
	defer d.Close()
	ctx := context.Background()
	release, err := lockIn(ctx, d.Root, lockName, opInit, "the directory "+in.Root)
	if err != nil {
		return err
	}
	defer release()
	m, ok, err := readMarker(in.Root)
	if err != nil {
		return err
	}
	if ok {
		in.ID = m.ID // somebody was faster
	}
	kept, err := openHomeFiles(ctx, home, in.ID)
	if err != nil {
		return err
	}
	defer kept.Close()
	if in.Moved, in.Left, err = kept.moveTo(d); err != nil {
		return err
	}
	if err := in.writeBack(d, o.Documents); err != nil {
		return err
	}
	if err := in.write(d, o.Text); err != nil {
		return err
	}
	if !ok {
		if err := writeMarker(d, Marker{ID: in.ID, CreatedAt: o.Now.UTC().Truncate(time.Second), RealPath: in.Root}); err != nil {
			return err
		}
		in.Created = true
	}
	if home != "" {
		if err := writePointer(home, in.ID, in.Root); err != nil {
			in.Warnings = append(in.Warnings, "the home cannot note where the workspace is: "+err.Error())
			return nil // without that the home's files stay where they are looked for
		}
	}
	return kept.drop()
}

// openStrata opens the .strata of the workspace, and makes it if it is not there.
func (in *Initialized) openStrata() (*directory, error) {
	project, err := os.OpenRoot(in.Root)
	if err != nil {
		return nil, err
	}
	defer project.Close()
	if !hasStrata(in.Root, in.ID, false) {
		if err := checkDirs(project, markerDir, opInit); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err := makePrivate(project, markerDir); err != nil {
			return nil, err
		}
	}
	own, err := os.OpenRoot(filepath.Join(in.Root, markerDir))
	if err != nil {
		return nil, err
	}
	return &directory{own}, nil
}

// write writes the standard files that are not there.
func (in *Initialized) write(d *directory, text func(string) string) error {
	if text == nil {
		return nil
	}
	for _, doc := range StandardFiles() {
		content := text(doc)
		if content == "" {
			continue
		}
		if err := files.CheckContent(doc, []byte(content)); err != nil {
			return err
		}
		if _, err := d.Lstat(doc); err == nil {
			continue
		}
		if err := d.replace(doc, []byte(content)); err != nil {
			return fmt.Errorf("write %s: %w", doc, err)
		}
		in.Written = append(in.Written, doc)
	}
	return nil
}

func writeMarker(d *directory, m Marker) error {
	data, err := toml.Marshal(m)
	if err != nil {
		return err
	}
	const about = "# The identity of this project's memory. Keep it; a copy of the project needs one of its own.\n"
	return d.replace(path.Base(MarkerPath), append([]byte(about), data...))
}
