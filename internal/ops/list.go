package ops

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/profile"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
)

// ListIn is the input of list.
type ListIn struct {
	Subject   string `json:"subject,omitempty" opt:"arg" doc:"a person, thing or topic, or me for the user (default: the categories alone)" agents:"me for the user; a person, thing or topic"`
	Category  string `json:"category,omitempty" short:"c" values:"category" doc:"only facts of this category; case does not matter" agents:"one of those listed"`
	MaxTokens int    `json:"max_tokens,omitempty" doc:"token budget for the texts of a page; 0 means 1500" agents:"default 1500"`
	Cursor    string `json:"cursor,omitempty" doc:"next_cursor of the previous page" agents:"next_cursor"`
}

// Known is what memory knows about a subject.
type Known struct {
	Subject    string          `json:"subject,omitempty" tool:"-" doc:"what was asked for"`
	Category   string          `json:"category,omitempty" tool:"-" doc:"the category that was asked for"`
	Facts      []KnownFact     `json:"facts" doc:"about the user in the order of a profile, about anything else newest first"`
	Categories []KnownCategory `json:"categories" doc:"categories of all these facts, largest first; without a subject or category, or if the category is empty, those of the whole memory"`
	Total      int             `json:"total" doc:"facts on all pages; without a subject or category, those of the whole memory"`
	Cursor     string          `json:"next_cursor,omitempty" doc:"pass it as cursor, with the same input otherwise, to get more; left out at the end"`
}

// Rows returns the facts, or the categories if no facts were asked for, for output line
// by line.
func (k Known) Rows() []any {
	if k.Subject == "" && k.Category == "" {
		return operation.Rows(k.Categories)
	}
	return operation.Rows(k.Facts)
}

// KnownFact is a fact of a list.
type KnownFact struct {
	ID       string      `json:"id" doc:"id of the fact"`
	Text     string      `json:"text" tool:"-" doc:"the statement"`
	Length   int         `json:"length,omitempty" tool:"-" doc:"bytes of the whole; left out if the text is complete"`
	Type     strata.Type `json:"type" tool:"-" doc:"user, feedback, project or reference"`
	Category string      `json:"category" doc:"the group it belongs to"`
	Scope    string      `json:"scope" doc:"who owns it"`
	At       time.Time   `json:"at" doc:"when it was recorded"`
	Notes    []string    `json:"notes,omitempty" tool:"-" doc:"warnings, such as that the text reads like an instruction"`
}

// KnownCategory is a group of facts.
type KnownCategory struct {
	Name  string `json:"name" doc:"name of the category"`
	Facts int64  `json:"facts" doc:"facts in it"`
	Scope string `json:"scope" doc:"who owns it"`
}

func list() operation.Operation {
	return operation.Op[ListIn, Known]{
		Info: operation.Info{
			Name:    "list",
			Summary: "List what is known about a subject, a person or the user",
			Toolset: operation.CoreTools,
			Advice: "Lists every fact about a person, a thing, a topic or the user, not only the best. Call it for \"what do you know about me?\"; " +
				"without a subject it lists the categories.",
			Description: "Lists all facts that are believed now about the user (me), or that name a person, thing or topic, page by page, with the number of " +
				"facts in each category. A relation such as sister and the name that goes with it mean the same. Without a subject or category it " +
				"lists the categories of the whole memory with their numbers of facts. Recall and search find notes and conversations.",
			ReadOnly: true,
			Examples: []operation.Example{
				{Doc: "about the user", Input: `{"subject": "me"}`},
				{Doc: "about a person", Input: `{"subject": "Anna"}`},
				{Doc: "facts of a category", Input: `{"category": "pets"}`},
				{Doc: "the categories", Input: `{}`},
			},
		},
		Handle: listKnown,
	}
}

func listKnown(ctx context.Context, env *operation.Env, in ListIn) (Known, error) {
	in.Subject, in.Category = strings.TrimSpace(in.Subject), strings.TrimSpace(in.Category)
	from, err := offsetOf("list", in.Cursor, in.Subject, in.Category)
	switch {
	case err != nil:
		return Known{}, err
	case in.MaxTokens < 0:
		return Known{}, strata.Invalid("list", "the token budget is negative", "leave max_tokens out for 1500")
	}
	out := Known{Subject: operation.Echo(in.Subject), Category: operation.Echo(in.Category), Facts: []KnownFact{}, Categories: []KnownCategory{}}
	if in.Subject == "" && in.Category == "" {
		return out, out.count(ctx, env)
	}
	facts, err := known(ctx, env, in)
	if err != nil {
		return Known{}, err
	}
	if in.Category != "" && len(facts) == 0 {
		err := out.count(ctx, env)
		out.Total = 0
		return out, err
	}
	b := budgetFor(env, in.MaxTokens)
	b.tokens = cmp.Or(b.tokens, answerTokens)
	all := operation.Each(facts, func(f strata.Fact) KnownFact { return knownFact(f, b) })
	from, to, _ := page(operation.Each(all, func(f KnownFact) string { return f.Text }), from, len(all), b)
	out.Facts = all[from:to]
	out.Total, out.Categories = len(facts), categoriesOf(facts)
	if to < len(facts) {
		out.Cursor = cursorOf(to, in.Subject, in.Category)
	}
	return out, nil
}

// knownFact converts a fact to its output form, cut to fit a budget.
func knownFact(f strata.Fact, b budget) KnownFact {
	out := KnownFact{ID: f.ID, Type: f.Type, Category: f.Category, Scope: f.Scope.Key(), At: f.RecordedAt, Notes: secrets.Warnings(f.Text)}
	if out.Text, out.Length = b.fit(f.Text); out.Length > 0 {
		out.Notes = append(out.Notes, aPart)
	}
	return out
}

