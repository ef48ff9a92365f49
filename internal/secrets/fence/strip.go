package fence

import (
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// shown finds the tags between which programs put what they know into a conversation:
// Strata's own, and those of agents and of other memories.
var shown = lazyregexp.New(`(?i)<((?:recalled|relevant|retrieved|user|long[-_]term|core|session|project|strata|agent|past)[-_](?:memory|memories|facts)|` +
	`memory|memories|memory[-_](?:context|blocks?|data|summary)|conversation[-_]summary|context[-_]note|supermemory[-_]context|mem0[-_]memories|` +
	`claude[-_]mem[-_]context|workspace[-_]files|system[-_]reminder|environment[-_]context|user[-_]instructions)(?:\s[^<>]*)?>`)

// Without returns what somebody said without the blocks that programs added to it, such as
// memory that was recalled: nobody said it. A block that lost its end goes to the end.
func Without(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	for {
		open := shown.FindStringSubmatchIndex(s)
		if open == nil {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:open[0]])
		name := s[open[2]:open[3]]
		s = s[open[1]:]
		end := closing(s, name)
		if end < 0 {
			return b.String()
		}
		s = s[end:]
	}
}

// closing returns where the tag that closes a block ends; -1 if there is none.
func closing(s, name string) int {
	for at := 0; ; {
		i := strings.Index(s[at:], "</")
		if i < 0 {
			return -1
		}
		at += i + len("</")
		rest := s[at:]
		if len(rest) < len(name) || !strings.EqualFold(rest[:len(name)], name) {
			continue
		}
		if end := strings.IndexByte(rest, '>'); end >= 0 {
			return at + end + 1
		}
		return -1
	}
}
