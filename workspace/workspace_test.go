package workspace

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

const (
	idA = "01JQ0000000000000000000000"
	idB = "01JQ0000000000000000000001"
)

// tree is a directory to build workspaces in, with a home of its own.
type tree struct {
	*testing.T
	root string // real path
	home string // the Strata home
}

// newTree also sets $HOME, to root/user, so that no test depends on who runs it.
func newTree(t *testing.T) tree {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tr := tree{T: t, root: root, home: filepath.Join(root, "user", ".strata")}
	tr.dir("user/.strata")
	t.Setenv("HOME", tr.path("user"))
	return tr
}

func (t tree) path(parts ...string) string {
	return filepath.Join(append([]string{t.root}, parts...)...)
}

func (t tree) dir(path string) string {
	t.Helper()
	if err := os.MkdirAll(t.path(path), 0o755); err != nil {
		t.Fatal(err)
	}
	return t.path(path)
}

func (t tree) file(path, content string) string {
	t.Helper()
	t.dir(filepath.Dir(path))
	if err := os.WriteFile(t.path(path), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return t.path(path)
}

func (t tree) link(target, path string) string {
	t.Helper()
	t.dir(filepath.Dir(path))
	if err := os.Symlink(target, t.path(path)); err != nil {
		t.Fatal(err)
	}
	return t.path(path)
}

// mark writes a marker that was made where it stands.
func (t tree) mark(root, id string) string {
	t.Helper()
	return t.file(root+"/"+MarkerPath, markerText(id, t.path(root)))
}

func markerText(id, realPath string) string {
	return fmt.Sprintf("workspace_id = %q\ncreated_at = 2026-03-01T12:00:00Z\nrealpath_at_creation = %q\n", id, realPath)
}

// repository makes the least that is a git repository.
func (t tree) repository(gitDir string) {
	t.Helper()
	t.file(gitDir+"/HEAD", "ref: refs/heads/main\n")
	t.dir(gitDir + "/objects")
	t.dir(gitDir + "/refs")
}

func (t tree) want(dir string, want Found) {
	t.Helper()
	got, err := Find(t.path(dir), t.home)
	if err != nil || got != want {
		t.Errorf("Find(%s) = %+v, %v; want %+v", dir, got, err, want)
	}
}

// itself is what is found in a directory that is neither marked nor in a repository.
func (t tree) itself(dir string) Found {
	return Found{Root: t.path(dir), Key: "dir:" + t.path(dir), Source: SourceDirectory}
}

func (t tree) wantCode(dir string, code strata.Code, names string) {
	t.Helper()
	got, err := Find(t.path(dir), t.home)
	if strata.CodeOf(err) != code || !got.IsZero() {
		t.Fatalf("Find(%s) = %+v, %v; want code %s", dir, got, err, code)
	}
	if e := err.(*strata.Error); !strings.Contains(e.Message+" "+e.Hint, names) || e.Hint == "" {
		t.Errorf("error %q with hint %q does not name %s", e, e.Hint, names)
	}
}

func TestFind(t *testing.T) {
	t.Run("the directory itself", func(t *testing.T) {
		tr := newTree(t)
		tr.dir("a/b")
		tr.want("a/b", tr.itself("a/b"))
		tr.want("a", tr.itself("a"))
		tr.link(tr.path("a/b"), "link")
		tr.want("link", tr.itself("a/b"))
	})
	t.Run("nearest marker upwards", func(t *testing.T) {
		tr := newTree(t)
		tr.mark("p", idA)
		tr.mark("p/sub", idB)
		tr.dir("p/sub/deep")
		tr.dir("p/other")
		tr.want("p/other", Found{Root: tr.path("p"), ID: idA, Source: SourceMarker})
		tr.want("p/sub/deep", Found{Root: tr.path("p/sub"), ID: idB, Source: SourceMarker})
		tr.want("p/sub/.strata", Found{Root: tr.path("p/sub"), ID: idB, Source: SourceMarker})
	})
	t.Run("a marker wins over a repository", func(t *testing.T) {
		tr := newTree(t)
		tr.mark("p", idA)
		tr.repository("p/.git")
		tr.repository("p/vendored/.git")
		tr.want("p", Found{Root: tr.path("p"), ID: idA, Source: SourceMarker})
		tr.want("p/vendored", Found{Root: tr.path("p"), ID: idA, Source: SourceMarker})
	})
	t.Run("repository", func(t *testing.T) {
		tr := newTree(t)
		tr.repository("p/.git")
		tr.dir("p/a/b")
		want := Found{Root: tr.path("p"), Key: "git:" + tr.path("p/.git"), Source: SourceGit}
		tr.want("p/a/b", want)
		tr.want("p/.git/refs", want)
	})
	t.Run("nested repository", func(t *testing.T) {
		tr := newTree(t)
		tr.repository("p/.git")
		tr.repository("p/sub/.git")
		tr.want("p/sub", Found{Root: tr.path("p/sub"), Key: "git:" + tr.path("p/sub/.git"), Source: SourceGit})
	})
	t.Run("an empty .git directory is none", func(t *testing.T) {
		tr := newTree(t)
		tr.repository("p/.git")
		tr.dir("p/sub/.git")
		tr.want("p/sub", Found{Root: tr.path("p"), Key: "git:" + tr.path("p/.git"), Source: SourceGit})
	})
	t.Run("the memory's own repository is none", func(t *testing.T) {
		tr := newTree(t)
		tr.repository("p/.strata/.git")
		tr.want("p/.strata", tr.itself("p/.strata"))
		tr.want("p/.strata/.git/refs", tr.itself("p/.strata/.git/refs"))
	})
	t.Run("links are resolved", func(t *testing.T) {
		tr := newTree(t)
		tr.mark("real/p", idA)
		tr.dir("real/p/sub")
		tr.link(tr.path("real/p/sub"), "elsewhere/link")
		tr.want("elsewhere/link", Found{Root: tr.path("real/p"), ID: idA, Source: SourceMarker})
	})
	t.Run("a file called .strata is passed over", func(t *testing.T) {
		tr := newTree(t)
		tr.mark("p", idA)
		tr.file("p/sub/.strata", "")
		tr.want("p/sub", Found{Root: tr.path("p"), ID: idA, Source: SourceMarker})
	})
	t.Run("the root of the file system", func(t *testing.T) {
		if _, err := Find("/", ""); err != nil {
			t.Error(err)
		}
	})
	t.Run("relative path", func(t *testing.T) {
		tr := newTree(t)
		tr.mark("p", idA)
		t.Chdir(tr.dir("p/sub"))
		got, err := Find(".", tr.home)
		if err != nil || got.ID != idA {
			t.Errorf("Find(.) = %+v, %v", got, err)
		}
	})
}

func TestHomesHaveNoStrataOfTheirOwn(t *testing.T) {
	tr := newTree(t)
	tr.mark("user", idA)
	tr.repository("user/.git")
	tr.repository("user/.strata/global/.git")
	tr.mark("user/.strata/global", idB)
	tr.mark(".", idB) // above the home
	tr.dir("user/p")
	for _, dir := range []string{"user", "user/.strata", "user/.strata/global"} {
		tr.want(dir, Found{Key: "dir:" + tr.path(dir), Source: SourceDirectory})
		if in, err := Init(tr.path(dir), tr.home, InitOptions{}); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("Init(%s) = %+v, %v", dir, in, err)
		}
	}
	tr.want("user/p", tr.itself("user/p"))
	t.Run("reached by a link", func(t *testing.T) {
		t.Setenv("HOME", tr.link(tr.path("user"), "link"))
		tr.want("user/p", tr.itself("user/p"))
	})
	t.Run("a project inside is one", func(t *testing.T) {
		tr.mark("user/q", idA)
		tr.want("user/q", Found{Root: tr.path("user/q"), ID: idA, Source: SourceMarker})
	})
	t.Run("a home that does not exist yet", func(t *testing.T) {
		tr.dir("far/p")
		got, err := Find(tr.path("far/p"), tr.path("user/none/yet"))
		if err != nil || got.ID != idB {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("a Strata home that lies where a marker would", func(t *testing.T) {
		tr.mark("box", idA)
		got, err := Find(tr.path("box"), tr.path("box/.strata"))
		if err != nil || got.ID == idA {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestBadDirectories(t *testing.T) {
	tr := newTree(t)
	tr.file("file", "")
	tr.link(tr.path("b"), "a")
	tr.link(tr.path("a"), "b")
	for _, dir := range []string{"missing", "file", "a", "a/sub", "nul\x00byte"} {
		tr.wantCode(dir, strata.CodeInvalid, "")
	}
	t.Run("marker in a loop of links", func(t *testing.T) {
		tr.dir("p")
		tr.link(".strata", "p/.strata")
		tr.wantCode("p", strata.CodeUnavailable, tr.path("p", MarkerPath))
	})
	t.Run(".git in a loop of links", func(t *testing.T) {
		tr.dir("q")
		tr.link(".git", "q/.git")
		tr.wantCode("q", strata.CodeUnavailable, tr.path("q/.git"))
	})
	t.Run("marker is a pipe", func(t *testing.T) {
		tr.dir("r/.strata")
		if err := makePipe(tr.path("r", MarkerPath)); err != nil {
			t.Fatal(err)
		}
		tr.wantCode("r", strata.CodeCorrupt, tr.path("r", MarkerPath))
	})
	t.Run("marker is a directory", func(t *testing.T) {
		tr.dir("s/" + MarkerPath)
		tr.wantCode("s", strata.CodeCorrupt, tr.path("s", MarkerPath))
	})
	t.Run("marker is huge", func(t *testing.T) {
		tr.file("u/"+MarkerPath, strings.Repeat("#\n", maxSmallFile))
		tr.wantCode("u", strata.CodeCorrupt, tr.path("u", MarkerPath))
	})
}

func TestGitFiles(t *testing.T) {
	worktree := func(t *testing.T, gitdir, commondir string) tree {
		tr := newTree(t)
		tr.repository("main/.git")
		tr.file("main/.git/worktrees/w/HEAD", "ref: refs/heads/w\n")
		tr.file("main/.git/worktrees/w/commondir", commondir)
		tr.file("main/.git/worktrees/w/gitdir", tr.path("w/.git")+"\n")
		tr.file("w/.git", strings.ReplaceAll(gitdir, "ROOT", tr.root))
		tr.dir("w/sub")
		return tr
	}
	good := []struct{ name, gitdir, commondir string }{
		{"absolute", "gitdir: ROOT/main/.git/worktrees/w\n", "../..\n"},
		{"relative", "gitdir: ../main/.git/worktrees/w", "../.."},
		{"CRLF", "gitdir: ../main/.git/worktrees/w\r\n", "../..\r\n"},
	}
	for _, tt := range good {
		t.Run(tt.name, func(t *testing.T) {
			tr := worktree(t, tt.gitdir, tt.commondir)
			tr.want("w/sub", Found{Root: tr.path("w"), Key: "git:" + tr.path("main/.git"), Source: SourceGit})
		})
	}
	bad := []struct{ name, gitdir, commondir, names string }{
		{"empty", "", "../..", "w/.git"},
		{"no prefix", "../main/.git/worktrees/w", "../..", "w/.git"},
		{"no path", "gitdir: \n", "../..", "w/.git"},
		{"NUL", "gitdir: a\x00b", "../..", "w/.git"},
		{"points nowhere", "gitdir: ../gone/.git/worktrees/w", "../..", "w/.git"},
		{"points to no repository", "gitdir: ..", "../..", "w/.git"},
		{"common directory is gone", "gitdir: ../main/.git/worktrees/w", "../../../gone", "commondir"},
		{"common directory is empty", "gitdir: ../main/.git/worktrees/w", "\n", "commondir"},
	}
	for _, tt := range bad {
		t.Run(tt.name, func(t *testing.T) {
			tr := worktree(t, tt.gitdir, tt.commondir)
			tr.wantCode("w/sub", strata.CodeCorrupt, tt.names)
		})
	}
	t.Run("submodule has a memory of its own", func(t *testing.T) {
		tr := newTree(t)
		tr.repository("main/.git")
		tr.repository("main/.git/modules/lib")
		tr.file("main/.git/modules/lib/config", "[core]\n\tworktree = ../../../lib\n")
		tr.file("main/lib/.git", "gitdir: ../.git/modules/lib\n")
		tr.want("main/lib", Found{Root: tr.path("main/lib"), Key: "git:" + tr.path("main/.git/modules/lib"), Source: SourceGit})
	})
}

func TestWorktreesMadeByGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, so its own worktrees cannot be made")
	}
	tr := newTree(t)
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	main := tr.dir("main")
	git(main, "init", "-q")
	git(main, "commit", "-q", "--allow-empty", "-m", "first")
	git(main, "worktree", "add", "-q", tr.path("side"))
	git(main, "clone", "-q", "--bare", main, tr.path("bare.git"))
	git(tr.path("bare.git"), "worktree", "add", "-q", tr.path("one"), "-b", "one")
	git(tr.path("bare.git"), "worktree", "add", "-q", tr.path("two"), "-b", "two")
	tr.dir("side/sub")

	key := "git:" + tr.path("main/.git")
	tr.want("main", Found{Root: tr.path("main"), Key: key, Source: SourceGit})
	tr.want("side/sub", Found{Root: tr.path("side"), Key: key, Source: SourceGit})
	tr.want("main/.git/worktrees/side", Found{Root: tr.path("main"), Key: key, Source: SourceGit})
	bare := "git:" + tr.path("bare.git")
	tr.want("bare.git", Found{Root: tr.path("bare.git"), Key: bare, Source: SourceGit})
	tr.want("one", Found{Root: tr.path("one"), Key: bare, Source: SourceGit})
	tr.want("two", Found{Root: tr.path("two"), Key: bare, Source: SourceGit})

	t.Run("a marker that is checked in is no copy", func(t *testing.T) {
		tr.mark("main", idA)
		tr.file("side/"+MarkerPath, markerText(idA, tr.path("main")))
		tr.want("side", Found{Root: tr.path("side"), ID: idA, Source: SourceMarker})
	})
}

func TestResolve(t *testing.T) {
	tr := newTree(t)
	tr.dir("plain/sub")
	tr.mark("p", idA)
	tr.repository("g/.git")
	tr.dir("g/sub")
	tests := []struct {
		name, arg string
		want      Found
	}{
		{"id", idB, Found{ID: idB, Source: SourceID}},
		{"id in small letters", strings.ToLower(idB), Found{ID: idB, Source: SourceID}},
		{"directory", tr.path("plain"), Found{Root: tr.path("plain"), Key: "dir:" + tr.path("plain"), Source: SourceDirectory}},
		{"directory with a marker", tr.path("p"), Found{Root: tr.path("p"), ID: idA, Source: SourceMarker}},
		{"directory in a repository", tr.path("g/sub"), Found{Root: tr.path("g"), Key: "git:" + tr.path("g/.git"), Source: SourceGit}},
		{"directory reached by a link", tr.link(tr.path("plain"), "link"), Found{Root: tr.path("plain"), Key: "dir:" + tr.path("plain"), Source: SourceDirectory}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := Resolve(tt.arg, tr.home); err != nil || got != tt.want {
				t.Errorf("Resolve(%q) = %+v, %v; want %+v", tt.arg, got, err, tt.want)
			}
		})
	}
	for _, arg := range []string{"", " ", "no-such-directory", idA[:25], tr.path("missing"), tr.file("file", "")} {
		if got, err := Resolve(arg, tr.home); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("Resolve(%q) = %+v, %v; want invalid", arg, got, err)
		}
	}
	t.Run("a directory named like an id", func(t *testing.T) {
		tr.dir(idB)
		t.Chdir(tr.root)
		if got, err := Resolve("./"+idB, tr.home); err != nil || got.Root != tr.path(idB) {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestKeysNeverCollide(t *testing.T) {
	tr := newTree(t)
	seen := make(map[string]string)
	for _, dir := range []string{"a-b/c", "a/b-c", "a/b/c", "a_b/c", "a--b/c", "A/b/c", "a b/c", "a/b c", "é/c", "e\u0301/c", "a:b/c", "git:a/c"} {
		got, err := Resolve(tr.dir(dir), tr.home)
		if err != nil {
			t.Fatal(err)
		}
		if other, taken := seen[got.Key]; taken {
			// A file system that folds case or accents has one directory here.
			a, _ := os.Stat(tr.path(dir))
			b, _ := os.Stat(tr.path(other))
			if !os.SameFile(a, b) {
				t.Errorf("%s and %s share the key %s", dir, other, got.Key)
			}
		}
		seen[got.Key] = dir
	}
	tr.repository("a/b/c/.git")
	if got, err := Resolve(tr.path("a/b/c"), tr.home); err != nil || seen[got.Key] != "" {
		t.Errorf("the repository shares the key %s, %v", got.Key, err)
	}
}

func FuzzParseLink(f *testing.F) {
	f.Add([]byte("gitdir: ../main/.git/worktrees/w\n"), "gitdir: ")
	f.Add([]byte("../..\r\n"), "")
	f.Add([]byte("gitdir: \x00"), "gitdir: ")
	f.Fuzz(func(t *testing.T, data []byte, prefix string) {
		path, ok := parseLink(data, prefix)
		if !ok {
			return
		}
		if path == "" || strings.ContainsAny(path[len(path)-1:], "\r\n\x00") || !strings.HasPrefix(string(data), prefix+path) {
			t.Errorf("read %q from %q", path, data)
		}
		if dir := within("/base", path); !filepath.IsAbs(dir) {
			t.Errorf("%q leads to %q", path, dir)
		}
	})
}

func TestKeysKnowADirectoryBeforeAndAfterGit(t *testing.T) {
	tr := newTree(t)
	tr.repository("p/.git")
	tr.file("p/.git/worktrees/w/HEAD", "ref: refs/heads/w\n")
	tr.file("p/.git/worktrees/w/commondir", "../..\n")
	tr.file("p/.git/worktrees/w/gitdir", tr.path("w/.git")+"\n")
	tr.file("w/.git", "gitdir: "+tr.path("p/.git/worktrees/w")+"\n")
	tr.repository("bare.git")
	tr.mark("marked", idA)
	tr.dir("plain")
	for dir, want := range map[string][]string{
		"p": {"git:" + tr.path("p/.git"), "dir:" + tr.path("p")}, "w": {"git:" + tr.path("p/.git"), "dir:" + tr.path("p")},
		"bare.git": {"git:" + tr.path("bare.git")}, "marked": nil, "plain": {"dir:" + tr.path("plain")},
	} {
		found, err := Find(tr.path(dir), tr.home)
		if got := found.Keys(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %v", dir, got, err, want)
		}
	}
}

// A conversation knows the directory it was held in, which may be gone, or of another
// machine. What was said there is still of that project and of no other.
func TestFindPast(t *testing.T) {
	tr := newTree(t)
	tr.repository("project/.git")
	tr.mark("marked", idA)
	for dir, want := range map[string]Found{
		tr.path("project"):                 {Root: tr.path("project"), Key: "git:" + tr.path("project/.git"), Source: SourceGit},
		tr.path("project/cmd/gone"):        {Root: tr.path("project"), Key: "git:" + tr.path("project/.git"), Source: SourceGit},
		tr.path("marked/gone/deep"):        {Root: tr.path("marked"), ID: idA, Source: SourceMarker},
		tr.path("gone"):                    {Key: "dir:" + tr.path("gone"), Source: SourceDirectory},
		tr.path("gone") + "/../other/deep": {Key: "dir:" + tr.path("other/deep"), Source: SourceDirectory},
		`C:\Users\Ana\shop`:                {Key: `dir:C:\Users\Ana\shop`, Source: SourceDirectory},
		"":                                 {},
		"shop/api":                         {},
	} {
		if got, err := FindPast(dir, tr.home); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", dir, got, err, want)
		}
	}
	tr.file("file", "")
	if got, err := FindPast(tr.path("file"), tr.home); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("a file: %+v, %v", got, err)
	}
}
