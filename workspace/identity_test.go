package workspace

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

// known makes a workspace that the home has seen in a directory, as by strata init.
func (t tree) known(root, id string) {
	t.Helper()
	t.mark(root, id)
	must(t.T, writePointer(t.home, id, t.path(root)))
}

func (t tree) move(from, to string) {
	t.Helper()
	t.dir(filepath.Dir(to))
	must(t.T, os.Rename(t.path(from), t.path(to)))
}

// adopt says that a directory is the workspace whose id it has.
func (t tree) adopt(dir string) {
	t.Helper()
	if _, err := Init(t.path(dir), t.home, InitOptions{Adopt: true}); err != nil {
		t.Fatal(err)
	}
}

// Whoever knows the id of a workspace has not got its memory by that.
func TestIdentityCannotBeTaken(t *testing.T) {
	copied := func(tr tree) { tr.file("evil/"+MarkerPath, markerText(idA, tr.path("shop"))) }
	for name, attack := range map[string]func(tr tree){
		"the original is there":  func(tr tree) { copied(tr) },
		"the original was moved": func(tr tree) { tr.move("shop", "store"); copied(tr) },
		"the original was opened where it was moved": func(tr tree) {
			tr.move("shop", "store")
			must(tr.T, writePointer(tr.home, idA, tr.path("store")))
			copied(tr)
		},
		"the original was deleted": func(tr tree) { must(tr.T, os.RemoveAll(tr.path("shop"))); copied(tr) },
		"only its .strata is gone": func(tr tree) { must(tr.T, os.RemoveAll(tr.path("shop/.strata"))); copied(tr) },
		"a marker that says it was made here": func(tr tree) {
			tr.move("shop", "store")
			tr.file("evil/"+MarkerPath, markerText(idA, tr.path("evil")))
		},
		"with the key of another home": func(tr tree) {
			tr.move("shop", "store")
			copied(tr)
			must(tr.T, putKey(tr.path("evil"), newKey()))
		},
		"with the right name of a key, and another": func(tr tree) {
			tr.move("shop", "store")
			copied(tr)
			p, err := readPointer(tr.home, idA)
			must(tr.T, err)
			tr.file("evil/.strata/"+keyDir+"/"+keyName(p.Key), newKey())
		},
		"with an empty key": func(tr tree) {
			tr.move("shop", "store")
			copied(tr)
			tr.file("evil/.strata/"+keyDir+"/"+keyName(""), "")
		},
		"a .strata that is a link to the original": func(tr tree) {
			tr.move("shop", "store")
			tr.dir("evil")
			tr.link(tr.path("store/.strata"), "evil/.strata")
		},
		"keys that are a link to those of the original": func(tr tree) {
			tr.move("shop", "store")
			copied(tr)
			tr.link(tr.path("store/.strata", keyDir), "evil/.strata/"+keyDir)
		},
		"a key that is a link to that of the original": func(tr tree) {
			tr.move("shop", "store")
			copied(tr)
			p, err := readPointer(tr.home, idA)
			must(tr.T, err)
			name := keyDir + "/" + keyName(p.Key)
			tr.link(tr.path("store/.strata", name), "evil/.strata/"+name)
		},
		"the marker of a repository that is not the original's": func(tr tree) {
			tr.move("shop", "store")
			copied(tr)
			tr.repository("evil/.git")
		},
		"a linked worktree of such a repository": func(tr tree) {
			tr.move("shop", "store")
			tr.repository("evil/.git")
			copied(tr)
			tr.move("evil", "main")
			tr.worktree("main/.git", "evil")
		},
	} {
		t.Run(name, func(t *testing.T) {
			tr := newTree(t)
			tr.known("shop", idA)
			attack(tr)
			tr.dir("evil/sub")
			for _, dir := range []string{"evil", "evil/sub"} {
				found, err := Find(tr.path(dir), tr.home)
				if !found.IsZero() || !IsDisputed(err) || !strings.Contains(err.(*strata.Error).Hint, "strata init --identity") {
					t.Errorf("%s: %+v, %v", dir, found, err)
				}
			}
		})
	}
}

// A directory that was moved is known by its key, by any path that leads there.
func TestAMoveOrphansNothing(t *testing.T) {
	tr := newTree(t)
	tr.known("shop", idA)
	want := func(dir, root string) {
		t.Helper()
		tr.want(dir, Found{Root: tr.path(root), ID: idA, Source: SourceMarker})
	}
	tr.move("shop", "far/store")
	want("far/store", "far/store")
	must(t, writePointer(tr.home, idA, tr.path("far/store")))
	tr.move("far", "near")
	want("near/store", "near/store")
	tr.link(tr.path("near/store"), "link")
	want("link", "near/store")
	tr.move("near/store", "shop") // back to where it was made, although the home saw it elsewhere last
	want("shop", "shop")
	must(t, os.RemoveAll(tr.path("shop/.strata", keyDir)))
	tr.wantCode("shop", strata.CodeConflict, tr.path("shop"))
	tr.adopt("shop")
	want("shop", "shop")
	tr.move("shop", "again") // it has a key anew
	want("again", "again")
}

