package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// root is the directory of the module.
const root = "../.."

const (
	readmeWords   = 700 // what is read in three minutes
	decisionWords = 370 // one page
)

// A README that takes longer than three minutes is not read.
func TestReadmeIsShort(t *testing.T) {
	if n := len(strings.Fields(read(t, "README.md"))); n > readmeWords {
		t.Errorf("README.md has %d words; at most %d, so move something to docs", n, readmeWords)
	}
}

// A decision is one page: the measurements behind it are in bench/results.
func TestDecisionsAreOnePage(t *testing.T) {
	const dir = "docs/decisions"
	entries, err := os.ReadDir(filepath.Join(root, dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text := read(t, filepath.Join(dir, e.Name()))
		if n := len(strings.Fields(text)); n > decisionWords {
			t.Errorf("%s has %d words; at most %d", e.Name(), n, decisionWords)
		}
		if number, _, _ := strings.Cut(e.Name(), "-"); !strings.HasPrefix(text, "# "+number+": ") {
			t.Errorf("%s does not begin with a title and its number", e.Name())
		}
		for _, section := range []string{"Question", "Choice", "Consequence"} {
			if !strings.Contains(text, "\n## "+section+"\n") {
				t.Errorf("%s has no section %s", e.Name(), section)
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
