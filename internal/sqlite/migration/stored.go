package migration

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/strata-memory/strata/internal/sqlite/database"
)

// Stored returns the statements that created the tables, indexes and triggers of a
// database, as the database stores them, keyed by what they created, such as "table
// fact".
func Stored(ctx context.Context, c *database.Conn) (map[string]string, error) {
	rows, err := c.QueryContext(ctx, `SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := make(map[string]string)
	for rows.Next() {
		var made, statement string
		if err := rows.Scan(&made, &statement); err != nil {
			return nil, err
		}
		out[made] = statement
	}
	return out, rows.Err()
}

// Differing lists what a database lacks compared to a new one, or has with another
// statement. If a bit of a stored statement flips, the database may still open, but
// with other columns.
func Differing(stored, anew map[string]string) (list []string) {
	for _, made := range slices.Sorted(maps.Keys(anew)) {
		if statement, ok := stored[made]; !ok || statement != anew[made] {
			list = append(list, made)
		}
	}
	return list
}

// CheckStored is like Differing, for a database of any version.
func CheckStored(ctx context.Context, c *database.Conn) ([]string, error) {
	applied, err := appliedSteps(ctx, c)
	if err != nil {
		return nil, err
	}
	stored, err := Stored(ctx, c)
	if err != nil {
		return nil, err
	}
	pool := database.Memory()
	defer pool.Close()
	only, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	fresh := database.NewConn(only)
	defer fresh.Close()
	if _, err := Make(ctx, fresh, len(applied), time.Now()); err != nil {
		return nil, fmt.Errorf("make schema %d: %w", len(applied), err)
	}
	anew, err := Stored(ctx, fresh)
	return Differing(stored, anew), err
}
