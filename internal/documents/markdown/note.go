package markdown

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// The limits of front matter.
const (
	MaxFront       = 64 << 10 // bytes between its two fences
	MaxName        = 500      // characters
	MaxDescription = 2_000    // characters
	MaxSessions    = 1_000    // sessions, turns or facts in a list of sources
)

// Front is the front matter of a note or skill.
type Front struct {
	Name        string // one line; required
	Description string // one line: when the note matters; required
	Type        strata.Type
	Status      SkillStatus // of a skill only
	// ID may be the id of the document, by which a renamed and edited file is recognized.
	// It is never written automatically.
	ID string
	// Base is the version of a note that a proposal changes or that a skill was made of;
	// otherwise zero.
	Base Base
	// Scope may repeat the kind of scope to which the file belongs. Agent and Tier may
	// only be set for the scope of an agent.
	Scope      strata.ScopeKind
	Agent      string
	Tier       strata.Tier
	Provenance Provenance
}

// Base names a version of a document. The zero value names none.
type Base struct {
	ID   string // of the document
	Hash string // hash of the version's bytes, as in [strata.Document]
}

// String returns the base as written in front matter: id and hash, or "" for the zero
// value.
func (b Base) String() string { return strings.TrimSpace(b.ID + " " + b.Hash) }

func parseBase(s string) Base {
	id, hash, _ := strings.Cut(s, " ")
	return Base{id, strings.TrimSpace(hash)}
}

// Provenance says where a note comes from. Zero fields are unknown.
type Provenance struct {
	Sessions     []string // sessions in which it was learned
	Turns        []string // ids of the turns on which its text is based
	Facts        []string // ids of the facts on which its text is based
	Actor        string   // who wrote it: a person, or the name of an agent
	Confidence   float64  // in [0,1]; 0 means unknown
	SupersededBy string   // slug or id of what replaced it
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Note is a file with front matter. Body is the rest, with "\n" as the line end and no
// blank lines at its ends.
type Note struct {
	Front
	Body string
}

// Problem is an error that says what is wrong with a file and where.
type Problem struct {
	Line, Column int // from 1; columns in characters
	Message      string
}

// Error returns the position and the message.
func (p *Problem) Error() string {
	return "line " + strconv.Itoa(p.Line) + ", column " + strconv.Itoa(p.Column) + ": " + p.Message
}

// ParseNote parses a note. It is strict: keys that are unknown, duplicate, malformed or
// missing result in a [*Problem]. What can be parsed is returned along with it.
func ParseNote(content string) (Note, error) {
	parts, problem := split(content)
	n := Note{Body: bodyOf(parts.body)}
	if problem != nil {
		return n, problem
	}
	if !parts.found {
		return n, &Problem{1, 1, "there is no front matter: begin the file with a line of three dashes, name, description and type"}
	}
	m, problem := parseFront(parts.front)
	if problem != nil {
		return n, problem
	}
	r := reader{}
	n.Front = r.front(m)
	r.complete(n.Front, m)
	if r.problem != nil {
		return n, r.problem
	}
	return n, nil
}

// Render returns the content of a new file. Values such as the name and description are
// put on one line and truncated to their limits.
func (n Note) Render() string {
	n = n.clean()
	s := fenceLine + "\n" + n.Front.render() + fenceLine + "\n"
	if n.Body == "" {
		return s
	}
	return s + "\n" + n.Body + "\n"
}

// clean returns the note as it would be after writing and parsing it.
func (n Note) clean() Note {
	n.Body = bodyOf(strings.ReplaceAll(strings.ToValidUTF8(n.Body, "\uFFFD"), "\x00", "\uFFFD"))
	n.Name = fence.Cut(oneLine(n.Name), MaxName)
	n.Description = fence.Cut(oneLine(n.Description), MaxDescription)
	n.Type = strata.Type(oneLine(string(n.Type)))
	n.Status = SkillStatus(oneLine(string(n.Status)))
	n.ID = shortLine(n.ID)
	n.Base = parseBase(shortLine(n.Base.String()))
	n.Scope = strata.ScopeKind(oneLine(string(n.Scope)))
	n.Agent = shortLine(n.Agent)
	n.Tier = strata.Tier(oneLine(string(n.Tier)))
	p := &n.Provenance
	p.Actor, p.SupersededBy = shortLine(p.Actor), shortLine(p.SupersededBy)
	p.Confidence = cleanConfidence(p.Confidence)
	p.CreatedAt, p.UpdatedAt = cleanTime(p.CreatedAt), cleanTime(p.UpdatedAt)
	p.Sessions, p.Turns, p.Facts = cleanList(p.Sessions), cleanList(p.Turns), cleanList(p.Facts)
	return n
}

// cleanList returns names in the form in which they can be written in a list.
func cleanList(names []string) (out []string) {
	for _, s := range names {
		if s = shortLine(s); s != "" && len(out) < MaxSessions {
			out = append(out, s)
		}
	}
	return out
}

// cleanConfidence returns a number in [0,1], rounded to six decimal places, or 0 for
// other numbers.
func cleanConfidence(n float64) float64 {
	if !(n > 0) {
		return 0
	}
	return math.Round(min(n, 1)*1e6) / 1e6
}

// cleanTime returns t in UTC to the second, or the zero time if it cannot be written.
func cleanTime(t time.Time) time.Time {
	t = t.UTC().Truncate(time.Second)
	if t.IsZero() || t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// shortLine returns oneLine(s), truncated to the maximum length of a name.
func shortLine(s string) string {
	s = oneLine(s)
	for len(s) > strata.MaxNameBytes {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return strings.TrimSpace(s)
}

// bodyOf normalizes the line ends of a body and removes those at its ends.
func bodyOf(s string) string {
	if strings.Contains(s, "\r") {
		lines := strings.Split(s, "\n")
		for i, line := range lines {
			lines[i] = strings.TrimRight(line, "\r")
		}
		s = strings.Join(lines, "\n")
	}
	return strings.Trim(s, "\n")
}

// oneLine puts s on one line: it collapses white space and removes control characters.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == '\uFEFF':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(s), " ")
}
