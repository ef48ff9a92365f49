package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

// PutPromotion records a promotion, replacing an earlier one of the fact.
func (s usageScope) PutPromotion(ctx context.Context, p strata.Promotion) error {
	_, err := s.exec(ctx, `
		INSERT OR REPLACE INTO promotion (scope_no, fact_id, dream, at, score, recalls, questions, days, archived_at, archived)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		s.no, p.Fact, p.Dream, micros(p.At), p.Score, p.Recalls, p.Questions, p.Days, nullMicros(p.ArchivedAt), p.Archived)
	return err
}

// Promotions lists the promotions in MEMORY.md, or the archived ones, the newest
// first and then the strongest.
func (s usageScope) Promotions(ctx context.Context, archived bool) ([]strata.Promotion, error) {
	return collect(ctx, s.tx, `
		SELECT fact_id, dream, at, score, recalls, questions, days, archived_at, archived FROM promotion
		WHERE scope_no = ? AND (archived_at IS NOT NULL) = ? ORDER BY coalesce(archived_at, at) DESC, score DESC, fact_id`, []any{s.no, archived},
		func(scan scanner) (p strata.Promotion, err error) {
			var at int64
			var archivedAt sql.NullInt64
			err = scan(&p.Fact, &p.Dream, &at, &p.Score, &p.Recalls, &p.Questions, &p.Days, &archivedAt, &p.Archived)
			p.Scope, p.At, p.ArchivedAt = s.of, fromMicros(at), fromNullMicros(archivedAt)
			return p, err
		})
}

// Append records a dream; the oldest make room for it.
func (s usageScope) Append(ctx context.Context, d strata.Dream) error {
	items, err := json.Marshal(d.Items)
	if err != nil {
		return strata.Invalid("append dream", "the dream holds a value that is not a number", "check the scores")
	}
	number, err := s.Last(ctx, "dream")
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, `
		INSERT INTO dream (number, scope_no, id, trigger, started_at, finished_at, considered, promoted, archived, merged, settled, asked, tagged,
			failure, items, projected_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		number+1, s.no, d.ID, d.Trigger, micros(d.StartedAt), micros(d.FinishedAt), d.Considered, d.Promoted, d.Archived, d.Merged, d.Settled,
		d.Asked, d.Tagged, d.Failure, string(items), nullMicros(d.ProjectedAt))
	if err != nil {
		return err
	}
	return s.keep(ctx, "dream", number+1, store.KeptDreams)
}

const dreamSelect = `
	SELECT id, trigger, started_at, finished_at, considered, promoted, archived, merged, settled, asked, tagged, failure, items, projected_at
	FROM dream
	`

func (s usageScope) scanDream(scan scanner) (d strata.Dream, err error) {
	var started, finished int64
	var items string
	var projected sql.NullInt64
	err = scan(&d.ID, &d.Trigger, &started, &finished, &d.Considered, &d.Promoted, &d.Archived, &d.Merged, &d.Settled, &d.Asked, &d.Tagged,
		&d.Failure, &items, &projected)
	if err == nil {
		if json.Unmarshal([]byte(items), &d.Items) != nil {
			err = database.Corrupt("read dream", "the items of dream "+d.ID+" are not JSON")
		}
	}
	d.Scope, d.StartedAt, d.FinishedAt, d.ProjectedAt = s.of, fromMicros(started), fromMicros(finished), fromNullMicros(projected)
	return d, err
}

// Dreams lists dreams, the newest first.
func (s usageScope) Dreams(ctx context.Context, outstanding bool, limit int) ([]strata.Dream, error) {
	low, high := passage.Numbers(s.no)
	return collect(ctx, s.tx, dreamSelect+`WHERE number BETWEEN ? AND ? AND (NOT ? OR projected_at IS NULL) ORDER BY number DESC LIMIT ?`,
		[]any{low, high, outstanding, limit}, s.scanDream)
}

// Dream returns the dream with an id.
func (s usageScope) Dream(ctx context.Context, id string) (strata.Dream, error) {
	return queryOne(ctx, s.tx, dreamSelect+`WHERE scope_no = ? AND id = ?`, []any{s.no, id}, s.scanDream)
}

// Stamp records that the dreams up to the given one are applied to files.
func (s usageScope) Stamp(ctx context.Context, id string, at int64) error {
	low, _ := passage.Numbers(s.no)
	_, err := s.exec(ctx, `
		UPDATE dream SET projected_at = ?3
		WHERE number BETWEEN ?4 AND (SELECT number FROM dream WHERE scope_no = ?1 AND id = ?2) AND projected_at IS NULL`, s.no, id, at, low)
	return err
}

// dueDreams selects the keys of the scopes that are due to dream: somebody has asked
// them something, or they have at least ?4 current facts whose tags are not known to
// be of version ?3, and their newest dream did not begin between ?1 and ?2.
const dueDreams = `
	SELECT s.key FROM scope AS s
	WHERE (EXISTS (SELECT 1 FROM recall_event AS e WHERE e.number BETWEEN s.no << 40 AND (s.no << 40) + (1 << 40) - 1 AND NOT e.automatic)
			OR (SELECT count(*) FROM (SELECT 1 FROM fact AS f
				WHERE f.number BETWEEN max(s.no << 40, coalesce((SELECT g.through + 1 FROM tagging AS g WHERE g.scope_no = s.no AND g.version = ?3), 0))
					AND (s.no << 40) + (1 << 40) - 1 AND f.retired_at IS NULL
				LIMIT ?4)) >= ?4)
		AND NOT coalesce((SELECT d.started_at BETWEEN ?1 AND ?2 FROM dream AS d
			WHERE d.number BETWEEN s.no << 40 AND (s.no << 40) + (1 << 40) - 1 ORDER BY d.number DESC LIMIT 1), FALSE)
	ORDER BY s.key`

// outstandingDreams selects the keys of the scopes with dreams that are not applied
// to files yet.
const outstandingDreams = `
	SELECT DISTINCT s.key FROM dream AS d INDEXED BY dream_outstanding JOIN scope AS s ON s.no = d.scope_no
	WHERE d.projected_at IS NULL ORDER BY s.key`

// Forget removes what is kept about a forgotten memory: its promotion, the questions
// about it, and the items of dreams that mention it.
func (s usageScope) Forget(ctx context.Context, memory string) error {
	for _, statement := range []string{
		`DELETE FROM promotion WHERE scope_no = ?1 AND fact_id = ?2`,
		`DELETE FROM question WHERE scope_no = ?1 AND ?2 IN (first_fact, second_fact)`,
	} {
		if _, err := s.exec(ctx, statement, s.no, memory); err != nil {
			return err
		}
	}
	low, high := passage.Numbers(s.no)
	_, err := s.exec(ctx, `
		UPDATE dream SET items = (SELECT iif(count(*) = 0, 'null', json_group_array(json(value))) FROM json_each(items) WHERE value ->> 'memory' <> ?3
			AND coalesce(value ->> 'with', '') <> ?3)
		WHERE number BETWEEN ?1 AND ?2 AND instr(items, ?3) > 0`, low, high, memory)
	return err
}
