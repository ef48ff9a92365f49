package sqlite

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/lexical"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/store"
)

// Match returns the passages that hold any of the terms. It searches posting lists in
// memory if the scope is large enough and searched often enough to be there (see
// [lexical.Limits]), and otherwise reads the entries of each term from the store. Both
// ways apply the same filter, [passage.Filter], and find the same passages, except for
// what the options allow to leave out.
func (t *tx) Match(ctx context.Context, scope strata.Scope, terms []string, f store.Filter, o store.MatchOptions) (store.Matches, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return store.Matches{Terms: make([][]store.TermHit, len(terms)), Frequency: make([]int64, len(terms))}, err
	}
	words := t.lexicalIndex()
	t.readCodesAhead(ctx, no, f)
	q, err := words.Query(ctx, no, terms, f, o)
	if err != nil {
		return store.Matches{}, wrap("match words", err)
	}
	m, ok, err := words.Postings(ctx, q)
	if !ok && err == nil {
		m, err = words.Entries(ctx, q)
	}
	return m, wrap("match words", err)
}

// MatchPhrase returns the passages that hold the terms one after another. Those that
// hold them most often come first, then shorter ones, then newer ones.
func (t *tx) MatchPhrase(ctx context.Context, scope strata.Scope, terms []string, prefix bool, f store.Filter, limit int) ([]store.Meta, error) {
	if len(terms) == 0 || !all(terms, passage.IsTerm) {
		return nil, nil
	}
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return nil, err
	}
	words := t.lexicalIndex()
	pending, err := words.Pending(ctx, no)
	if err != nil {
		return nil, err
	}
	var counts packed.Rows
	err = pending.Phrase(terms, prefix, func(number, count int64) error { return counts.Add(number, count) })
	if err != nil {
		return nil, err
	}
	phrase := `"` + strings.Join(terms, " ") + `"`
	if prefix {
		phrase += " *"
	}
	if len(counts) == 0 {
		return t.matchFirst(ctx, no, f, limit, holdingPhrase, phrase)
	}
	return t.matchFirst(ctx, no, f, limit, holdingPhraseAny, phrase, []byte(counts))
}

// holdingPhrase selects what MatchPhrase finds in table term_index, and
// holdingPhraseAny what it finds there and among pending passages, whose numbers and
// counts are in ?10. phrase_count works only on rows of the table itself, so a LIMIT
// keeps SQLite from merging the queries.
const (
	holdingPhrase = `
		SELECT p.number, p.parent, p.seq, p.words, p.kind, p.type
		FROM term_index CROSS JOIN passage AS p ON p.number = term_index.rowid
		WHERE term_index MATCH ?8 AND term_index.rowid BETWEEN ?1 AND ?2 AND ` + passes + `
		ORDER BY phrase_count(term_index) DESC, p.words, p.number DESC LIMIT ?9`
	holdingPhraseAny = `
		SELECT number, parent, seq, words, kind, type FROM (
			SELECT * FROM (
				SELECT p.number, p.parent, p.seq, p.words, p.kind, p.type, phrase_count(term_index) AS times
				FROM term_index CROSS JOIN passage AS p ON p.number = term_index.rowid
				WHERE term_index MATCH ?8 AND term_index.rowid BETWEEN ?1 AND ?2 AND ` + passes + ` LIMIT -1)
			UNION ALL
			SELECT p.number, p.parent, p.seq, p.words, p.kind, p.type, j.c1
			FROM unpack(?10) AS j CROSS JOIN passage AS p ON p.number = j.c0
			WHERE ` + passes + `)
		ORDER BY times DESC, words, number DESC LIMIT ?9`
)

