package sqlite

import (
	"context"
	"encoding/binary"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// A chat asks for facts alone, which are few beside its turns. The full-text
// tables hold both, and a lookup walks through what turns have there: in a chat
// of 5,000 turns a recall took four times as long as in one of 1,000. So few
// facts are read one by one.

const (
	// readFacts is the most facts that are read one by one, which takes 2 to 3
	// microseconds each.
	readFacts = 1024
	// outnumbered is by how much other passages must outnumber the facts.
	outnumbered = 4
)

// fewFacts reports whether facts alone are looked for, of which there are few
// beside other passages.
func (t *tx) fewFacts(ctx context.Context, scopeNo int64, f store.Filter) (bool, error) {
	if len(f.Kinds) != 1 || f.Kinds[0] != strata.KindFact || f.AsOf != nil {
		return false, nil
	}
	facts, _, err := t.countPassages(ctx, scopeNo, f)
	if err != nil || facts > readFacts {
		return false, err
	}
	all, _, err := t.countPassages(ctx, scopeNo, store.Filter{})
	return areFew(facts, all), err
}

// areFew reports whether a scope has few facts among all its passages.
func areFew(facts, all int64) bool { return facts <= readFacts && all > outnumbered*facts }

// The passages of the facts of a scope, whose number is in ?1 above scopeBits.
// What is joined to them stands between the two.
const (
	eachFact = `
		FROM ` + currentFacts
	ofTheScope = `
		WHERE f.scope_no = ?1 >> 40 AND f.retired_at IS NULL AND ` + passes
)

// factsHolding is what MatchSubstring finds: what was indexed stands beside the
// index as it was.
const factsHolding = `SELECT p.number, p.parent, p.seq, p.words, p.kind` + eachFact + joinNormal + ofTheScope + `
	AND instr(` + normalText + `, ?8) > 0 ORDER BY p.number DESC LIMIT ?9`

const factTerms = `SELECT pack(number, parent, seq, words, kind, terms) FROM (
	SELECT p.number, p.parent, p.seq, p.words, p.kind, CAST(` + termsOfPassage + ` AS BLOB) AS terms` + eachFact + joinTerms + ofTheScope + `
	LIMIT -1)`

// readTerms counts terms in the facts of a scope. It reports false where a fact
// holds what the index would take for several terms.
func (t *tx) readTerms(ctx context.Context, scopeNo int64, terms []string, f store.Filter) (found matched, ok bool, err error) {
	var packed []byte
	if err := t.queryRow(ctx, factTerms, filterArgs(scopeNo, f)...).Scan(&packed); err != nil {
		return found, false, err
	}
	number := make(map[string]uint32, len(terms))
	same := make([]int32, len(terms))
	for i, term := range terms {
		number[term], same[i] = uint32(i), int32(i)
	}
	counts := make([]uint32, len(terms))
	for len(packed) > 0 {
		meta, text, rest, err := unpackMeta(packed)
		if err != nil {
			return found, false, err
		}
		packed = rest
		clear(counts)
		any := false
		for term := range termsIn(string(text)) {
			if !isTerm(term) {
				return matched{}, false, nil
			}
			if i, ok := number[term]; ok {
				counts[i]++
				any = true
			}
		}
		if !any {
			continue
		}
		var hits []byte
		for i, n := range counts {
			if n > 0 {
				hits = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(hits, uint32(i)), n)
			}
		}
		found.rows = append(found.rows, matchedRow{meta: meta, hits: hits, terms: same})
	}
	return found, true, nil
}

// matches fills in what was found.
func (m *matched) matches(out store.Matches, terms int, places []int) store.Matches {
	var hits [][]store.TermHit
	out.Passages, hits = m.byTerm(terms)
	tell(&out, hits, places)
	return out
}

// tell gives each term of the query the hits of its place.
func tell(out *store.Matches, hits [][]store.TermHit, places []int) {
	for i, at := range places {
		if at >= 0 {
			out.Terms[i] = hits[at]
			out.Frequency[i] = int64(len(hits[at]))
		}
	}
}
