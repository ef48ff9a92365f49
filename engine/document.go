package engine

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/secretscan"
	"github.com/strata-memory/strata/store"
)

// sheet is what a proposal about a document brings beside its candidate.
type sheet struct {
	// doc is the document as it will be recorded, but for its id, scope,
	// generation and times.
	doc      strata.Document
	sections []strata.Section
	modified time.Time                // of a hand edit, when the file was written; else zero
	vectors  map[string]store.Vectors // by what is indexed of a section

	// What follows is found out in the transaction.
	before    *strata.Document // the document at the path; nil if there is none
	forgotten bool             // a tombstone stands for the content
	// quiet says that a file changed in its generated parts alone: that is
	// recorded and needs no decision.
	quiet bool
	fresh bool // a decision was made, and not one found that was made before
	// overtaken says that a hand edit was not taken in, because another change
	// of the file came in between or is about to.
	overtaken bool
}

// openSheet fills in what follows from a candidate about a document, and scans
// its content.
func (p *proposal) openSheet() error {
	c := &p.candidate
	if c.Origin == "" {
		c.Origin = strata.OriginAPI
	}
	p.sheet = &sheet{doc: strata.Document{Path: c.Path, Kind: strata.KindOfPath(c.Path)}}
	if err := p.scopeOfDocument(); err != nil {
		return err
	}
	if !c.Scope.IsZero() {
		if err := files.CheckPath(c.Scope, c.Path); err != nil {
			return err
		}
	}
	if c.Wish == strata.WishSave {
		if err := p.readSheet(); err != nil {
			return err
		}
	}
	p.owners = []strata.Scope{c.Scope}
	if c.Scope.IsZero() {
		p.owners = strata.ViewOf(c.Workspace, c.Agent).Scopes
	}
	return nil
}

// readSheet reads the content of a candidate to save: what of it is kept, and
// what it says of itself.
func (p *proposal) readSheet() error {
	c, d := &p.candidate, &p.sheet.doc
	d.Scope, d.Hash, d.Size = c.Scope, files.Hash([]byte(c.Content)), int64(len(c.Content))
	d.Content, d.Redacted = withoutSecrets(c.Content)
	document.Describe(d)
	if written(c.Origin) && d.Kind == strata.DocumentNote {
		if err := checkNote(*c, d.Problem); err != nil {
			return err
		}
	}
	if c.Origin != strata.OriginFile {
		// What a person keeps in a file of their own is not refused; it is only
		// not repeated anywhere.
		p.secrets = d.Redacted
	} else if len(d.Redacted) > 0 {
		p.notes = append(p.notes, "holds a secret, which is not kept: "+strings.Join(d.Redacted, ", "))
	}
	p.secrets = append(p.secrets, secretsIn(c.Reason)...)
	p.noteThreats(d.Content)
	if d.Problem != "" {
		p.notes = append(p.notes, text.Clip(d.Problem, 200))
	}
	if len(p.secrets) == 0 {
		p.sheet.sections = document.Sections(c.Path, d.Content)
	}
	return nil
}

// written reports whether a document is composed by whoever proposes it, who
// can be asked to do better; what is found on a disk or in an export is taken
// as it is.
func written(o strata.Origin) bool { return o != strata.OriginFile && o != strata.OriginImport }

// checkNote refuses a note that would not be known as the one its path says.
func checkNote(c strata.Candidate, problem string) error {
	const op = "write note"
	kind, _, ok := document.ParseNotePath(c.Path)
	if !ok {
		return strata.Invalid(op, c.Path+" is no name for a note", "name it notes/<type>_<slug>.md, such as notes/project_deploys.md")
	}
	_, err := document.ParseNote(c.Content)
	var broken *document.Problem
	switch {
	case errors.As(err, &broken):
		return &strata.Error{
			Code: strata.CodeInvalid, Op: op, Message: "the front matter of " + c.Path + " cannot be read: " + broken.Error(),
			Hint:    "mend that line, or remember the text, which writes the front matter itself",
			Details: map[string]string{"path": c.Path, "line": strconv.Itoa(broken.Line), "column": strconv.Itoa(broken.Column)},
		}
	case err != nil:
		return strata.Invalid(op, "the front matter of "+c.Path+" cannot be read: "+err.Error(), "mend it")
	case problem != "":
		return strata.Invalid(op, c.Path+": "+problem, "make the file and its place agree")
	case c.Type != "" && c.Type != kind:
		return strata.Invalid(op, "the note is to be of type "+string(c.Type)+", the name of the file says "+string(kind), "make the two agree")
	}
	return nil
}