// A copy has the key as well, and is told apart by the original.
func TestACopyWithItsKeyIsToldApart(t *testing.T) {
	tr := newTree(t)
	tr.known("shop", idA)
	must(t, os.CopyFS(tr.path("copy"), os.DirFS(tr.path("shop"))))
	tr.wantCode("copy", strata.CodeConflict, "is a copy of the workspace")
	if _, err := Init(tr.path("copy"), tr.home, InitOptions{Adopt: true}); !IsDisputed(err) {
		t.Errorf("the copy was taken for the original: %v", err)
	}
	must(t, Disown(tr.path("copy"), tr.home))
	found, err := Find(tr.path("copy"), tr.home)
	if err != nil || found.ID == idA || found.ID == "" {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := os.Lstat(tr.path("copy/.strata", keyDir)); err == nil {
		t.Error("the copy has the key of the original still")
	}
	tr.want("shop", Found{Root: tr.path("shop"), ID: idA, Source: SourceMarker})
}

// The .strata of another directory is not this one's to give a new id.
func TestDisownLeavesWhatALinkLeadsTo(t *testing.T) {
	tr := newTree(t)
	tr.known("shop", idA)
	tr.dir("evil")
	tr.link(tr.path("shop/.strata"), "evil/.strata")
	if err := Disown(tr.path("evil"), tr.home); strata.CodeOf(err) != strata.CodeConflict {
		t.Error(err)
	}
	tr.want("shop", Found{Root: tr.path("shop"), ID: idA, Source: SourceMarker})
}

func TestAdoptAndDisownNeedAMarker(t *testing.T) {
	tr := newTree(t)
	tr.dir("plain")
	if _, err := Init(tr.path("plain"), tr.home, InitOptions{Adopt: true}); strata.CodeOf(err) != strata.CodeInvalid {
		t.Error(err)
	}
	if err := Disown(tr.path("plain"), tr.home); strata.CodeOf(err) != strata.CodeInvalid {
		t.Error(err)
	}
}

// A workspace that was known before there were keys is known by its path, and has a key
// from then on.
func TestAWorkspaceOfAnEarlierHomeGetsAKey(t *testing.T) {
	tr := newTree(t)
	tr.mark("shop", idA)
	record := tr.file("user/.strata/"+filepath.ToSlash(pointerDir(idA))+"/"+pointerName, "workspace_root = \""+tr.path("shop")+"\"\n")
	tr.want("shop", Found{Root: tr.path("shop"), ID: idA, Source: SourceMarker})
	must(t, writePointer(tr.home, idA, tr.path("shop")))
	p, err := readPointer(tr.home, idA)
	if err != nil || p.Key == "" || !holdsKey(tr.path("shop"), p.Key) {
		t.Fatalf("%+v, %v", p, err)
	}
	if runtime.GOOS != "windows" {
		for _, file := range []string{record, tr.path("shop/.strata", keyDir, keyName(p.Key))} {
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", file, info.Mode(), err)
			}
		}
	}
	tr.move("shop", "store")
	tr.want("store", Found{Root: tr.path("store"), ID: idA, Source: SourceMarker})
}

// Where the directory cannot be written its path has to do.
func TestADirectoryThatCannotBeWrittenIsKnownByItsPath(t *testing.T) {
	tr := newTree(t)
	tr.mark("shop", idA)
	tr.file("shop/.strata/"+keyDir, "") // no right to write, for root as well
	must(t, writePointer(tr.home, idA, tr.path("shop")))
	tr.want("shop", Found{Root: tr.path("shop"), ID: idA, Source: SourceMarker})
	if p, err := readPointer(tr.home, idA); err != nil || p != (pointer{Root: tr.path("shop")}) {
		t.Errorf("%+v, %v", p, err)
	}
}

// Two homes may know one directory, each by a key of its own.
func TestEachHomeHasItsKey(t *testing.T) {
	tr := newTree(t)
	tr.known("shop", idA)
	other := tr.dir("other")
	must(t, writePointer(other, idA, tr.path("shop")))
	tr.move("shop", "store")
	for _, home := range []string{tr.home, other} {
		if found, err := Find(tr.path("store"), home); err != nil || found.ID != idA {
			t.Errorf("%s: %+v, %v", home, found, err)
		}
	}
}

// A repository that brings a directory for keys along, to have them committed, does not
// get them.
func TestKeysAreOutsideOfVersionControl(t *testing.T) {
	tr := newTree(t)
	tr.mark("shop", idA)
	tr.file("shop/.strata/"+keyDir+"/.gitignore", "!*\n")
	must(t, writePointer(tr.home, idA, tr.path("shop")))
	if text, err := os.ReadFile(tr.path("shop/.strata", keyDir, ".gitignore")); err != nil || string(text) != ignoreAll {
		t.Errorf("%q, %v", text, err)
	}
}

// What the home's files do not name, its database may.
func TestAdmitAsksTheDatabase(t *testing.T) {
	tr := newTree(t)
	tr.mark("evil", idA)
	found, err := Find(tr.path("evil"), tr.home)
	must(t, err)
	var asked []string
	says := func(ok bool) func(string, ...string) (bool, error) {
		return func(id string, keys ...string) (bool, error) { asked = append([]string{id}, keys...); return ok, nil }
	}
	if err := Admit(found, tr.home, says(false)); !IsDisputed(err) || len(asked) != 2 || asked[1] != "dir:"+tr.path("evil") {
		t.Errorf("%v, asked for %v", err, asked)
	}
	if err := Admit(found, tr.home, says(true)); err != nil {
		t.Error(err)
	}
	tr.adopt("evil")
	if err := Admit(found, tr.home, says(false)); err != nil {
		t.Errorf("the user said that it is the workspace: %v", err)
	}
}
