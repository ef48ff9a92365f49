package sessions

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/extract/language"
	"github.com/strata-memory/strata/internal/forget"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/topics"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// lexicon is the built-in knowledge of words.
var lexicon = sync.OnceValue(func() forget.Lexicon {
	words := builtin.ShippedWords()
	return forget.Lexicon{
		Known: func(word string) bool {
			_, known := words.Find(word)
			return known
		},
		General: topics.IsGeneral,
	}
})

// Telling returns how a fact was told, judging by its versions and by the turns in the
// view's scopes that it came from.
func Telling(ctx context.Context, r store.Reader, view strata.View, f strata.Fact) (*forget.Telling, error) {
	versions, err := r.FactVersions(ctx, f.Scope, f.ID)
	if err != nil {
		return nil, err
	}
	var sources []string
	for _, v := range versions {
		sources = append(sources, v.Sources...)
	}
	found, err := store.TurnsByID(ctx, r, view.Scopes, sources)
	if err != nil {
		return nil, err
	}
	turns := slices.Collect(maps.Values(found))
	told := &forget.Telling{Sources: sources, Sayings: forget.Sayings(versions, turns), Home: make(map[string]bool)}
	for _, t := range turns {
		told.Home[forget.Session(t.Scope, t.Session)] = true
	}
	var said []forget.Statement
	for _, v := range versions {
		said = append(said, statement(v.Text))
	}
	for _, s := range told.Sayings {
		said = append(said, statement(s))
	}
	words := lexicon()
	words.Shared = func(term string) bool {
		found, more := r.Match(ctx, f.Scope, []string{term}, store.Filter{Kinds: []strata.Kind{strata.KindFact}}, store.MatchOptions{Limit: 1})
		err = errors.Join(err, more)
		return more == nil && found.Frequency[0] >= sharedFacts
	}
	told.Values = forget.ValuesOf(said, words)
	return told, err
}

// sharedFacts is the number of facts from which a word that they hold is not a value of
// any of them.
const sharedFacts = 3

// ofUser changes a fact about the user from the third person to the first, which is the
// person that statements are parsed in. It covers languages whose verbs do not change
// with the person.
var ofUser = strings.NewReplacer("用户", "我", "使用者", "我", "ユーザー", "私")

// statement parses the text of a fact.
func statement(said string) forget.Statement {
	said = ofUser.Replace(said)
	_, entity, attribute := extract.Classify(text.Analyze(said))
	l := language.Of(said, nil)
	out := forget.Statement{
		Text: said, Value: extract.ValueOf(said),
		Named: attribute == "name" || attribute == "nickname",
		Cased: l == nil || l.Cased(),
	}
	thing, taste := strings.CutPrefix(attribute, "taste for ")
	if taste {
		attribute = ""
		if out.Value == "" {
			out.Value = thing
		}
	}
	out.Slot = strings.Join([]string{strings.TrimPrefix(entity, "user's "), attribute, extract.SubjectOf(said, entity).Relation}, " ")
	return out
}
