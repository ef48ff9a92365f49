package learnings

import (
	"strings"
	"time"

	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// maxLook is how much of a message is looked at, in characters: who corrects,
// does so at the beginning.
const maxLook = 400

// Detect reports whether a user's message corrects what the assistant said
// before it, in one of the languages, and returns the correction, clean, as
// learnt at that time. It would rather miss a correction than take something
// else for one: a learning that is none misleads every later session. An answer
// to a question of the assistant is no correction, nor is a question, a polite
// refusal or a change of subject.
func Detect(previous, user string, at time.Time) (Correction, bool) {
	if strings.TrimSpace(previous) == "" {
		return Correction{}, false
	}
	said := text.Vocabulary(previous)
	if !corrects(previous, said, user) && !correctsIn(previous, said, user) {
		return Correction{}, false
	}
	c := Correction{Original: previous, Correction: user, Times: At(at)}.Clean()
	return c, !c.empty()
}

// correctsIn reports whether the first two sentences of a message correct what
// was said in one of the languages.
func correctsIn(previous string, said map[string]bool, user string) bool {
	first := sentences(user)
	first = first[:min(len(first), 2)]
	for i := range grammars() {
		if grammars()[i].corrects(previous, said, first) {
			return true
		}
	}
	return false
}

// corrects looks at the first two sentences of a message, for the English and
// Spanish shapes of phrases.go.
func corrects(previous string, said map[string]bool, user string) bool {
	asked := strings.Contains(ending(previous), "?")
	for i, s := range sentences(user) {
		if i == 2 {
			return false
		}
		s = strings.TrimSpace(s)
		if strings.HasSuffix(s, "?") || strings.HasPrefix(s, "¿") {
			return false
		}
		s = leads.ReplaceAllString(strings.TrimRight(s, ".!… "), "")
		if politely.MatchString(s) {
			continue
		}
		if rest, ok := after(plainNo, s); ok {
			if direct.MatchString(rest) || denial(rest, said) {
				return true
			}
			if !asked && (isRight(rest) || deniesFirst(rest)) {
				return true
			}
			if contrast(rest, said, true) {
				return true
			}
			continue
		}
		if rest, ok := after(inTruth, s); ok {
			if direct.MatchString(rest) || contrast(rest, said, true) || denial(rest, said) {
				return true
			}
			if identifies.MatchString(rest) && !accepts.MatchString(rest) {
				return true
			}
			continue
		}
		if direct.MatchString(s) && !takenBack.MatchString(s) || denial(s, said) || contrast(s, said, false) {
			return true
		}
	}
	return false
}

// sentences splits the beginning of a message, in lower case with plain quotes.
// A "no" that stands alone belongs to what follows it.
func sentences(s string) []string {
	s = fence.Cut(strings.TrimSpace(s), maxLook)
	s = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "—", ",", " – ", ", ", " - ", ", ", " :", ":", " !", "!", " ?", "?").Replace(s)
	s = lineEnd.ReplaceAllString(s, ". ")
	s = text.Normalize(s)
	s = unspaced.ReplaceAllString(s, "$1 $2")
	s = aloneNo.ReplaceAllString(s, "$1, ")
	s = barely.ReplaceAllString(s, "$1, $2")
	var out []string
	for s != "" {
		at := sentenceEnd.FindStringIndex(s)
		if at == nil {
			return append(out, s)
		}
		out, s = append(out, s[:at[1]]), strings.TrimSpace(s[at[1]:])
	}
	return out
}

// ending is where a message asks what the next one answers, in bytes.
func ending(s string) string { return s[max(0, len(s)-maxLook/2):] }

// after returns what follows a beginning.
func after(beginning *lazyregexp.Regexp, s string) (string, bool) {
	at := beginning.FindStringIndex(s)
	if at == nil {
		return "", false
	}
	return s[at[1]:], true
}

// isRight reports whether what follows a "no" says what is right.
func isRight(s string) bool { return states.MatchString(s) && !accepts.MatchString(s) }

// deniesFirst reports whether what follows a "no" says "not that: it is this".
func deniesFirst(s string) bool {
	m := notThat.FindStringSubmatch(s)
	return m != nil && !idle.MatchString(m[1]) && isRight(s[len(m[0]):])
}

// contrast reports whether a sentence says "this, not that", where the
// assistant had said that. After a "no" or "actually" it need not have.
func contrast(s string, said map[string]bool, led bool) bool {
	m := thisNotThat.FindStringSubmatch(s)
	if m == nil || idle.MatchString(m[1]) {
		return false
	}
	return led || mentions(said, m[1])
}

// denial reports whether a sentence says "not that but this". What is denied
// must be something that can be wrong, or have been said.
func denial(s string, said map[string]bool) bool {
	if m := sino.FindStringSubmatch(s); m != nil && !idle.MatchString(m[1]) {
		return true
	}
	for _, shape := range []*lazyregexp.Regexp{notThatButThis, noEsEs} {
		m := shape.FindStringSubmatch(s)
		if m == nil || idle.MatchString(m[1]) || len(m) > 2 && aside.MatchString(m[2]) {
			continue
		}
		if mentions(said, m[1]) || !opinion.MatchString(m[1]) && len(strings.Fields(m[1])) <= 4 {
			return true
		}
	}
	return false
}

func mentions(said map[string]bool, s string) bool {
	for t := range text.Tokens(s) {
		if !t.Stop && said[t.Term] {
			return true
		}
	}
	return false
}