// FactsHolding returns current facts that hold all of the terms, the newest first.
func (t *tx) FactsHolding(ctx context.Context, scope strata.Scope, terms []string, limit int) ([]strata.Fact, error) {
	if len(terms) == 0 || !all(terms, passage.IsTerm) {
		return nil, nil
	}
	return inScope(ctx, t, scope, "find facts holding", func(no int64) ([]strata.Fact, error) {
		low, high := passage.Numbers(no)
		args := []any{`"` + strings.Join(terms, `" AND "`) + `"`, low, high, passage.KindCode(strata.KindFact), limit}
		for _, term := range terms {
			args = append(args, " "+lexical.Fold(term)+" ")
		}
		// Pending terms are not folded yet. Both parts can stop early; LIMIT keeps
		// SQLite from merging them.
		numbers, err := t.queryIntegers(ctx, 1, `
			SELECT number FROM (
				SELECT * FROM (
					SELECT p.number FROM term_index CROSS JOIN passage AS p ON p.number = term_index.rowid
					WHERE term_index MATCH ?1 AND term_index.rowid BETWEEN ?2 AND ?3 AND p.kind = ?4 AND p.retired_at IS NULL
					ORDER BY term_index.rowid DESC LIMIT ?5)
				UNION ALL
				SELECT * FROM (
					SELECT p.number FROM pending AS w CROSS JOIN passage AS p ON p.number = w.number
					WHERE w.number BETWEEN ?2 AND ?3 AND p.kind = ?4 AND p.retired_at IS NULL`+
			strings.Repeat(` AND instr(' ' || replace(w.terms, 'ς', 'σ') || ' ', ?) > 0`, len(terms))+`
					ORDER BY w.number DESC LIMIT ?5))
			ORDER BY number DESC LIMIT ?5`, args...)
		if err != nil {
			return nil, err
		}
		return t.factsOf(ctx, numbers)
	})
}

// trigramRunes is the length of a trigram.
const trigramRunes = 3

// maxPieces bounds the trigrams looked up for one substring. Matches are checked
// against the text, so a few trigrams that lie apart narrow the search down enough.
const maxPieces = 6

// MatchSubstring returns passages whose normalized text contains that of s, newest
// first. It finds nothing if s has fewer than 3 characters.
func (t *tx) MatchSubstring(ctx context.Context, scope strata.Scope, s string, f store.Filter, limit int) ([]store.Meta, error) {
	s = trigramText(s)
	if utf8.RuneCountInString(s) < trigramRunes {
		return nil, nil
	}
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return nil, err
	}
	return t.matchFirst(ctx, no, f, limit, holding, s, piecesOf(s), store.SubstringTexts)
}

// piecesOf returns the FTS5 query for the trigrams of s, or for an even selection of
// them if there are too many.
func piecesOf(s string) string {
	runes := []rune(s)
	n := len(runes) - trigramRunes + 1
	take := min(n, maxPieces)
	quoted := make([]string, take)
	for i := range quoted {
		at := i
		if n > maxPieces {
			at = i * (n - 1) / (maxPieces - 1)
		}
		trigram := string(runes[at : at+trigramRunes])
		quoted[i] = `"` + strings.ReplaceAll(trigram, `"`, `""`) + `"`
	}
	return strings.Join(quoted, " AND ")
}

// matchFirst runs a query that takes the parameters of the filter, what to look for
// (?8), the limit (?9) and more, and returns the passages found. A limit of 0 finds
// nothing.
func (t *tx) matchFirst(ctx context.Context, scopeNo int64, f store.Filter, limit int, query, match string, more ...any) ([]store.Meta, error) {
	if limit <= 0 {
		return nil, nil
	}
	return collect(ctx, t, query, filterArgs(scopeNo, f, append([]any{match, limit}, more...)...), scanMeta)
}

// scanMeta reads the columns number, parent, seq, words, kind and type.
func scanMeta(scan scanner) (store.Meta, error) {
	var m store.Meta
	var kind, code int64
	err := scan(&m.Number, &m.Parent, &m.Seq, &m.Words, &kind, &code)
	m.Kind, m.Speech = passage.KindOf(kind), passage.SpeechOf(code)
	return m, err
}

func all(ss []string, ok func(string) bool) bool {
	return !slices.ContainsFunc(ss, func(s string) bool { return !ok(s) })
}
