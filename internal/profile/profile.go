// Package profile arranges the facts that memory believes about the user by what they are
// about, each with the facts that it replaced and the turns from which it was learned.
package profile

import (
	"slices"
	"strings"
	"time"
)

// Profile is what memory believes about the user.
type Profile struct {
	Name   string  `json:"name,omitempty" doc:"name of the user, if known"`
	Groups []Group `json:"groups" doc:"groups by what the facts are about: you, people, pets, home, work, health, tastes, things, plans, more"`
	Rules  []Entry `json:"rules" doc:"standing rules: how the user wants agents to work, the newest first"`
	Facts  int     `json:"facts" doc:"facts that are believed now, without the rules"`
}

// Group is a part of a profile.
type Group struct {
	Kind    string  `json:"kind" doc:"you, person, pet, home, work, health, tastes, things, plans or more"`
	Subject string  `json:"subject,omitempty" doc:"for a person or pet: who it is to the user"`
	Name    string  `json:"name,omitempty" doc:"name of a person or pet, if known"`
	Entries []Entry `json:"entries" doc:"entries that fill a slot first, the speaker's own words last"`
}

// Entry is one fact of a profile.
type Entry struct {
	ID         string     `json:"id" doc:"id of the fact"`
	Entity     string     `json:"entity,omitempty" doc:"what it is about, if it fills a slot"`
	Attribute  string     `json:"attribute,omitempty" doc:"which property it states, if it fills a slot"`
	Value      string     `json:"value,omitempty" doc:"value of the property, if the text gives it by itself"`
	Text       string     `json:"text" doc:"the statement"`
	Scope      string     `json:"scope" doc:"who owns it"`
	Since      *time.Time `json:"since,omitempty" doc:"when it starts to hold: as it says itself, else when it was first said; may be missing"`
	Until      *time.Time `json:"until,omitempty" doc:"when it stops holding, if it says so, or when it stopped being believed"`
	RecordedAt time.Time  `json:"recorded_at" doc:"when it was committed"`
	Sources    []Source   `json:"sources" doc:"turns it was learned from"`
	Confidence float64    `json:"confidence" doc:"how sure its proposer was, from 0 to 1"`
	Verbatim   bool       `json:"verbatim,omitempty" doc:"kept in the speaker's own words, because no rule could read them"`
	Ended      bool       `json:"ended,omitempty" doc:"it is no longer believed, and nothing took its place"`
	Earlier    []Before   `json:"earlier,omitempty" doc:"with all: what it replaced, latest first"`
}

// Before is a fact that was replaced by another.
type Before struct {
	ID         string     `json:"id" doc:"id of the fact"`
	Value      string     `json:"value,omitempty" doc:"value of the property, if the text gives it by itself"`
	Text       string     `json:"text" doc:"the statement"`
	Since      *time.Time `json:"since,omitempty" doc:"when it started to hold"`
	Until      *time.Time `json:"until,omitempty" doc:"when it stopped holding: as it says itself, else when its replacement was said"`
	RecordedAt time.Time  `json:"recorded_at" doc:"when it was committed"`
	Sources    []Source   `json:"sources" doc:"turns it was learned from"`
	Confidence float64    `json:"confidence" doc:"how sure its proposer was, from 0 to 1"`
}

// Source names a turn.
type Source struct {
	ID      string     `json:"id" doc:"id of the turn"`
	Session string     `json:"session,omitempty" doc:"the conversation; missing if the turn is not visible"`
	Seq     int64      `json:"seq,omitempty" doc:"number of the turn in it, from 1"`
	At      *time.Time `json:"at,omitempty" doc:"when it was said"`
}

// Rows returns the entries of all groups, then the rules, for line-by-line output.
func (p Profile) Rows() []any {
	var out []any
	for _, g := range p.Groups {
		for _, e := range g.Entries {
			out = append(out, e)
		}
	}
	for _, e := range p.Rules {
		out = append(out, e)
	}
	return out
}

// About returns the part of a profile about one subject: the groups of that kind,
// relation or name (the user's own name means kind "you"), the rules if subject is
// "rules" or, failing those, the entries whose text contains the subject. It returns
// false if there are none, as for an empty subject. Case is ignored.
func (p Profile) About(subject string) (Profile, bool) {
	want := strings.ToLower(strings.TrimSpace(subject))
	out := Profile{Name: p.Name, Groups: []Group{}, Rules: []Entry{}}
	if want == "" {
		return out, false
	}
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
			g.Entries = slices.DeleteFunc(slices.Clone(g.Entries), func(e Entry) bool { return !holdsWord(e.Text, want) })
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

// holdsWord reports whether a text contains a word or a sequence of words, ignoring case.
func holdsWord(text, want string) bool {
	clean := func(s string) string {
		return " " + strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" .,;:!?'\"()", r) }), " ") + " "
	}
	return strings.Contains(clean(text), clean(want))
}
