package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

// PutPromotion records a promotion, replacing an earlier one of the fact.
func (t *tx) PutPromotion(ctx context.Context, p strata.Promotion) error {
	return t.execScope(ctx, "put promotion", p.Scope, `
		INSERT OR REPLACE INTO promotion (scope_no, fact_id, dream, at, score, recalls, questions, days, archived_at, archived)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		p.Fact, p.Dream, micros(p.At), p.Score, p.Recalls, p.Questions, p.Days, nullMicros(p.ArchivedAt), p.Archived)
}

// Promotions lists the promotions in MEMORY.md, or the archived ones, the newest
// first and then the strongest.
func (t *tx) Promotions(ctx context.Context, scope strata.Scope, archived bool) ([]strata.Promotion, error) {
	return inScope(ctx, t, scope, "list promotions", func(no int64) ([]strata.Promotion, error) {
		return collect(ctx, t, `
			SELECT fact_id, dream, at, score, recalls, questions, days, archived_at, archived FROM promotion
			WHERE scope_no = ? AND (archived_at IS NOT NULL) = ? ORDER BY coalesce(archived_at, at) DESC, score DESC, fact_id`, []any{no, archived},
			func(scan scanner) (strata.Promotion, error) {
				p := strata.Promotion{Scope: scope}
				var at int64
				var archivedAt sql.NullInt64
				err := scan(&p.Fact, &p.Dream, &at, &p.Score, &p.Recalls, &p.Questions, &p.Days, &archivedAt, &p.Archived)
				p.At, p.ArchivedAt = fromMicros(at), fromNullMicros(archivedAt)
				return p, err
			})
	})
}

// AppendDream records a dream; the oldest make room for it.
func (t *tx) AppendDream(ctx context.Context, d strata.Dream) error {
	const op = "append dream"
	if err := strata.ValidateName("dream id", d.ID); err != nil {
		return err
	}
	err := t.writeScope(ctx, op, d.Scope, func(no int64) error {
		items, err := json.Marshal(d.Items)
		if err != nil {
			return strata.Invalid(op, "the dream holds a value that is not a number", "check the scores")
		}
		number, err := t.lastNumber(ctx, "dream", no)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, `
			INSERT INTO dream (number, scope_no, id, trigger, started_at, finished_at, considered, promoted, archived, merged, settled, asked, tagged,
				failure, items, projected_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			number+1, no, d.ID, d.Trigger, micros(d.StartedAt), micros(d.FinishedAt), d.Considered, d.Promoted, d.Archived, d.Merged, d.Settled,
			d.Asked, d.Tagged, d.Failure, string(items), nullMicros(d.ProjectedAt))
		if err != nil {
			return err
		}
		return t.keepNewest(ctx, "dream", no, number+1, store.KeptDreams)
	})
	if database.IsConstraint(err) {
		return conflict(op, "dream "+d.ID+" already exists")
	}
	return err
}

// dreamSelect reads dreams for readDream. The caller appends a condition.
const dreamSelect = `
	SELECT id, trigger, started_at, finished_at, considered, promoted, archived, merged, settled, asked, tagged, failure, items, projected_at
	FROM dream
	`

// readDream reads a row of dreamSelect, a dream of a scope.
func readDream(scope strata.Scope, scan scanner) (strata.Dream, error) {
	d := strata.Dream{Scope: scope}
	var started, finished int64
	var items string
	var projected sql.NullInt64
	err := scan(&d.ID, &d.Trigger, &started, &finished, &d.Considered, &d.Promoted, &d.Archived, &d.Merged, &d.Settled, &d.Asked, &d.Tagged,
		&d.Failure, &items, &projected)
	if err != nil {
		return d, err
	}
	d.StartedAt, d.FinishedAt, d.ProjectedAt = fromMicros(started), fromMicros(finished), fromNullMicros(projected)
	if json.Unmarshal([]byte(items), &d.Items) != nil {
		return d, database.Corrupt("read dream", "the items of dream "+d.ID+" are not JSON")
	}
	return d, nil
}

