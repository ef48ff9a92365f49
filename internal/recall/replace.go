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
	// minStated is the fraction of a fact's content words, in [0,1], that the sentence it
	// was learned from must hold. minRepeated is the same for a sentence in which an
	// assistant repeats a fact.
	minStated   = 0.5
	minRepeated = 0.66
	// minTold is the fraction of the content words of a turn's sentence, in [0,1], that
	// the facts must hold together to replace the turn.
	minTold = 0.6
	// enoughShared is how many content words a fact and a turn must share to count as
	// equal if their content words differ by one. Identical content words are always
	// enough.
	enoughShared = 3
)

// replaceTurns drops each turn that facts already say, and moves the best of these facts
// into its place. A fact that lacks evidence replaces nothing. A fact that was already
// shown or is shadowed still does: its turn repeats what was shown, or what does not hold
// here.
func (f *finder) replaceTurns(ranked []*candidate) []*candidate {
	if q := f.req.Query; q.Search || q.Sessions || !slices.ContainsFunc(ranked, isTurn) {
		return ranked
	}
	var facts []factTerms
	for _, c := range slices.Concat(f.ranked, ranked) { // includes facts of earlier rounds
		if fact := c.item.Fact; fact != nil {
			facts = append(facts, factTerms{c, contentTerms(fact.Text)})
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

// factTerms is a fact with its content words.
type factTerms struct {
	*candidate
	words []string
}

func isTurn(c *candidate) bool { return c.item.Turn != nil }

// isHit reports whether a candidate has enough evidence to be a hit.
func (f *finder) isHit(c *candidate) bool {
	return f.req.Query.All || f.evidenceOf(c) >= evidence.Floor(f.req.Query)
}

// replacement returns the best of the facts that say what a turn says about the question,
// or nil if they leave something out. Such a fact nearly equals the turn, was learned
// from the sentence of the turn that matches the question best (even in other words, if
// from this turn alone), or is repeated by an assistant in that sentence. For "I wear
// hearing aids, so I prefer text to calls", a fact that states only the preference is not
// enough, because it leaves out the reason.
func (f *finder) replacement(said *statement, facts []factTerms) *candidate {
	turn, sentence := said.c.item.Turn, said.text
	if sentence == "" { // no sentence holds a word of the question
		sentence = text.Head(turn.Text, maxStatementBytes)
	}
	held := contentTerms(sentence)
	all := held // content words of the whole turn, if it is short
	if len(sentence) < len(turn.Text) && len(turn.Text) <= maxStatementBytes {
		all = contentTerms(turn.Text)
	}
	var same []*candidate
	var told []string // words of the sentence that the facts have as well
	for _, fact := range facts {
		shared := sharedWords(fact.words, held)
		part := float64(len(shared)) / float64(max(len(fact.words), 1))
		sources := fact.item.Fact.Sources
		source := slices.Contains(sources, turn.ID)
		equal := nearlyEqual(fact, turn.Text, all)
		// A model may reword what the turn says, and an assistant may add to a fact.
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

// cover reports whether the facts together hold as much of the question as the turn does.
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

// markOutdated marks each turn that a superseded fact was learned from, if the
// superseding fact is ranked too. Unless the question asks for the past, it also moves
// that fact ahead of the turn.
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

// sortByScore orders candidates by score, best first. The sort is stable.
func sortByScore(ranked []*candidate) {
	slices.SortStableFunc(ranked, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
}

// nearlyEqual reports whether a fact and a turn with the given content words say nearly
// the same, and both or neither are negated.
func nearlyEqual(fact factTerms, turn string, words []string) bool {
	said := fact.item.Fact.Text
	if len(turn) > 2*len(said)+maxStatementBytes/16 {
		return false // the turn says more
	}
	shared := len(sharedWords(fact.words, words))
	most, least := max(len(fact.words), len(words)), min(len(fact.words), len(words))
	same := shared == most || shared >= enoughShared && shared == most-1 && shared == least
	return shared > 0 && same && denies(said) == denies(turn)
}

// sharedWords returns the words that are also in others.
func sharedWords(words, others []string) []string {
	var out []string
	for _, w := range words {
		if slices.Contains(others, w) {
			out = append(out, w)
		}
	}
	return out
}

// denies reports whether a text holds a negation.
func denies(s string) bool {
	for _, w := range text.Words(s) {
		if negations[w] || strings.HasSuffix(w, "n't") || strings.HasSuffix(w, "n’t") {
			return true
		}
	}
	return false
}

// negations are words that negate a statement, in the languages that have stop words
// here.
var negations = text.WordSet(`not no never none neither nor nobody nothing cannot
	nunca jamás nadie nada ni sin ne pas jamais aucun aucune rien
	nicht kein keine keinen keinem keiner nie niemals nichts non não`)
