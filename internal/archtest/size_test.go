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

// No package is so large that its reader loses the way.
func TestPackagesStaySmall(t *testing.T) {
	lines := make(map[string]int)
	for _, name := range filesOf(t, ".go", ".c", ".h") {
		if !strings.HasSuffix(name, "_test.go") {
			lines[filepath.ToSlash(filepath.Dir(name))] += strings.Count(read(t, name), "\n")
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
