package editor

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/ops"
	"github.com/strata-memory/strata/ops/operation"
)

// Document is the named document as it is, or what a new file of that path
// begins with. One with a secret in it is refused: what memory knows of it lacks
// the secret.
func Document(ctx context.Context, env *operation.Env, name string) (ops.Document, error) {
	out, err := ops.Run(ctx, env, "note_show", &ops.NoteNameIn{Name: name})
	switch {
	case err == nil:
		d := out.(ops.Document)
		if len(d.Redacted) > 0 {
			return d, &strata.Error{Code: strata.CodeRejectedSecret, Message: d.Path + " holds a secret, which memory does not keep: a new version would lose it",
				Hint: "edit the file itself, " + location(env, d)}
		}
		return d, nil
	case strata.CodeOf(err) != strata.CodeNotFound || strata.ValidatePath(name) != nil:
		return ops.Document{}, err
	}
	return ops.Document{Path: name, Hash: strata.NoFile, Content: document.Starter(name)}, nil
}

// Changed reports whether a text is a new version of a document: it differs, and
// it is not empty.
func Changed(d ops.Document, text string) bool {
	return text != "" && text != strings.TrimSpace(d.Content)
}

// Write writes a new version of a document, unless somebody else changed it
// meanwhile. It returns the output of note_write.
func Write(ctx context.Context, env *operation.Env, d ops.Document, text string) (any, error) {
	in := ops.NoteWriteIn{Name: d.Path, Content: text, Base: d.Hash}
	if d.ID != "" {
		in.Name = d.ID
	}
	return ops.Run(ctx, env, "note_write", &in)
}

// location is where a document lies on the disk.
func location(env *operation.Env, d ops.Document) string {
	scope, err := strata.ParseScope(d.Scope)
	if err != nil {
		return d.Path
	}
	dir, ok := env.Engine.Directory(scope)
	if !ok {
		return d.Path
	}
	return dir + "/" + d.Path
}
