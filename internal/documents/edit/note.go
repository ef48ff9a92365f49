package edit

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Note is a request to remember a note. Title and Body are required.
type Note struct {
	// RequestID makes the call repeatable, like that of a candidate.
	RequestID string
	// Scope owns the note. The zero Scope means the default for the type: global for user
	// and feedback, that of Workspace for project and reference. If that needs a
	// Workspace and there is none, the error is [strata.CodeScopeRequired].
	Scope     strata.Scope
	Workspace string      // id of the current workspace
	Type      strata.Type // empty means to infer it from the text
	Title     string      // titles that differ only in case or punctuation name the same note
	Body      string      // Markdown
	// Hook says in one line when the note matters. If it is empty, the first line of the
	// body is used.
	Hook    string
	Origin  strata.Origin // empty means api
	Agent   string        // who writes it
	Session string        // session in which it is written
	Reason  string        // kept with the decision
	DryRun  bool          // return the decision that would be made, change nothing

	changes string // path of the note that a proposal changes
}

// Limits for composed notes, besides those for documents.
const (
	maxTitle = 300  // bytes
	maxHook  = 2000 // bytes
)

// Remember writes a note under its title, as notes/<type>_<slug>.md. An existing note of
// that type and title gets a new version, which keeps comments and what else people wrote
// into its front matter. The index of the scope is updated later. If another note of the
// scope says the same as a new one, the decision names it in its notes.
func (e *Editor) Remember(ctx context.Context, n Note) (strata.Decision, error) {
	n, err := n.complete()
	if err != nil {
		return strata.Decision{}, err
	}
	path, err := e.pathOf(ctx, n)
	if err != nil {
		return strata.Decision{}, err
	}
	same, err := e.o.Library.NoteSaying(ctx, n.Scope, n.Body)
	if err != nil {
		return strata.Decision{}, err
	}
	d, err := e.compose(ctx, n, path)
	if same != "" && same != path && d.Op == strata.OpAdd && !d.Replayed {
		d.Notes = append(d.Notes, same+" already says the same")
	}
	return d, err
}

// pathOf returns the path of a note: the one derived from its title or, in an earlier
// version, from its title, if there is a note; otherwise that of a note that was given
// the title by hand; otherwise the first.
func (e *Editor) pathOf(ctx context.Context, n Note) (string, error) {
	path := markdown.NotePath(n.Type, markdown.Slug(n.Title))
	for _, p := range []string{path, markdown.NotePath(n.Type, markdown.FormerSlug(n.Title))} {
		if d, err := e.documentNow(ctx, n.Scope, p); err != nil || d != nil {
			return p, err
		}
	}
	titled, err := e.o.Library.PathOfTitle(ctx, n.Scope, n.Type, n.Title)
	return cmp.Or(titled, path), err
}

// ProposeNote writes a note to _inbox/, where it waits for a person and is neither
// recalled nor indexed. [Editor.Accept] accepts it. An existing proposal of the same type
// and title gets a new version. If there is a note of that type and title, the proposal
// is to change that note, and records the version on which it is based.
func (e *Editor) ProposeNote(ctx context.Context, n Note) (strata.Decision, error) {
	n, err := n.complete()
	if err != nil {
		return strata.Decision{}, err
	}
	if n.changes, err = e.pathOf(ctx, n); err != nil {
		return strata.Decision{}, err
	}
	return e.compose(ctx, n, strata.InboxDir+strings.TrimPrefix(markdown.NotePath(n.Type, markdown.Slug(n.Title)), strata.NotesDir))
}

// complete validates a note and fills in defaults.
func (n Note) complete() (Note, error) {
	const op = "remember note"
	n.Title, n.Hook = strings.TrimSpace(n.Title), strings.TrimSpace(n.Hook)
	switch {
	case n.Title == "":
		return n, strata.Invalid(op, "the note has no title", "give it a title of a few words")
	case strings.TrimSpace(n.Body) == "":
		return n, strata.Invalid(op, "the note is empty", "write at least one word")
	case len(n.Title) > maxTitle:
		return n, &strata.Error{Code: strata.CodeTooLarge, Op: op, Message: "the title is longer than 300 bytes", Hint: "say the rest in the body"}
	case len(n.Hook) > maxHook:
		return n, &strata.Error{Code: strata.CodeTooLarge, Op: op, Message: "the line on when the note matters is longer than 2000 bytes", Hint: "say the rest in the body"}
	case len(n.Body) > strata.MaxDocumentBytes:
		return n, &strata.Error{Code: strata.CodeTooLarge, Op: op, Message: "the note is longer than 1 MiB", Hint: "split it into several notes"}
	}
	if err := secrets.Refuse(op, secrets.Name{Field: "title", Text: n.Title}); err != nil {
		return n, err
	}
	if n.Type == "" {
		n.Type, _, _ = extract.Classify(text.Analyze(n.Title + ". " + text.Clip(n.Body, 4<<10)))
		if n.Type.OfProject() && n.Scope.IsZero() && n.Workspace == "" {
			n.Type = strata.TypeUser // there is no project that it could be about
		}
	}
	if err := n.Type.Validate(); err != nil {
		return n, err
	}
	if n.Scope.IsZero() {
		scope, err := strata.DefaultScope(n.Type, n.Workspace)
		if err != nil {
			return n, err
		}
		n.Scope = scope
	}
	if n.Origin == "" {
		n.Origin = strata.OriginAPI
	}
	return n, n.Scope.Validate()
}

