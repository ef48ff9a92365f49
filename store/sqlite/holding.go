package sqlite

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/lexical"
	"github.com/strata-memory/strata/index/passage"
)

// FactsHolding returns current facts that hold all of some terms, the newest first.
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
		// What is pending is not folded yet. Both parts end early. LIMIT keeps SQLite from merging them into one.
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
		var out []strata.Fact
		for _, number := range numbers {
			f, err := t.factByNumber(ctx, number)
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
		return out, nil
	})
}
