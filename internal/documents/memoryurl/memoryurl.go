// Package memoryurl parses the addresses of documents, such as memory://root/MEMORY.md.
//
// An address has a namespace, followed by the path of a document. The only namespace is
// root: the documents of the current view. Addresses come from models and other outside
// sources. Parsing is therefore strict: everything that resembles an attempt to escape
// the namespace is an error, even if it would lead nowhere.
package memoryurl

import (
	"net/url"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// Scheme is the prefix of every address.
const Scheme = "memory://"

// Root is the namespace of the documents of the current view.
const Root = "root"

// SummaryPath is the path of the document at memory://root.
const SummaryPath = "memory_summary.md"

// maxBytes is the maximum length of an address: a path of 512 bytes, all of them encoded.
const maxBytes = 2048

const hint = "use memory://root, memory://root/MEMORY.md, memory://root/skills/NAME/SKILL.md or memory://root/notes/NAME.md"

var (
	// encodedSyntax matches encoded characters that have a meaning in a path. No name
	// needs them; they only serve to bypass checks.
	encodedSyntax = lazyregexp.New(`(?i)%(2e|2f|5c|00|25)`)
	// encoded matches what a second decoding would change.
	encoded = lazyregexp.New(`%[0-9a-fA-F]{2}`)
)

// Parse returns the path of the document at an address. The path is decoded once and
// valid according to [strata.ValidatePath]. Errors have the code [strata.CodeInvalid].
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
		return "", invalid("the address " + quote(address) + " has a query or a fragment, which documents do not have")
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
