package purge

import (
	"context"
	"slices"
)

// Flush makes FTS5 write out what it holds in memory, which FTS5 does at a
// savepoint. It must run between marking an entry as deleted and adding one with the
// same number: written out together they become one entry, which cannot be
// overwritten later without damage if the table has no positions. SQLite 3.54 writes
// a byte there that belongs to tables with positions.
func (p Purger) Flush(ctx context.Context, c Conn) error {
	for _, statement := range []string{`SAVEPOINT flush`, `RELEASE flush`} {
		if _, err := c.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// Overwrite sets whether removals from the full-text tables overwrite what they
// remove, or only mark it as deleted.
func (p Purger) Overwrite(ctx context.Context, c Conn, on bool) error {
	// FTS5 looks at the setting when it writes out what it holds in memory.
	if err := p.Flush(ctx, c); err != nil {
		return err
	}
	for _, table := range p.Tables {
		if _, err := c.ExecContext(ctx, `INSERT INTO `+table+` (`+table+`, rank) VALUES ('secure-delete', ?)`, on); err != nil {
			return err
		}
	}
	return nil
}

// OverwriteMarked overwrites what was marked as deleted. It takes as long as copying
// the full-text tables once.
func (p Purger) OverwriteMarked(ctx context.Context, c Conn) error {
	for _, table := range p.Tables {
		if err := p.writeAnew(ctx, c, table); err != nil {
			return err
		}
	}
	return nil
}

// writeAnew rewrites all segments of a full-text table. "optimize" does not rewrite
// a single segment, which may hold words that were added and removed before it was
// written; the table is then rebuilt.
func (p Purger) writeAnew(ctx context.Context, c Conn, table string) error {
	known, err := p.knows(ctx, c, table)
	if err != nil {
		return err
	}
	if !known {
		return Rebuild(ctx, c, table)
	}
	before, err := segments(ctx, c, table)
	if err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, `INSERT INTO `+table+` (`+table+`) VALUES ('optimize')`); err != nil {
		return err
	}
	after, err := segments(ctx, c, table)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(after, func(s int64) bool { return slices.Contains(before, s) }) || len(before) == 0 {
		return Rebuild(ctx, c, table)
	}
	return nil
}

// Rebuild recreates the index of a full-text table from its rows, in a transaction.
//
// A rebuild makes FTS5 forget that anything was removed with secure-delete, but
// other connections do not learn of that. One that then removes something would not
// record it again, and SQLite's check would report a leaf that it emptied as damage.
// Writing a setting, even unchanged, makes every connection read all settings again.
func Rebuild(ctx context.Context, c Conn, table string) error {
	for _, statement := range []string{
		`INSERT INTO ` + table + ` (` + table + `, rank) SELECT k, v FROM ` + table + `_config WHERE k = 'secure-delete'`,
		`INSERT INTO ` + table + ` (` + table + `) VALUES ('rebuild')`,
	} {
		if _, err := c.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// knows reports whether the index of a full-text table has a format known here.
func (p Purger) knows(ctx context.Context, c Conn, table string) (bool, error) {
	if p.Plain {
		return false, nil
	}
	var columns int
	err := c.QueryRowContext(ctx, `
		SELECT (SELECT count(*) FROM pragma_table_info(?1 || '_idx') WHERE name IN ('segid', 'term', 'pgno'))
			+ (SELECT count(*) FROM pragma_table_info(?1 || '_data') WHERE name IN ('id', 'block'))
			+ (SELECT count(*) FROM pragma_table_info(?1 || '_config') WHERE name IN ('k', 'v'))`, table).Scan(&columns)
	if err != nil || columns != 7 {
		return false, err
	}
	var known bool
	err = c.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+table+`_config WHERE k = 'version' AND v IN (?, ?))`,
		format, formatSecureDelete).Scan(&known)
	return known, err
}

// The versions that FTS5 assigns to the format of its index.
const (
	format             = 4
	formatSecureDelete = 5 // once something was removed with secure-delete on
)

// segments returns the numbers of the segments of a full-text table.
func segments(ctx context.Context, c Conn, table string) ([]int64, error) {
	rows, err := c.QueryContext(ctx, `SELECT DISTINCT segid FROM `+table+`_idx`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []int64
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, rows.Err()
}
