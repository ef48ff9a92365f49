package language

import "strings"

// cut returns the statements of a sentence. It is cut at commas, dashes and
// conjunctions, where what follows can stand alone: because it opens like a
// statement, or because a rule knows it, by itself or with the subject of the
// statement before it ("Ich heiße Jürgen und wohne in Hamburg").
func (l *Language) cut(sentence string, question bool) []string {
	if at := strings.Index(sentence, "¿"); at > 0 {
		sentence, question = sentence[:at], false
	}
	parts := l.parts(sentence)
	if question {
		parts = l.beforeQuestion(sentence, parts)
	}
	if len(parts) == 0 {
		return nil
	}
	var out []string
	cur, end, carried := parts[0].from, parts[0].to, ""
	text := func() string { return carried + strings.TrimSpace(sentence[cur:end]) }
	for _, p := range parts[1:] {
		piece := strings.TrimSpace(sentence[p.from:p.to])
		opened, who, ok := l.standsAlone(piece, text())
		if !ok || l.onlyTime(text()) {
			end = p.to
			continue
		}
		out = append(out, text())
		cur, end, carried = p.from+strings.Index(sentence[p.from:p.to], opened), p.to, who
	}
	return append(out, text())
}

// part is a part of a sentence between two joints.
type part struct{ from, to int }

func (l *Language) parts(sentence string) []part {
	low := lower(sentence)
	var out []part
	from := 0
	for _, at := range l.joint.FindAllStringIndex(low, -1) {
		if strings.TrimSpace(low[from:at[0]]) == "" {
			continue
		}
		out = append(out, part{from, at[0]})
		from = at[1]
	}
	return append(out, part{from, len(sentence)})
}

// beforeQuestion returns the parts before the one that asks; none where the whole
// sentence does.
func (l *Language) beforeQuestion(sentence string, parts []part) []part {
	for i, p := range parts {
		if l.ask.MatchString(l.open(sentence[p.from:p.to]).low) {
			return parts[:i]
		}
	}
	return nil
}

// standsAlone reports whether a part of a sentence is a statement of its own. It returns
// where it begins, and the subject of the statement before it where it has none itself.
func (l *Language) standsAlone(piece, before string) (text, who string, ok bool) {
	c := l.open(piece)
	if c.text == "" {
		return "", "", false
	}
	if l.begins.MatchString(c.low) || l.known(c) {
		return piece, "", true
	}
	if who = l.subjectOf(l.open(before).text); who == "" {
		return "", "", false
	}
	if at := l.pronoun.FindStringIndex(c.low + " "); at != nil && at[1] < len(c.text) {
		c.skip(at[1])
	}
	who += l.space()
	return c.text, who, l.known(c.with(who + c.text))
}

// onlyTime reports whether a text names a time and nothing else: "Demain".
func (l *Language) onlyTime(text string) bool {
	c := l.open(text)
	return l.length(c.text) <= 4 && l.tellsTime(c.low) && !l.known(c)
}

// known reports whether a rule knows a clause.
func (l *Language) known(c clause) bool {
	if _, ok := l.match(l.feedback, c); ok {
		return true
	}
	_, ok := l.find(c)
	return ok
}

// subjectOf returns whom a text is about, as it is written, with their name where it
// stands; empty where it does not say.
func (l *Language) subjectOf(text string) string {
	at := l.subject.FindStringIndex(lower(text))
	if at == nil {
		return ""
	}
	who, rest := strings.TrimSpace(text[:at[1]]), strings.TrimLeft(text[at[1]:], " ")
	if word, _, _ := strings.Cut(rest, " "); isUpper(word) && strings.Contains(who, " ") {
		who += " " + strings.TrimRight(word, ",")
	}
	return who
}
