package migration

import (
	"context"
	"encoding/binary"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/database"
)

// sketchUnfiled moves the near-duplicate keys that waited in table unfiled, before
// version 17, into table sketch. In a damaged home some may already be there.
func sketchUnfiled(ctx context.Context, c *database.Conn) error {
	rows, err := c.QueryContext(ctx, `SELECT number, bits, keys FROM unfiled`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var number, bits int64
		var keys []byte
		if err := rows.Scan(&number, &bits, &keys); err != nil {
			return err
		}
		for ; len(keys) >= 8; keys = keys[8:] {
			_, err := c.Exec(ctx, `INSERT OR IGNORE INTO sketch (scope_no, key, number, bits) VALUES (?, ?, ?, ?)`,
				[]any{passage.Scope(number), int64(binary.LittleEndian.Uint64(keys)), number, bits})
			if err != nil {
				return err
			}
		}
	}
	return rows.Err()
}
