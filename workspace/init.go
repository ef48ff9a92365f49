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

// InitOptions say how [Init] makes a workspace.
type InitOptions struct {
	// ID is the id under which the home has stored the workspace so far, so that the
	// workspace keeps its memory; empty for a new id.
	ID string
	// Adopt confirms that the directory is the workspace whose id it has, in case of
	// doubt.
	Adopt bool
	// Text returns the initial text of a standard file by its path; empty leaves the file
	// out. A nil Text leaves out all files.
	Text func(path string) string
	// Documents are the workspace's documents in the database. Those whose files are
	// missing are written before the workspace gets its identity, so that they are never
	// taken for deleted.
	Documents []strata.Document
	// Now is the time of creation; zero means the time of the call.
	Now time.Time
	// DryRun reports what would be written and changes nothing. It does not look through
	// the files in the home: Moved and Left stay empty.
	DryRun bool
}

// Initialized says what [Init] did. All lists are empty if Init is called again.
type Initialized struct {
	Root string `json:"root"` // the workspace's directory, with links resolved
	ID   string `json:"id"`
	// Created reports whether the workspace had no identity of its own before.
	Created bool `json:"created"`
	// Keys are the keys for which the home should store the id, so that the identity can
	// be recovered; see [Found].
	Keys []string `json:"-"`
	// Written are the standard files that were written, below .strata, and Restored the
	// documents that were written back from the database. Moved are the files that moved
	// out of the home, and Left the files that stay there because another is in their
	// place.
	Written  []string `json:"written,omitempty"`
	Restored []string `json:"restored,omitempty"`
	Moved    []string `json:"moved,omitempty"`
	Left     []string `json:"left,omitempty"`
	// Exclude is the exclude file of the project's git repository if a line was added to
	// it; otherwise empty.
	Exclude string `json:"exclude,omitempty"`
	// Warnings say what could not be done but does no harm to the memory.
	Warnings []string `json:"warnings,omitempty"`
}

// StandardFiles returns the paths of the files that every new workspace has.
func StandardFiles() []string {
	return []string{strata.IndexPath, "AGENTS.md", "SOUL.md", "USER.md", "HEARTBEAT.md"}
}

// Init makes the project around dir a workspace with a memory of its own: a directory
// .strata with an identity and standard files. It leaves existing files as they are and
// may be called again. The project is the one that [Resolve] finds; for a linked worktree
// it is the main worktree, because linked ones come and go. Files that the home has kept
// for the workspace move into .strata, except transcripts, which are recorded by their
// place.
//
// In the project's git repository, Init only adds one line to info/exclude. Its errors
// are those of [Resolve], invalid for a home directory or a bare repository, full and
// read_only.
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
	// Exclude .strata first, so that git never sees it.
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

// identify returns where the memory of a workspace belongs and the id that it already
// has; the ID is empty if it has none.
func identify(found Found, b bounds) (in Initialized, err error) {
	if _, own, err := readMarker(found.Root); err == nil && !own && found.Source == SourceMarker {
		// A linked worktree: the main worktree holds its identity.
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
		in.ID = m.ID // another worktree already is the workspace
	}
	return in, err
}

// homeDirectory returns the error for a directory that cannot be a workspace.
func homeDirectory(dir string) error {
	return strata.Invalid(opInit, dir+" cannot have a .strata of its own, because it is a home directory", "go to the directory of a project")
}

// plan fills in what Init would write.
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
		return "", strata.Invalid(opInit, "the id "+o.ID+" is not an uppercase ULID", "leave it out to get a new id")
	}
	return got, nil
}

// Keys returns the keys under which the home should store the id of a workspace that has
// a .strata, so that the identity can be recovered.
func Keys(root string) []string {
	keys := []string{directoryKey(root)}
	if at, err := find(root, bounds{}, inGit); err == nil && at.Root == root && at.Source == SourceGit {
		keys = append(keys, at.Key)
	}
	return keys
}

// fill writes the content of .strata, the identity last, so that an unfinished directory
// is not a workspace yet.
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
		in.ID = m.ID // another process was faster
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
			in.Warnings = append(in.Warnings, "the home cannot record where the workspace is: "+err.Error())
			return nil // keep the home's files, because they are still looked for there
		}
	}
	return kept.drop()
}

// openStrata opens the .strata of the workspace and makes it if necessary.
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

// write writes the standard files that do not exist.
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
