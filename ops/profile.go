package ops

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/extract"
)

// ProfileIn is the input of profile.
type ProfileIn struct {
	Subject string `json:"subject,omitempty" opt:"arg" doc:"only what is about this one: a relation (sister), a name, or a group (work)"`
	All     bool   `json:"all,omitempty" doc:"also what was believed before, with its dates"`
}

// Profile is what memory believes about the user.
type Profile struct {
	Name   string         `json:"name,omitempty" doc:"of the user, where it is known"`
	Groups []ProfileGroup `json:"groups" doc:"by what the facts are about: you, people, pets, home, work, health, tastes, things, plans, more"`
	Rules  []ProfileEntry `json:"rules" doc:"standing rules: how the user wants agents to work, the newest first"`
	Facts  int            `json:"facts" doc:"that are believed now, without the rules"`
}

// ProfileGroup is a part of a profile.
type ProfileGroup struct {
	Kind    string         `json:"kind" doc:"you, person, pet, home, work, health, tastes, things, plans or more"`
	Subject string         `json:"subject,omitempty" doc:"of a person or pet: who it is to the user"`
	Name    string         `json:"name,omitempty" doc:"of a person or pet, where it is known"`
	Entries []ProfileEntry `json:"entries" doc:"those that fill a slot first, the speaker's own words last"`
}

// ProfileEntry is one fact of a profile.
type ProfileEntry struct {
	ID         string          `json:"id" doc:"of the fact"`
	Entity     string          `json:"entity,omitempty" doc:"what it speaks of, when it fills a slot"`
	Attribute  string          `json:"attribute,omitempty" doc:"which property it states, when it fills a slot"`
	Value      string          `json:"value,omitempty" doc:"of the property, where the text gives it alone"`
	Text       string          `json:"text" doc:"the statement"`
	Scope      string          `json:"scope" doc:"who owns it"`
	Since      *time.Time      `json:"since,omitempty" doc:"since when it holds: as it says itself, else when it was first said; may be missing"`
	Until      *time.Time      `json:"until,omitempty" doc:"until when it holds, where it says so, or since when it is no longer believed"`
	RecordedAt time.Time       `json:"recorded_at" doc:"when it was committed"`
	Sources    []ProfileSource `json:"sources" doc:"turns it was learnt from"`
	Confidence float64         `json:"confidence" doc:"of whoever proposed it, from 0 to 1"`
	Verbatim   bool            `json:"verbatim,omitempty" doc:"kept in the speaker's own words, because no rule could read them"`
	Ended      bool            `json:"ended,omitempty" doc:"it is no longer believed, and nothing took its place"`
	Earlier    []ProfileBefore `json:"earlier,omitempty" doc:"with all: what it replaced, the latest first"`
}

// ProfileBefore is a fact that another took the place of.
type ProfileBefore struct {
	ID         string          `json:"id" doc:"of the fact"`
	Value      string          `json:"value,omitempty" doc:"of the property, where the text gives it alone"`
	Text       string          `json:"text" doc:"the statement"`
	Since      *time.Time      `json:"since,omitempty" doc:"since when it held"`
	Until      *time.Time      `json:"until,omitempty" doc:"until when: as it says itself, else when what replaced it was said"`
	RecordedAt time.Time       `json:"recorded_at" doc:"when it was committed"`
	Sources    []ProfileSource `json:"sources" doc:"turns it was learnt from"`
	Confidence float64         `json:"confidence" doc:"of whoever proposed it, from 0 to 1"`
}

// ProfileSource names a turn.
type ProfileSource struct {
	ID      string     `json:"id" doc:"of the turn"`
	Session string     `json:"session,omitempty" doc:"the conversation; missing where the turn is out of sight"`
	Seq     int64      `json:"seq,omitempty" doc:"number of the turn in it, from 1"`
	At      *time.Time `json:"at,omitempty" doc:"when it was said"`
}

// Rows are the entries of all groups and the rules, for output line by line.
func (p Profile) Rows() []any {
	var out []any
	for _, g := range p.Groups {
		out = append(out, rows(g.Entries)...)
	}
	return append(out, rows(p.Rules)...)
}

