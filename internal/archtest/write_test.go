package archtest

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// writes are the calls that make files or put others in their place.
var writes = regexp.MustCompile(`\bos\.(Create|CreateTemp|WriteFile|Rename)\(`)

// ownFiles are the files below the faces that write what nobody named: a text for an editor,
// the mark of a home that a benchmark made.
var ownFiles = []string{"cmd/strata/internal/editor/editor.go", "bench/scalehome.go"}

// TestFilesThatPeopleNameAreWrittenByOneFunction keeps what is at such a path, a device or a
// link, from being replaced.
func TestFilesThatPeopleNameAreWrittenByOneFunction(t *testing.T) {
	own := make(map[string]bool)
	for _, name := range filesOf(t, ".go") {
		name = filepath.ToSlash(name)
		named := strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "connect/") ||
			strings.HasPrefix(name, "bench/") && !strings.HasPrefix(name, "bench/lab/") // which are programs for developers
		if !named || strings.HasSuffix(name, "_test.go") {
			continue
		}
		call := writes.FindString(read(t, name))
		own[name] = call != ""
		if call != "" && !slices.Contains(ownFiles, name) {
			t.Errorf("%s calls %s: write it by package internal/base/plainfile", name, strings.TrimSuffix(call, "("))
		}
	}
	for _, name := range ownFiles {
		if !own[name] {
			t.Errorf("%s writes no file any more", name)
		}
	}
}
