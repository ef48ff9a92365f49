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
	MaxSessions    = 1_000    // sessions, and turns, that a note names as its sources
)

// Front is the front matter of a note or a skill: what the file says of itself.
type Front struct {
	Name        string // one line; required
	Description string // one line: when the note matters; required
	Type        strata.Type
	Status      SkillStatus // of a skill; a note has none
	// ID may be that of the document: by it a file that was renamed and edited is known
	// again. Empty where the file does not say; nothing writes it by itself.
	ID string
	// Base is, of a proposal, the version of a note that it changes, and of a skill the one
	// that it was made of; else zero.
	Base Base
	// Scope may repeat the kind of scope that the file lies in; empty where the
	// file does not say. Agent and Tier go with the scope of an agent only.
	Scope      strata.ScopeKind
	Agent      string
	Tier       strata.Tier
	Provenance Provenance
}

// Base names a version of a document. The zero value names none.
type Base struct {
	ID   string // of the document
	Hash string // of the version's bytes, as [strata.Document] has it
}

// String is the base as front matter has it: id and hash; empty for the zero value.
func (b Base) String() string { return strings.TrimSpace(b.ID + " " + b.Hash) }

func parseBase(s string) Base {
	id, hash, _ := strings.Cut(s, " ")
	return Base{id, strings.TrimSpace(hash)}
}

// Provenance says where a note comes from. Every field may be zero: not said.
type Provenance struct {
	Sessions     []string // the sessions it was learnt in
	Turns        []string // the ids of the turns of these that its text is made of
	Facts        []string // the ids of the facts that its text is made of
	Actor        string   // who wrote it: a person, or an agent by name
	Confidence   float64  // in [0,1]; 0 means not said
	SupersededBy string   // the slug or id of what took its place
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Note is a file with front matter. Body is what follows, with "\n" between
// lines and no empty lines at its ends.
type Note struct {
	Front
	Body string
}

// Problem says what is wrong with a file, and where. It is an error.
type Problem struct {
	Line, Column int // from 1; of a column, in characters
	Message      string
}

// Error returns the place and the message.
func (p *Problem) Error() string {
	return "line " + strconv.Itoa(p.Line) + ", column " + strconv.Itoa(p.Column) + ": " + p.Message
}

// ParseNote reads a note. It is strict: keys that are unknown, twice there or of
// the wrong form are a [*Problem], and so is a required one that is missing.
// What can be read is returned along with the problem.
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

// Render returns a whole new file. Name, description and the like are put on one
// line and cut to their limits.
func (n Note) Render() string {
	n = n.clean()
	s := fenceLine + "\n" + n.Front.render() + fenceLine + "\n"
	if n.Body == "" {
		return s
	}
	return s + "\n" + n.Body + "\n"
}

// clean returns the note as it is once it was written and read again.
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

// cleanList returns names as they can be in a list.
func cleanList(names []string) (out []string) {
	for _, s := range names {
		if s = shortLine(s); s != "" && len(out) < MaxSessions {
			out = append(out, s)
		}
	}
	return out
}

// cleanConfidence returns a number in [0,1] with six digits at most; 0 for what
// is none.
func cleanConfidence(n float64) float64 {
	if !(n > 0) {
		return 0
	}
	return math.Round(min(n, 1)*1e6) / 1e6
}

// cleanTime returns t in UTC to the second; zero where it cannot be written.
func cleanTime(t time.Time) time.Time {
	t = t.UTC().Truncate(time.Second)
	if t.IsZero() || t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// shortLine is oneLine, cut to what a name may have.
func shortLine(s string) string {
	s = oneLine(s)
	for len(s) > strata.MaxNameBytes {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return strings.TrimSpace(s)
}

// bodyOf returns a body with one kind of line end and none at its ends.
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

// oneLine returns s on one line: white space collapsed, control characters and
// what is no text removed. Every script stays as it is.
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
