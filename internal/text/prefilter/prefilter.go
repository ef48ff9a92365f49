// Package prefilter has regular expressions with a cheap test before them, for a text
// that meets hundreds and matches one or two.
package prefilter

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression with a cheap test before it: an automaton excludes
// the texts that cannot match, at a hundredth of the cost. An expression that can match
// anywhere is tried only where it can begin. The test and the expression are made when
// they are first used. It is safe for concurrent use. Its methods are those of
// [regexp.Regexp].
type Regexp struct {
	source func() string

	once struct{ full, test, re sync.Once }
	full string
	test *automaton
	re   *regexp.Regexp
}

// Of returns the expression that source returns when it is first used, and panics then
// if that is none.
func Of(source func() string) *Regexp { return &Regexp{source: source} }

// expression is what source returns.
func (p *Regexp) expression() string {
	p.once.full.Do(func() { p.full = p.source() })
	return p.full
}

// Excludes reports whether the cheap test says that s does not match. It is never
// wrong, and may be silent.
func (p *Regexp) Excludes(s string) bool {
	p.once.test.Do(func() { p.test = automatonOf(p.expression()) })
	return !p.test.may(s)
}

// Plain returns the expression without the test before it.
func (p *Regexp) Plain() *regexp.Regexp {
	p.once.re.Do(func() { p.re = regexp.MustCompile(p.expression()) })
	return p.re
}

// MatchString reports whether s holds a match.
func (p *Regexp) MatchString(s string) bool { return p.find(s) != nil }

// FindString returns the first match, empty if there is none.
func (p *Regexp) FindString(s string) string {
	at := p.find(s)
	if at == nil {
		return ""
	}
	return s[at[0]:at[1]]
}

// FindStringIndex returns where the first match is, nil if there is none.
func (p *Regexp) FindStringIndex(s string) []int {
	at := p.find(s)
	if at == nil {
		return nil
	}
	return at[:2]
}

// FindStringSubmatch returns the first match and its groups, nil if there is none.
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

// FindStringSubmatchIndex returns where the first match and its groups are.
func (p *Regexp) FindStringSubmatchIndex(s string) []int { return p.find(s) }

// Split cuts s at the matches, as [regexp.Regexp.Split] with no limit.
func (p *Regexp) Split(s string) []string {
	if p.Excludes(s) {
		return []string{s}
	}
	return p.Plain().Split(s, -1)
}

// FindAllStringSubmatchIndex returns where all matches and their groups are.
func (p *Regexp) FindAllStringSubmatchIndex(s string) [][]int {
	if p.find(s) == nil {
		return nil
	}
	return p.Plain().FindAllStringSubmatchIndex(s, -1)
}

// ReplaceAllString puts with in the place of the matches; $1 in it is the first group.
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
