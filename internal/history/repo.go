package history

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"

	"github.com/strata-memory/strata/internal/base/durable"
)

// gitName is the name of the directory that holds the repository.
const gitName = ".git"

// mainBranch is the branch of a new repository.
const mainBranch = "refs/heads/main"

// repo is an open repository. Its lock is held unless unlocked is set.
type repo struct {
	dir      string // for messages only
	tree     *os.Root
	git      *os.Root
	own      *os.Root // what git stores for this work tree alone, such as HEAD; nil if that is in git
	lockFile *os.File // nil if it could not be made: nobody can write there
	unlocked bool     // set for a reader that did not get the lock
	objects  *store
	settings settings
}

// settings are the parts of a repository's configuration that matter here.
type settings struct {
	fileMode bool // whether the executable bit is recorded
	autoCRLF bool // whether text is stored with LF if no attribute says otherwise
	reflog   bool // whether movements of branches are logged
}

func (r *repo) close() error {
	var errs []error
	if r.objects != nil {
		errs = append(errs, r.objects.Close())
	}
	if r.lockFile != nil {
		errs = append(errs, r.lockFile.Close()) // closing releases the lock
	}
	for _, root := range []*os.Root{r.own, r.git, r.tree} {
		if root != nil {
			errs = append(errs, root.Close())
		}
	}
	return errors.Join(errs...)
}

// isFresh reports whether the git directory is empty, except for what a process leaves
// that is killed while making a repository. HEAD is written last.
func (r *repo) isFresh() (bool, error) {
	for _, name := range []string{"HEAD", "packed-refs"} {
		if _, err := r.git.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	errFound := errors.New("found a file")
	for _, dir := range []string{"refs", "objects"} {
		err := fs.WalkDir(r.git.FS(), dir, func(_ string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err == nil && !d.IsDir():
				return errFound
			}
			return err
		})
		if errors.Is(err, errFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// initialize makes an empty repository. It writes HEAD last, because with HEAD git takes
// the directory for a repository.
func (r *repo) initialize() error {
	for _, dir := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags", "info"} {
		if err := r.makeDir(dir); err != nil {
			return err
		}
	}
	fileMode := "true"
	if runtime.GOOS == "windows" {
		fileMode = "false"
	}
	for _, f := range []struct{ name, content string }{
		{"config", "[core]\n\trepositoryformatversion = 0\n\tfilemode = " + fileMode + "\n\tbare = false\n\tlogallrefupdates = true\n\tautocrlf = false\n"},
		{"description", "The history of a memory.\n"},
		{"info/exclude", "# What is never recorded, whatever .gitignore says.\n" + strings.Join(neverPatterns, "\n") + "\n"},
		{"HEAD", "ref: " + mainBranch + "\n"},
	} {
		if err := r.replaceFile(f.name, []byte(f.content)); err != nil {
			return err
		}
	}
	return nil
}

// replaceFile writes a file of the git directory atomically and durably.
func (r *repo) replaceFile(name string, content []byte) error {
	temp := name + ".strata"
	f, err := r.git.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, r.git.Remove(temp))
	}
	if err := r.git.Rename(temp, name); err != nil {
		return err
	}
	return r.syncDir(path.Dir(name))
}

// makeDir makes a directory and its missing parents in the git directory, durably.
func (r *repo) makeDir(name string) error {
	if _, err := r.git.Lstat(name); err == nil {
		return nil
	}
	if err := r.git.MkdirAll(name, 0o700); err != nil {
		return err
	}
	for at := path.Dir(name); ; at = path.Dir(at) {
		if err := r.syncDir(at); err != nil || at == "." {
			return err
		}
	}
}

// syncDir makes the entries of a directory in the git directory durable.
func (r *repo) syncDir(name string) error { return durable.DirectoryIn(r.git, name) }

// readFormat reads the configuration and refuses a repository whose references or objects
// this package cannot read.
func (r *repo) readFormat() (*config.Config, error) {
	cfg := config.New()
	f, err := r.git.Open("config")
	if errors.Is(err, fs.ErrNotExist) {
		return cfg, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := config.NewDecoder(f).Decode(cfg); err != nil {
		return nil, damagedBy(err, "its configuration cannot be read")
	}
	for _, o := range cfg.Section("extensions").Options {
		name, value := strings.ToLower(o.Key), strings.ToLower(o.Value)
		if name == "objectformat" && value != "sha1" || name == "refstorage" && value != "files" {
			return nil, r.unsupported(o)
		}
	}
	return cfg, nil
}

func (r *repo) unsupported(o *config.Option) error {
	return refused("the repository in "+r.dir+" uses "+o.Key+" = "+o.Value+", which is not supported", "move its .git away to begin a new history")
}

// readSettings reads the configuration and refuses settings that it does not know.
func (r *repo) readSettings() error {
	cfg, err := r.readFormat()
	if err != nil {
		return err
	}
	core := cfg.Section("core")
	if tree := core.Option("worktree"); tree != "" {
		return refused("the repository in "+r.dir+" keeps its files in "+tree, "take core.worktree out of its configuration")
	}
	known := []string{"objectformat", "refstorage", "noop", "worktreeconfig", "preciousobjects"}
	for _, o := range cfg.Section("extensions").Options {
		if core.Option("repositoryformatversion") == "1" && !slices.Contains(known, strings.ToLower(o.Key)) {
			return r.unsupported(o)
		}
	}
	is := func(name string, unless bool, also ...string) bool {
		if !core.HasOption(name) {
			return unless
		}
		return slices.Contains(append(also, "", "true", "yes", "on", "1"), strings.ToLower(core.Option(name)))
	}
	r.settings = settings{fileMode: is("filemode", runtime.GOOS != "windows"), autoCRLF: is("autocrlf", false, "input"), reflog: is("logallrefupdates", true, "always")}
	return nil
}
