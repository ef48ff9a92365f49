package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/extract"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// NoteWish asks to remember a note. Only Title and Body must be set.
type NoteWish struct {
	// RequestID makes the call repeatable, as that of a candidate.
	RequestID string
	// Scope is who will own the note; the zero Scope asks for the default by
	// type: user and feedback are global, project and reference belong to
	// Workspace, and without one the error is scope_required.
	Scope     strata.Scope
	Workspace string      // id of the workspace at hand
	Type      strata.Type // empty: inferred from the text
	Title     string      // names the note; titles that differ in case or punctuation alone are one
	Body      string      // Markdown
	// Hook says in one line when the note matters; empty: the first line of the
	// body.
	Hook    string
	Origin  strata.Origin // empty: api
	Agent   string        // who writes it
	Session string        // in which
	Reason  string        // kept with the decision
	DryRun  bool          // return the decision that would be made, change nothing
}

// Limits of what a note is composed of, beside that of a document.
const (
	maxTitle = 300  // bytes
	maxHook  = 2000 // bytes
)

// Remember writes a note under its title: notes/<type>_<slug>.md. A note of that
// type and title gets a new version, in which comments and what else people
// wrote into its front matter stay. The index of the scope follows.
func (e *Engine) Remember(ctx context.Context, wish NoteWish) (strata.Decision, error) {
	wish, err := wish.complete()
	if err != nil {
		return strata.Decision{}, err
	}
	return e.compose(ctx, wish, document.NotePath(wish.Type, document.Slug(wish.Title)))
}

// ProposeNote writes a note into _inbox/, where it waits for a person and is
// neither recalled nor in the index. It is accepted with [Engine.Promote], or
// deleted. A proposal of the same type and title gets a new version.
func (e *Engine) ProposeNote(ctx context.Context, wish NoteWish) (strata.Decision, error) {
	wish, err := wish.complete()
	if err != nil {
		return strata.Decision{}, err
	}
	return e.compose(ctx, wish, inbox+strings.TrimPrefix(document.NotePath(wish.Type, document.Slug(wish.Title)), notes))
}

// The directories of notes and of those that wait for a person.
const (
	notes = "notes/"
	inbox = "_inbox/"
)

// complete checks a wish and fills in what follows from it.
func (wish NoteWish) complete() (NoteWish, error) {
	const op = "remember note"
	wish.Title, wish.Hook = strings.TrimSpace(wish.Title), strings.TrimSpace(wish.Hook)
	switch {
	case wish.Title == "":
		return wish, strata.Invalid(op, "the note has no title", "give it a title of a few words")
	case strings.TrimSpace(wish.Body) == "":
		return wish, strata.Invalid(op, "the note is empty", "write at least one word")
	case len(wish.Title) > maxTitle:
		return wish, &strata.Error{Code: strata.CodeTooLarge, Op: op, Message: "the title is longer than 300 bytes", Hint: "say the rest in the body"}
	case len(wish.Hook) > maxHook:
		return wish, &strata.Error{Code: strata.CodeTooLarge, Op: op, Message: "the line on when the note matters is longer than 2000 bytes", Hint: "say the rest in the body"}
	case len(wish.Body) > strata.MaxDocumentBytes:
		return wish, &strata.Error{Code: strata.CodeTooLarge, Op: op, Message: "the note is longer than 1 MiB", Hint: "split it into several notes"}
	}
	if wish.Type == "" {
		wish.Type, _, _ = extract.Classify(wish.Title + ". " + text.Clip(wish.Body, 4<<10))
	}
	if err := wish.Type.Validate(); err != nil {
		return wish, err
	}
	if wish.Scope.IsZero() {
		scope, err := defaultScope(wish.Type, wish.Workspace)
		if err != nil {
			return wish, err
		}
		wish.Scope = scope
	}
	if wish.Origin == "" {
		wish.Origin = strata.OriginAPI
	}
	return wish, wish.Scope.Validate()
}

