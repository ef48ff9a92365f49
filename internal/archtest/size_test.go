package archtest

import (
	"path/filepath"
	"strings"
	"testing"
)

// packageLines is how many lines of Go and C, without tests, a package may
// have. One that grows beyond is divided.
const packageLines = 6000

// packageLinesOf are the bounds of packages that have their own.
var packageLinesOf = map[string]int{
	"store/sqlite": 9000, // the tables of the whole schema
	"engine":       5000, // the write path, the read path, the frame of the background
}

// packageFiles is how many of these files a package may have, and packageFilesOf has
// the bounds of packages that have their own.
const packageFiles = 40

var packageFilesOf = map[string]int{"store/sqlite": 70}

// No package is so large that its reader loses the way.
func TestPackagesStaySmall(t *testing.T) {
	lines, files := make(map[string]int), make(map[string]int)
	for _, name := range filesOf(t, ".go", ".c", ".h") {
		if !strings.HasSuffix(name, "_test.go") {
			dir := filepath.ToSlash(filepath.Dir(name))
			lines[dir] += strings.Count(read(t, name), "\n")
			files[dir]++
		}
	}
	for dir, n := range files {
		bound, ok := packageFilesOf[dir]
		if !ok {
			bound = packageFiles
		}
		if n > bound {
			t.Errorf("%s has %d files; at most %d, so give a part of it a package of its own", dir, n, bound)
		}
	}
	for dir, n := range lines {
		bound, ok := packageLinesOf[dir]
		if !ok {
			bound = packageLines
		}
		if n > bound {
			t.Errorf("%s has %d lines; at most %d, so give a part of it a package of its own", dir, n, bound)
		}
	}
	for dir := range packageLinesOf {
		if lines[dir] == 0 {
			t.Errorf("the table of sizes names %s, which is gone", dir)
		}
	}
}
