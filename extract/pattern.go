package extract

import (
	"regexp"
	"strings"
	"sync"
)

// pattern is a regular expression with two cheap tests before it. A clause
// meets some hundred patterns and matches one or two. Most of the others can be
// told by a string they need and the clause lacks, at a hundredth of the cost.
// One that can match anywhere is tried only where it can begin. The tests and
// the expression are made when they are first used.
type pattern struct {
	sieve  func() sieve
	re     func() *regexp.Regexp
	within func() *within // nil: tried everywhere
}

// expr makes a pattern of an expression. Names in braces stand for the word
// lists of [lexicon].
func expr(source string) *pattern {
	full := sync.OnceValue(func() string { return strings.NewReplacer(lexicon()...).Replace(source) })
	return &pattern{
		sieve:  sync.OnceValue(func() sieve { return sieveOf(full()) }),
		re:     sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(full()) }),
		within: sync.OnceValue(func() *within { return withinOf(full()) }),
	}
}

// may reports whether the pattern can match a text in lower case.
func (p *pattern) may(low string) bool {
	s := p.sieve()
	return (s.fronts == nil || opensWith(low, s.fronts)) && (s.required == nil || holds(low, s.required))
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
	if !p.may(strings.ToLower(s)) {
		return nil
	}
	return p.re().FindStringSubmatch(s)
}

func (p *pattern) FindStringSubmatchIndex(s string) []int { return p.find(s) }

// Split cuts s at the matches, as [regexp.Regexp.Split] with no limit.
func (p *pattern) Split(s string) []string {
	if p.find(s) == nil {
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
	low := strings.ToLower(s)
	if !p.may(low) {
		return nil
	}
	if w := p.within(); w != nil && isASCII(s) {
		return w.find(s, low)
	}
	return p.re().FindStringSubmatchIndex(s)
}
