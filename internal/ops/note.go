package ops

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/documents/memoryurl"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// familyNote is the family of the operations on notes and other documents of a scope.
const familyNote = "note"

// kindAny selects documents of every kind.
const kindAny = "any"

// NoteListIn is the input of note_list.
type NoteListIn struct {
	Type            strata.Type `json:"type,omitempty" short:"t" enum:"user,feedback,project,reference" doc:"only notes of this type"`
	Kind            string      `json:"kind,omitempty" short:"k" default:"note" enum:"note,skill,index,daily,profile,system,other,any" doc:"documents of this kind"`
	IncludeShadowed bool        `json:"include_shadowed,omitempty" doc:"include notes hidden by a note of the same type and title in a deeper scope"`
	IncludeSystem   bool        `json:"include_system,omitempty" doc:"include files in _inbox and _system"`
	After           string      `json:"after,omitempty" values:"path" doc:"path to continue after, for paging"`
	Limit           int         `json:"limit,omitempty" short:"n" default:"1000" range:"1-100000" doc:"most documents"`
}

// Documents lists documents.
type Documents struct {
	Documents []Document `json:"documents" doc:"by path; for the same path, the deeper scope first"`
}

// Rows returns the documents, for output line by line.
func (d Documents) Rows() []any { return operation.Rows(d.Documents) }