// scopeOfDocument settles the scope of a document to save where none is named:
// by its type, and never silently the global one.
func (p *proposal) scopeOfDocument() error {
	c := &p.candidate
	if !c.Scope.IsZero() || c.Wish != strata.WishSave {
		return nil
	}
	kind := c.Type
	if kind == "" {
		d := strata.Document{Path: c.Path, Content: c.Content}
		document.Describe(&d)
		kind = d.Type
	}
	scope, err := defaultScope(kind, c.Workspace)
	c.Scope = scope
	return err
}

// defaultScope is where a document of a type belongs.
func defaultScope(t strata.Type, workspace string) (strata.Scope, error) {
	switch {
	case t == strata.TypeUser || t == strata.TypeFeedback:
		return strata.Global(), nil
	case workspace != "":
		return strata.InWorkspace(workspace), nil
	}
	return strata.Scope{}, &strata.Error{
		Code: strata.CodeScopeRequired, Op: "write document", Message: "no scope is named and there is no workspace here",
		Hint: "name the scope, such as global, or run strata init in the project",
	}
}

// locateDocument settles the scope of a document to delete: the first that has
// the path.
func (p *proposal) locateDocument(ctx context.Context, r store.Reader) error {
	c := &p.candidate
	for _, s := range p.owners {
		d, err := documentAt(ctx, r, s, c.Path)
		if err != nil {
			return err
		}
		if d != nil {
			c.Scope = s
			return nil
		}
	}
	c.Scope = p.owners[len(p.owners)-1]
	return nil
}

// documentAt returns the document of a scope at a path; nil if there is none.
func documentAt(ctx context.Context, r store.Reader, scope strata.Scope, path string) (*strata.Document, error) {
	d, err := r.Document(ctx, scope, path)
	switch strata.CodeOf(err) {
	case "":
		return &d, nil
	case strata.CodeNotFound:
		return nil, nil
	}
	return nil, err
}

// noteThreats notes the phrases of a text that read like injected instructions.
func (p *proposal) noteThreats(text string) {
	for _, t := range secretscan.Threats(text) {
		note := "reads like an instruction to the agent: " + t.Rule
		if !slices.Contains(p.notes, note) {
			p.notes = append(p.notes, note)
		}
	}
}

// secretsIn names the rules that find a secret in a text, each once.
func secretsIn(text string) []string {
	var rules []string
	for _, f := range secretscan.Scan(text) {
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}

// withoutSecrets returns the text of a file with its secrets redacted, line for
// line, and the names of the rules that found them.
func withoutSecrets(content string) (string, []string) {
	clean, found := secretscan.Redact(content)
	if len(found) == 0 {
		return content, nil
	}
	var rules []string
	var b strings.Builder
	rest := clean
	for _, f := range found {
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	// A secret may take several lines; what follows it keeps its number.
	pos := 0
	for _, f := range found {
		before := content[pos:f.Start]
		mark := rest[len(before):]
		end := strings.IndexByte(mark, ']') + 1
		b.WriteString(before)
		b.WriteString(mark[:end])
		b.WriteString(strings.Repeat("\n", strings.Count(content[f.Start:f.End], "\n")))
		rest, pos = mark[end:], f.End
	}
	b.WriteString(rest)
	slices.Sort(rules)
	return b.String(), rules
}
