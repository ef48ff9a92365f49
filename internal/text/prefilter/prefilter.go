// Package prefilter provides regular expressions with a cheap test in front, for texts
// that are matched against hundreds of expressions and match one or two.
package prefilter

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression with a cheap test in front: an automaton rejects texts
// that cannot match, at a hundredth of the cost. The test and the expression are compiled
// on first use. A Regexp is safe for concurrent use. Its methods are like those of
// [regexp.Regexp].
type Regexp struct {
	source func() string

	once struct{ full, test, re sync.Once }
	full string
	test *automaton
	re   *regexp.Regexp
}

// Of returns a Regexp for the expression that source returns. It calls source on first
// use, which panics if the expression is invalid.
func Of(source func() string) *Regexp { return &Regexp{source: source} }

// expression returns the result of source.
func (p *Regexp) expression() string {
	p.once.full.Do(func() { p.full = p.source() })
	return p.full
}

// Excludes reports whether the cheap test shows that s does not match. If it returns
// false, s may or may not match.
func (p *Regexp) Excludes(s string) bool {
	p.once.test.Do(func() { p.test = automatonOf(p.expression()) })
	return !p.test.may(s)
}

// Plain returns the expression without the test.
func (p *Regexp) Plain() *regexp.Regexp {
	p.once.re.Do(func() { p.re = regexp.MustCompile(p.expression()) })
	return p.re
}

// MatchString reports whether s holds a match.
func (p *Regexp) MatchString(s string) bool { return p.find(s) != nil }

// FindString returns the first match, or "" if there is none.
func (p *Regexp) FindString(s string) string {
	at := p.find(s)
	if at == nil {
		return ""
	}
	return s[at[0]:at[1]]
}

// FindStringIndex returns the location of the first match, or nil if there is none.
func (p *Regexp) FindStringIndex(s string) []int {
	at := p.find(s)
	if at == nil {
		return nil
	}
	return at[:2]
}

// FindStringSubmatch returns the first match and its groups, or nil if there is none.
func (p *Regexp) FindStringSubmatch(s string) []string {
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

// FindStringSubmatchIndex returns the locations of the first match and its groups, or nil
// if there is none.
func (p *Regexp) FindStringSubmatchIndex(s string) []int { return p.find(s) }

// Split splits s at the matches, like [regexp.Regexp.Split] without a limit.
func (p *Regexp) Split(s string) []string {
	if p.Excludes(s) {
		return []string{s}
	}
	return p.Plain().Split(s, -1)
}

// FindAllStringSubmatchIndex returns the locations of all matches and their groups, or
// nil if there are none.
func (p *Regexp) FindAllStringSubmatchIndex(s string) [][]int {
	if p.find(s) == nil {
		return nil
	}
	return p.Plain().FindAllStringSubmatchIndex(s, -1)
}

// ReplaceAllString replaces each match by with, in which $1 is the first group.
func (p *Regexp) ReplaceAllString(s, with string) string {
	if p.find(s) == nil {
		return s
	}
	return p.Plain().ReplaceAllString(s, with)
}

// find returns the first match with its groups, as
// [regexp.Regexp.FindStringSubmatchIndex].
func (p *Regexp) find(s string) []int {
	if p.Excludes(s) {
		return nil
	}
	return p.Plain().FindStringSubmatchIndex(s)
}
