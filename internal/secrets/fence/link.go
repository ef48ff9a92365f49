package fence

import (
	"html"
	"strings"
)

// unlink turns links, images and link definitions whose address leads out of memory into
// text: "![x](https://…)" becomes "x (https://…)". The text of a link may not match its
// address, and a renderer fetches an image without asking, with any data that its address
// carries. Relative paths and memory: addresses stay, so that a model can follow them.
//
// Angle brackets, HTML and bare addresses need no treatment here: the first two are
// handled as tags, and a bare address shows where it leads.
func unlink(s string) string {
	// Removing one link may join the parts of another.
	for range mostNested {
		out := withoutLinks(s)
		if out == s {
			return s
		}
		s = out
	}
	return apart.Replace(s)
}

// mostNested is how many nested links are removed one by one.
const mostNested = 8

// apart breaks up all remaining links.
var apart = strings.NewReplacer("](", "] (", "]:", "] :")

// withoutLinks is one pass of [unlink].
func withoutLinks(s string) string {
	if !strings.Contains(s, "](") && !strings.Contains(s, "]:") {
		return s
	}
	gone := make(map[int]bool) // positions of the characters to remove
	var open []int
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			open = append(open, i)
		case ']':
			begin := -1
			if n := len(open); n > 0 {
				begin, open = open[n-1], open[:n-1]
			}
			if !leadsOut(s[i+1:]) {
				continue
			}
			gone[i] = true
			if begin >= 0 {
				gone[begin] = true
				if begin > 0 && s[begin-1] == '!' {
					gone[begin-1] = true
				}
			}
		}
	}
	if len(gone) == 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case !gone[i]:
			out = append(out, s[i])
		case s[i] == ']':
			out = append(out, ' ')
		}
	}
	return string(out)
}

// longestScheme is how much of an address is examined to tell where it leads, in bytes.
// Character references make it longer than it looks.
const longestScheme = 200

// leadsOut reports whether a closing bracket is followed by an address outside memory.
func leadsOut(after string) bool {
	if after == "" || after[0] != '(' && after[0] != ':' {
		return false
	}
	// An address ends at a space, but spaces may precede it.
	address := strings.TrimLeft(after[1:], " \t\n<‹＜﹤")
	address = address[:min(len(address), longestScheme)]
	if end := strings.IndexAny(address, " \t\n)>"); end >= 0 {
		address = address[:end]
	}
	if address == "" {
		return false
	}
	if address[0] == '\\' || len(address) > 1 && address[0] == '/' && (address[1] == '/' || address[1] == '\\') {
		return true
	}
	address = strings.ReplaceAll(html.UnescapeString(address), `\`, "")
	if strings.HasPrefix(address, "//") {
		return true
	}
	end := strings.IndexAny(address, ":/?#")
	if end < 0 || address[end] != ':' {
		return false // a path
	}
	scheme := strings.ToLower(address[:end])
	if after[0] == ':' { // prose lines may begin with "[x]: y: z"
		return schemes[scheme] || scheme != "memory" && strings.HasPrefix(address[end:], "://")
	}
	return scheme != "memory"
}

// schemes are the URL schemes that renderers follow, with or without slashes.
var schemes = map[string]bool{
	"http": true, "https": true, "ftp": true, "ws": true, "wss": true, "file": true, "data": true,
	"javascript": true, "vbscript": true, "mailto": true, "tel": true, "blob": true,
}