// composeTries is how often a note is composed anew because its file changed
// meanwhile.
const composeTries = 64

// compose writes a note to a path, on top of what stands there.
func (e *Engine) compose(ctx context.Context, wish NoteWish, path string) (strata.Decision, error) {
	for try := 1; ; try++ {
		if err := e.noticeHandEdit(ctx, place{wish.Scope, path}); err != nil {
			return strata.Decision{}, err
		}
		before, err := e.documentNow(ctx, wish.Scope, path)
		if err != nil {
			return strata.Decision{}, err
		}
		c := strata.Candidate{
			RequestID: wish.RequestID, Scope: wish.Scope, Path: path, BaseHash: strata.NoFile,
			Origin: wish.Origin, Agent: wish.Agent, Session: wish.Session, Reason: wish.Reason,
		}
		if before != nil {
			c.BaseHash = before.Hash
		}
		if c.Content, err = wish.text(before, e.opts.Now()); err != nil {
			return strata.Decision{}, err
		}
		if before != nil && len(before.Redacted) > 0 {
			return strata.Decision{}, &strata.Error{
				Code: strata.CodeRejectedSecret, Op: "remember note", Message: path + " holds a secret, which memory does not keep: a new version would lose it",
				Hint: "edit the file by hand, or take the secret out of it first",
			}
		}
		write := e.Write
		if wish.DryRun {
			write = e.Preview
		}
		d, err := write(ctx, c)
		if strata.CodeOf(err) == strata.CodeConflict && try < composeTries {
			continue // somebody was faster: theirs is the version to build on
		}
		return d, err
	}
}

// documentNow returns the document of a scope at a path; nil if there is none.
func (e *Engine) documentNow(ctx context.Context, scope strata.Scope, path string) (d *strata.Document, err error) {
	err = e.store.View(ctx, func(r store.Reader) error {
		d, err = documentAt(ctx, r, scope, path)
		return err
	})
	return d, err
}

// text is the whole text of the file: a new note, or the one before with what
// is new. A note that says the same already stays as it is, to the byte.
func (wish NoteWish) text(before *strata.Document, now time.Time) (string, error) {
	n := document.Note{Front: document.Front{
		Name: wish.Title, Description: wish.Hook, Type: wish.Type,
		Provenance: document.Provenance{Actor: wish.actor(), CreatedAt: now, UpdatedAt: now},
	}, Body: strings.Trim(wish.Body, "\r\n")}
	if wish.Session != "" {
		n.Provenance.Sessions = []string{wish.Session}
	}
	if n.Description == "" {
		n.Description = text.Clip(firstLine(wish.Body), maxHook)
	}
	if before == nil {
		return n.Render(), nil
	}
	old, err := document.ParseNote(before.Content)
	if err != nil {
		return n.Render(), nil // what was there cannot be built on; it is in the history
	}
	if wish.Hook == "" && old.Body == n.Body {
		n.Description = old.Description
	}
	unchanged := n
	unchanged.Provenance = old.Provenance
	unchanged.Scope, unchanged.Agent, unchanged.Tier = old.Scope, old.Agent, old.Tier
	same, err := document.EditNote(before.Content, unchanged)
	if err != nil || same == before.Content {
		return same, err
	}
	p := old.Provenance
	p.Actor, p.UpdatedAt, p.SupersededBy = n.Provenance.Actor, now, ""
	if wish.Session != "" && !slices.Contains(p.Sessions, wish.Session) {
		p.Sessions = append(slices.Clone(p.Sessions), wish.Session)
	}
	unchanged.Provenance = p
	return document.EditNote(before.Content, unchanged)
}

// actor is who writes the note: an agent by its name, else the way it came in.
func (wish NoteWish) actor() string {
	if wish.Agent != "" {
		return wish.Agent
	}
	return string(wish.Origin)
}

// firstLine is the first line of a text that says something, without the signs
// that make it a heading or a list.
func firstLine(text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#>*-+ ")); line != "" {
			return line
		}
	}
	return ""
}
