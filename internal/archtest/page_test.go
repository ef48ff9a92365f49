package archtest

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// architecture is the page whose tables are held.
const architecture = "docs/ARCHITECTURE.md"

var quoted = regexp.MustCompile("`([^`]+)`")

// The page's table of levels is the one that imports are held to.
func TestThePageHasTheLevels(t *testing.T) {
	onPage := make(map[string]int)
	for _, cells := range tableOf(t, "Levels") {
		number, _, _ := strings.Cut(cells[0], " ")
		level, err := strconv.Atoi(number)
		if err != nil {
			continue // the head of the table
		}
		for _, name := range namesIn(cells[1]) {
			onPage[name] = level
		}
	}
	for _, name := range slices.Sorted(maps.Keys(levels)) {
		if level, ok := onPage[name]; !ok || level != levels[name] {
			t.Errorf("%s has level %d, which %s does not say", name, levels[name], architecture)
		}
		delete(onPage, name)
	}
	for name := range onPage {
		t.Errorf("%s gives %s a level, which the test does not have", architecture, name)
	}
}

// The page's table of packages names each of them, and no other.
func TestThePageNamesEveryPackage(t *testing.T) {
	onPage := make(map[string]bool)
	for _, cells := range tableOf(t, "What each package is") {
		for _, name := range namesIn(cells[0]) {
			dir, ok := strings.CutSuffix(name, "/...")
			if !ok {
				onPage[name] = true
				continue
			}
			for _, child := range namesIn(cells[1]) {
				onPage[dir+"/"+child] = true
			}
		}
	}
	for _, p := range list(t) {
		name := inside(p.ImportPath)
		if !onPage[name] {
			t.Errorf("%s does not say what %s is", architecture, name)
		}
		delete(onPage, name)
	}
	for name := range onPage {
		if _, err := os.Stat(filepath.Join(root, name, "go.mod")); err != nil { // a module of its own is not listed
			t.Errorf("%s names the package %s, which is not there", architecture, name)
		}
	}
}

// tableOf returns the cells of the rows of the table below a heading of the page.
func tableOf(t *testing.T, heading string) (rows [][]string) {
	t.Helper()
	_, section, ok := strings.Cut(read(t, architecture), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("%s has no section %q", architecture, heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		if inner, ok := strings.CutPrefix(strings.TrimSpace(line), "| "); ok {
			rows = append(rows, strings.Split(strings.TrimSuffix(inner, " |"), " | "))
		}
	}
	return rows
}

// namesIn returns the names of packages in a cell, as the tests write them.
func namesIn(cell string) (names []string) {
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		name := strings.ReplaceAll(m[1], "…", "...")
		if name == "strata" {
			name = "."
		}
		names = append(names, name)
	}
	return names
}
