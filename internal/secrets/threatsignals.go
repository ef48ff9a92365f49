package secrets

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// Rules for threats that are found by what sentences do.
const (
	ruleInjection   = "prompt-injection"
	ruleAuthority   = "false-authority"
	ruleRole        = "role-override"
	ruleConcealment = "concealment"
	ruleExfil       = "exfiltration"
	ruleCode        = "remote-code"
	ruleDestruction = "destruction"
)

// enough is the weight at which signals are a threat. A signal that no honest text gives
// has this weight by itself; otherwise it takes several kinds within a few sentences.
const enough = 5

// signal is something that a sentence does, recognized by the classes of its words.
type signal struct {
	kind   string // of the signals of one kind, only the heaviest counts
	rule   string
	weight int
	// verb is the class of what the sentence does, which must not be negated if affirmed
	// is set. with are the classes that must also occur within near bytes of it.
	verb     wordClass
	with     []wordClass
	near     int
	affirmed bool
}

// signals lists all signals, with the heaviest of each kind first.
var signals = []signal{
	{"override", ruleInjection, enough, ignores, []wordClass{instructions, reach | given | all | yours}, 80, true},
	{"override", ruleInjection, enough, ignores, []wordClass{ruleWord, reach | yours}, 80, true},
	{"override", ruleInjection, enough, ignores, []wordClass{everything, reach}, 40, true},
	{"override", ruleInjection, enough, void, []wordClass{instructions | ruleWord, yours}, 80, false},
	{"override", ruleInjection, 4, void, []wordClass{instructions, reach | given | all}, 80, false},
	{"override", ruleInjection, 3, ignores, []wordClass{instructions | ruleWord | everything | confirmation | reach | user}, 40, true},
	{"override", ruleInjection, 3, void, []wordClass{ruleWord | reach | everything}, 60, false},
	{"reveal", ruleInjection, enough, show, []wordClass{ownPrompt}, 40, true},
	{"reveal", ruleExfil, 3, show, []wordClass{secret, all}, 40, true},
	{"reveal", ruleExfil, 2, show, []wordClass{secret}, 40, true},
	{"orders", ruleInjection, 3, orders, nil, 0, true},
	{"obedience", ruleInjection, enough, obey, []wordClass{address}, 120, true},
	{"obedience", ruleInjection, 3, obey, nil, 0, true},
	{"role", ruleRole, enough, become, []wordClass{unbound}, 60, true},
	{"role", ruleRole, 3, become, []wordClass{machine | servant}, 40, true},
	{"role", ruleRole, 3, become, []wordClass{confirmation | approve}, 40, true},
	{"role", ruleRole, 2, unbound, nil, 0, false},
	{"role", ruleRole, 1, become, nil, 0, true},
	{"permission", ruleAuthority, enough, approve, []wordClass{user | authority, act, all}, 80, true},
	{"permission", ruleAuthority, 4, approve, []wordClass{user | authority, everything}, 60, true},
	{"permission", ruleAuthority, 4, approve, []wordClass{act, all}, 50, true},
	{"permission", ruleAuthority, 4, approve, []wordClass{user | authority, confirmation}, 50, true},
	{"permission", ruleAuthority, 4, approve, []wordClass{act, unbound}, 50, true},
	{"permission", ruleAuthority, 4, approve, []wordClass{granted}, 30, true},
	{"permission", ruleAuthority, 3, may, []wordClass{run, everything | all}, 50, true},
	{"permission", ruleAuthority, 2, approve, []wordClass{user | authority}, 60, true},
	{"confirmation", ruleAuthority, 3, confirmation, []wordClass{off | not | nothing}, 40, false},
	{"safeguards", ruleAuthority, 4, off, []wordClass{ruleWord, authority}, 60, true},
	{"safeguards", ruleAuthority, 3, off, []wordClass{ruleWord}, 40, true},
	{"safeguards", ruleAuthority, 2, ruleWord, []wordClass{not | nothing}, 30, false},
	{"safeguards", ruleAuthority, 2, ruleWord | instructions, []wordClass{yours}, 30, false},
	{"safeguards", ruleAuthority, 1, ruleWord | instructions | confirmation, nil, 0, false},
	{"mode", ruleAuthority, 2, mode, nil, 0, true},
	{"speaker", ruleAuthority, 3, speaker, nil, 0, false},
	{"speaker", ruleAuthority, 3, herald, []wordClass{authority | user | machine}, 30, false},
	{"speaker", ruleAuthority, 2, herald, nil, 0, false},
	{"question", ruleInjection, 2, asks, nil, 0, false},
	{"answer", ruleInjection, 2, answers, nil, 0, false},
	{"border", ruleInjection, 4, border, nil, 0, false},
	{"addressee", ruleInjection, 3, machine | servant, []wordClass{calls}, 30, false},
	{"addressee", ruleInjection, 2, machine | servant, []wordClass{must}, 40, false},
	{"addressee", ruleInjection, 2, machine, nil, 0, false},
	{"defiance", ruleInjection, 4, defies, nil, 0, false},
	{"concealment", ruleConcealment, enough, tell, []wordClass{user, not | nothing}, 40, false},
	{"concealment", ruleConcealment, 4, hide, []wordClass{user}, 40, true},
	{"concealment", ruleConcealment, 3, show, []wordClass{user, not | nothing}, 40, false},
	{"concealment", ruleConcealment, 2, tell, []wordClass{not | nothing}, 20, false},
	{"concealment", ruleConcealment, 2, hide, nil, 0, true},
	{"covertness", ruleConcealment, 2, covertly, nil, 0, true},
	{"sending", ruleExfil, enough, send, []wordClass{secret, address}, 160, true},
	{"sending", ruleExfil, 4, send, []wordClass{personal, user, address}, 160, true},
	{"sending", ruleExfil, 3, send, []wordClass{secret}, 60, true},
	{"sending", ruleExfil, 2, send, []wordClass{address}, 60, true},
	{"sending", ruleExfil, 1, secret, nil, 0, false},
	{"destination", ruleExfil, 1, address, nil, 0, false},
	{"command", ruleCode, 3, pipe, nil, 0, true},
	{"command", ruleCode, 2, run, []wordClass{shell}, 40, true},
	{"command", ruleCode, 1, run, nil, 0, true},
	{"destruction", ruleDestruction, 3, destroy, []wordClass{valued}, 50, true},
	{"destruction", ruleDestruction, 1, destroy, nil, 0, true},
	{"reach", ruleAuthority, 1, act, []wordClass{all}, 30, false},
	{"urgency", ruleInjection, 1, urges, nil, 0, false},
	{"occasion", ruleInjection, 2, occasion, nil, 0, false},
	{"lure", ruleInjection, 3, lure, []wordClass{user, tell}, 60, true},
	{"lure", ruleInjection, 2, lure, []wordClass{secret}, 40, true},
}

