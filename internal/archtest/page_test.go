package archtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// architecture is the page that draws the tree.
const architecture = "docs/ARCHITECTURE.md"

// The tree of the page is the one on the disk: the directories of the root and the rooms
// of internal, each with what it is for.
func TestThePageHasTheTree(t *testing.T) {
	_, tree, _ := strings.Cut(read(t, architecture), "```\n")
	tree, _, _ = strings.Cut(tree, "```")
	onPage := map[string][]string{".": nil, "internal": nil}
	for line := range strings.Lines(tree) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "*"):
		case strings.HasPrefix(line, "  "): // a room of internal
			onPage["internal"] = append(onPage["internal"], words[0])
			if len(words) < 2 {
				t.Errorf("%s does not say what %s is", architecture, words[0])
			}
		case strings.HasPrefix(line, "clients "): // what holds no package of the module, all in one line
			onPage["."] = append(onPage["."], words...)
		default:
			top, _, _ := strings.Cut(words[0], "/")
			onPage["."] = append(onPage["."], top)
		}
	}
	for dir, names := range onPage {
		entries, err := os.ReadDir(filepath.Join(root, dir))
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, e := range entries {
			if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && e.Name() != "bin" {
				want = append(want, e.Name())
			}
		}
		slices.Sort(names)
		if !slices.Equal(names, want) {
			t.Errorf("in %s the tree of %s has %v, the disk %v", dir, architecture, names, want)
		}
	}
}
