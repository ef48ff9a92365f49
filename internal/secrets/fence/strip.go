package fence

import (
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// shown matches the opening tags of blocks in which programs add what they know to a
// conversation: Strata's own, and those of agents and other memory systems.
var shown = lazyregexp.New(`(?i)<((?:recalled|relevant|retrieved|user|long[-_]term|core|session|project|strata|agent|past)[-_](?:memory|memories|facts)|` +
	`memory|memories|memory[-_](?:context|blocks?|data|summary)|conversation[-_]summary|context[-_]note|supermemory[-_]context|mem0[-_]memories|` +
	`claude[-_]mem[-_]context|workspace[-_]files|system[-_]reminder|environment[-_]context|user[-_]instructions)(?:\s[^<>]*)?>`)

// Without removes blocks that programs added to what somebody said, such as recalled
// memory: nobody said those. A block without an end extends to the end of s.
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

// closing returns the end of the tag that closes a block; -1 if there is none.
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
