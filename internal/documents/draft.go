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

// Draft is a candidate for a document while it is being written.
type Draft struct {
	Candidate strata.Candidate // with defaults filled in
	Owners    []strata.Scope   // scopes that may own the document if none was named
	Secrets   []string         // names of the rules that refuse it for a secret
	Notes     []string         // for the decision
	// Document is the document to record, without its id, scope, generation and times.
	Document strata.Document
	Sections []strata.Section
	Modified time.Time // when the file was written, for a hand edit; else zero
	Vectors  Vectors   // of sections that are new
	// Origin tells, for a hand edit, where its content came from; nil if nothing can be
	// foreign.
	Origin *files.Origin

	// The following fields are set in the transaction.

	// Fresh means that a new decision was made rather than an existing one found.
	Fresh bool
	// Quiet means that only generated parts of a file changed, which is recorded without
	// a decision.
	Quiet bool
	// Overtaken means that a hand edit was not recorded, because another change of the
	// file was made in the meantime or is pending.
	Overtaken bool

	before    *strata.Document // the current document at the path; nil if there is none
	forgotten bool             // there is a tombstone for the content
}

// NewDraft returns the draft of a valid candidate, with defaults filled in and its
// content scanned. It returns [strata.CodeInvalid] for an invalid path or note, and
// [strata.CodeScopeRequired].
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

// read parses and redacts the content of a candidate to save.
func (d *Draft) read() error {
	c, doc := &d.Candidate, &d.Document
	doc.Scope, doc.Hash, doc.Size = c.Scope, files.Hash([]byte(c.Content)), int64(len(c.Content))
	doc.Content, doc.Redacted = secrets.RedactLines(c.Content)
	markdown.Describe(doc)
	if isComposed(c.Origin) && len(doc.Redacted) == 0 { // a secret is refused elsewhere
		if err := check(*c, *doc); err != nil {
			return err
		}
	}
	if c.Origin != strata.OriginFile {
		// Secrets in a person's own file are no reason to refuse it, but they are not
		// copied anywhere.
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

// isComposed reports whether a document was composed by its proposer, who can correct it,
// rather than found on disk or in an export, which are accepted as they are.
func isComposed(o strata.Origin) bool { return o != strata.OriginFile && o != strata.OriginImport }

// check returns an error for a document that does not match its path.
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
		return strata.Invalid(op, c.Path+" is not a name for a skill", "name it skills/<name>/SKILL.md in lowercase letters, digits and dashes, such as skills/release/SKILL.md")
	}
	_, err := markdown.ParseSkill(c.Content)
	var broken *markdown.Problem
	if errors.As(err, &broken) {
		return brokenFront(op, c.Path, broken, "fix that line; name and description are needed")
	}
	return err
}

// brokenFront returns the error for front matter that cannot be parsed.
func brokenFront(op, path string, p *markdown.Problem, hint string) error {
	return &strata.Error{
		Code: strata.CodeInvalid, Op: op, Message: "the front matter of " + path + " cannot be read: " + p.Error(), Hint: hint,
		Details: map[string]string{"path": path, "line": strconv.Itoa(p.Line), "column": strconv.Itoa(p.Column)},
	}
}

// checkNote returns an error for a note that does not match its path.
func checkNote(c strata.Candidate, problem string) error {
	const op = "write note"
	kind, _, ok := markdown.ParseNotePath(c.Path)
	note, err := markdown.ParseNote(c.Content)
	there := c.BaseHash != "" && c.BaseHash != strata.NoFile // a person may have named the file
	// A model may choose any name, since the front matter written for it states the type.
	there = there || c.Origin == strata.OriginTool && note.Type.Validate() == nil
	if !ok && !there && strings.Count(c.Path, "/") == 1 { // files in people's own directories may have any name
		return strata.Invalid(op, c.Path+" is not a name for a note", "name it notes/<type>_<slug>.md, such as notes/project_deploys.md")
	}
	var broken *markdown.Problem
	switch {
	case errors.As(err, &broken):
		return brokenFront(op, c.Path, broken, "fix that line, or use remember, which writes the front matter itself")
	case err != nil:
		return strata.Invalid(op, "the front matter of "+c.Path+" cannot be read: "+err.Error(), "mend it")
	case problem != "":
		return strata.Invalid(op, c.Path+": "+problem, "make the front matter and the path agree")
	case ok && c.Type != "" && c.Type != kind:
		return strata.Invalid(op, "the note is to be of type "+string(c.Type)+", but the file name says "+string(kind), "make the two agree")
	}
	return nil
}

// typeOf returns the type of a document to save.
func typeOf(c strata.Candidate) strata.Type {
	if c.Type != "" {
		return c.Type
	}
	d := strata.Document{Path: c.Path, Content: c.Content}
	markdown.Describe(&d)
	return d.Type
}

// Locate sets the scope of a document to delete if none was named: to the first owner
// that has the path, or else to the last.
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
