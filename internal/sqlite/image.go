package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
)

// readImages fills in the images of a turn. If data is false, it fills in only their
// media types and does not read the pages of the data.
func (t *tx) readImages(ctx context.Context, u *turnRow, data bool) (err error) {
	query := `SELECT media_type, NULL FROM turn_image WHERE number = ? ORDER BY place`
	if data {
		query = `SELECT media_type, data FROM turn_image WHERE number = ? ORDER BY place`
	}
	u.Images, err = collect(ctx, t, query, []any{u.number}, func(scan scanner) (img strata.Image, err error) {
		return img, scan(&img.MediaType, &img.Data)
	})
	if err == nil && len(u.Images) != u.images {
		return database.Corrupt("read turn", "images of turn "+u.ID+" are missing")
	}
	return err
}

// putImages stores the images of a turn.
func (t *tx) putImages(ctx context.Context, number int64, images []strata.Image) error {
	for i, img := range images {
		_, err := t.exec(ctx, `INSERT INTO turn_image (number, place, media_type, data) VALUES (?, ?, ?, ?)`,
			number, i, img.MediaType, img.Data)
		if err != nil {
			return err
		}
	}
	return nil
}