// found is a signal in a text.
type found struct {
	*signal
	start, end int
}

// rests reports whether the words of a signal lie within those of another that is at
// least as heavy.
func (f found) rests(other found) bool {
	return other.start <= f.start && f.end <= other.end && other.weight >= f.weight
}

// in returns where a sentence gives the signal, if it does.
func (s *signal) in(text string, words []lexeme) (found, bool) {
	for i, w := range words {
		if w.class&s.verb == 0 || w.class&deeds != 0 && isNamed(text, w.start) || s.affirmed && negated(text, words, i) {
			continue
		}
		f := found{s, w.start, w.end}
		if s.complete(&f, text, words, i) {
			return f, true
		}
	}
	return found{}, false
}

// deeds are the classes of verbs whose words may also be nouns: a run, a mail.
const deeds = ignores | send | run | destroy | tell | show

// isNamed reports whether the word at at is a noun, because an article or a preposition
// precedes it.
func isNamed(text string, at int) bool {
	before := strings.TrimRight(text[max(0, at-8):at], " \n\t")
	return len(before) < min(at, 8) && naming.MatchString(before)
}

var naming = lazyregexp.New(`(?i)(?:^|[^\w'])(?:the|an?|by|via|of|my|our|your|this|that|their|for|in|per)$`)

// complete extends a found verb to the words that must accompany it, and reports whether
// all their classes occur.
func (s *signal) complete(f *found, text string, words []lexeme, verb int) bool {
	at := words[verb]
	have := 0 // bit set of indexes into s.with
	consider := func(i int) bool {
		w := words[i]
		for n, class := range s.with {
			if w.class&class == 0 || max(w.start-at.end, at.start-w.end) > s.near ||
				w.class == not && (w.start > at.start || withdrawn(text, words, i)) {
				continue
			}
			have |= 1 << n
			f.start, f.end = min(f.start, w.start), max(f.end, w.end)
		}
		return max(w.start-at.end, at.start-w.start) <= s.near+maxEntry
	}
	for i := verb + 1; i < len(words) && consider(i); i++ {
	}
	for i := verb - 1; i >= 0 && consider(i); i-- {
	}
	return have == 1<<len(s.with)-1
}

