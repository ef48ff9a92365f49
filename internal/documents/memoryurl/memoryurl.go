// Package memoryurl reads the addresses of documents, as memory://root/MEMORY.md.
//
// An address names a namespace, of which there is one, root: the documents of
// the current view. What follows is the path of a document. An address is text
// from a model or from outside, so it is read strictly: whatever could be taken
// for a way out is an error, also where it would lead nowhere.
package memoryurl

import (
	"net/url"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// Scheme begins every address.
const Scheme = "memory://"

// Root is the namespace of the documents of the current view.
const Root = "root"

// SummaryPath is the document at memory://root.
const SummaryPath = "memory_summary.md"

// maxBytes bounds an address: a path of 512 bytes, each of them encoded.
const maxBytes = 2048

const hint = "use memory://root, memory://root/MEMORY.md, memory://root/skills/NAME/SKILL.md or memory://root/notes/NAME.md"

var (
	// encodedSyntax are encodings of what has a meaning in a path. Nobody needs
	// them for a name; they are there to slip past a check.
	encodedSyntax = lazyregexp.New(`(?i)%(2e|2f|5c|00|25)`)
	// encoded is what a second decoding would change.
	encoded = lazyregexp.New(`%[0-9a-fA-F]{2}`)
)

// Parse returns the path of the document that an address names. It has been
// decoded once and is valid for [strata.ValidatePath]. Errors have the code
// invalid.
func Parse(address string) (string, error) {
	rest, ok := strings.CutPrefix(address, Scheme)
	switch {
	case len(address) > maxBytes:
		return "", invalid("the address is longer than 2,048 bytes")
	case !ok:
		return "", invalid("the address " + quote(address) + " does not begin with " + Scheme)
	case strings.ContainsRune(address, 0):
		return "", invalid("the address holds a NUL byte")
	case strings.Contains(rest, `\`):
		return "", invalid("the address " + quote(address) + " holds a backslash")
	case strings.ContainsAny(rest, "?#"):
		return "", invalid("the address " + quote(address) + " has a query or a fragment, which documents have not")
	}
	space, path, below := strings.Cut(rest, "/")
	if space != Root {
		return "", invalid("there is no namespace " + quote(space) + ", only " + Root)
	}
	if !below || path == "" {
		return SummaryPath, nil
	}
	path, err := decode(path)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(path, "/") {
		return "", invalid("the path " + quote(path) + " is absolute")
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "." || part == ".." {
			return "", invalid("the path " + quote(path) + ` holds "` + part + `"`)
		}
	}
	if err := strata.ValidatePath(path); err != nil {
		return "", err
	}
	return path, nil
}

func decode(path string) (string, error) {
	if encodedSyntax.MatchString(path) {
		return "", invalid("the path " + quote(path) + " hides a dot, a slash, a backslash, a percent sign or a NUL byte by encoding it")
	}
	plain, err := url.PathUnescape(path)
	if err != nil {
		return "", invalid("the path " + quote(path) + " is not encoded as paths are")
	}
	if encoded.MatchString(plain) {
		return "", invalid("the path " + quote(path) + " is encoded twice")
	}
	return plain, nil
}

func invalid(message string) error { return strata.Invalid("read address", message, hint) }

// quote shortens and quotes text from outside.
func quote(s string) string {
	const most = 80
	short := strings.ToValidUTF8(s[:min(len(s), most)], "?")
	if len(s) > most {
		short += "…"
	}
	return `"` + strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, short) + `"`
}
