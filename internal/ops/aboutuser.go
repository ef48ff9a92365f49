package ops

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/profile"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// asksForUser matches questions that ask for everything known about the user. No fact
// contains the words of such a question, so no ranking by words or meaning can answer it.
var asksForUser = lazyregexp.New(`(?i)^\W*(?:(?:so|and|hi|hey|hello|now|please|just|tell me|show me|list|summari[sz]e|say|can you|could you)\W+)*(?:` + strings.Join([]string{
	`(?:what|who) (?:all |exactly |else )?(?:do|can|did) you (?:already |still |actually )?(?:know|remember|recall|have|learn|tell me)(?: is)?(?: about| of| on)? (?:me|myself|the user)`,
	`what(?:'s| is| has been| have you)? ?(?:known|remembered|saved|stored|learn(?:ed|t)) (?:about|of|on) (?:me|the user)`,
	`what you (?:know|remember) (?:about|of) (?:me|the user)`,
	`(?:everything|anything|all|all (?:the )?facts|facts|information|details|things|memories|notes)(?: that)?(?: you (?:know|remember|have))? (?:about|of|on) (?:me|myself|the user)`,
	`(?:about|know|remember) (?:me|the user)`,
	`who am i`, `who is the user`, `(?:my|the) (?:user )?profile`,
	`was wei(?:ß|ss)t du (?:alles )?(?:schon )?über mich`, `wer bin ich`,
	`qué sabes (?:de|sobre) mí`, `que sais-tu (?:de|sur) moi`, `cosa sai di me`, `o que (?:você )?sabe (?:de|sobre) mim`, `wat weet je (?:over|van) mij`,
	`co o mnie wiesz`, `что ты (?:обо мне знаешь|знаешь обо мне)`,
}, "|") + `)(?: so far| already| now| in memory| from memory)?\W*$`)

// isUser reports whether a subject is the user.
func isUser(subject string) bool {
	switch strings.ToLower(subject) {
	case "me", "myself", "i", "user", "the user":
		return true
	}
	return asksForUser.MatchString(subject)
}

// factsOfUser returns the facts about the user and the standing rules that a filter
// selects.
func factsOfUser(ctx context.Context, env *operation.Env, f strata.FactFilter) (all []strata.Fact, err error) {
	for _, f.Type = range []strata.Type{strata.TypeUser, strata.TypeFeedback} {
		facts, err := env.Engine.AllFacts(ctx, env.View, f)
		if err != nil {
			return nil, err
		}
		all = append(all, facts...)
	}
	return all, nil
}

// userFacts returns the facts about the user and the standing rules, in the order of a
// profile.
func userFacts(ctx context.Context, env *operation.Env, asOf *time.Time) ([]strata.Fact, profile.Profile, error) {
	all, err := factsOfUser(ctx, env, strata.FactFilter{AsOf: asOf})
	if err != nil {
		return nil, profile.Profile{}, err
	}
	byID := make(map[string]strata.Fact)
	for _, f := range all {
		byID[f.ID] = f
	}
	p := profile.Of(all, nil)
	ordered := make([]strata.Fact, 0, len(all))
	take := func(entries []profile.Entry) {
		for _, e := range entries {
			if f, ok := byID[e.ID]; ok {
				ordered = append(ordered, f)
				delete(byID, e.ID)
			}
		}
	}
	for _, g := range p.Groups {
		take(g.Entries)
	}
	take(p.Rules)
	for _, f := range all { // the profile of an earlier time leaves some facts out
		if _, left := byID[f.ID]; left {
			ordered = append(ordered, f)
			delete(byID, f.ID)
		}
	}
	return ordered, p, nil
}

// recallUser answers a question that asks for everything known about the user.
func recallUser(ctx context.Context, env *operation.Env, q strata.Query) (Found, error) {
	b := budgetFor(env, q.Tokens)
	facts, _, err := userFacts(ctx, env, q.AsOf)
	if err != nil {
		return Found{}, err
	}
	var hits []Hit
	for _, f := range facts {
		if selected(q, f) {
			shown, length := b.fit(f.Text)
			hits = append(hits, hitOf(strata.Hit{
				ID: f.ID, Kind: strata.KindFact, Text: shown, Length: length, Score: 1, Evidence: 1, Tier: 1,
				Scope: f.Scope, Type: f.Type, Category: f.Category, At: f.RecordedAt, Notes: secrets.Warnings(f.Text),
			}))
		}
	}
	texts := operation.Each(hits, func(h Hit) string { return h.Text })
	limit := q.Limit
	if limit == 0 || env.Origin == strata.OriginTool {
		limit = len(hits) // the budget bounds it
	}
	from, to, tokens := page(texts, q.Offset, limit, b)
	out := Found{Hits: append([]Hit{}, hits[from:to]...), Notes: []string{"the question asks for everything about the user; these are the facts about them, in the order of a profile"}}
	if q.Tokens > 0 {
		out.Tokens = tokens
	}
	if to < len(hits) {
		out.Next = to
	}
	return out, nil
}

// selected reports whether the filters of a query admit a fact.
func selected(q strata.Query, f strata.Fact) bool {
	return !slices.Contains(q.Seen, f.ID) && (q.Category == "" || text.Normalize(f.Category) == text.Normalize(q.Category)) &&
		(len(q.Types) == 0 || slices.Contains(q.Types, f.Type))
}