func profile() Operation {
	return Op[ProfileIn, Profile]{
		Info: Info{
			Name: "profile", Summary: "Show what memory believes about the user",
			Description: "Shows the facts about the user that are believed now, by what they are about, each with since when it holds and the turn it was " +
				"said in, and then the standing rules. With all, what was believed before as well. Facts about projects are not part of it.",
			ReadOnly: true,
			Examples: []Example{
				{Doc: "everything", Input: `{}`},
				{Doc: "what is known of one person", Input: `{"subject": "sister"}`},
				{Doc: "with what was believed before", Input: `{"all": true}`},
			},
		},
		Handle: func(ctx context.Context, env *Env, in ProfileIn) (Profile, error) {
			var list []strata.Fact
			for _, t := range []strata.Type{strata.TypeUser, strata.TypeFeedback} {
				facts, err := env.allFacts(ctx, strata.FactFilter{Type: t, Retired: in.All})
				if err != nil {
					return Profile{}, err
				}
				list = append(list, facts...)
			}
			b := profileBuilder{names: namesIn(list), current: make(map[string]bool)}
			var ids []string
			for _, f := range list {
				ids = append(ids, f.Sources...)
				b.current[f.ID] = b.current[f.ID] || f.Current()
			}
			var err error
			if b.turns, err = env.Engine.SourceTurns(ctx, env.View, ids); err != nil {
				return Profile{}, err
			}
			out := b.build(list)
			if in.Subject == "" {
				return out, nil
			}
			out, found := out.of(in.Subject)
			if !found {
				return Profile{}, &strata.Error{Code: strata.CodeNotFound, Op: "profile", Message: "nothing is known of " + clip(in.Subject),
					Hint: "strata profile shows everything; strata search finds other mentions"}
			}
			return out, nil
		},
	}
}

// allFacts reads every page of the facts that a filter selects.
func (e *Env) allFacts(ctx context.Context, f strata.FactFilter) ([]strata.Fact, error) {
	var out []strata.Fact
	for _, s := range e.View.Scopes {
		view := e.View
		view.Scopes = []strata.Scope{s}
		f.Limit, f.After = factPage, ""
		for {
			page, err := e.Engine.Facts(ctx, view, f)
			if err != nil {
				return nil, err
			}
			out = append(out, page...)
			if len(page) < factPage {
				break
			}
			f.After = page[len(page)-1].ID
		}
	}
	return out, nil
}

// factPage is the most facts that are read at once.
const factPage = 10_000

// of is the part of a profile that is about one subject: the groups of the name, else
// the entries that hold it as a word.
func (p Profile) of(subject string) (Profile, bool) {
	want := strings.ToLower(strings.TrimSpace(subject))
	out := Profile{Name: p.Name, Groups: []ProfileGroup{}, Rules: []ProfileEntry{}}
	for _, g := range p.Groups {
		if g.Kind == want || g.Subject == want || strings.EqualFold(g.Name, want) || want == p.self() && g.Kind == "you" {
			out.Groups = append(out.Groups, g)
		}
	}
	if want == "rules" {
		out.Rules = p.Rules
	}
	if len(out.Groups) == 0 && len(out.Rules) == 0 {
		for _, g := range p.Groups {
			g.Entries = slices.DeleteFunc(slices.Clone(g.Entries), func(e ProfileEntry) bool { return !holdsWord(e.Text, want) })
			if len(g.Entries) > 0 {
				out.Groups = append(out.Groups, g)
			}
		}
	}
	for _, g := range out.Groups {
		for _, e := range g.Entries {
			if !e.Ended {
				out.Facts++
			}
		}
	}
	return out, len(out.Groups) > 0 || len(out.Rules) > 0
}

func (p Profile) self() string { return strings.ToLower(p.Name) }

// holdsWord reports whether a text holds a word or some in a row, whatever the case.
func holdsWord(text, want string) bool {
	clean := func(s string) string {
		return " " + strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" .,;:!?'\"()", r) }), " ") + " "
	}
	return strings.Contains(clean(text), clean(want))
}

// namesIn returns who the names in facts belong to: "Clara" is the user's sister.
func namesIn(facts []strata.Fact) map[string]string {
	names := make(map[string]string)
	for _, f := range facts {
		s := extract.SubjectOf(f.Text, f.Entity)
		if s.Name == "" && f.Current() {
			s.Name = nameIn(f)
		}
		if s.Name != "" && s.Relation != "" {
			names[s.Name] = s.Relation
		}
	}
	return names
}
