package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

var page = regexp.MustCompile(`(?:^|[^/\w])(docs/[a-z0-9/-]+\.md)`)

// Comments name pages that are there.
func TestCommentsNamePagesThatAreThere(t *testing.T) {
	for _, name := range filesOf(t, ".go", ".c", ".h", ".sql") {
		if strings.HasSuffix(name, "_test.go") {
			continue // texts of examples
		}
		for _, m := range page.FindAllStringSubmatch(read(t, name), -1) {
			to := m[1]
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s names %s, which is not there", name, to)
			}
		}
	}
}

var (
	code = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	link = regexp.MustCompile(`\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"`)
)

// Links in pages lead to files that are there.
func TestLinksLeadToFilesThatAreThere(t *testing.T) {
	links := 0
	for _, name := range filesOf(t, ".md") {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(read(t, name), ""), -1) {
			to, _, _ := strings.Cut(m[1]+m[2], "#")
			if to == "" || strings.Contains(to, ":") {
				continue // a heading of this page, or an address
			}
			links++
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(name), to)); err != nil {
				t.Errorf("%s links to %s, which is not there", name, to)
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links in all pages: the test overlooks some", links)
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

// filesOf lists the files with one of the endings, without what tests read and
// what a build makes.
func filesOf(t *testing.T, endings ...string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); base == "bin" || base == "testdata" || base == "node_modules" || base != ".." && strings.HasPrefix(base, ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if slices.Contains(endings, filepath.Ext(path)) {
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			found = append(found, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 10 {
		t.Fatalf("found %d files: the test looks in the wrong place", len(found))
	}
	return found
}