// composeTries is how often a note is composed again because its file changed in the
// meantime.
const composeTries = 64

// compose writes a note to a path, based on what is there.
func (e *Editor) compose(ctx context.Context, n Note, path string) (strata.Decision, error) {
	for try := 1; ; try++ {
		stored, err := e.replayed(ctx, n.Scope, n.RequestID, func(at string, note markdown.Note) bool { return n.asksFor(path, at, note) })
		if err != nil {
			return strata.Decision{}, err
		}
		if stored != nil {
			return *stored, nil
		}
		places := []documents.Place{{Scope: n.Scope, Path: path}}
		if n.changes != "" {
			places = append(places, documents.Place{Scope: n.Scope, Path: n.changes})
		}
		if err := e.o.Intake.NoticeEdits(ctx, places...); err != nil {
			return strata.Decision{}, err
		}
		before, err := e.documentNow(ctx, n.Scope, path)
		if err != nil {
			return strata.Decision{}, err
		}
		on, base, err := e.foundation(ctx, n, before)
		if err != nil {
			return strata.Decision{}, err
		}
		c := strata.Candidate{
			RequestID: n.RequestID, Scope: n.Scope, Path: path, BaseHash: strata.NoFile,
			Origin: n.Origin, Agent: n.Agent, Session: n.Session, Reason: n.Reason,
		}
		if before != nil {
			c.BaseHash = before.Hash
		}
		if c.Content, err = n.text(on, base, e.o.Now()); err != nil {
			return strata.Decision{}, err
		}
		if on != nil && len(on.Redacted) > 0 {
			return strata.Decision{}, losesSecret("remember note", on.Path)
		}
		write := e.o.Memory.Write
		if n.DryRun {
			write = e.o.Memory.Preview
		}
		d, err := write(ctx, c)
		if strata.CodeOf(err) == strata.CodeConflict && try < composeTries {
			continue // somebody was faster: theirs is the version to build on
		}
		return d, err
	}
}

// losesSecret returns the error for a new version of a file that contains a secret.
func losesSecret(op, path string) *strata.Error {
	return &strata.Error{Code: strata.CodeRejectedSecret, Op: op,
		Message: path + " holds a secret, which memory does not keep: a new version would lose it",
		Hint:    "edit the file by hand, or take the secret out of it first"}
}

// documentNow returns the document at a path in a scope, or nil if there is none.
func (e *Editor) documentNow(ctx context.Context, scope strata.Scope, path string) (*strata.Document, error) {
	return store.Read(ctx, e.o.Store, func(r store.Reader) (*strata.Document, error) { return documents.At(ctx, r, scope, path) })
}

// foundation returns the document on which a note is based: the one at its path. A
// proposal to change a note is based on that note, whose version base identifies, unless
// there already is a proposal for the same version.
func (e *Editor) foundation(ctx context.Context, n Note, before *strata.Document) (on *strata.Document, base markdown.Base, err error) {
	if n.changes == "" {
		return before, base, nil
	}
	note, err := e.documentNow(ctx, n.Scope, n.changes)
	if err != nil || note == nil {
		return before, base, err
	}
	base = markdown.Base{ID: note.ID, Hash: note.Hash}
	if before != nil {
		if p, err := markdown.ParseNote(before.Content); err == nil && p.Base == base {
			return before, base, nil
		}
	}
	return note, base, nil
}

// text returns the content of the file: a new note, or the previous one with the changes.
// If the previous note says the same, its content stays unchanged.
func (n Note) text(before *strata.Document, base markdown.Base, now time.Time) (string, error) {
	fresh := markdown.Note{Front: markdown.Front{
		Name: n.Title, Description: n.Hook, Type: n.Type, Base: base,
		Provenance: markdown.Provenance{Actor: n.actor(), CreatedAt: now, UpdatedAt: now},
	}, Body: strings.Trim(n.Body, "\r\n")}
	if n.Session != "" {
		fresh.Provenance.Sessions = []string{n.Session}
	}
	if fresh.Description == "" {
		fresh.Description = text.Clip(firstLine(n.Body), maxHook)
	}
	if before == nil {
		return fresh.Render(), nil
	}
	old, err := markdown.ParseNote(before.Content)
	if err != nil {
		return fresh.Render(), nil // it cannot be built on, and stays in the history
	}
	if n.Hook == "" && old.Body == fresh.Body {
		fresh.Description = old.Description
	}
	unchanged := fresh
	unchanged.Provenance = old.Provenance
	unchanged.ID, unchanged.Scope, unchanged.Agent, unchanged.Tier = old.ID, old.Scope, old.Agent, old.Tier
	same, err := markdown.EditNote(before.Content, unchanged)
	if err != nil || same == before.Content {
		return same, err
	}
	p := old.Provenance
	p.Actor, p.UpdatedAt, p.SupersededBy = fresh.Provenance.Actor, now, ""
	if n.Session != "" && !slices.Contains(p.Sessions, n.Session) {
		p.Sessions = append(slices.Clone(p.Sessions), n.Session)
	}
	unchanged.Provenance = p
	return markdown.EditNote(before.Content, unchanged)
}

// actor returns who writes the note: the agent's name or else the origin.
func (n Note) actor() string {
	if n.Agent != "" {
		return n.Agent
	}
	return string(n.Origin)
}

// firstLine returns the first line of a text that is not blank, without the marks of
// headings and list items.
func firstLine(text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#>*-+ ")); line != "" {
			return line
		}
	}
	return ""
}
