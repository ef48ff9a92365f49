package ops

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/text"
)

// ForgetIn is the input of forget.
type ForgetIn struct {
	ID           string   `json:"id,omitempty" opt:"arg" values:"memory" doc:"id of a fact, learning, turn or session, or name of a note or file" agents:"of it"`
	About        string   `json:"about,omitempty" doc:"a subject, in place of an id: lists what memory has on it, and forgets only what confirm names" agents:"or a subject"`
	Confirm      []string `json:"confirm,omitempty" tool:"-" doc:"with about, the ids to forget"`
	Note         string   `json:"note,omitempty" tool:"-" doc:"the caller's own reason, kept with the decision; it must not repeat the text"`
	PurgeHistory bool     `json:"purge_history,omitempty" tool:"-" doc:"also rewrite the history of memory's files, so that no commit holds the text; works later too, with the id, path or title that was forgotten"`
	DryRun       bool     `json:"dry_run,omitempty" doc:"say what would be removed and change nothing" agents:"preview"`
}

// Forgotten reports what was removed for good.
type Forgotten struct {
	ID         string    `json:"id" doc:"what was forgotten; commas separate several"`
	Decision   strata.Op `json:"decision" tool:"-" doc:"forget"`
	Reason     string    `json:"reason" tool:"-" doc:"why, in one sentence"`
	DecisionID string    `json:"decision_id,omitempty" tool:"-" doc:"the decision; empty in a dry run"`
	Scope      string    `json:"scope" doc:"who owned it"`
	Versions   int       `json:"versions" doc:"versions of the fact that were removed"`
	Decisions  int       `json:"decisions" tool:"-" doc:"decisions whose text was blanked"`
	Turns      []string  `json:"turns,omitempty" tool:"-" doc:"turns whose text was blanked"`
	Traces     int       `json:"traces" tool:"-" doc:"traces and recall events that were blanked"`
	Snapshots  int       `json:"snapshots,omitempty" tool:"-" doc:"snapshots of sessions in which lines were blanked"`
	States     int       `json:"states,omitempty" tool:"-" doc:"saved states of sessions that were removed"`
	Learnings  int       `json:"learnings,omitempty" tool:"-" doc:"learnings and runs of tools that were blanked"`
	Documents  []string  `json:"documents,omitempty" tool:"-" doc:"files that held the text and were rewritten without it"`
	Commits    int       `json:"commits,omitempty" tool:"-" doc:"commits of the history that were rewritten"`
	Rewritten  []string  `json:"transcripts,omitempty" tool:"-" doc:"closed sessions whose transcript was rewritten"`
	Remaining  []string  `json:"remaining,omitempty" tool:"-" doc:"facts, turns, learnings, transcripts, files and commits that still hold the text, and what could not be changed"`
	Commands   []string  `json:"commands,omitempty" tool:"-" doc:"for each entry of remaining, the command that removes it too; empty if there is none"`
	Candidates []Mention `json:"candidates,omitempty" doc:"what memory has on the subject"`
	Incomplete string    `json:"incomplete,omitempty" tool:"-" doc:"why bytes of the text may still lie in the database file; left out when none do"`
	Notes      []string  `json:"notes,omitempty" tool:"-" doc:"what a reader should know"`
	DryRun     bool      `json:"dry_run,omitempty" doc:"nothing was changed"`

	failed error // why some files or their history could not be changed
}

// Failure returns an error if some files or their history could not be changed, and nil
// otherwise. What was forgotten in the database stays forgotten either way.
func (f Forgotten) Failure() error {
	if f.failed == nil && f.Incomplete == "" {
		return nil
	}
	e := &strata.Error{Code: strata.CodeBusy, Op: "forget", Message: f.ID + " is forgotten, but " + f.Incomplete, Hint: "run strata doctor"}
	if f.failed != nil {
		e.Code = strata.CodeOf(f.failed)
		e.Message = f.ID + " is forgotten in the database, but not everywhere; what is left is under remaining: " + strata.MessageOf(f.failed)
		e.Hint = "fix that; then strata sync updates the files, and strata forget " + f.ID + " --purge-history purges their history"
	}
	return e
}

