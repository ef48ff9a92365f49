package ops

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// familySkill is the family of the operations on skills.
const familySkill = "skill"

// Skill is a procedure that was learned or written down.
type Skill struct {
	Name        string               `json:"name" doc:"the name of its directory"`
	Status      markdown.SkillStatus `json:"status" doc:"proposed (waits for a person), active (offered to agents) or archived"`
	Description string               `json:"description,omitempty" doc:"when it is useful, in one line"`
	Scope       string               `json:"scope" doc:"who owns it"`
	Path        string               `json:"path" doc:"path of its file, below the directory of its scope"`
	URL         string               `json:"url" doc:"address at which an agent opens it"`
	Learnt      int                  `json:"learnt,omitempty" doc:"number of sessions it was learned in; left out if a person wrote it"`
	ShadowedBy  string               `json:"shadowed_by,omitempty" doc:"scope whose skill of the same name is opened instead"`
	OpenedAt    *time.Time           `json:"opened_at,omitempty" doc:"when it was last opened by its address; left out if never"`
	ModifiedAt  time.Time            `json:"modified_at" doc:"when the file was last written"`
	Problem     string               `json:"problem,omitempty" doc:"what is wrong with the file"`
	Foreign     bool                 `json:"foreign,omitempty" doc:"it came with a repository and is not trusted, so it is not offered"`
}

func skillOf(s edit.Skill) Skill {
	out := Skill{
		Name: s.Dir, Status: s.Status, Description: s.Description, Scope: s.Scope.Key(), Path: s.Path, URL: addressOf(s.Path),
		Learnt: len(s.Sessions), ShadowedBy: s.Shadowed.Key(), ModifiedAt: s.ModifiedAt, Problem: s.Problem, Foreign: s.Foreign,
	}
	if !s.OpenedAt.IsZero() {
		out.OpenedAt = &s.OpenedAt
	}
	return out
}

// SkillListIn is the input of skill_list.
type SkillListIn struct {
	Status string `json:"status,omitempty" enum:"proposed,active,archived" doc:"only this status (default: all)"`
}

// Skills lists skills.
type Skills struct {
	Skills []Skill `json:"skills" doc:"by name; for the same name, the deeper scope first"`
}

// Rows returns the skills, for output line by line.
func (s Skills) Rows() []any { return operation.Rows(s.Skills) }

