package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// worktree makes a linked worktree of a repository, as git does.
func (t tree) worktree(gitDir, dir string) {
	t.Helper()
	name := gitDir + "/worktrees/" + filepath.Base(dir)
	t.file(name+"/HEAD", "ref: refs/heads/"+filepath.Base(dir)+"\n")
	t.file(name+"/commondir", "../..\n")
	t.file(name+"/gitdir", t.path(dir, ".git")+"\n")
	t.file(dir+"/.git", "gitdir: "+t.path(name)+"\n")
}

// What a .git names may be the repository of anybody. One that does not know the
// directory leaves it a directory of its own, with all that is below.
func TestARepositoryElsewhereMustPointBack(t *testing.T) {
	linked := func(tr tree, common, back string) {
		tr.file("evil/fake/HEAD", "ref: refs/heads/main\n")
		tr.file("evil/fake/commondir", common+"\n")
		tr.file("evil/fake/gitdir", back+"\n")
		tr.file("evil/.git", "gitdir: fake\n")
	}
	for name, attack := range map[string]func(tr tree){
		"a file that names a repository": func(tr tree) { tr.file("evil/.git", "gitdir: "+tr.path("shop/.git")+"\n") },
		"by a relative path":             func(tr tree) { tr.file("evil/.git", "gitdir: ../shop/.git\n") },
		"a file that names a worktree":   func(tr tree) { tr.file("evil/.git", "gitdir: "+tr.path("shop/.git/worktrees/side")+"\n") },
		"a file that names a submodule":  func(tr tree) { tr.file("evil/.git", "gitdir: ../shop/.git/modules/lib\n") },
		"a file that names a bare one":   func(tr tree) { tr.file("evil/.git", "gitdir: ../bare.git\n") },
		"a worktree of a bare one":       func(tr tree) { tr.file("evil/.git", "gitdir: ../bare.git/worktrees/one\n") },
		"a link to a repository":         func(tr tree) { tr.dir("evil"); tr.link(tr.path("shop/.git"), "evil/.git") },
		"a link to a bare one":           func(tr tree) { tr.dir("evil"); tr.link(tr.path("bare.git"), "evil/.git") },
		"a link to a worktree's":         func(tr tree) { tr.dir("evil"); tr.link(tr.path("shop/.git/worktrees/side"), "evil/.git") },
		"a link to a worktree's file":    func(tr tree) { tr.dir("evil"); tr.link(tr.path("side/.git"), "evil/.git") },
		"an own one that shares":         func(tr tree) { linked(tr, tr.path("shop/.git"), "../.git") },
		"an own one that shares a bare":  func(tr tree) { linked(tr, "../../bare.git", "../.git") },
		"an own one in a link": func(tr tree) {
			linked(tr, tr.path("shop/.git"), "../.git")
			tr.link(tr.path("shop/.git/worktrees"), "evil/worktrees")
		},
		"a directory that shares":         func(tr tree) { tr.repository("evil/.git"); tr.file("evil/.git/commondir", tr.path("shop/.git")+"\n") },
		"a worktree's directory":          func(tr tree) { tr.file("evil/.git/HEAD", "x"); tr.file("evil/.git/commondir", "../../shop/.git\n") },
		"a bare one that shares":          func(tr tree) { tr.repository("evil"); tr.file("evil/commondir", tr.path("shop/.git")+"\n") },
		"a worktree that was moved there": func(tr tree) { tr.move("side", "evil") },
	} {
		t.Run(name, func(t *testing.T) {
			tr := newTree(t)
			tr.repository("shop/.git")
			tr.repository("shop/.git/modules/lib")
			tr.file("shop/.git/modules/lib/config", "[core]\n\tworktree = ../../../lib\n")
			tr.repository("bare.git")
			tr.worktree("shop/.git", "side")
			tr.worktree("bare.git", "one")
			attack(tr)
			tr.dir("evil/sub")
			for _, dir := range []string{"evil", "evil/sub"} {
				tr.want(dir, tr.itself("evil"))
			}
			if StrayGit(tr.itself("evil")) == "" {
				t.Error("nobody is told why")
			}
			if keys := Keys(tr.path("evil")); len(keys) != 1 {
				t.Errorf("the home would know it by %v", keys)
			}
		})
	}
}

// A directory in which others lie is not theirs.
func TestARepositoryBelowIsOfItsOwnDirectory(t *testing.T) {
	for _, below := range []string{"shop/.git", "shop.git"} {
		tr := newTree(t)
		tr.repository("projects/" + below)
		tr.file("projects/.git", "gitdir: "+below+"\n")
		tr.want("projects", tr.itself("projects"))
	}
}

func TestRepositoriesThatPointBack(t *testing.T) {
	tr := newTree(t)
	tr.repository("shop/.git")
	tr.worktree("shop/.git", "side")
	of := func(root, gitDir string) Found {
		return Found{Root: tr.path(root), Key: "git:" + tr.path(gitDir), Source: SourceGit}
	}
	tr.want("side", of("side", "shop/.git"))
	t.Run("by a path with links", func(t *testing.T) {
		tr.link(tr.root, "elsewhere")
		tr.file("shop/.git/worktrees/side/gitdir", tr.path("elsewhere/side/.git")+"\n")
		tr.want("side", of("side", "shop/.git"))
		tr.want("elsewhere/side", of("side", "shop/.git"))
	})
	t.Run("by a relative path", func(t *testing.T) {
		tr.file("shop/.git/worktrees/side/gitdir", "../../../../side/.git\n")
		tr.want("side", of("side", "shop/.git"))
	})
	t.Run("a worktree of a submodule", func(t *testing.T) {
		tr.repository("shop/.git/modules/lib")
		tr.worktree("shop/.git/modules/lib", "libside")
		tr.want("libside", of("libside", "shop/.git/modules/lib"))
	})
	t.Run("a submodule whose settings are of its worktree", func(t *testing.T) {
		tr.repository("shop/.git/modules/dep")
		tr.file("shop/.git/modules/dep/config", "[extensions]\n\tworktreeConfig = true\n")
		tr.file("shop/.git/modules/dep/config.worktree", "[core]\n\tworktree = ../../../dep\n")
		tr.file("shop/dep/.git", "gitdir: ../.git/modules/dep\n")
		tr.want("shop/dep", of("shop/dep", "shop/.git/modules/dep"))
	})
	t.Run("once it is mended", func(t *testing.T) {
		tr.move("side", "moved")
		tr.want("moved", tr.itself("moved"))
		must(t, os.WriteFile(tr.path("shop/.git/worktrees/side/gitdir"), []byte(tr.path("moved/.git")+"\n"), 0o644))
		tr.want("moved", of("moved", "shop/.git"))
	})
}
