package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/evidence"
	"github.com/strata-memory/strata/internal/recall/question"
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
	// A turn and a fact that was not learnt from it say the same if they have the same
	// content words, or enoughShared of them and one of the two no more than one beyond.
	enoughShared = 3
)

// replaceTurns drops each turn where facts say the same, and puts the best of these in
// its place. A fact without evidence replaces nothing. One that was shown already, or is
// shadowed, does: its turn says what was shown, or what does not hold here.
func (f *finder) replaceTurns(ranked []*candidate) []*candidate {
	if q := f.req.Query; q.Search || q.Sessions || !slices.ContainsFunc(ranked, isTurn) {
		return ranked
	}
	var facts []learnt
	for _, c := range slices.Concat(f.ranked, ranked) { // also those that were ranked before
		if fact := c.item.Fact; fact != nil {
			facts = append(facts, learnt{c, contentTerms(fact.Text)})
		}
	}
	if len(facts) == 0 {
		return ranked
	}
	known := f.knownTerms()
	out := slices.DeleteFunc(ranked, func(c *candidate) bool {
		if !isTurn(c) {
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

// learnt is a fact with its content words.
type learnt struct {
	*candidate
	words []string
}

func isTurn(c *candidate) bool { return c.item.Turn != nil }

// isHit reports whether a candidate has evidence enough to be one.
func (f *finder) isHit(c *candidate) bool {
	return f.req.Query.All || f.evidenceOf(c) >= evidence.Floor(f.req.Query)
}

// replacement returns the best of some facts that say what a turn says of the
// question; nil if they leave something out. They were learnt from the sentence that
// matches the question best, or an assistant repeats one in it. Of "I wear hearing
// aids, so I prefer text to calls" a fact that tells the preference alone does not
// say the reason.
func (f *finder) replacement(said *statement, facts []learnt) *candidate {
	turn, sentence := said.c.item.Turn, said.text
	if sentence == "" { // no word of the question is in it
		sentence = text.Head(turn.Text, maxStatementBytes)
	}
	held := contentTerms(sentence)
	all := held // content words of the turn, which are of interest if it is short
	if len(sentence) < len(turn.Text) && len(turn.Text) <= maxStatementBytes {
		all = contentTerms(turn.Text)
	}
	var same []*candidate
	var told []string // words of the sentence that the facts have, too
	for _, fact := range facts {
		shared := sharedWords(fact.words, held)
		part := float64(len(shared)) / float64(max(len(fact.words), 1))
		sources := fact.item.Fact.Sources
		source := slices.Contains(sources, turn.ID)
		equal := nearlyEqual(fact, turn.Text, all)
		// A model may say it in other words, an assistant adds what it likes.
		reworded := source && len(sources) == 1 && part < minStated && len(held) <= 2*len(fact.words)
		repeated := !source && turn.Role == strata.RoleAssistant && part >= minRepeated
		if !equal && !reworded && !repeated && (!source || part < minStated) || !f.isHit(fact.candidate) {
			continue
		}
		if equal {
			return fact.candidate
		}
		if reworded || repeated {
			shared = held
		}
		same, told = append(same, fact.candidate), append(told, shared...)
	}
	slices.Sort(told)
	if len(same) == 0 || float64(len(slices.Compact(told))) < minTold*float64(len(held)) || !f.cover(same, said.c) {
		return nil
	}
	return same[0]
}

// cover reports whether facts have together what a turn itself has of the question.
func (f *finder) cover(facts []*candidate, turn *candidate) bool {
	if turn.matched < 0 {
		return true
	}
	var terms []int
	for _, t := range turn.pool.freqs[turn.matched] {
		if i := int(t.feature); i < len(f.query.terms) {
			terms = append(terms, i)
		}
	}
	by := make([][]float64, len(facts))
	for i, c := range facts {
		by[i] = f.supportOf(c)
	}
	return f.asked.Covers(terms, by)
}

// markOutdated marks the turns from which a fact was learnt that another one, which is
// ranked too, superseded, and puts that before them unless the question asks for the
// past.
func (f *finder) markOutdated(ctx context.Context, ranked []*candidate) error {
	if f.req.Query.Sessions || !slices.ContainsFunc(ranked, isTurn) {
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
			if t.score > c.score && f.req.Analysis.Value == question.NewestValue {
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

// nearlyEqual reports whether a fact and a turn of some content words say nearly the
// same, and both or neither deny it.
func nearlyEqual(fact learnt, turn string, words []string) bool {
	said := fact.item.Fact.Text
	if len(turn) > 2*len(said)+maxStatementBytes/16 {
		return false // it says more
	}
	shared := len(sharedWords(fact.words, words))
	most, least := max(len(fact.words), len(words)), min(len(fact.words), len(words))
	same := shared == most || shared >= enoughShared && shared == most-1 && shared == least
	return shared > 0 && same && denies(said) == denies(turn)
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
