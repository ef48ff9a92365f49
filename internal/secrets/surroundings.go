package secrets

import (
	"regexp"
	"strings"
	"sync"
)

// isVariable reports whether the label at at ends the name of an environment variable: at
// least two words in upper case.
func (s *scanner) isVariable(at int) bool {
	from := at
	for from > 0 && at-from < maxLookBehind && (isWordByte(s.text[from-1]) && lower(s.text[from-1]) == s.text[from-1] == !isLetter(s.text[from-1])) {
		from--
	}
	name := s.text[from:min(at+1, len(s.text))]
	return from < at && (from == 0 || !isWordByte(s.text[from-1])) && isLetter(name[0]) && lower(name[len(name)-1]) != name[len(name)-1]
}

// isLine reports whether the label at at and its value fill a line, which does not happen
// in a program.
func (s *scanner) isLine(at int, v value) bool {
	i := strings.LastIndexByte(s.text[max(0, at-maxLookBehind):at], '\n')
	return strings.TrimSpace(v.tail) == "" && (i >= 0 || at < maxLookBehind)
}

// isField reports whether the label at at, with a value followed by tail, is a field of a
// connection string or a query.
func (s *scanner) isField(at int, tail string) bool {
	for at > 0 && isWordByte(s.text[at-1]) {
		at--
	}
	before := strings.TrimRight(s.text[max(0, at-2):at], " ")
	return before != "" && strings.IndexByte(";&?", before[len(before)-1]) >= 0 || tail != "" && strings.IndexByte(";&", tail[0]) >= 0
}

// settingLine matches a line with a setting that commonly accompanies a password.
var settingLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)^[ \t]*(?:\[[\w.: -]+\]|(?:\w+[._-])?(?:user|username|login|uid|host|hostname|server|database|dbname|port)[ \t]*=[ \t]*[\w.@-]+)[ \t\r]*$`)
})

// isSetting reports whether the label at at is in a settings file, judging by the lines
// around it.
func (s *scanner) isSetting(at int, tail string) bool {
	const around = 96
	return strings.TrimSpace(tail) == "" && settingLine().MatchString(s.text[max(0, at-around):min(at+around, len(s.text))])
}
