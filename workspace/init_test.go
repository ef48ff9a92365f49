package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

var born = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// starting is a starting text for every standard file but SOUL.md.
func starting(doc string) string {
	if doc == "SOUL.md" {
		return ""
	}
	return "# " + doc + "\n"
}

// git runs the real git program; without it the test is skipped.
func (t tree) git(dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs the git program")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = t.path(dir)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (t tree) init(dir string, o InitOptions) Initialized {
	t.Helper()
	in, err := Init(t.path(dir), t.home, o)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// bytesBelow is every file below a directory with its content.
func bytesBelow(t testing.TB, dir string, without ...string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		if slices.ContainsFunc(without, func(w string) bool { return strings.HasPrefix(filepath.ToSlash(rel), w) }) {
			return nil
		}
		data, err := os.ReadFile(p)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A directory that is not there has no workspace, and is not guessed.
func TestADirectoryThatIsNotThereIsInvalid(t *testing.T) {
	tr := newTree(t)
	missing := filepath.Join(tr.path(""), "missing")
	_, found := Find(missing, tr.path("home"))
	_, recovered := Recover(missing, tr.path("home"), func(string) (string, error) { return "", nil })
	for _, err := range []error{found, recovered} {
		if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), missing) {
			t.Errorf("%v", err)
		}
	}
}

func TestInitMakesAWorkspaceOnce(t *testing.T) {
	tr := newTree(t)
	tr.dir("p/sub")
	in := tr.init("p", InitOptions{Text: starting, Now: born})
	if in.Root != tr.path("p") || !in.Created || !slices.Equal(in.Keys, []string{"dir:" + tr.path("p")}) || in.Exclude != "" || len(in.Warnings) > 0 {
		t.Errorf("%+v", in)
	}
	if !slices.Equal(in.Written, []string{"MEMORY.md", "AGENTS.md", "USER.md", "HEARTBEAT.md"}) {
		t.Errorf("written %v", in.Written)
	}
	tr.want("p/sub", Found{Root: tr.path("p"), ID: in.ID, Source: SourceMarker})
	m, _, err := readMarker(tr.path("p"))
	if err != nil || m.ID != in.ID || !m.CreatedAt.Equal(born) || m.RealPath != tr.path("p") {
		t.Errorf("marker %+v, %v", m, err)
	}
	for path, want := range map[string]os.FileMode{"": 0o700, "/workspace.toml": 0o600, "/MEMORY.md": 0o600} {
		if info, err := os.Stat(tr.path("p", markerDir) + path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%q: %v, %v", path, info, err)
		}
	}
	tr.file("p/.strata/MEMORY.md", "mine")
	before := bytesBelow(t, tr.path("p"))
	again := tr.init("p/sub", InitOptions{Text: starting, ID: idB})
	if again.Created || again.ID != in.ID || again.Root != in.Root || len(again.Written)+len(again.Moved)+len(again.Left) > 0 {
		t.Errorf("again: %+v", again)
	}
	if got := bytesBelow(t, tr.path("p")); len(got) != len(before) || got[".strata/MEMORY.md"] != "mine" {
		t.Errorf("changed: %v", got)
	}
}

