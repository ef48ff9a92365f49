package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

const (
	// minStated is the part of the content words of a fact that the sentence which it
	// was learnt from holds, in [0,1], and minRepeated the same of a sentence in which
	// an assistant repeats a fact.
	minStated   = 0.5
	minRepeated = 0.66
	// minTold is the part of the content words of that sentence that facts must have
	// together, in [0,1].
	minTold = 0.6
	// minCovered is the part of the question's words that a turn holds, in idf mass, of
	// which facts must have as much to take its place, and coveredFrom is the support
	// from which on a fact has a word.
	minCovered  = 0.8
	coveredFrom = 0.5
	// A turn and a fact that was not learnt from it say the same if they have the same
	// content words, or enoughShared of them and one of the two no more than one beyond.
	enoughShared = 3
)

// replaceTurns drops each turn where facts say the same, and puts the best of these in
// its place. A fact that is no hit itself replaces nothing, unless it was shown already
// or something stands in front of it: then the turn says what was said, or what does
// not hold here.
func (f *finder) replaceTurns(ranked []*candidate) []*candidate {
	if q := f.req.Query; q.Search || q.Sessions {
		return ranked
	}
	// Also those that were ranked before.
	facts := slices.DeleteFunc(slices.Concat(f.ranked, ranked), func(c *candidate) bool {
		return c.item.Fact == nil || f.evidenceOf(c) < Floor(f.req.Query) && !f.req.Query.All
	})
	if len(facts) == 0 {
		return ranked
	}
	known := f.knownTerms()
	out := slices.DeleteFunc(ranked, func(c *candidate) bool {
		if c.item.Turn == nil {
			return false
		}
		by := f.replacement(f.bestSentence(c, known), facts)
		if by != nil && by.score < c.score {
			by.why.Order += c.score - by.score
			by.score = c.score
		}
		return by != nil
	})
	sortByScore(out)
	return out
}

// replacement returns the best of some facts that say what a turn says of the
// question; nil if they leave something out. They were learnt from the sentence that
// matches the question best, or an assistant repeats one in it. Of "I wear hearing
// aids, so I prefer text to calls" a fact that tells the preference alone does not
// say the reason.
func (f *finder) replacement(said *statement, facts []*candidate) *candidate {
	turn, sentence := said.c.item.Turn, said.text
	if sentence == "" { // no word of the question is in it
		sentence = text.Head(turn.Text, maxStatementBytes)
	}
	held := contentTerms(sentence)
	var same []*candidate
	var told []string // words of the sentence that facts have, too
	whole := false    // that does not matter
	for _, fact := range facts {
		words := contentTerms(fact.item.Fact.Text)
		shared := sharedWords(words, held)
		part := float64(len(shared)) / float64(max(len(words), 1))
		sources := fact.item.Fact.Sources
		switch learnt := slices.Contains(sources, turn.ID); {
		case nearlyEqual(fact.item.Fact.Text, words, turn.Text):
			return fact
		case learnt && part >= minStated:
			told = append(told, shared...)
		case learnt && len(sources) == 1 && len(held) <= 2*len(words): // a model says it in other words
			whole = true
		case !learnt && turn.Role == strata.RoleAssistant && part >= minRepeated: // and adds what it likes
			whole = true
		default:
			continue
		}
		same = append(same, fact)
	}
	slices.Sort(told)
	whole = whole || float64(len(slices.Compact(told))) >= minTold*float64(len(held))
	if len(same) == 0 || !whole || !f.cover(same, said.c) {
		return nil
	}
	return same[0]
}

// cover reports whether facts have together what a turn itself has of the question.
func (f *finder) cover(facts []*candidate, turn *candidate) bool {
	if turn.matched < 0 {
		return true
	}
	held, covered := 0.0, 0.0
	for _, t := range turn.pool.freqs[turn.matched] {
		i := int(t.feature)
		if i >= len(f.query.terms) || f.query.weights[i] <= tagWeight {
			continue
		}
		weight, word := f.query.idf[i], f.query.words[i]
		if f.expected.loose[word] || bland[word] || f.expected.kind == nameAnswer && naming[word] {
			weight *= looseWeight
		}
		held += weight
		if slices.ContainsFunc(facts, func(c *candidate) bool { return f.supportOf(c)[i] >= coveredFrom }) {
			covered += weight
		}
	}
	return covered >= minCovered*held
}

// naming are the words by which a name is asked for: one turn says "called", a fact that
// was learnt from it "named".
var naming = text.WordSet(`called call name named names`)

// markOutdated marks the turns from which a fact was learnt that another one, which is
// ranked too, superseded, and puts that before them unless the question asks for the
// past.
func (f *finder) markOutdated(ctx context.Context, ranked []*candidate) error {
	if q := f.req.Query; q.Sessions {
		return nil
	}
	for _, c := range ranked {
		if c.item.Fact == nil || c.item.Fact.Supersedes == "" {
			continue
		}
		before, err := f.r.Fact(ctx, []strata.Scope{c.pool.scope}, c.item.Fact.Supersedes)
		if strata.CodeOf(err) == strata.CodeNotFound { // forgotten
			continue
		}
		if err != nil {
			return fmt.Errorf("read what %s supersedes: %w", c.item.Fact.ID, err)
		}
		for _, t := range ranked {
			if t.item.Turn == nil || !slices.Contains(before.Sources, t.item.Turn.ID) || slices.Contains(c.item.Fact.Sources, t.item.Turn.ID) {
				continue
			}
			t.newer = c
			if t.score > c.score && f.req.Analysis.Value == NewestValue {
				c.why.Order += t.score - c.score
				t.why.Order += c.score - t.score
				c.score, t.score = t.score, c.score
			}
		}
	}
	sortByScore(ranked)
	return nil
}

// sortByScore orders candidates again after some have changed their scores, and leaves
// equals as they are.
func sortByScore(ranked []*candidate) {
	slices.SortStableFunc(ranked, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
}

// nearlyEqual reports whether a fact of some content words and a turn say nearly the
// same, and both or neither deny it.
func nearlyEqual(fact string, words []string, turn string) bool {
	if len(turn) > 2*len(fact)+maxStatementBytes/16 {
		return false // it says more
	}
	others := contentTerms(turn)
	shared := len(sharedWords(words, others))
	most := max(len(words), len(others))
	same := shared == most || shared >= enoughShared && shared == most-1 && shared == min(len(words), len(others))
	return shared > 0 && same && denies(fact) == denies(turn)
}

// sharedWords returns those of some distinct words that are among others.
func sharedWords(words, others []string) []string {
	var out []string
	for _, w := range words {
		if slices.Contains(others, w) {
			out = append(out, w)
		}
	}
	return out
}

// denies reports whether a text holds a word that negates.
func denies(s string) bool {
	for _, w := range text.Words(s) {
		if negations[w] || strings.HasSuffix(w, "n't") || strings.HasSuffix(w, "n’t") {
			return true
		}
	}
	return false
}

// negations are words of the languages whose stop words are known that turn a
// statement into its opposite.
var negations = text.WordSet(`not no never none neither nor nobody nothing cannot
	nunca jamás nadie nada ni sin ne pas jamais aucun aucune rien
	nicht kein keine keinen keinem keiner nie niemals nichts non não`)
