package documents

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// Draft is a candidate about a document on its way through a write.
type Draft struct {
	Candidate strata.Candidate // with what it left open filled in
	Owners    []strata.Scope   // scopes that may own the document, when none was named
	Secrets   []string         // names of the rules that refuse it for a secret
	Notes     []string         // for the decision
	// Document is as it will be recorded, but for its id, scope, generation and
	// times.
	Document strata.Document
	Sections []strata.Section
	Modified time.Time // of a hand edit, when the file was written; else zero
	Vectors  Vectors   // of sections that are new
	// Origin tells of a hand edit how its bytes came; nil where nothing can be foreign.
	Origin *files.Origin

	// What follows is found out in the transaction.

	// Fresh says that a decision was made, and not one found that was made before.
	Fresh bool
	// Quiet says that a file changed in its generated parts alone: that is
	// recorded and needs no decision.
	Quiet bool
	// Overtaken says that a hand edit was not taken in, because another change
	// of the file came in between or is about to.
	Overtaken bool

	before    *strata.Document // the document at the path; nil if there is none
	forgotten bool             // a tombstone stands for the content
}

// NewDraft fills in what follows from a valid candidate about a document, and
// scans its content. Errors: invalid for a path or note that cannot be, and
// scope_required.
func NewDraft(c strata.Candidate) (*Draft, error) {
	if c.Origin == "" {
		c.Origin = strata.OriginAPI
	}
	d := &Draft{Candidate: c, Document: strata.Document{Path: c.Path, Kind: strata.KindOfPath(c.Path)}}
	if c.Scope.IsZero() && c.Action == strata.ActionSave {
		scope, err := strata.DefaultScope(typeOf(c), c.Workspace)
		if err != nil {
			return nil, err
		}
		d.Candidate.Scope = scope
	}
	if c.Foreign && d.Candidate.Scope.Workspace == "" && c.Action == strata.ActionSave {
		return nil, NotTrusted("write document", c.Path)
	}
	d.Owners = []strata.Scope{d.Candidate.Scope}
	if d.Candidate.Scope.IsZero() {
		d.Owners = strata.ViewOf(c.Workspace, c.Agent).Scopes
	} else if err := files.CheckPath(d.Candidate.Scope, c.Path); err != nil {
		return nil, err
	}
	if c.Action == strata.ActionSave {
		return d, d.read()
	}
	return d, nil
}

// read reads the content of a candidate to save: what of it is kept, and what it
// says of itself.
func (d *Draft) read() error {
	c, doc := &d.Candidate, &d.Document
	doc.Scope, doc.Hash, doc.Size = c.Scope, files.Hash([]byte(c.Content)), int64(len(c.Content))
	doc.Content, doc.Redacted = secrets.RedactLines(c.Content)
	markdown.Describe(doc)
	if isComposed(c.Origin) && len(doc.Redacted) == 0 { // a secret is refused for what it is
		if err := check(*c, *doc); err != nil {
			return err
		}
	}
	if c.Origin != strata.OriginFile {
		// What a person keeps in a file of their own is not refused; it is only
		// not repeated anywhere.
		d.Secrets = doc.Redacted
	} else if len(doc.Redacted) > 0 {
		d.Notes = append(d.Notes, "holds a secret, which is not kept: "+strings.Join(doc.Redacted, ", "))
	}
	d.Secrets = append(d.Secrets, secrets.Rules(c.Reason)...)
	for _, t := range secrets.Threats(doc.Content) {
		if note := "reads like an instruction to the agent: " + t.Rule; !slices.Contains(d.Notes, note) {
			d.Notes = append(d.Notes, note)
		}
	}
	if doc.Problem != "" {
		d.Notes = append(d.Notes, text.Clip(doc.Problem, 200))
	}
	if len(d.Secrets) == 0 {
		d.Sections = markdown.Sections(c.Path, doc.Content)
	}
	return nil
}

// isComposed reports whether a document is composed by whoever proposes it, who
// can be asked to do better; what is found on a disk or in an export is taken
// as it is.
func isComposed(o strata.Origin) bool { return o != strata.OriginFile && o != strata.OriginImport }

// check refuses a document that would not be known as what its path says it is.
func check(c strata.Candidate, d strata.Document) error {
	switch d.Kind {
	case strata.DocumentNote:
		return checkNote(c, d.Problem)
	case strata.DocumentSkill:
		return checkSkill(c)
	}
	return nil
}

// checkSkill refuses a skill that could not be offered.
func checkSkill(c strata.Candidate) error {
	const op = "write skill"
	if _, ok := markdown.ParseSkillPath(c.Path); !ok {
		return strata.Invalid(op, c.Path+" is no name for a skill", "name it skills/<name>/SKILL.md in small letters, digits and dashes, such as skills/release/SKILL.md")
	}
	_, err := markdown.ParseSkill(c.Content)
	var broken *markdown.Problem
	if errors.As(err, &broken) {
		return brokenFront(op, c.Path, broken, "mend that line; name and description are needed")
	}
	return err
}

// brokenFront is the error of front matter that cannot be read.
func brokenFront(op, path string, p *markdown.Problem, hint string) error {
	return &strata.Error{
		Code: strata.CodeInvalid, Op: op, Message: "the front matter of " + path + " cannot be read: " + p.Error(), Hint: hint,
		Details: map[string]string{"path": path, "line": strconv.Itoa(p.Line), "column": strconv.Itoa(p.Column)},
	}
}

// checkNote refuses a note that would not be known as the one its path says.
func checkNote(c strata.Candidate, problem string) error {
	const op = "write note"
	kind, _, ok := markdown.ParseNotePath(c.Path)
	note, err := markdown.ParseNote(c.Content)
	there := c.BaseHash != "" && c.BaseHash != strata.NoFile // under a name that a person gave it
	// A model names files as it likes: the front matter, which is made for it, says the type.
	there = there || c.Origin == strata.OriginTool && note.Type.Validate() == nil
	if !ok && !there && strings.Count(c.Path, "/") == 1 { // people name those in directories of their own as they like
		return strata.Invalid(op, c.Path+" is no name for a note", "name it notes/<type>_<slug>.md, such as notes/project_deploys.md")
	}
	var broken *markdown.Problem
	switch {
	case errors.As(err, &broken):
		return brokenFront(op, c.Path, broken, "mend that line, or remember the text, which writes the front matter itself")
	case err != nil:
		return strata.Invalid(op, "the front matter of "+c.Path+" cannot be read: "+err.Error(), "mend it")
	case problem != "":
		return strata.Invalid(op, c.Path+": "+problem, "make the file and its place agree")
	case ok && c.Type != "" && c.Type != kind:
		return strata.Invalid(op, "the note is to be of type "+string(c.Type)+", the name of the file says "+string(kind), "make the two agree")
	}
	return nil
}

// typeOf is the type of a document to save.
func typeOf(c strata.Candidate) strata.Type {
	if c.Type != "" {
		return c.Type
	}
	d := strata.Document{Path: c.Path, Content: c.Content}
	markdown.Describe(&d)
	return d.Type
}

// Locate settles the scope of a document to delete, where none was named: the
// first that has the path, else the last.
func (d *Draft) Locate(ctx context.Context, r store.Reader) error {
	c := &d.Candidate
	if !c.Scope.IsZero() {
		return nil
	}
	for _, s := range d.Owners {
		there, err := At(ctx, r, s, c.Path)
		if err != nil {
			return err
		}
		if there != nil {
			c.Scope = s
			return nil
		}
	}
	c.Scope = d.Owners[len(d.Owners)-1]
	return nil
}