func TestInitKeepsTheIDTheHomeKnew(t *testing.T) {
	tr := newTree(t)
	tr.dir("p")
	if in := tr.init("p", InitOptions{ID: idA}); in.ID != idA {
		t.Errorf("%+v", in)
	}
	tr.dir("q")
	for _, id := range []string{"x", strings.ToLower(idA), idA + "0"} {
		if _, err := Init(tr.path("q"), tr.home, InitOptions{ID: id}); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestInitBringsWhatTheHomeKept(t *testing.T) {
	tr := newTree(t)
	tr.dir("p")
	ctx, scope, agent := t.Context(), strata.InWorkspace(idA), strata.ForAgentIn(idA, "coder")
	running := NewTree(tr.home, map[string]string{idA: tr.path("p")})
	base := make(map[string]files.Stat)
	for _, doc := range []string{"MEMORY.md", "notes/a.md", "notes/b.md"} {
		f, err := running.Write(ctx, scope, doc, []byte("kept "+doc), strata.NoFile)
		must(t, err)
		base[doc] = f.Stat
	}
	_, err := running.Write(ctx, agent, "notes/a.md", []byte("the agent's"), strata.NoFile)
	must(t, err)
	kept := "user/.strata/workspaces/" + idA
	tr.file(kept+"/.git/HEAD", "ref: refs/heads/main\n")
	tr.file(kept+"/transcripts/s1.jsonl", "{}\n")
	tr.file("p/.strata/notes/b.md", "written by hand")
	// So far the directory .strata is there, so that its files are the workspace's.
	must(t, os.Rename(tr.path("p/.strata"), tr.path("p/hidden")))
	if c, err := running.Scan(ctx, scope, base); err != nil || len(c.Removed) > 0 {
		t.Fatalf("%+v, %v", c, err)
	}
	must(t, os.Rename(tr.path("p/hidden"), tr.path("p/.strata")))

	in := tr.init("p", InitOptions{ID: idA, Text: starting})
	if !slices.Equal(in.Moved, []string{"MEMORY.md", "agents/coder/notes/a.md", "notes/a.md"}) || !slices.Equal(in.Left, []string{"notes/b.md"}) || slices.Contains(in.Written, "MEMORY.md") {
		t.Errorf("%+v", in)
	}
	got := bytesBelow(t, tr.path("p/.strata"))
	for doc, want := range map[string]string{
		"MEMORY.md": "kept MEMORY.md", "notes/a.md": "kept notes/a.md", "notes/b.md": "written by hand", "agents/coder/notes/a.md": "the agent's", ".git/HEAD": "ref: refs/heads/main\n",
	} {
		if got[doc] != want {
			t.Errorf("%s holds %q, want %q", doc, got[doc], want)
		}
	}
	left := bytesBelow(t, tr.path(kept), lockName)
	if len(left) != 3 || left["transcripts/s1.jsonl"] == "" || left["notes/b.md"] == "" || left[pointerName] == "" {
		t.Errorf("in the home: %v", left)
	}
	// The process that runs goes on where the files are now.
	if c, err := running.Scan(ctx, scope, base); err != nil || len(c.Removed) > 0 || len(c.Changed) == 0 {
		t.Errorf("after that: %+v, %v", c, err)
	}
	if again := tr.init("p", InitOptions{ID: idA, Text: starting}); len(again.Moved)+len(again.Left) > 0 {
		t.Errorf("again: %+v", again)
	}
}

// TestInitTouchesNothingOfTheUsersRepository but one line of info/exclude.
func TestInitTouchesNothingOfTheUsersRepository(t *testing.T) {
	tr := newTree(t)
	tr.dir("p/sub")
	tr.git("p", "init", "-q", ".")
	tr.file("p/README.md", "x")
	tr.git("p", "add", "-A")
	tr.git("p", "commit", "-qm", "one")
	tr.file("p/staged.txt", "x")
	tr.git("p", "add", "staged.txt")
	exclude := tr.file("p/.git/info/exclude", "# mine\n*.log")
	before := bytesBelow(t, tr.path("p"), ".strata/", ".git/info/exclude")
	status := tr.git("p", "status", "--porcelain")

	in := tr.init("p/sub", InitOptions{Text: starting, Now: born})
	if in.Root != tr.path("p") || in.Exclude != exclude || !slices.Equal(in.Keys, []string{"dir:" + tr.path("p"), "git:" + tr.path("p/.git")}) {
		t.Errorf("%+v", in)
	}
	for range 2 {
		if again := tr.init("p", InitOptions{Text: starting}); again.Exclude != "" || again.ID != in.ID {
			t.Errorf("again: %+v", again)
		}
	}
	if got, err := os.ReadFile(exclude); err != nil || string(got) != "# mine\n*.log\n.strata/\n" {
		t.Errorf("info/exclude is %q, %v", got, err)
	}
	after := bytesBelow(t, tr.path("p"), ".strata/", ".git/info/exclude")
	for name, was := range before {
		if after[name] != was {
			t.Errorf("%s changed", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files, there were %d", len(after), len(before))
	}
	if got := tr.git("p", "status", "--porcelain"); got != status {
		t.Errorf("git status:\n%s\nbefore:\n%s", got, status)
	}
}

func TestInitOfWorktreesIsOneWorkspace(t *testing.T) {
	tr := newTree(t)
	tr.dir("p")
	tr.git("p", "init", "-q", ".")
	tr.file("p/README.md", "x")
	tr.git("p", "add", "-A")
	tr.git("p", "commit", "-qm", "one")
	tr.git("p", "worktree", "add", "-q", "../w")
	in := tr.init("w", InitOptions{ID: idA})
	if in.Root != tr.path("p") || in.ID != idA || in.Exclude != tr.path("p/.git/info/exclude") || len(in.Warnings) > 0 {
		t.Errorf("%+v", in)
	}
	if again := tr.init("w", InitOptions{}); again.ID != idA || again.Created {
		t.Errorf("again: %+v", again)
	}
	if got := tr.git("w", "status", "--porcelain") + tr.git("p", "status", "--porcelain"); got != "" {
		t.Errorf("git status: %s", got)
	}
	// The other worktree has the identity of the main one, also in a home that
	// has not seen the repository yet; the files are where they were made.
	tr.want("w", Found{Root: tr.path("w"), ID: idA, Source: SourceMarker})
	there := NewTree(tr.home, nil)
	there.Attach(idA, tr.path("w"))
	tr.file("w/AGENTS.md", "of the worktree")
	if dir, ok := there.Directory(strata.InWorkspace(idA)); !ok || dir != tr.path("p/.strata") {
		t.Errorf("the files are in %s, %v", dir, ok)
	}
	if f, err := there.Read(t.Context(), strata.InWorkspace(idA), files.ProjectFile); err != nil || string(f.Content) != "of the worktree" {
		t.Errorf("the project's file: %v", err)
	}
	t.Run("of a bare repository", func(t *testing.T) {
		tr.dir("b")
		tr.git("b", "clone", "-q", "--bare", tr.path("p"), "repo.git")
		tr.git("b/repo.git", "worktree", "add", "-q", "../one")
		if _, err := Init(tr.path("b/repo.git"), tr.home, InitOptions{}); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("the repository itself: %v", err)
		}
		in := tr.init("b/one", InitOptions{ID: idB})
		if in.Root != tr.path("b/one") || in.Exclude != tr.path("b/repo.git/info/exclude") {
			t.Errorf("%+v", in)
		}
		if got := tr.git("b/one", "status", "--porcelain"); got != "" {
			t.Errorf("git status: %s", got)
		}
	})
}

func TestExcludeIsAddedOnce(t *testing.T) {
	for was, want := range map[string]string{
		"": ".strata/\n", "# x\n": "# x\n.strata/\n", "# x": "# x\n.strata/\n", "a\r\nb\r\n": "a\r\nb\r\n.strata/\n",
		".strata/": ".strata/", ".strata": ".strata", "/.strata/\n": "/.strata/\n", ".strata/\r\n": ".strata/\r\n", "x/.strata/\n": "x/.strata/\n.strata/\n",
	} {
		tr := newTree(t)
		tr.repository("p/.git")
		exclude := tr.file("p/.git/info/exclude", was)
		if planned := tr.init("p", InitOptions{DryRun: true}).Exclude; (planned == exclude) != (was != want) {
			t.Errorf("%q: a dry run would write %q", was, planned)
		}
		tr.init("p", InitOptions{})
		if got := bytesBelow(t, tr.path("p/.git/info"))["exclude"]; got != want {
			t.Errorf("%q became %q, want %q", was, got, want)
		}
	}
	t.Run("and where it cannot be, that is said", func(t *testing.T) {
		tr := newTree(t)
		tr.repository("p/.git")
		outside := tr.file("outside", "x\n")
		tr.dir("p/.git/info")
		tr.link(outside, "p/.git/info/exclude")
		in := tr.init("p", InitOptions{})
		if !in.Created || len(in.Warnings) != 1 || !strings.Contains(in.Warnings[0], excludeLine) {
			t.Errorf("%+v", in)
		}
		if got, _ := os.ReadFile(outside); string(got) != "x\n" {
			t.Errorf("outside: %q", got)
		}
	})
}

func TestInitRefusesHomes(t *testing.T) {
	tr := newTree(t)
	tr.dir("user/.strata/global")
	for _, dir := range []string{"user", "user/.strata", "user/.strata/global", "nowhere"} {
		if _, err := Init(tr.path(dir), tr.home, InitOptions{}); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if _, err := Init(idA, tr.home, InitOptions{}); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("an id: %v", err)
	}
	t.Run("also that of a repository in the user's home", func(t *testing.T) {
		tr.repository("user/.git")
		tr.file("user/.git/worktrees/w/HEAD", "ref: refs/heads/main\n")
		tr.file("user/.git/worktrees/w/commondir", "../..\n")
		tr.file("user/.git/worktrees/w/gitdir", tr.path("w/.git")+"\n")
		tr.file("w/.git", "gitdir: "+tr.path("user/.git/worktrees/w")+"\n")
		if in, err := Init(tr.path("w"), tr.home, InitOptions{}); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%+v, %v", in, err)
		}
	})
	t.Run("and a Strata home that lies in a project", func(t *testing.T) {
		tr.dir("q/.strata")
		if _, err := Init(tr.path("q"), tr.path("q/.strata"), InitOptions{}); strata.CodeOf(err) != strata.CodeInvalid {
			t.Error(err)
		}
	})
	if got := bytesBelow(t, tr.root, "user/.git", "w/"); len(got) > 0 {
		t.Errorf("written: %v", got)
	}
}

func TestInitAtOnceGivesOneID(t *testing.T) {
	tr := newTree(t)
	tr.dir("p")
	ids := make([]string, 8)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			in, err := Init(tr.path("p"), tr.home, InitOptions{Text: starting})
			if err != nil {
				t.Error(err)
			}
			ids[i] = in.ID
		})
	}
	wg.Wait()
	if slices.Sort(ids); len(slices.Compact(ids)) != 1 {
		t.Errorf("ids %v", ids)
	}
}

