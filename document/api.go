// Package document reads and writes the text of Markdown files of memory: notes
// with their front matter, the index, daily logs, the rules of a heartbeat.
//
// It is pure: text in, text out, and the time is passed in.
package document

import (
	"strconv"
	"time"

	"github.com/strata-memory/strata"
)

// Front is the front matter of a note.
type Front struct {
	Name        string
	Description string
	Type        strata.Type
	Scope       strata.ScopeKind // empty: where the file lies
	Agent       string           // with scope agent only
	Tier        strata.Tier      // with scope agent only
	Provenance  Provenance
}

// Provenance says where a note comes from.
type Provenance struct {
	Sessions     []string
	Actor        string
	Confidence   float64 // in [0,1]; 0: not said
	SupersededBy string
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Note is a file with front matter.
type Note struct {
	Front
	Body string
}

// Problem says what is wrong with a file, and where.
type Problem struct {
	Line, Column int // from 1
	Message      string
}

func (p *Problem) Error() string {
	return "line " + strconv.Itoa(p.Line) + ", column " + strconv.Itoa(p.Column) + ": " + p.Message
}

// Entry is one line of the index.
type Entry struct{ Title, Path, Hook string }

// Item is one generated line.
type Item struct {
	Text, Decision string
	At             time.Time
}

// Rule is one rule of HEARTBEAT.md.
type Rule struct {
	Text  string
	Line  int
	Every string // as written, such as "30m"; empty: not said
	At    string // as written, such as "09:00"; empty: not said
}

func ParseNote(content string) (Note, error)                          { return Note{}, nil }
func (n Note) Render() string                                         { return "" }
func EditNote(content string, n Note) (string, error)                 { return content, nil }
func Slug(title string) string                                        { return "note" }
func NotePath(t strata.Type, slug string) string                      { return "notes/" + string(t) + "_" + slug + ".md" }
func ParseNotePath(p string) (t strata.Type, slug string, ok bool)    { return "", "", false }
func Describe(d *strata.Document)                                     {}
func Sections(path, content string) []strata.Section                  { return nil }
func IndexText(d strata.Document, s strata.Section) string            { return s.Text }
func PutIndex(content string, entries []Entry) string                 { return content }
func Human(path, content string) string                               { return content }
func PromptIndex(content string, entries []Entry) string              { return content }
func PutBlock(content, title string, items []Item, budget int) string { return content }
func AddDaily(content string, items []Item, day time.Time) string     { return content }
func DailyItems(content string) []Item                                { return nil }
func Without(content string, decisions map[string]bool) string        { return content }
func Rules(content string) []Rule                                     { return nil }
func Starter(path string) string                                      { return "" }
