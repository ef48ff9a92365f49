package workspace

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

func TestParseMarker(t *testing.T) {
	good := markerText(idA, "/home/u/p")
	m, err := ParseMarker([]byte("# made by hand\n" + good))
	want := Marker{ID: idA, CreatedAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), RealPath: "/home/u/p"}
	if err != nil || m.ID != want.ID || !m.CreatedAt.Equal(want.CreatedAt) || m.RealPath != want.RealPath {
		t.Errorf("ParseMarker = %+v, %v; want %+v", m, err, want)
	}
	bad := map[string]string{
		"empty":               "",
		"no id":               strings.Replace(good, "workspace_id", "# ", 1),
		"short id":            strings.Replace(good, idA, idA[1:], 1),
		"id in small letters": strings.Replace(good, idA, strings.ToLower(idA), 1),
		"id of other letters": strings.Replace(good, idA, strings.Replace(idA, "J", "U", 1), 1),
		"id too large":        strings.Replace(good, idA, "8"+idA[1:], 1),
		"no time":             strings.Replace(good, "created_at", "# ", 1),
		"time is text":        strings.Replace(good, "2026-03-01T12:00:00Z", `"yesterday"`, 1),
		"no path":             strings.Replace(good, "realpath_at_creation", "# ", 1),
		"relative path":       markerText(idA, "p"),
		"unknown key":         good + "extra = 1\n",
		"key twice":           good + good,
		"not TOML":            "workspace_id: " + idA,
		"invalid UTF-8":       good + "# \xff\n",
		"NUL":                 good + "\x00",
		"merge conflict":      "<<<<<<< HEAD\n" + good,
	}
	for name, text := range bad {
		t.Run(name, func(t *testing.T) {
			if m, err := ParseMarker([]byte(text)); err == nil {
				t.Errorf("accepted %q as %+v", text, m)
			}
		})
	}
}

func TestDamagedMarkerIsAnErrorThatNamesTheFile(t *testing.T) {
	tr := newTree(t)
	path := tr.file("p/"+MarkerPath, "workspace_id = ")
	tr.repository("p/.git")
	tr.wantCode("p", strata.CodeCorrupt, path)
	_, err := Find(tr.path("p"), tr.home)
	if hint := err.(*strata.Error).Hint; !strings.Contains(hint, path) {
		t.Errorf("hint %q does not name %s", hint, path)
	}
}

func TestMovedDirectoryKeepsItsIdentity(t *testing.T) {
	tr := newTree(t)
	tr.mark("old", idA)
	if err := os.Rename(tr.path("old"), tr.path("new")); err != nil {
		t.Fatal(err)
	}
	tr.want("new", Found{Root: tr.path("new"), ID: idA, Source: SourceMarker})
	t.Run("also when another project took its place", func(t *testing.T) {
		tr.mark("old", idB)
		tr.want("new", Found{Root: tr.path("new"), ID: idA, Source: SourceMarker})
		tr.want("old", Found{Root: tr.path("old"), ID: idB, Source: SourceMarker})
	})
}

func TestCopiedDirectoryIsToldApart(t *testing.T) {
	tr := newTree(t)
	tr.mark("first", idA)
	tr.file("copy/"+MarkerPath, markerText(idA, tr.path("first")))
	tr.wantCode("copy", strata.CodeConflict, "strata init --identity new")
	tr.want("first", Found{Root: tr.path("first"), ID: idA, Source: SourceMarker})
}

// Once a workspace moved, the path in its marker is nobody's: the home knows
// where it was last.
func TestACopyOfAWorkspaceThatWasMovedIsToldApart(t *testing.T) {
	tr := newTree(t)
	made := markerText(idA, tr.path("made"))
	tr.file("moved/"+MarkerPath, made)
	must(t, writePointer(tr.home, idA, tr.path("moved")))
	tr.file("copy/"+MarkerPath, made)
	tr.wantCode("copy", strata.CodeConflict, "strata init --identity new")
	tr.want("moved", Found{Root: tr.path("moved"), ID: idA, Source: SourceMarker})
	t.Run("also one at the place where it was made", func(t *testing.T) {
		tr.file("made/"+MarkerPath, made)
		tr.wantCode("made", strata.CodeConflict, "strata init --identity new")
		tr.want("moved", Found{Root: tr.path("moved"), ID: idA, Source: SourceMarker})
	})
	t.Run("and is asked about when the other is gone", func(t *testing.T) {
		must(t, os.RemoveAll(tr.path("made")))
		must(t, os.RemoveAll(tr.path("moved")))
		tr.wantCode("copy", strata.CodeConflict, "strata init --identity same")
	})
}

func FuzzParseMarker(f *testing.F) {
	f.Add([]byte(markerText(idA, "/p")))
	f.Add([]byte("workspace_id = \"\"\ncreated_at = 1\n[x]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseMarker(data)
		if err != nil {
			return
		}
		if strata.InWorkspace(m.ID).Validate() != nil || m.CreatedAt.IsZero() || m.RealPath == "" {
			t.Errorf("accepted %q as %+v", data, m)
		}
	})
}
