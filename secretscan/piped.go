package secretscan

import (
	"regexp"
	"sync"
)

// echoed matches a command line up to the program that reads a password from a pipe.
var echoed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?["']?(?:[\w.-]+:)?([^\s"'|:]{4,64})["']?[ \t]*\|[^|\n]*$`)
})

// piped locates the password that is printed into the program at text[at:].
func (s *scanner) piped(at int) (start, end int, ok bool) {
	from := max(0, at-2*maxLookBehind)
	m := echoed().FindStringSubmatchIndex(s.text[from:at])
	if m == nil {
		return 0, 0, false
	}
	start, end = from+m[2], from+m[3]
	return start, end, isCommandPassword(s.text[start:end])
}
