package markdown

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// The keys of front matter.
const (
	keyName        = "name"
	keyDescription = "description"
	keyType        = "type"
	keyStatus      = "status"
	keyID          = "id"
	keyBase        = "base"
	keyScope       = "scope"
	keyAgent       = "agent"
	keyTier        = "agent_tier"
	keyProvenance  = "provenance"
	keySessions    = "source_sessions"
	keyTurns       = "source_turns"
	keyFacts       = "source_facts"
	keyActor       = "source_actor"
	keyConfidence  = "confidence"
	keySuperseded  = "superseded_by"
	keyCreated     = "created_at"
	keyUpdated     = "updated_at"
)

// pair is a key with its value as YAML on one line. An empty value means that the key is
// missing.
type pair struct{ key, value string }

// pairs returns the keys of the top level in the order in which they are written, without
// provenance.
func (f Front) pairs() []pair {
	return []pair{
		{keyName, quoted(f.Name)},
		{keyDescription, quoted(f.Description)},
		{keyType, quoted(string(f.Type))},
		{keyStatus, quoted(string(f.Status))},
		{keyID, quoted(f.ID)},
		{keyBase, quoted(f.Base.String())},
		{keyScope, quoted(string(f.Scope))},
		{keyAgent, quoted(f.Agent)},
		{keyTier, quoted(string(f.Tier))},
	}
}

// pairs returns the keys of provenance in the order they are written.
func (p Provenance) pairs() []pair {
	confidence := ""
	if p.Confidence > 0 {
		confidence = strconv.FormatFloat(p.Confidence, 'f', -1, 64)
	}
	return []pair{
		{keySessions, list(p.Sessions)},
		{keyTurns, list(p.Turns)},
		{keyFacts, list(p.Facts)},
		{keyActor, quoted(p.Actor)},
		{keyConfidence, confidence},
		{keySuperseded, quoted(p.SupersededBy)},
		{keyCreated, stamp(p.CreatedAt)},
		{keyUpdated, stamp(p.UpdatedAt)},
	}
}

// list returns names as a YAML list on one line, or "" if there are none.
func list(names []string) string {
	if len(names) == 0 {
		return ""
	}
	items := make([]string, len(names))
	for i, s := range names {
		items[i] = quoted(s)
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// render returns front matter without its fences.
func (f Front) render() string { return lines(f.pairs(), "", "\n") + f.Provenance.render("", "\n") }

func (p Provenance) render(indent, eol string) string {
	s := lines(p.pairs(), indent+"  ", eol)
	if s == "" {
		return ""
	}
	return indent + keyProvenance + ":" + eol + s
}

func lines(pairs []pair, indent, eol string) string {
	var b strings.Builder
	for _, p := range pairs {
		if p.value != "" {
			b.WriteString(indent + p.key + ": " + p.value + eol)
		}
	}
	return b.String()
}

// quoted returns a line of text as a YAML scalar, in double quotes unless it is
// unambiguous without. It returns "" for "".
func quoted(s string) string {
	if s == "" || isPlain(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r) || r == '\u200c' || r == '\u200d': // joiners belong to words and emoji
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// isPlain reports whether a text needs no quotes, even in a list. It is strict: text that
// begins like a number, or that some YAML parsers take for a boolean, is not plain.
func isPlain(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null":
		return false
	}
	for i, r := range s {
		switch {
		case unicode.IsLetter(r):
		case i == 0:
			return false
		case unicode.IsNumber(r), unicode.IsMark(r), strings.ContainsRune(" -_./()'+;!?", r):
		default:
			return false
		}
	}
	return !strings.HasSuffix(s, " ")
}