// Dreams lists dreams of a scope, the newest first.
func (t *tx) Dreams(ctx context.Context, scope strata.Scope, f store.DreamFilter) ([]strata.Dream, error) {
	return inScope(ctx, t, scope, "list dreams", func(no int64) ([]strata.Dream, error) {
		low, high := passage.Numbers(no)
		return collect(ctx, t, dreamSelect+`WHERE number BETWEEN ? AND ? AND (NOT ? OR projected_at IS NULL) ORDER BY number DESC LIMIT ?`,
			[]any{low, high, f.Outstanding, clampLimit(f.Limit)}, func(scan scanner) (strata.Dream, error) { return readDream(scope, scan) })
	})
}

// Dream returns a dream of one of the scopes.
func (t *tx) Dream(ctx context.Context, scopes []strata.Scope, id string) (strata.Dream, error) {
	return inScopes(ctx, t, scopes, "read dream", "dream", id, func(scope strata.Scope, no int64) (strata.Dream, error) {
		return readDream(scope, t.queryRow(ctx, dreamSelect+`WHERE scope_no = ? AND id = ?`, no, id).Scan)
	})
}

// StampDreams records that the dreams up to the given one are applied to files.
func (t *tx) StampDreams(ctx context.Context, scope strata.Scope, id string) error {
	return t.execScope(ctx, "stamp dreams", scope, `
		UPDATE dream SET projected_at = ?3
		WHERE number BETWEEN ?1 << 40 AND (SELECT number FROM dream WHERE scope_no = ?1 AND id = ?2) AND projected_at IS NULL`, id, micros(t.now))
}

// DreamScopes lists the scopes that are due to dream: somebody has asked them
// something, or they have at least ?4 current facts whose tags are not known to be of
// version ?3, and their newest dream did not begin between ?1 and ?2.
func (t *tx) DreamScopes(ctx context.Context, before time.Time, version, facts int) ([]strata.Scope, error) {
	return t.keys(ctx, `
		SELECT s.key FROM scope AS s
		WHERE (EXISTS (SELECT 1 FROM recall_event AS e WHERE e.number BETWEEN s.no << 40 AND (s.no << 40) + (1 << 40) - 1 AND NOT e.automatic)
				OR (SELECT count(*) FROM (SELECT 1 FROM fact AS f
					WHERE f.number BETWEEN max(s.no << 40, coalesce((SELECT g.through + 1 FROM tagging AS g WHERE g.scope_no = s.no AND g.version = ?3), 0))
						AND (s.no << 40) + (1 << 40) - 1 AND f.retired_at IS NULL
					LIMIT ?4)) >= ?4)
			AND NOT coalesce((SELECT d.started_at BETWEEN ?1 AND ?2 FROM dream AS d
				WHERE d.number BETWEEN s.no << 40 AND (s.no << 40) + (1 << 40) - 1 ORDER BY d.number DESC LIMIT 1), FALSE)
		ORDER BY s.key`, micros(before), micros(t.now), version, facts)
}

// forgetDreams removes what dreams kept about a forgotten memory: its promotion, the
// questions about it, and the items that mention it.
func (f *forgetting) forgetDreams(ctx context.Context) error {
	for _, statement := range []string{
		`DELETE FROM promotion WHERE scope_no = ?1 AND fact_id = ?2`,
		`DELETE FROM question WHERE scope_no = ?1 AND ?2 IN (first_fact, second_fact)`,
		`UPDATE dream SET items = (SELECT iif(count(*) = 0, 'null', json_group_array(json(value))) FROM json_each(items) WHERE value ->> 'memory' <> ?2
			AND coalesce(value ->> 'with', '') <> ?2)
		WHERE number BETWEEN ?1 << 40 AND (?1 << 40) + (1 << 40) - 1 AND instr(items, ?2) > 0`,
	} {
		if _, err := f.exec(ctx, statement, f.scopeNo, f.subject.ID); err != nil {
			return err
		}
	}
	return nil
}
