package learnings

import (
	"regexp"
	"strings"
	"sync"
)

// language is how people who speak one set an assistant right. Its phrases are
// matched against lower-case text, one sentence at a time and at its beginning.
// They are regular expressions without a group, unless said otherwise.
type language struct {
	name string
	// cues are words of which one is in every correction, so that most messages
	// are dismissed by looking for them.
	cues []string
	// leads are words in front that change nothing.
	leads []string
	// no are the words that announce what is right: "no, it's Friday".
	no []string
	// states begin what is right after such a word: a plain statement, or an
	// order to do it otherwise.
	states []string
	// accepts, anywhere in what follows such a word or a direct phrase, make it
	// no correction: thanks, agreement, putting off, a feeling.
	accepts []string
	// direct say by themselves that something was wrong or misunderstood.
	direct []string
	// polite begin sentences that sound like one and are none.
	polite []string
	// instead capture, in their one group, what is to be replaced. They count
	// only where the assistant had said that.
	instead []string
	// is begins what is right after a doubt: "Frankfurt? It's Dublin."
	is []string

	corrects, harmless []string // examples, run as tests
}

// languages have a file each. English and Spanish have more shapes, see
// phrases.go.
var languages = []*language{&english, &spanish, &german, &french, &italian, &portuguese, &dutch, &polish, &russian, &japanese, &chinese, &hindi, &arabic}

// grammar is a language that is ready to be matched.
type grammar struct {
	*language
	leads, no, states, accepts, direct, polite, is *regexp.Regexp
	instead                                        []*regexp.Regexp
}

// grammars are built on first use.
var grammars = sync.OnceValue(func() []grammar {
	compile := func(before string, phrases []string, after string) *regexp.Regexp {
		if len(phrases) == 0 {
			return nil
		}
		return regexp.MustCompile(before + oneOf(phrases...) + after)
	}
	out := make([]grammar, len(languages))
	for i, l := range languages {
		out[i] = grammar{language: l,
			leads:   compile(`^(?:`, l.leads, `[,、 ]*)+`),
			no:      compile(`^(?:`, l.no, `[,、،:;.!。]+ *)+`),
			states:  compile(`^`, l.states, ``),
			accepts: compile(`(?:^|[^\pL\pM])`, l.accepts, `(?:$|[^\pL\pM])`),
			direct:  compile(`^`, l.direct, ``),
			polite:  compile(`^`, l.polite, `(?:$|[^\pL\pM])`),
			is:      compile(`^`, l.is, ``),
		}
		for _, p := range l.instead {
			out[i].instead = append(out[i].instead, regexp.MustCompile(`^`+p))
		}
	}
	return out
})

// corrects reports whether the first sentences of a message correct what the
// assistant said, in one language.
func (g *grammar) corrects(previous string, said map[string]bool, sentences []string) bool {
	if !g.isCued(sentences) {
		return false
	}
	asked := isQuestion(ending(previous))
	led, doubted := false, false
	for _, s := range sentences {
		question := isQuestion(s)
		s = strings.Trim(s, " .!?。।؟…¡¿")
		if g.leads != nil {
			s = s[len(g.leads.FindString(s)):]
		}
		switch {
		case question && !doubted && len(strings.Fields(s)) <= 2 && mentions(said, s):
			doubted = true
			continue
		case question:
			return false
		case matches(g.polite, s):
			return false
		case doubted && len(strings.Fields(s)) <= 3 && matches(g.is, s) && !matches(g.accepts, s):
			return true
		}
		if rest, ok := g.afterNo(s); ok {
			if led, s = true, rest; s == "" {
				continue // "No. It's Friday."
			}
		}
		if at := g.direct.FindStringIndex(s); at != nil && !matches(g.accepts, s[at[1]:]) || g.replaces(previous, said, s) {
			return true
		}
		if led {
			return !asked && matches(g.states, s) && !matches(g.accepts, s)
		}
	}
	return false
}

// isCued reports whether a word of a correction is in the sentences.
func (g *grammar) isCued(sentences []string) bool {
	for _, s := range sentences {
		for _, c := range g.cues {
			if strings.Contains(s, c) {
				return true
			}
		}
	}
	return false
}

// afterNo returns what follows a word that announces a correction.
func (g *grammar) afterNo(s string) (rest string, ok bool) {
	if g.no == nil {
		return s, false
	}
	// A word alone is one too.
	n := len(g.no.FindString(s + "."))
	return s[min(n, len(s)):], n > 0
}

// replaces reports whether a sentence replaces what the assistant had said.
func (g *grammar) replaces(previous string, said map[string]bool, s string) bool {
	for _, p := range g.instead {
		if m := p.FindStringSubmatch(s); m != nil && wasSaid(previous, said, m[1]) {
			return true
		}
	}
	return false
}

// wasSaid reports whether the assistant used a word of what is denied. Where
// words are not separated, all of it must have been said as it is.
func wasSaid(previous string, said map[string]bool, denied string) bool {
	denied = strings.TrimSpace(denied)
	return denied != "" && (mentions(said, denied) || strings.Contains(strings.ToLower(previous), denied))
}

func matches(re *regexp.Regexp, s string) bool { return re != nil && re.MatchString(s) }

func isQuestion(s string) bool { return strings.ContainsAny(s, "?؟") }