func noteList() operation.Operation {
	return operation.Op[NoteListIn, Documents]{
		Info: operation.Info{
			Name: "note_list", Family: familyNote, Summary: "List notes, or files of another kind",
			Description: "Lists the notes in view. A note of the agent or the workspace hides one of the same type and title in a scope above it.",
			ReadOnly:    true,
			Examples: []operation.Example{
				{Doc: "the notes", Input: `{}`},
				{Doc: "every file", Input: `{"kind": "any"}`},
				{Doc: "proposals and what was set aside", Input: `{"kind": "system"}`},
				{Doc: "including hidden notes", Input: `{"include_shadowed": true}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in NoteListIn) (Documents, error) {
			f := strata.DocumentFilter{
				Kind: strata.DocumentKind(in.Kind), Type: in.Type, Shadowed: in.IncludeShadowed, System: in.IncludeSystem, After: in.After, Limit: in.Limit,
			}
			kinds := []strata.DocumentKind{f.Kind}
			switch {
			case in.Kind == kindAny:
				f.Kind = ""
			case f.Kind == strata.DocumentSystem:
				f.System = true
			case in.IncludeSystem:
				// Two kinds are wanted: reading all and dropping the others keeps the
				// order by path.
				f.Kind, f.Limit = "", 0
				kinds = append(kinds, strata.DocumentSystem)
			}
			list, err := env.Engine.Documents(ctx, env.View, f)
			if err != nil {
				return Documents{}, err
			}
			same, err := env.Engine.SameNotes(ctx, env.View)
			if err != nil {
				return Documents{}, err
			}
			out := Documents{Documents: []Document{}}
			for _, d := range list {
				if in.Kind != kindAny && !slices.Contains(kinds, d.Kind) || in.Limit > 0 && len(out.Documents) >= in.Limit && f.Kind == "" {
					continue
				}
				row := documentOf(d)
				row.SameAs = same[d.ID]
				out.Documents = append(out.Documents, row)
			}
			return out, nil
		},
	}
}

// NoteNameIn names a document.
type NoteNameIn struct {
	Name string `json:"name" opt:"arg,required" values:"note" doc:"title, slug, type/slug, path, id or memory:// address; this includes notes that wait in _inbox/"`
}

// found returns the document that a person named, with its content.
func found(ctx context.Context, env *operation.Env, name string) (strata.Document, error) {
	if strings.HasPrefix(name, memoryurl.Scheme) {
		return env.Engine.Resolve(ctx, env.View, name)
	}
	name, err := wholeDocument(ctx, env, name)
	if err != nil {
		return strata.Document{}, err
	}
	d, err := env.Engine.Document(ctx, env.View, strings.TrimPrefix(name, "./"))
	if strata.CodeOf(err) == strata.CodeNotFound {
		return d, &strata.Error{Code: strata.CodeNotFound, Op: "find document", Message: "no document is called " + operation.Clip(name),
			Hint: "note list shows the notes; with kind any, every file"}
	}
	return d, err
}

// wholeDocument completes a shortened document id, and returns any other name unchanged.
func wholeDocument(ctx context.Context, env *operation.Env, name string) (string, error) {
	if !strings.HasPrefix(name, id.Document+"_") {
		return name, nil
	}
	return operation.WholeID(ctx, env, id.Document, name)
}

func noteShow() operation.Operation {
	return operation.Op[NoteNameIn, Document]{
		Info: operation.Info{
			Name: "note_show", Family: familyNote, Summary: "Show a note or another file, word for word",
			Description: "Shows the text of a file, with secrets redacted. Name it by its title, its path, its id, or an address: memory://root is the summary" +
				" of memory, memory://root/MEMORY.md the index, memory://root/notes/NAME.md a note.",
			ReadOnly: true,
			Examples: []operation.Example{
				{Doc: "by its title", Input: `{"name": "How we deploy"}`},
				{Doc: "by its path", Input: `{"name": "notes/project_how-we-deploy.md"}`},
				{Doc: "by its address", Input: `{"name": "memory://root/MEMORY.md"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in NoteNameIn) (Document, error) {
			d, err := found(ctx, env, in.Name)
			return documentOf(d), err
		},
	}
}

// NoteWriteIn is the input of note_write.
type NoteWriteIn struct {
	Name      string `json:"name" opt:"arg,required" values:"path" doc:"path of the file, or any name of an existing one"`
	Content   string `json:"content" opt:"arg,required,file" doc:"whole text of the file, front matter included"`
	Base      string `json:"base,omitempty" doc:"hash of the version you saw, or none if there was no file; nothing changes if that is out of date"`
	RequestID string `json:"request_id,omitempty" doc:"makes the call repeatable: the same id returns the same decision; for another request it is a conflict"`
	Note      string `json:"note,omitempty" doc:"the caller's own reason, kept with the decision"`
	DryRun    bool   `json:"dry_run,omitempty" doc:"say what would be decided and change nothing"`
}

func noteWrite() operation.Operation {
	return operation.Op[NoteWriteIn, Noted]{
		Info: operation.Info{
			Name: "note_write", Family: familyNote, Summary: "Write the whole text of a note or another file",
			Description: "Replaces the text of a file, or makes a new one. The version before stays in the history, and revert brings it back. With --base, " +
				"nothing changes if the file is no longer the version you saw. To turn a text into a note, use remember.",
			Examples: []operation.Example{
				{Doc: "write a file that describes the user", Input: `{"name": "USER.md", "content": "Nora is a nurse in Leeds and works nights."}`},
				{Doc: "only if there is none yet", Input: `{"name": "SOUL.md", "content": "Be brief.", "base": "none"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in NoteWriteIn) (Noted, error) {
			c, err := in.candidate(ctx, env)
			if err != nil {
				return Noted{}, err
			}
			return note(ctx, env, c, in.DryRun)
		},
	}
}

// candidate converts the input to a candidate. It takes the path from an existing file,
// or else from the input.
func (in NoteWriteIn) candidate(ctx context.Context, env *operation.Env) (strata.Candidate, error) {
	c := strata.Candidate{
		Scope: env.Scope, Workspace: env.Workspace, Agent: env.Agent, Session: env.Session, Origin: env.Origin,
		Content: in.Content, BaseHash: in.Base, RequestID: in.RequestID, Reason: in.Note,
	}
	if !strings.HasSuffix(c.Content, "\n") {
		c.Content += "\n" // text files end with a newline, which command lines and shells drop
	}
	d, err := found(ctx, env, in.Name)
	switch {
	case err == nil:
		c.Scope, c.Path = d.Scope, d.Path
		if _, _, ok := markdown.ParseNotePath(d.Path); !ok && c.BaseHash == "" {
			c.BaseHash = d.Hash // a name of a person's own is accepted only for an existing file
		}
		return c, nil
	case strata.CodeOf(err) != strata.CodeNotFound:
		return c, err
	}
	c.Path = strings.TrimPrefix(in.Name, "./")
	if strings.HasPrefix(in.Name, memoryurl.Scheme) {
		if c.Path, err = memoryurl.Parse(in.Name); err != nil {
			return c, err
		}
	}
	if kind, title, ok := strings.Cut(c.Path, "/"); ok && strata.Type(kind).Validate() == nil && kind != "" {
		c.Path = markdown.NotePath(strata.Type(kind), markdown.Slug(title))
	}
	return c, strata.ValidatePath(c.Path)
}

// note writes a candidate about a document, or returns what a write would decide.
func note(ctx context.Context, env *operation.Env, c strata.Candidate, dryRun bool) (Noted, error) {
	if err := c.Validate(); err != nil {
		return Noted{}, err
	}
	d, err := write(ctx, env, c, dryRun)
	return notedWithCurrent(ctx, env, d, dryRun), err
}

// NoteDeleteIn is the input of note_delete.
type NoteDeleteIn struct {
	NoteNameIn
	Base      string `json:"base,omitempty" doc:"hash of the version you saw; nothing changes if that is out of date"`
	Lose      bool   `json:"lose_secret,omitempty" doc:"delete the file even if it holds a secret, which is kept nowhere else; this cannot be undone"`
	RequestID string `json:"request_id,omitempty" doc:"makes the call repeatable: the same id returns the same decision; for another request it is a conflict"`
	Note      string `json:"note,omitempty" doc:"the caller's own reason, kept with the decision"`
	DryRun    bool   `json:"dry_run,omitempty" doc:"say what would be decided and change nothing"`
}

func noteDelete() operation.Operation {
	return operation.Op[NoteDeleteIn, Noted]{
		Info: operation.Info{
			Name: "note_delete", Family: familyNote, Summary: "Delete a note or another file",
			Description: "Deletes the file and its line in the index. It stays in the history, and revert brings it back. The history holds no secrets, so a " +
				"file with a secret is deleted only if you say that the secret may be lost. To remove every trace of a text for good, use forget.",
			Destructive: true,
			Examples: []operation.Example{
				{Doc: "delete", Input: `{"name": "How we deploy"}`},
				{Doc: "see what would be decided", Input: `{"name": "How we deploy", "dry_run": true}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in NoteDeleteIn) (Noted, error) {
			d, err := found(ctx, env, in.Name)
			if err != nil {
				return Noted{}, err
			}
			if in.Base == "" {
				in.Base = d.Hash
			}
			out, err := note(ctx, env, strata.Candidate{
				Scope: d.Scope, Path: d.Path, Action: strata.ActionDelete, BaseHash: in.Base, Agent: env.Agent, Session: env.Session,
				Origin: env.Origin, RequestID: in.RequestID, Reason: in.Note, LoseSecret: in.Lose || in.DryRun,
			}, in.DryRun)
			if len(d.Redacted) > 0 && err == nil {
				out.Notes = append(out.Notes, "it holds a secret, which memory does not keep ("+strings.Join(d.Redacted, ", ")+"): this cannot be undone")
			}
			return out, err
		},
	}
}
