// Package lazyregexp provides regular expressions that are compiled on first use.
// Compiling all expressions of a program takes longer than most commands take to run.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled on first use. Its methods are like
// those of [regexp.Regexp], and it is safe for concurrent use.
type Regexp struct {
	pattern string

	once     sync.Once
	compiled *regexp.Regexp
}

// New returns the regular expression for a pattern. An invalid pattern panics on first
// use.
func New(pattern string) *Regexp { return &Regexp{pattern: pattern} }

// Get returns the compiled expression.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.pattern) })
	return r.compiled
}

func (r *Regexp) MatchString(s string) bool                  { return r.Get().MatchString(s) }
func (r *Regexp) FindString(s string) string                 { return r.Get().FindString(s) }
func (r *Regexp) FindStringIndex(s string) []int             { return r.Get().FindStringIndex(s) }
func (r *Regexp) FindStringSubmatch(s string) []string       { return r.Get().FindStringSubmatch(s) }
func (r *Regexp) FindStringSubmatchIndex(s string) []int     { return r.Get().FindStringSubmatchIndex(s) }
func (r *Regexp) FindAllString(s string, n int) []string     { return r.Get().FindAllString(s, n) }
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int { return r.Get().FindAllStringIndex(s, n) }
func (r *Regexp) ReplaceAllString(s, with string) string     { return r.Get().ReplaceAllString(s, with) }
func (r *Regexp) Split(s string, n int) []string             { return r.Get().Split(s, n) }
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.Get().FindAllStringSubmatch(s, n)
}
func (r *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	return r.Get().ReplaceAllStringFunc(s, with)
}