// count fills in the categories of the whole view.
func (k *Known) count(ctx context.Context, env *operation.Env) error {
	list, err := env.Engine.Categories(ctx, env.View)
	if err != nil {
		return err
	}
	for _, c := range list {
		k.Categories = append(k.Categories, KnownCategory{Name: c.Name, Facts: c.Facts, Scope: c.Scope.Key()})
		k.Total += int(c.Facts)
	}
	return nil
}

// categoriesOf counts facts by category, largest first.
func categoriesOf(facts []strata.Fact) []KnownCategory {
	out := []KnownCategory{}
	at := make(map[[2]string]int)
	for _, f := range facts {
		key := [2]string{f.Scope.Key(), f.Category}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, KnownCategory{Name: f.Category, Scope: key[0]})
		}
		out[i].Facts++
	}
	slices.SortStableFunc(out, func(a, b KnownCategory) int {
		return cmp.Or(cmp.Compare(b.Facts, a.Facts), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// known returns the facts about a subject.
func known(ctx context.Context, env *operation.Env, in ListIn) ([]strata.Fact, error) {
	ofUser, p, err := userFacts(ctx, env, nil)
	if err != nil {
		return nil, err
	}
	other := func(f strata.Fact) bool { return in.Category != "" && !strings.EqualFold(f.Category, in.Category) }
	subject := in.Subject
	if subject != "" && (isUser(subject) || p.Name != "" && strings.EqualFold(subject, p.Name)) {
		return slices.DeleteFunc(ofUser, other), nil
	}
	all, err := inCategory(ctx, env, in.Category)
	if err != nil {
		return nil, err
	}
	if subject != "" {
		is := aboutOne(subject, p)
		all = slices.DeleteFunc(all, func(f strata.Fact) bool { return !is(f) })
	}
	slices.SortStableFunc(all, func(a, b strata.Fact) int { return b.RecordedAt.Compare(a.RecordedAt) })
	return all, nil
}

// inCategory returns the facts of a category, whose name is matched without regard to
// case; all facts if none is named.
func inCategory(ctx context.Context, env *operation.Env, name string) ([]strata.Fact, error) {
	if name == "" {
		return env.Engine.AllFacts(ctx, env.View, strata.FactFilter{})
	}
	list, err := env.Engine.Categories(ctx, env.View)
	if err != nil {
		return nil, err
	}
	names := make(map[string]bool) // several scopes may have a category of that name
	for _, c := range list {
		if strings.EqualFold(c.Name, name) {
			names[c.Name] = true
		}
	}
	var all []strata.Fact
	for name := range names {
		facts, err := env.Engine.AllFacts(ctx, env.View, strata.FactFilter{Category: name})
		if err != nil {
			return nil, err
		}
		all = append(all, facts...)
	}
	return all, nil
}

// aboutOne returns a function that reports whether a fact is about a subject: a profile
// has it under that name or relation, its category has that name, or it contains all the
// words.
func aboutOne(subject string, p profile.Profile) func(strata.Fact) bool {
	ids := make(map[string]bool)
	if about, found := p.About(subject); found {
		for _, g := range about.Groups {
			for _, e := range g.Entries {
				ids[e.ID] = true
			}
		}
		for _, e := range about.Rules {
			ids[e.ID] = true
		}
	}
	terms := text.Terms(subject)
	return func(f strata.Fact) bool {
		if ids[f.ID] || strings.EqualFold(f.Category, subject) {
			return true
		}
		said := make(map[string]bool)
		for _, t := range text.Terms(joined(f.Text, f.Entity, f.Attribute, f.Category)) {
			said[t] = true
		}
		for _, t := range terms {
			if !said[t] {
				return false
			}
		}
		return len(terms) > 0
	}
}

// knownText lists the facts of a page, one per line, or the categories if no subject was
// named.
func knownText(k Known) string {
	var b strings.Builder
	counts := make([]string, len(k.Categories))
	for i, c := range k.Categories {
		counts[i] = fmt.Sprintf("%s %d", fence.Line(c.Name), c.Facts)
	}
	about := ""
	if k.Subject != "" {
		about = " about " + fence.Line(k.Subject)
	}
	switch {
	case k.Total == 0 && k.Category != "" && len(counts) > 0:
		return "no fact" + about + " is in a category " + fence.Line(k.Category) + "; the categories are: " + strings.Join(counts, ", ")
	case k.Total == 0 && (k.Subject == "" || k.Category != ""):
		return "nothing is known yet"
	case k.Total == 0:
		return "no fact is known" + about + "; memory_recall also looks through notes and conversations"
	case len(k.Facts) == 0 && k.Subject == "" && k.Category == "":
		fmt.Fprintf(&b, "%d facts, by category: %s", k.Total, strings.Join(counts, ", "))
		b.WriteString("\nlist one with category, or name a subject")
		return b.String()
	case len(k.Facts) == 0:
		return "no further facts"
	}
	lines := make([]string, len(k.Facts))
	for i, f := range k.Facts {
		lines[i] = fmt.Sprintf("%d. %s", i+1, fence.Item(f.Text, []string{f.ID, f.Category, f.Scope, f.At.UTC().Format(time.DateOnly)}, f.Notes))
	}
	b.WriteString(blockOf(fmt.Sprintf("%d facts, by category: %s. %s", k.Total, strings.Join(counts, ", "), fence.AsData), lines))
	if k.Cursor != "" {
		fmt.Fprintf(&b, "\nmore: repeat the call with cursor %q", k.Cursor)
	}
	return b.String()
}