func TestInitIntoWhatIsNotADirectory(t *testing.T) {
	tr := newTree(t)
	tr.file("p/.strata", "a file")
	if _, err := Init(tr.path("p"), tr.home, InitOptions{}); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("a file: %v", err)
	}
	tr.dir("elsewhere")
	tr.dir("q")
	tr.link(tr.path("elsewhere"), "q/.strata")
	if _, err := Init(tr.path("q"), tr.home, InitOptions{}); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("a link: %v", err)
	}
	if got := bytesBelow(t, tr.path("elsewhere")); len(got) > 0 {
		t.Errorf("written elsewhere: %v", got)
	}
}

// Files that were lost are there before the identity is: what is half done is no
// workspace, in which they would count as deleted.
func TestLostFilesAreWrittenBackBeforeTheIdentity(t *testing.T) {
	tr := newTree(t)
	root := tr.dir("p")
	scope := strata.InWorkspace(idA)
	docs := []strata.Document{
		{Scope: scope, Path: "AGENTS.md", Content: "# Mine\n"},
		{Scope: strata.ForAgentIn(idA, "Ada"), Path: "notes/project_a.md", Content: "a\n"},
		{Scope: scope, Path: "notes/project_b.md", Content: "b\n"},
	}
	o := InitOptions{ID: idA, Documents: docs, Text: func(path string) string { return "# " + path + "\n" }}
	tr.file("p/.strata/notes", "in the way")
	if _, err := Init(root, tr.home, o); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("with a file in the way: %v", err)
	}
	if _, ok, err := readMarker(root); ok || err != nil {
		t.Errorf("half done it is a workspace: %v", err)
	}
	must(t, os.Remove(tr.path("p/.strata/notes")))
	tr.file("p/.strata/AGENTS.md", "# Of today\n")
	in, err := Init(root, tr.home, o)
	want := []string{"agents/" + fileName("Ada") + "/notes/project_a.md", "notes/project_b.md"}
	if err != nil || !in.Created || in.ID != idA {
		t.Fatalf("%+v, %v", in, err)
	}
	slices.Sort(in.Restored)
	if !slices.Contains(in.Restored, want[1]) || len(in.Restored) > len(want) {
		t.Errorf("restored %q, want %q", in.Restored, want)
	}
	for path, text := range map[string]string{"AGENTS.md": "# Of today\n", want[0]: "a\n", want[1]: "b\n", "SOUL.md": "# SOUL.md\n"} {
		if got, err := os.ReadFile(filepath.Join(root, ".strata", path)); err != nil || string(got) != text {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	if lost := Missing(root, docs); len(lost) != 0 {
		t.Errorf("still missing: %+v", lost)
	}
}
