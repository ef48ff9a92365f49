package upkeep

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/secrets"
)

// TrustIn is the input of trust.
type TrustIn struct {
	Files    []string `json:"files,omitempty" opt:"arg" doc:"paths of the files, or ids (default: all)"`
	Revoke   bool     `json:"revoke,omitempty" doc:"stop trusting them"`
	Versions []string `json:"versions,omitempty" doc:"hashes of the versions that were shown; if a file has another by now, nothing changes"`
	DryRun   bool     `json:"dry_run,omitempty" doc:"show the files and change nothing"`
}

// Trusted lists the files of a workspace that came with a repository.
type Trusted struct {
	Files  []TrustFile `json:"files" doc:"files that are foreign (with revoke, trusted), or were until now"`
	Revoke bool        `json:"revoke,omitempty" doc:"they are trusted no longer"`
	DryRun bool        `json:"dry_run,omitempty" doc:"nothing was changed"`
}

// Rows returns the files, for output line by line.
func (t Trusted) Rows() []any { return operation.Rows(t.Files) }

// TrustFile is a file that the user may trust.
type TrustFile struct {
	ID      string         `json:"id" doc:"id of the document"`
	Path    string         `json:"path" doc:"below the directory of its scope; a file of the project itself begins with @/"`
	Scope   string         `json:"scope" doc:"who owns it"`
	Kind    string         `json:"kind" doc:"note, skill, index, daily, profile, system or other"`
	Hash    string         `json:"hash" doc:"SHA-256 of its bytes, which names the version"`
	Changed bool           `json:"changed,omitempty" doc:"another version of it is trusted; left out of a new file"`
	Before  string         `json:"before,omitempty" doc:"text of the version that is trusted"`
	Text    string         `json:"text" doc:"its text, without secrets; if it is long, the beginning"`
	Cut     bool           `json:"cut,omitempty" doc:"the text is longer: look at the file"`
	Threats []string       `json:"threats,omitempty" doc:"what in it reads like an instruction or hides something"`
	Brought *TrustedCommit `json:"brought,omitempty" doc:"what brought it, as far as git tells"`
}

// TrustedCommit is the commit that brought a file.
type TrustedCommit struct {
	How    string     `json:"how" doc:"clone, pull, merge or another way, or why that is unknown"`
	Commit string     `json:"commit,omitempty" doc:"id of the commit"`
	Author string     `json:"author,omitempty" doc:"author of the commit, as it says"`
	At     *time.Time `json:"at,omitempty" doc:"time of the commit, as it says"`
}

// mostTrustText bounds how much of a file is shown, in bytes.
const mostTrustText = 64 << 10