// maxEntry exceeds the length of any entry, in bytes.
const maxEntry = 64

// negated reports whether a verb is negated: "never send", "do not obey".
func negated(text string, words []lexeme, verb int) bool {
	const reach = 20 // bytes: a word or two in between
	for i := verb - 1; i >= 0 && words[verb].start-words[i].start <= reach+maxEntry; i-- {
		w := words[i]
		if w.class == not && w.end <= words[verb].start && words[verb].start-w.end <= reach && !crosses(text[w.end:words[verb].start]) {
			return !withdrawn(text, words, i)
		}
	}
	for i := verb + 1; i < len(words) && words[i].start-words[verb].end <= 4; i++ {
		if words[i].class == nothing {
			return true // as in Japanese, Korean and Hindi
		}
	}
	return false
}

// withdrawn reports whether a negation is itself negated: "never without approval".
func withdrawn(text string, words []lexeme, at int) bool {
	for i := at - 1; i >= 0 && words[at].start-words[i].end <= 60; i-- {
		if words[i].class == not && words[i].end <= words[at].start && !crosses(text[words[i].end:words[at].start]) {
			return true
		}
	}
	return false
}

// crosses reports whether a clause ends within a part of a sentence.
func crosses(between string) bool {
	for i := 0; i < len(between); i++ {
		switch between[i] {
		case ',', ';', ':', '(', ')':
			return true
		}
	}
	return false
}

// sentence holds the words of a sentence.
type sentence struct {
	start int
	words []lexeme
}

// mostSentences and mostBytes bound the part of a text in which signals add up: an order
// that is spread more widely is not one.
const (
	mostSentences = 4
	mostBytes     = 700
)

// threatsOf returns the threats in the sentences of a text, in order.
func threatsOf(text string, words []lexeme) []Threat {
	var out []Threat
	var window [][]found // signals of the last sentences
	var begins []int
	for _, s := range sentences(text, words) {
		signs := s.signs(text)
		if len(signs) == 0 && len(window) == 0 {
			continue
		}
		strong := slices.ContainsFunc(signs, func(f found) bool { return f.weight >= enough })
		for _, f := range signs {
			if f.weight >= enough {
				out = append(out, Threat{Rule: f.rule, Start: f.start, End: f.end})
			}
		}
		if strong {
			window, begins = nil, nil
			continue
		}
		window, begins = append(window, signs), append(begins, s.start)
		for len(window) > mostSentences || s.start-begins[0] > mostBytes {
			window, begins = window[1:], begins[1:]
		}
		if t, ok := together(window); ok {
			out = append(out, t)
			window, begins = nil, nil
		}
	}
	return out
}

// signs returns the signals of a sentence, the heaviest of each kind.
func (s sentence) signs(text string) []found {
	var out []found
	var have wordClass
	for _, w := range s.words {
		have |= w.class
	}
	kind := ""
next:
	for i := range signals {
		sig := &signals[i]
		if sig.kind == kind || have&sig.verb == 0 {
			continue
		}
		for _, c := range sig.with {
			if have&c == 0 {
				continue next
			}
		}
		if f, ok := sig.in(text, s.words); ok {
			kind = sig.kind
			if !slices.ContainsFunc(out, f.rests) {
				out = append(out, f)
			}
		}
	}
	return out
}

// together returns the threat that the signals of neighboring sentences add up to, if
// they weigh enough and are of several kinds. Its rule is that of the heaviest signal.
func together(window [][]found) (Threat, bool) {
	heaviest := make(map[string]found)
	for _, signs := range window {
		for _, f := range signs {
			if old, ok := heaviest[f.kind]; !ok || f.weight > old.weight {
				heaviest[f.kind] = f
			}
		}
	}
	sum, most := 0, 0
	t := Threat{Start: -1}
	for i := range signals { // in table order, so that the result is deterministic
		f, ok := heaviest[signals[i].kind]
		if !ok || f.signal != &signals[i] {
			continue
		}
		sum += f.weight
		if f.weight > most {
			most, t.Rule = f.weight, f.rule
		}
		if t.Start < 0 || f.start < t.Start {
			t.Start = f.start
		}
		t.End = max(t.End, f.end)
	}
	if sum < enough {
		return Threat{}, false
	}
	return t, true
}
