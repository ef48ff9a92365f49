package fence

import (
	"html"
	"strings"
)

// unlink makes text of the links, images and definitions of links whose address leads out of
// memory: "![x](https://…)" becomes "x (https://…)". What a link says and where it leads may
// be two things, and an image is fetched without being asked for, with whatever stands in its
// address. Relative paths and memory: addresses stay, so that a model can follow them.
//
// Angle brackets, HTML and addresses without a text need nothing here: the first two are
// defused as tags, and the last shows where it leads.
func unlink(s string) string {
	// What is taken away may bring together what was apart.
	for range mostNested {
		out := withoutLinks(s)
		if out == s {
			return s
		}
		s = out
	}
	return apart.Replace(s)
}

// mostNested is how many links inside of each other are made text with their signs taken away.
const mostNested = 8

// apart leaves nothing that is a link.
var apart = strings.NewReplacer("](", "] (", "]:", "] :")

// withoutLinks is [unlink] for the links that there are at first sight.
func withoutLinks(s string) string {
	if !strings.Contains(s, "](") && !strings.Contains(s, "]:") {
		return s
	}
	gone := make(map[int]bool) // the signs of links that are made text
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

// longestScheme is as much of an address as tells where it leads, in bytes. References to
// characters make it longer than it reads.
const longestScheme = 200

// leadsOut reports whether what follows a closing bracket is an address out of memory.
func leadsOut(after string) bool {
	if after == "" || after[0] != '(' && after[0] != ':' {
		return false
	}
	// An address ends at a space, and may begin behind some.
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
	if after[0] == ':' { // many a line begins with "[x]: y: z"
		return schemes[scheme] || scheme != "memory" && strings.HasPrefix(address[end:], "://")
	}
	return scheme != "memory"
}

// schemes are those of addresses that renderers follow, with or without slashes.
var schemes = map[string]bool{
	"http": true, "https": true, "ftp": true, "ws": true, "wss": true, "file": true, "data": true,
	"javascript": true, "vbscript": true, "mailto": true, "tel": true, "blob": true,
}