func skillList() operation.Operation {
	return operation.Op[SkillListIn, Skills]{
		Info: operation.Info{
			Name: "skill_list", Family: familySkill, Summary: "List skills",
			Description: "Lists the procedures that are kept as skills. A tool call that failed and then worked proposes one; every new session is offered the" +
				" active ones by name.",
			ReadOnly: true,
			Examples: []operation.Example{
				{Doc: "all", Input: `{}`},
				{Doc: "those that wait for your decision", Input: `{"status": "proposed"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in SkillListIn) (Skills, error) {
			list, err := env.Engine.Skills(ctx, env.View, markdown.SkillStatus(in.Status))
			return Skills{operation.Each(list, skillOf)}, err
		},
	}
}

// SkillNameIn names a skill.
type SkillNameIn struct {
	Name string `json:"name" opt:"arg,required" values:"skill" doc:"name, path, id or memory:// address of the skill"`
}

// SkillText is a skill with its text.
type SkillText struct {
	Skill
	Sessions []string `json:"sessions,omitempty" doc:"sessions in which it was learned"`
	Content  string   `json:"content" doc:"text of the file with secrets redacted"`
}

func skillShow() operation.Operation {
	return operation.Op[SkillNameIn, SkillText]{
		Info: operation.Info{
			Name: "skill_show", Family: familySkill, Summary: "Show a skill, word for word",
			Description: "Shows the text of a skill, and in which sessions it was learnt.",
			ReadOnly:    true,
			Examples:    []operation.Example{{Doc: "by its name", Input: `{"name": "release"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in SkillNameIn) (SkillText, error) {
			s, err := env.Engine.Skill(ctx, env.View, in.Name)
			if err != nil {
				return SkillText{}, err
			}
			return SkillText{Skill: skillOf(s), Sessions: s.Sessions, Content: s.Content}, nil
		},
	}
}

// SkillChange reports what became of a skill.
type SkillChange struct {
	Decisions []Noted `json:"decisions" doc:"the skill, then the note it was made from"`
	DryRun    bool    `json:"dry_run,omitempty" doc:"nothing was changed"`
}

// Rows returns the decisions, for output line by line.
func (c SkillChange) Rows() []any { return operation.Rows(c.Decisions) }

// SkillPromoteIn is the input of skill_promote.
type SkillPromoteIn struct {
	Name   string `json:"name" opt:"arg,required" values:"skill" doc:"name, path, id or memory:// address of the skill; with from, its new name"`
	From   string `json:"from,omitempty" values:"note" doc:"note to turn into the skill, by any of its names; the note is removed"`
	Note   string `json:"note,omitempty" doc:"the caller's own reason, kept with the decisions"`
	DryRun bool   `json:"dry_run,omitempty" doc:"say what would be decided and change nothing"`
}

func skillPromote() operation.Operation {
	return operation.Op[SkillPromoteIn, SkillChange]{
		Info: operation.Info{
			Name: "skill_promote", Family: familySkill, Summary: "Make a skill active, or turn a note into one",
			Description: "Makes a proposed or archived skill active: it is recalled, and every new session is told its name. With from, a note becomes the " +
				"skill, in one step. undo brings back the state before.",
			Examples: []operation.Example{
				{Doc: "accept a proposed one", Input: `{"name": "shell-network-not-found-3f9a1c"}`},
				{Doc: "turn a note into one", Input: `{"name": "deploy", "from": "How we deploy"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in SkillPromoteIn) (SkillChange, error) {
			o := promoteOptions(env, in.Note, in.DryRun)
			if in.From != "" {
				d, err := found(ctx, env, in.From)
				if err != nil {
					return SkillChange{}, err
				}
				decided, err := env.Engine.MakeSkill(ctx, d.Scope.View(), d.ID, in.Name, o)
				return skillChangeOf(decided, in.DryRun), err
			}
			return setSkill(ctx, env, in.Name, markdown.SkillActive, o)
		},
	}
}

// SkillArchiveIn is the input of skill_archive.
type SkillArchiveIn struct {
	SkillNameIn
	Note   string `json:"note,omitempty" doc:"the caller's own reason, kept with the decision"`
	DryRun bool   `json:"dry_run,omitempty" doc:"say what would be decided and change nothing"`
}

func skillArchive() operation.Operation {
	return operation.Op[SkillArchiveIn, SkillChange]{
		Info: operation.Info{
			Name: "skill_archive", Family: familySkill, Summary: "Archive a skill",
			Description: "Keeps a skill but no longer offers it: it is not recalled, and not proposed again. promote or undo brings it back; to remove every " +
				"trace of one for good, use forget with its path.",
			Examples: []operation.Example{{Doc: "with a reason", Input: `{"name": "release", "note": "we deploy from main now"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in SkillArchiveIn) (SkillChange, error) {
			return setSkill(ctx, env, in.Name, markdown.SkillArchived, promoteOptions(env, in.Note, in.DryRun))
		},
	}
}

// setSkill changes the status of a skill.
func setSkill(ctx context.Context, env *operation.Env, name string, status markdown.SkillStatus, o edit.PromoteOptions) (SkillChange, error) {
	d, err := env.Engine.SetSkill(ctx, env.View, name, status, o)
	if err != nil {
		return SkillChange{}, err
	}
	return skillChangeOf([]strata.Decision{d}, o.DryRun), nil
}

func skillChangeOf(list []strata.Decision, dryRun bool) SkillChange {
	return SkillChange{Decisions: notedEach(list, dryRun), DryRun: dryRun}
}
