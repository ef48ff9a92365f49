package history

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/workspace"
)

// project is a git repository with a .strata in it, and its upstream.
type project struct {
	t             *testing.T
	upstream, dir string
	origins       *Origins
	scope         strata.Scope
	path          string
}

func newProject(t *testing.T) *project {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the git program is not there, which makes the repositories that are read here")
	}
	p := &project{t: t, upstream: t.TempDir(), dir: filepath.Join(t.TempDir(), "clone"), scope: strata.InWorkspace("01JZ0000000000000000000000"), path: "AGENTS.md"}
	p.git(p.upstream, "init", "-q", "-b", "main", ".")
	p.write(p.upstream, ".strata/AGENTS.md", "first\n")
	p.commit(p.upstream)
	p.git(filepath.Dir(p.dir), "clone", "-q", p.upstream, p.dir)
	p.git(p.dir, "config", "pull.rebase", "false")
	p.origins = NewOrigins(workspace.NewTree(t.TempDir(), map[string]string{p.scope.Workspace: p.dir}))
	return p
}

func (p *project) git(dir string, args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com",
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.com", "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (p *project) write(dir, path, text string) {
	p.t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) commit(dir string, more ...string) {
	p.t.Helper()
	p.git(dir, "add", "-A")
	p.git(dir, append([]string{"commit", "-q", "-m", "change"}, more...)...)
}

// origin is how the file stands now.
func (p *project) origin() files.Origin {
	p.t.Helper()
	content, err := os.ReadFile(filepath.Join(p.dir, ".strata", p.path))
	if err != nil {
		p.t.Fatal(err)
	}
	o, err := p.origins.Origin(p.t.Context(), p.scope, files.File{Path: p.path, Content: content, Stat: files.Stat{Hash: files.Hash(content)}})
	if err != nil {
		p.t.Fatal(err)
	}
	return o
}

// want checks what brought the one committed version.
func (p *project) want(what string, own bool, how, text string) {
	p.t.Helper()
	o := p.origin()
	if len(o.Versions) != 1 {
		p.t.Fatalf("%s: %+v", what, o)
	}
	v := o.Versions[0]
	if v.Own != own || v.How != how || !slices.Contains(v.Hashes, files.Hash([]byte(text))) {
		p.t.Errorf("%s: own %v, how %q, want %v, %q of %q", what, v.Own, v.How, own, how, text)
	}
	if !own && (v.Commit == "" || v.Author == "" || v.At.IsZero()) {
		p.t.Errorf("%s: nothing tells the commit: %+v", what, v)
	}
}

func TestOriginTellsACommitFromWhatOthersWrote(t *testing.T) {
	p := newProject(t)
	p.want("a clone", false, "clone", "first\n")

	p.write(p.dir, ".strata/AGENTS.md", "mine\n")
	p.want("an edit on top of a clone", false, "clone", "first\n")
	p.commit(p.dir)
	p.want("a commit", true, "commit", "mine\n")
	p.write(p.dir, ".strata/AGENTS.md", "mine again\n")
	p.commit(p.dir, "--amend")
	p.want("a commit that was amended", true, "commit (amend)", "mine again\n")

	p.write(p.upstream, "other.txt", "other\n")
	p.commit(p.upstream)
	p.git(p.dir, "pull", "-q", "--no-edit")
	p.want("a pull of another file", true, "commit (amend)", "mine again\n")

	p.git(p.dir, "checkout", "-q", "-b", "side", "origin/main")
	if o := p.origin(); len(o.Versions) != 1 || o.Versions[0].Own || !strings.HasPrefix(o.Versions[0].How, "checkout") {
		t.Errorf("a checkout: %+v", o)
	}
	p.git(p.dir, "reset", "-q", "--hard", "main")
	if o := p.origin(); len(o.Versions) != 1 || o.Versions[0].Own || o.Versions[0].How != "reset" {
		t.Errorf("a reset: %+v", o)
	}
}

func TestOriginOfAPull(t *testing.T) {
	p := newProject(t)
	p.write(p.upstream, ".strata/AGENTS.md", "second\n")
	p.commit(p.upstream)
	tip := p.git(p.upstream, "rev-parse", "HEAD")
	p.write(p.upstream, "other.txt", "other\n")
	p.commit(p.upstream)
	p.git(p.dir, "pull", "-q")
	o := p.origin()
	if v := o.Versions[0]; v.Own || !strings.HasPrefix(v.How, "pull") || v.Commit != tip {
		t.Errorf("a pull: %+v, want the commit %s", v, tip)
	}
}

func TestOriginOfAMergeThatIsUnderWay(t *testing.T) {
	p := newProject(t)
	p.write(p.upstream, ".strata/AGENTS.md", "theirs\n")
	p.write(p.upstream, "both.txt", "theirs\n")
	p.commit(p.upstream)
	p.write(p.dir, "both.txt", "ours\n")
	p.commit(p.dir)
	cmd := exec.Command("git", "-C", p.dir, "-c", "user.name=a", "-c", "user.email=a@b", "pull", "-q", "--no-edit") // which stops at a conflict
	_ = cmd.Run()
	o := p.origin()
	if n := len(o.Versions); n != 2 || o.Versions[1].Own || o.Versions[1].How != "merge that is under way" {
		t.Errorf("%+v", o)
	}
}

func TestOriginInALinkedWorkTree(t *testing.T) {
	p := newProject(t)
	linked := filepath.Join(t.TempDir(), "linked")
	p.git(p.dir, "worktree", "add", "-q", "-b", "side", linked)
	p.origins = NewOrigins(workspace.NewTree(t.TempDir(), map[string]string{p.scope.Workspace: linked}))
	p.dir = linked
	if o := p.origin(); len(o.Versions) != 1 || o.Versions[0].Own {
		t.Errorf("a new work tree: %+v", o)
	}
	p.write(linked, ".strata/AGENTS.md", "mine\n")
	p.commit(linked)
	p.want("a commit in it", true, "commit", "mine\n")
}

func TestOriginOfAFileThatIsInNoCommit(t *testing.T) {
	p := newProject(t)
	p.path = "SOUL.md"
	p.write(p.dir, ".strata/SOUL.md", "mine\n")
	if o := p.origin(); len(o.Versions) != 0 {
		t.Errorf("%+v", o)
	}
}

func TestOriginWhereGitCannotBeRead(t *testing.T) {
	for what, damage := range map[string]func(p *project){
		"objects that are gone":  func(p *project) { p.remove(".git/objects"); p.write(p.dir, ".git/objects/info/x", "") },
		"no log of HEAD":         func(p *project) { p.remove(".git/logs") },
		"another kind of hashes": func(p *project) { p.git(p.dir, "config", "extensions.objectFormat", "sha256") },
		"another kind of refs":   func(p *project) { p.git(p.dir, "config", "extensions.refStorage", "reftable") },
		"a link to nowhere":      func(p *project) { p.remove(".git"); p.write(p.dir, ".git", "gitdir: /nowhere/at/all\n") },
	} {
		t.Run(what, func(t *testing.T) {
			p := newProject(t)
			damage(p)
			o := p.origin()
			if len(o.Versions) != 1 || o.Versions[0].Own || o.Versions[0].How == "" {
				t.Errorf("%+v", o)
			}
		})
	}
}

func (p *project) remove(path string) {
	p.t.Helper()
	if err := os.RemoveAll(filepath.Join(p.dir, path)); err != nil {
		p.t.Fatal(err)
	}
}

func TestOriginKnowsBothEndsOfLines(t *testing.T) {
	p := newProject(t)
	p.write(p.dir, ".strata/AGENTS.md", "first\r\n")
	p.want("lines that end otherwise", false, "clone", "first\r\n")
}

func FuzzReflog(f *testing.F) {
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	f.Add([]byte(a + " " + b + " Ann <ann@example.com> 1700000000 +0100\tcommit: one\n"))
	f.Add([]byte(strings.Repeat("0", 40) + " " + b + " x\tclone: from y\n\n\t\n" + a))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, m := range parseReflog(data) {
			if m.to.IsZero() || strings.ContainsAny(m.action, ":\n") {
				t.Errorf("%+v", m)
			}
			if m.isOwn() && !strings.HasPrefix(m.action, "commit") {
				t.Errorf("own: %+v", m)
			}
		}
	})
}
