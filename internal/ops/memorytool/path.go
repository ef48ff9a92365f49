package memorytool

import (
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

const (
	// root is the directory that the model sees.
	root = "/memories"
	// suffix is the extension of documents. plain is appended to the name of a file that
	// is not Markdown to the model.
	suffix, plain = ".md", "_.md"
	// system begins names that are reserved.
	system = "_system_"
)

// encoded matches percent-encoded characters that could hide a traversal.
var encoded = lazyregexp.New(`(?i)%(2e|2f|5c|25|00)`)

// parsePath parses a path as a model writes it and returns it relative to /memories;
// empty for /memories itself. A directory may end in a slash.
func parsePath(p string) (string, error) {
	rest, ok := strings.CutPrefix(p, root)
	if !ok || rest != "" && rest[0] != '/' {
		return "", refuse("Path must start with %s, got: %s", root, clip(p))
	}
	rel := strings.TrimSuffix(strings.TrimPrefix(rest, "/"), "/")
	if rel == "" {
		return "", nil
	}
	if strings.Contains(rel, `\`) || encoded.MatchString(rel) {
		return "", refuse("Path %s would escape %s directory", clip(p), root)
	}
	for name := range strings.SplitSeq(rel, "/") {
		switch {
		case name == "..", name == ".", name == "":
			return "", refuse("Path %s would escape %s directory", clip(p), root)
		case strings.HasPrefix(name, "."), strings.HasPrefix(strings.ToLower(name), system):
			return "", refuse("Path %s has a name that begins like those that are kept for the system", clip(p))
		case strata.ValidateName("path", name) != nil:
			return "", refuse("Path %s has a name that no file can have", clip(p))
		}
	}
	return rel, nil
}

// parseNew parses the path of a file to create.
func parseNew(p string) (string, error) {
	rel, err := parsePath(p)
	switch {
	case err != nil:
		return "", err
	case rel == "":
		return "", refuse("The path %s is a directory", root)
	case strings.HasSuffix(p, "/"):
		return "", refuse("The path %s is that of a directory", clip(p))
	}
	return rel, checkNew(rel)
}

// checkNew returns an error if no file can be created at a path.
func checkNew(rel string) error {
	if dir, _, ok := cutLast(rel); ok && hasMarkdownPart(dir) {
		return refuse("Path %s/%s has a directory with the name of a file", root, clip(rel))
	}
	if err := strata.ValidatePath(stored(rel)); err != nil {
		return refuse("Path %s/%s is no path for a file: it is too long", root, clip(rel))
	}
	return secrets.Refuse("memory tool", secrets.Name{Field: "path", Text: rel})
}

// hasMarkdownPart reports whether a directory or one above it has the extension of a
// document, and so could not be told from a file.
func hasMarkdownPart(dir string) bool {
	return strings.HasSuffix(dir, suffix) || strings.Contains(dir, suffix+"/")
}

// stored returns the path of the document that holds a file.
func stored(rel string) string {
	if strings.HasSuffix(rel, suffix) && !strings.HasSuffix(rel, plain) {
		return strata.NotesDir + rel
	}
	return strata.NotesDir + rel + plain
}

// shown is the inverse of stored; ok is false for a document that no path maps to.
func shown(path string) (rel string, ok bool) {
	rel, ok = strings.CutPrefix(path, strata.NotesDir)
	if !ok {
		return "", false
	}
	if name, isPlain := strings.CutSuffix(rel, plain); isPlain {
		rel = name
	}
	return rel, rel != "" && stored(rel) == path
}

// cutLast splits a path into its directory and last name; ok is false if it has no
// directory.
func cutLast(rel string) (dir, name string, ok bool) {
	i := strings.LastIndexByte(rel, '/')
	if i < 0 {
		return "", rel, false
	}
	return rel[:i], rel[i+1:], true
}

// full returns a relative path as the model sees it.
func full(rel string) string {
	if rel == "" {
		return root
	}
	return root + "/" + rel
}
