package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata/internal/index/passage"
)

// Untagged lists the numbers of current facts whose concept tags are not known to be
// of a version, ascending.
func (s usageScope) Untagged(ctx context.Context, version, limit int) ([]int64, error) {
	low, high := passage.Numbers(s.no)
	through, err := queryOne(ctx, s.tx, `SELECT through FROM tagging WHERE scope_no = ? AND version = ?`, []any{s.no, version}, scanNumber)
	if err == nil {
		low = through + 1
	} else if !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	return collect(ctx, s.tx, `SELECT number FROM fact WHERE number BETWEEN ? AND ? AND retired_at IS NULL ORDER BY number LIMIT ?`,
		[]any{low, high, limit}, scanNumber)
}

// Tagged records that the tags of all facts up to a number are of a version.
func (s usageScope) Tagged(ctx context.Context, version int, through int64) error {
	_, err := s.exec(ctx, `INSERT OR REPLACE INTO tagging (scope_no, version, through) VALUES (?, ?, ?)`, s.no, version, through)
	return err
}
