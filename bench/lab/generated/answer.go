package generated

import (
	"fmt"
	"strings"
)

// subject is the topic of a session, apart from the facts that are told in it.
type subject struct {
	language           *language
	name               string
	nouns, acts, kinds []string
	asks, more         []string // requests that open a session, and that continue it
}

// language holds the patterns in which an assistant answers. {s} stands for the subject,
// {n} for one of its nouns, {a} for an act and {k} for a kind.
type language struct {
	asks, more                          []string
	opening, headings, sentences, items []string
	closing                             []string
}

// newSubject returns a subject. Its lists are separated by bars.
func newSubject(l *language, name, nouns, acts, kinds string) subject {
	return subject{language: l, name: name, nouns: ways(nouns), acts: ways(acts), kinds: ways(kinds), asks: l.asks, more: l.more}
}

// answer returns 300 to 600 words with headings and lists. If item is not empty, one of
// the lists contains it.
func (s *scope) answer(about subject, item string) string {
	l := about.language
	sections := 3 + s.IntN(2)
	place := s.IntN(sections)
	parts := []string{s.fill(s.one(l.opening), about)}
	for n, h := range s.Perm(len(l.headings))[:sections] {
		parts = append(parts, "## "+s.fill(l.headings[h], about), s.sentences(about, 3+s.IntN(2)), s.list(about, n == place, item))
	}
	parts = append(parts, s.fill(s.one(l.closing), about))
	return strings.Join(parts, "\n\n")
}

// list returns a list of three to five items. It contains item if here is set.
func (s *scope) list(about subject, here bool, item string) string {
	var lines []string
	for range 3 + s.IntN(3) {
		lines = append(lines, s.fill(s.one(about.language.items), about))
	}
	if here && item != "" {
		lines[1+s.IntN(len(lines)-1)] = item
	}
	for i, line := range lines {
		lines[i] = fmt.Sprintf("%d. %s", i+1, line)
	}
	return strings.Join(lines, "\n")
}

// sentences writes n sentences about a subject.
func (s *scope) sentences(about subject, n int) string {
	var out []string
	for _, i := range s.Perm(len(about.language.sentences))[:n] {
		out = append(out, s.fill(about.language.sentences[i], about))
	}
	return strings.Join(out, " ")
}

// fill replaces the placeholders of a pattern by words of a subject, drawn anew for each.
func (s *scope) fill(pattern string, about subject) string {
	var out strings.Builder
	for {
		text, rest, found := strings.Cut(pattern, "{")
		out.WriteString(text)
		if !found {
			return out.String()
		}
		switch rest[0] {
		case 's':
			out.WriteString(about.name)
		case 'n':
			out.WriteString(s.one(about.nouns))
		case 'a':
			out.WriteString(s.one(about.acts))
		case 'k':
			out.WriteString(s.one(about.kinds))
		}
		pattern = rest[2:] // after the closing brace
	}
}