func trust() operation.Operation {
	return operation.Op[TrustIn, Trusted]{
		Info: operation.Info{
			Name:    "trust",
			Summary: "Show what files came with a repository, and accept them",
			Description: "Files in a .strata that this home never saw, and files that a pull, merge or checkout brought into one that it knows, are foreign: " +
				"they are listed, found and marked, but never presented as your word. Each is shown with what changed since the trusted version. " +
				"Accepting covers exactly the versions that were shown. Without a terminal and without yes it only shows them.",
			WholeHome:   true,
			Destructive: true,
			Examples: []operation.Example{
				{Doc: "what does this project bring?", Input: `{"dry_run": true}`},
				{Doc: "accept one file", Input: `{"files": ["AGENTS.md"]}`},
				{Doc: "stop trusting it", Input: `{"files": ["AGENTS.md"], "revoke": true}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in TrustIn) (Trusted, error) {
			out := Trusted{Files: []TrustFile{}, Revoke: in.Revoke, DryRun: in.DryRun}
			list, err := trustable(ctx, env, in)
			if err != nil {
				return out, err
			}
			for _, d := range list {
				f, err := trustFileOf(ctx, env, d)
				if err != nil {
					return out, err
				}
				out.Files = append(out.Files, f)
			}
			if in.DryRun || len(list) == 0 {
				return out, nil
			}
			return out, env.Engine.Trust(ctx, list, !in.Revoke)
		},
	}
}

// trustable finds the documents that the input names, after taking in changes that people
// and version control made to their files.
func trustable(ctx context.Context, env *operation.Env, in TrustIn) ([]strata.Document, error) {
	const op = "trust"
	workspace := env.Workspace
	if env.Scope.Workspace != "" {
		workspace = env.Scope.Workspace
	}
	if workspace == "" {
		return nil, &strata.Error{Code: strata.CodeScopeRequired, Op: op, Message: "there is no project here whose files could be trusted",
			Hint: "go to its directory, or name it with --workspace"}
	}
	scopes, err := env.Engine.ScopesOf(ctx, workspace)
	if err != nil {
		return nil, err
	}
	if !env.Scope.IsZero() {
		scopes = slices.DeleteFunc(scopes, func(s strata.Scope) bool { return s != env.Scope })
	}
	if len(scopes) == 0 {
		return nil, nil
	}
	view := strata.View{Scopes: scopes}
	if _, err := env.Engine.Sync(ctx, view); err != nil {
		return nil, err
	}
	all, err := env.Engine.Documents(ctx, view, strata.DocumentFilter{Foreign: !in.Revoke, System: true, Shadowed: true, Content: true, Limit: 100_000})
	if err != nil {
		return nil, err
	}
	var out []strata.Document
	missing := slices.Clone(in.Files)
	for _, d := range all {
		if d.Foreign == in.Revoke || in.Revoke && markdown.IsStarter(d.Path, d.Content) {
			continue
		}
		named := false
		for _, name := range in.Files {
			if d.Path == trustPath(name) || d.ID == name {
				named = true
				missing = slices.DeleteFunc(missing, func(m string) bool { return m == name })
			}
		}
		if named || len(in.Files) == 0 {
			out = append(out, d)
		}
	}
	if len(missing) > 0 {
		return nil, &strata.Error{Code: strata.CodeNotFound, Op: op, Message: "there is no " + map[bool]string{false: "foreign", true: "trusted"}[in.Revoke] + " file " + operation.Clip(missing[0]),
			Hint: "strata trust --dry-run lists them by their paths"}
	}
	for _, d := range out {
		if len(in.Versions) > 0 && !slices.Contains(in.Versions, d.Hash) {
			return nil, &strata.Error{Code: strata.CodeConflict, Op: op, Message: d.Path + " has changed since it was shown", Hint: "look at it again"}
		}
	}
	return out, nil
}

// trustPath converts the name of a file to its path, also if given relative to the
// project.
func trustPath(name string) string {
	name = strings.TrimPrefix(name, "./")
	return strings.TrimPrefix(name, ".strata/")
}

// trustFileOf converts a document to its output form.
func trustFileOf(ctx context.Context, env *operation.Env, d strata.Document) (TrustFile, error) {
	out := TrustFile{ID: d.ID, Path: d.Path, Scope: d.Scope.Key(), Kind: string(d.Kind), Hash: d.Hash, Text: d.Content}
	for _, t := range secrets.Threats(d.Content) {
		if !slices.Contains(out.Threats, t.Rule) {
			out.Threats = append(out.Threats, t.Rule)
		}
	}
	before, err := env.Engine.LastTrusted(ctx, d)
	if err != nil {
		return out, err
	}
	if before != nil {
		out.Changed, out.Before = true, before.Content
	}
	for _, text := range []*string{&out.Text, &out.Before} {
		if len(*text) > mostTrustText {
			*text, out.Cut = strings.ToValidUTF8((*text)[:mostTrustText], ""), true
		}
	}
	origin, err := env.Engine.OriginOf(ctx, d)
	if err != nil {
		return out, err
	}
	for _, v := range origin.Versions {
		if v.Own {
			continue
		}
		out.Brought = &TrustedCommit{How: v.How, Commit: v.Commit, Author: v.Author}
		if !v.At.IsZero() {
			out.Brought.At = &v.At
		}
	}
	return out, nil
}
