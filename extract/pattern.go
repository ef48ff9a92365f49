package extract

import (
	"regexp"
	"strings"
	"sync"
)

// pattern is a regular expression with a cheap test before it. A clause meets
// some hundred patterns and matches one or two; an automaton excludes the others,
// at a hundredth of the cost. One that can match anywhere is tried only where it
// can begin. The test and the expression are made when they are first used.
type pattern struct {
	source    func() string
	automaton func() *automaton
	re        func() *regexp.Regexp
}

// expr makes a pattern of an expression. Names in braces stand for the word
// lists of [lexicon].
func expr(source string) *pattern {
	full := sync.OnceValue(func() string { return strings.NewReplacer(lexicon()...).Replace(source) })
	return &pattern{
		source:    full,
		automaton: sync.OnceValue(func() *automaton { return automatonOf(full()) }),
		re:        sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(full()) }),
	}
}

func (p *pattern) MatchString(s string) bool { return p.find(s) != nil }

func (p *pattern) FindString(s string) string {
	at := p.find(s)
	if at == nil {
		return ""
	}
	return s[at[0]:at[1]]
}

func (p *pattern) FindStringIndex(s string) []int {
	at := p.find(s)
	if at == nil {
		return nil
	}
	return at[:2]
}

func (p *pattern) FindStringSubmatch(s string) []string {
	at := p.find(s)
	if at == nil {
		return nil
	}
	groups := make([]string, len(at)/2)
	for g := range groups {
		if at[2*g] >= 0 {
			groups[g] = s[at[2*g]:at[2*g+1]]
		}
	}
	return groups
}

func (p *pattern) FindStringSubmatchIndex(s string) []int { return p.find(s) }

// Split cuts s at the matches, as [regexp.Regexp.Split] with no limit.
func (p *pattern) Split(s string) []string {
	if !p.automaton().may(s) {
		return []string{s}
	}
	return p.re().Split(s, -1)
}

func (p *pattern) FindAllStringSubmatchIndex(s string) [][]int {
	if p.find(s) == nil {
		return nil
	}
	return p.re().FindAllStringSubmatchIndex(s, -1)
}

func (p *pattern) ReplaceAllString(s, with string) string {
	if p.find(s) == nil {
		return s
	}
	return p.re().ReplaceAllString(s, with)
}

// find returns the first match with its groups, as
// [regexp.Regexp.FindStringSubmatchIndex].
func (p *pattern) find(s string) []int {
	if !p.automaton().may(s) {
		return nil
	}
	return p.re().FindStringSubmatchIndex(s)
}
