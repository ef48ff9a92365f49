package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// match is a clause with the rule that it matches.
type match struct {
	rule   *rule
	clause clause
	text   string            // what is kept
	groups map[string]string // what the pattern captured, as it is written
}

// match reports whether the pattern is the whole clause.
func (r *rule) match(c clause) (match, bool) {
	if !holdsOne(c.low, r.needs) {
		return match{}, false
	}
	at := r.pattern.FindStringSubmatchIndex(c.low)
	if at == nil {
		return match{}, false
	}
	m := match{rule: r, clause: c, text: c.text, groups: make(map[string]string)}
	for i, name := range r.pattern.SubexpNames() {
		if name != "" && at[2*i] >= 0 {
			m.groups[name] = strings.Trim(c.text[at[2*i]:at[2*i+1]], " ,.!\"'«»“”")
		}
	}
	return m, true
}

// lasts reports whether a rule reads what lasts by itself, even in a clause that says
// "today": where somebody lives and works ("Früher lebte ich in Ulm, heute lebe ich in
// Augsburg").
func (r *rule) lasts() bool {
	return r.key == "user/city" || r.key == "user/employer" || r.key == "user/age"
}

// holdsOne reports whether a text holds one of some others; where there are none, that
// is unknown, and it may.
func holdsOne(s string, needs []string) bool {
	for _, n := range needs {
		if strings.Contains(s, n) {
			return true
		}
	}
	return needs == nil
}

// match returns the first of some rules that a clause matches with a value that
// its slot can hold.
func (l *Language) match(rules []rule, c clause) (match, bool) {
	for i := range rules {
		m, ok := rules[i].match(c)
		if !ok || rules[i].kind == "greeted" && !c.greeted {
			continue
		}
		if thing, given := m.groups["thing"]; given && l.pointing.MatchString(lower(thing)+" ") {
			continue
		}
		if name, given := m.groups["name"]; given {
			if m.groups["name"] = l.name(name, true); m.groups["name"] == "" {
				continue
			}
		}
		if proper, given := m.groups["proper"]; given {
			if m.groups["proper"] = l.name(proper, c.small); m.groups["proper"] == "" {
				continue
			}
		}
		if place, given := m.groups["place"]; given {
			if m.groups["place"] = l.name(place, c.small); m.groups["place"] == "" && !hasCapital(place) {
				continue
			}
		}
		return m, true
	}
	return match{}, false
}

// statement is what a match says.
func (l *Language) statement(m match) Statement {
	kind, attribute, _ := strings.Cut(m.rule.key, "/")
	st := Statement{Kind: kind, Attribute: attribute, Text: capitalize(m.text), Ended: m.rule.kind == "gone"}
	for _, group := range []string{"name", "proper", "place", "value", "thing"} {
		if v, given := m.groups[group]; given {
			st.Value = v
		}
	}
	if kind == "relation" {
		st.Kind = "user"
		st.Relation = l.relations[strings.ToLower(m.groups["relation"])]
	}
	switch attribute {
	case "attribute":
		st.Attribute = l.attributes[strings.ToLower(m.groups["attribute"])]
	case "taste":
		st.Attribute = ""
		if thing := l.thing(m.groups["thing"]); thing != "" {
			st.Attribute = "taste for " + thing
		}
	}
	if _, given := m.groups["place"]; given && st.Value == "" {
		st.Attribute = ""
	}
	if st.Attribute == "" {
		st.Relation = ""
	}
	return st
}

// name returns the name that a text opens with: capitalized words and what joins them.
// Where small is set, a text of one or two words may be written without; a script without
// capitals tells no name from other words.
func (l *Language) name(s string, small bool) string {
	if l.script != "latin" && l.script != "cyrillic" {
		if utf8.RuneCountInString(s) > maxNameRunes {
			return ""
		}
		return s
	}
	fields := strings.Fields(s)
	var out []string
	for i, f := range fields {
		core := strings.TrimRight(f, ",.;:!?)")
		if !isUpper(core) && !(i > 0 && i+1 < len(fields) && isUpper(fields[i+1]) && l.particle.MatchString(core)) && !(i > 0 && isDigits(core)) {
			if small && i == 0 && len(fields) <= 2 && !l.article.MatchString(strings.ToLower(s)+" ") {
				return s
			}
			break
		}
		out = append(out, core)
		if core != f {
			break
		}
	}
	return strings.Join(out, " ")
}

// maxNameRunes bounds a name in a script that has no capitals.
const maxNameRunes = 24

// thing returns what a taste is for, in lower case without an article; empty
// when it is too long to name one thing.
func (l *Language) thing(s string) string {
	s = lower(s)
	if at := l.article.FindStringIndex(s); at != nil {
		s = s[at[1]:]
	}
	if s = strings.TrimSpace(s); l.length(s) > 4 || len(s) > 60 || strings.ContainsAny(s, `/\,`) {
		return ""
	}
	return s
}

// lower makes a text lower case, save letters that would change their length in
// bytes, so that both can be cut at the same places.
func lower(s string) string {
	b := []byte(s)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if l := unicode.ToLower(r); l != r && utf8.RuneLen(l) == n {
			utf8.EncodeRune(b[i:], l)
		}
		i += n
	}
	return string(b)
}

func capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

func isUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// hasCapital reports whether a word of a text opens with a capital.
func hasCapital(s string) bool {
	for f := range strings.FieldsSeq(s) {
		if isUpper(f) {
			return true
		}
	}
	return false
}
