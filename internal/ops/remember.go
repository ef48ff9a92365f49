package ops

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// NoteIn describes a note to write.
type NoteIn struct {
	Content   string      `json:"content" opt:"arg,required,file" doc:"the note, in Markdown" agents:"in Markdown"`
	Title     string      `json:"title,omitempty" doc:"an existing title gets a new version (default: the first line)" agents:"again: new version"`
	Type      strata.Type `json:"type,omitempty" short:"t" enum:"user,feedback,project,reference" doc:"what it is about (default: inferred)" agents:"default: inferred"`
	Hook      string      `json:"hook,omitempty" doc:"one line on when it matters, for the index" agents:"when it matters"`
	RequestID string      `json:"request_id,omitempty" tool:"-" doc:"makes the call repeatable: the same id returns the same decision; for another request it is a conflict"`
	Session   string      `json:"session,omitempty" tool:"-" values:"session" doc:"session it was learned in"`
	Note      string      `json:"note,omitempty" tool:"-" doc:"the caller's own reason, kept with the decision"`
	DryRun    bool        `json:"dry_run,omitempty" tool:"-" doc:"say what would be decided and change nothing"`
}

// note converts the input to a note by env's caller.
func (in NoteIn) note(env *operation.Env) edit.Note {
	if in.Session == "" {
		in.Session = env.Session
	}
	if in.Title == "" {
		in.Title = titleOf(in.Content)
	}
	return edit.Note{
		RequestID: in.RequestID, Scope: env.Scope, Workspace: env.Workspace, Type: in.Type, Title: in.Title, Body: in.Content,
		Hook: in.Hook, Origin: env.Origin, Agent: env.Agent, Session: in.Session, Reason: in.Note, DryRun: in.DryRun,
	}
}

// titleOf returns the first line of a text that is not blank, without its heading or list
// marker, cut at a word.
func titleOf(text string) string {
	const most = 80 // bytes: fits on a line of a list
	for line := range strings.Lines(text) {
		line = fence.Line(strings.TrimLeft(strings.TrimSpace(line), "#>*-+ "))
		if line == "" {
			continue
		}
		if len(line) <= most {
			return strings.TrimRight(line, ".:")
		}
		short := strings.ToValidUTF8(line[:most], "")
		if i := strings.LastIndexByte(short, ' '); i > most/2 {
			short = short[:i]
		}
		return strings.TrimRight(short, " .,:;")
	}
	return ""
}

func remember() operation.Operation {
	return operation.Op[NoteIn, Noted]{
		Info: operation.Info{
			Name:     "remember",
			ToolName: "remember",
			Summary:  "Remember a note, with a line in the index",
			Toolset:  operation.CoreTools,
			Advice: "Writes a note of several lines as a file: how something is done, why, where things are. Call it when one sentence is too little; " +
				"for one sentence call memory_save.",
			Description: "Writes a note as a Markdown file, notes/<type>_<slug>.md, and adds a line about it to MEMORY.md. A note of the same type and title " +
				"gets a new version; the old one stays in the history. Notes of type user and feedback are global; notes of type project and " +
				"reference belong to the workspace.",
			Examples: []operation.Example{
				{Doc: "remember a note", Input: `{"content": "Deploys go through staging first; ask Ana for the key.", "title": "How we deploy", "type": "project"}`},
				{Doc: "say when it matters", Input: `{"content": "Run make migrate, then restart the workers.", "title": "Migrations", "hook": "before the schema is changed"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in NoteIn) (Noted, error) {
			d, err := env.Engine.Remember(ctx, in.note(env))
			return notedWithCurrent(ctx, env, d, in.DryRun), err
		},
	}
}

func notePropose() operation.Operation {
	return operation.Op[NoteIn, Noted]{
		Info: operation.Info{
			Name: "note_propose", Family: familyNote, Summary: "Propose a note, for a person to accept",
			Description: "Writes the note into _inbox/, where it waits: it is neither recalled nor in the index. If a note of that type and title exists, this" +
				" proposes a new version of it. note accept takes it in, note reject turns it down.",
			Examples: []operation.Example{
				{Doc: "propose a note", Input: `{"content": "The staging database is reset every night.", "title": "Staging database", "type": "reference"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in NoteIn) (Noted, error) {
			d, err := env.Engine.ProposeNote(ctx, in.note(env))
			return notedWithCurrent(ctx, env, d, in.DryRun), err
		},
	}
}

// AdHocIn is the input of note_adhoc.
type AdHocIn struct {
	Content   string   `json:"content" opt:"arg,required,file" doc:"what to set aside"`
	Slug      string   `json:"slug,omitempty" doc:"part of the file's name (default: made from the first line)"`
	Tags      []string `json:"tags,omitempty" doc:"words to find it by"`
	RequestID string   `json:"request_id,omitempty" doc:"makes the call repeatable: the same id returns the same decision; for another request it is a conflict"`
	Session   string   `json:"session,omitempty" values:"session" doc:"session it comes from"`
}

func noteAdHoc() operation.Operation {
	return operation.Op[AdHocIn, Noted]{
		Info: operation.Info{
			Name: "note_adhoc", Family: familyNote, Summary: "Set something aside for the moment",
			Description: "Writes a file of its own into _system/ad_hoc/, named by the time. It is neither recalled nor in the index; " +
				"note list --include-system shows it.",
			Examples: []operation.Example{{Doc: "set something aside", Input: `{"content": "The flaky test is TestUpload; look at it after the release.", "tags": ["tests"]}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in AdHocIn) (Noted, error) {
			if in.Session == "" {
				in.Session = env.Session
			}
			d, err := env.Engine.WriteAdHoc(ctx, edit.AdHocNote{
				RequestID: in.RequestID, Scope: env.Scope, Workspace: env.Workspace, Content: in.Content, Slug: in.Slug, Tags: in.Tags,
				Origin: env.Origin, Agent: env.Agent, Session: in.Session,
			})
			return notedOf(d, false), err
		},
	}
}