func forget() operation.Operation {
	return operation.Op[ForgetIn, Forgotten]{
		Info: operation.Info{
			Name:    "forget",
			Summary: "Remove a fact, note or file and every trace of its text for good",
			Description: "Removes a fact with all its versions, or a learning, and its text from decisions, traces, learnings, what sessions saved, and the " +
				"turns it came from with their transcripts. What repeats it in other words goes too, in turns of every role, sentence by sentence; " +
				"the names, numbers and rare words of the fact find it. Text that only holds one of these, and may be about something else, is named " +
				"under remaining with the command that removes it too. To forget a turn or a session, give its id. With --about, the command lists " +
				"what memory has on a subject and asks you which of it to remove. This cannot be undone: only a keyed hash stays, so that the text " +
				"does not return by itself. A note or file goes with its versions and its path, and quotes of it elsewhere go too; commits that still" +
				" hold the text are named, and --purge-history rewrites them, then or later. If files or their history cannot be changed, the command" +
				" says what is left and fails. To stop believing a fact but be able to come back, revert the decision that added it.",
			Destructive: true,
			Toolset:     operation.CoreTools,
			Advice: "Erases a fact, learning, note or file and every trace of its text for good. Call it only when the user asks for that; " +
				"to take back a mistake call memory_undo.",
			Examples: []operation.Example{
				{Doc: "see what it would remove", Input: `{"id": "fact_W6Y0AB", "dry_run": true}`},
				{Doc: "forget a note, also in the history of the files", Input: `{"id": "notes/project_how-we-deploy.md", "purge_history": true}`},
				{Doc: "list what memory has on a subject, and choose what to forget", Input: `{"about": "my illness"}`},
				{Doc: "forget", Input: `{"id": "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in ForgetIn) (Forgotten, error) {
			switch {
			case in.ID == "" && in.About == "":
				return Forgotten{}, strata.Invalid("forget", "nothing is named", "name an id, or give a subject with about")
			case in.ID != "" && in.About != "":
				return Forgotten{}, strata.Invalid("forget", "both an id and a subject are given", "give one of them")
			case in.About == "" && len(in.Confirm) > 0:
				return Forgotten{}, strata.Invalid("forget", "confirm needs about", "name the id itself")
			case in.About != "":
				return forgetAbout(ctx, env, in)
			}
			return forgetOne(ctx, env, in, in.ID)
		},
	}
}

// forgetOne forgets the memory with an id or name.
func forgetOne(ctx context.Context, env *operation.Env, in ForgetIn, id string) (Forgotten, error) {
	name, err := forgettable(ctx, env, id)
	if err != nil {
		return Forgotten{}, err
	}
	res, err := env.Engine.Forget(ctx, env.View, name, engine.ForgetOptions{
		DryRun: in.DryRun, Origin: env.Origin, Reason: in.Note, PurgeHistory: in.PurgeHistory, Within: env.Confined,
	})
	if err != nil {
		return Forgotten{}, unknown(err, name)
	}
	d, gone := res.Decision, res.Forgotten
	out := Forgotten{
		ID: id, Decision: d.Op, Reason: d.Reason, DecisionID: d.ID, Scope: d.Scope.Key(), Notes: d.Notes, DryRun: in.DryRun,
		Versions: gone.Versions, Decisions: gone.Decisions, Turns: gone.Turns, Traces: gone.Traces,
		Snapshots: gone.Snapshots, States: gone.States, Learnings: gone.Learnings, Rewritten: gone.Transcripts, Remaining: gone.Remaining,
		Incomplete: res.Incomplete, Documents: gone.Documents, Commits: res.History.Rewritten, failed: res.Failed,
	}
	for _, s := range gone.Elsewhere {
		out.Rewritten = append(out.Rewritten, s.Scope.Key()+"/"+s.ID)
	}
	if d.FactID != "" {
		out.ID = d.FactID
	}
	for _, r := range out.Remaining {
		out.Commands = append(out.Commands, forgetCommand(r, out.ID, out.Scope))
	}
	return out, nil
}

// forgetCommand returns the command that also forgets a remaining mention; empty if there is
// none.
func forgetCommand(remaining, of, scope string) string {
	if strings.HasPrefix(remaining, "commit ") && strings.HasSuffix(remaining, " in the history of "+scope) {
		return "strata forget " + of + " --purge-history"
	}
	name, flags := remaining, ""
	for i := len(remaining) - 1; i > 0; i-- { // find the longest scope key before a slash
		if s, err := strata.ParseScope(remaining[:i]); remaining[i] == '/' && err == nil {
			name, flags = remaining[i+1:], " --scope "+s.Key()
			break
		}
	}
	kind, _, _ := strings.Cut(name, "_")
	if !id.IsWhole(kind, name) && (strata.ValidatePath(name) != nil || !strings.HasSuffix(name, ".md")) {
		return ""
	}
	return "strata forget " + name + flags
}

// unknown replaces the hint of a not_found error if the user seems to have given a text
// instead of a name.
func unknown(err error, name string) error {
	var known *strata.Error
	if !errors.As(err, &known) || known.Code != strata.CodeNotFound || !strings.Contains(name, " ") {
		return err
	}
	own := *known
	own.Hint = "name the id of a fact, or the path or title of a note; strata search shows the id of what it finds"
	return &own
}

// forgettable resolves a name to an id: the whole id of a fact or turn, the id of a
// learning or session, or the id of a note or file that a person named. It returns any
// other name unchanged, as that of a file that no longer exists.
func forgettable(ctx context.Context, env *operation.Env, name string) (string, error) {
	if strings.HasPrefix(name, id.Fact+"_") {
		return operation.WholeID(ctx, env, id.Fact, name)
	}
	if strings.HasPrefix(name, id.Learning+"_") {
		return name, nil
	}
	if strings.HasPrefix(name, id.Turn+"_") {
		return operation.WholeID(ctx, env, id.Turn, name)
	}
	d, err := found(ctx, env, name)
	switch strata.CodeOf(err) {
	case "":
		return d.ID, nil
	case strata.CodeConflict:
		return "", err
	case strata.CodeNotFound:
		if strings.HasPrefix(name, id.Document+"_") {
			return operation.WholeID(ctx, env, id.Document, name)
		}
		for _, scope := range env.View.Scopes {
			if _, err := env.Engine.Session(ctx, scope, name); err == nil {
				return name, nil
			}
		}
		return operation.WholeID(ctx, env, id.Fact, name) // a fact by the letters of its id alone
	}
	return name, nil
}

// forgottenText says what was forgotten and what still contains the text.
func forgottenText(f Forgotten) string {
	if len(f.Candidates) > 0 || f.ID == "" {
		return candidatesText(f.Candidates)
	}
	var b strings.Builder
	verb := "forgot"
	if f.DryRun {
		verb = "would forget"
	}
	fmt.Fprintf(&b, "%s %s (%s): versions %d, turns blanked %d", verb, f.ID, f.Scope, f.Versions, len(f.Turns))
	if len(f.Remaining) > 0 {
		b.WriteString("\nstill hold the text: " + strings.Join(f.Remaining, ", "))
	}
	if f.Incomplete != "" {
		b.WriteString("\nincomplete: " + f.Incomplete)
	}
	return b.String() + noteLines(f.Notes)
}

// Mention is a memory that the user may want to forget.
type Mention struct {
	ID    string      `json:"id" doc:"its id or path"`
	Kind  strata.Kind `json:"kind" tool:"-" doc:"fact, turn, section of a note, or learning"`
	Text  string      `json:"text" doc:"cut short"`
	Scope string      `json:"scope" tool:"-" doc:"who owns it"`
}

const (
	maxMentions  = 20
	mentionBytes = 200 // of the text of one mention
)

// forgetAbout forgets the memories on a subject that the caller confirmed, or lists
// candidates if none were. The query is not recorded anywhere, because it may be what is
// to be forgotten.
func forgetAbout(ctx context.Context, env *operation.Env, in ForgetIn) (Forgotten, error) {
	if len(in.Confirm) > 0 {
		return forgetConfirmed(ctx, env, in)
	}
	q := strata.Query{View: env.View, Text: in.About, Search: true, Quiet: true, Limit: maxMentions}
	found, err := env.Engine.Query(ctx, q)
	if err == nil && len(found.Hits) == 0 {
		q.All = true
		found, err = env.Engine.Query(ctx, q)
	}
	if err != nil {
		return Forgotten{}, err
	}
	out := Forgotten{DryRun: true, Candidates: []Mention{}}
	for _, h := range found.Hits {
		m := Mention{ID: h.ID, Kind: h.Kind, Text: text.Clip(strings.Join(strings.Fields(h.Text), " "), mentionBytes), Scope: h.Scope.Key()}
		if h.Section != nil {
			m.ID = h.Section.Path
		}
		if !slices.ContainsFunc(out.Candidates, func(c Mention) bool { return c.ID == m.ID && c.Scope == m.Scope }) {
			out.Candidates = append(out.Candidates, m)
		}
	}
	if len(out.Candidates) == 0 {
		return Forgotten{}, &strata.Error{Code: strata.CodeNotFound, Op: "forget", Message: "nothing was found about that",
			Hint: "ask in other words, or name an id: strata search finds them"}
	}
	return out, nil
}

// forgetConfirmed forgets memories one after the other. It ignores one that is gone
// because an earlier one took it along.
func forgetConfirmed(ctx context.Context, env *operation.Env, in ForgetIn) (Forgotten, error) {
	var out Forgotten
	var ids []string
	for i, name := range in.Confirm {
		one, err := forgetOne(ctx, env, in, name)
		if i > 0 && strata.CodeOf(err) == strata.CodeNotFound {
			continue
		}
		if err != nil {
			return out, err
		}
		ids = append(ids, one.ID)
		out.add(one)
	}
	out.ID = strings.Join(ids, ", ")
	out.Remaining, out.Commands = out.standing(in.Confirm)
	return out, nil
}

// add adds the result of forgetting another memory.
func (f *Forgotten) add(o Forgotten) {
	o.Versions, o.Decisions, o.Traces, o.Commits = o.Versions+f.Versions, o.Decisions+f.Decisions, o.Traces+f.Traces, o.Commits+f.Commits
	o.Snapshots, o.States, o.Learnings = o.Snapshots+f.Snapshots, o.States+f.States, o.Learnings+f.Learnings
	o.Turns, o.Documents = union(f.Turns, o.Turns), union(f.Documents, o.Documents)
	o.Rewritten, o.Remaining, o.Notes = union(f.Rewritten, o.Rewritten), union(f.Remaining, o.Remaining), union(f.Notes, o.Notes)
	o.failed = errors.Join(f.failed, o.failed)
	if f.Incomplete != "" {
		o.Incomplete = f.Incomplete
	}
	*f = o
}

// standing returns what still remains once all confirmed memories are forgotten, with the
// commands that forget it.
func (f *Forgotten) standing(confirmed []string) (remaining, commands []string) {
	for _, r := range f.Remaining {
		if !slices.Contains(confirmed, r) && !slices.Contains(f.Turns, r) {
			remaining, commands = append(remaining, r), append(commands, forgetCommand(r, f.ID, f.Scope))
		}
	}
	return remaining, commands
}

// union returns the sorted union of two lists.
func union(a, b []string) []string {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// candidatesText lists the candidates.
func candidatesText(list []Mention) string {
	var b strings.Builder
	b.WriteString("nothing was forgotten; to forget one of these, name its id:")
	for _, m := range list {
		fmt.Fprintf(&b, "\n%s (%s): %s", m.ID, m.Kind, m.Text)
	}
	return b.String()
}
