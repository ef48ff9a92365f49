package terminal

// Style colors text where Color is set. The zero Style leaves it as it is.
type Style struct{ Color bool }

// Strong returns text in bold.
func (s Style) Strong(text string) string { return s.paint("1", text) }

// Faint returns text that explains rather than answers.
func (s Style) Faint(text string) string { return s.paint("2", text) }

// Red returns text in red.
func (s Style) Red(text string) string { return s.paint("31", text) }

// Green returns text in green.
func (s Style) Green(text string) string { return s.paint("32", text) }

// kinds are the colors of words that say of what kind something is, or what became
// of it. They tell apart what stands below each other; red is for what is gone.
var kinds = map[string]string{
	"fact": "32", "turn": "35", "section": "34", "note": "34", "skill": "34",
	"user": "36", "feedback": "35", "project": "34", "reference": "33",
	"added": "32", "updated": "33", "replaced": "33", "renamed": "33", "deleted": "31", "forgotten": "31", "rejected": "31",
	"error": "31", "correction": "33", "active": "32", "proposed": "33", "archived": "2", "unchanged": "2",
}

// Kind colors a word that names a kind. Any other is faint.
func (s Style) Kind(word string) string {
	if code, ok := kinds[word]; ok {
		return s.paint(code, word)
	}
	return s.Faint(word)
}

// paint wraps text in an SGR sequence (ECMA-48, 8.3.117).
func (s Style) paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
