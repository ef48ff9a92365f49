package sqlite

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/forget"
	"github.com/strata-memory/strata/internal/text"
)

// The database may pass over a row only if it does not hold the text.
func TestForget_PatternPassesOverNoRowThatHoldsAText(t *testing.T) {
	b := newBed(t)
	piece := rapid.SampledFrom([]string{"cat", "Cat", "CAT's", "ｃａｔ", "ﬁsh", "the", " ", "\t", "\n", ".", "%", "_", "100%", "猫", "ñ", "e\u0301", "İ", "K", "ß"})
	sentence := rapid.Custom(func(r *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(r, "pieces"), "")
	})
	b.view(func(ctx context.Context, tx *tx) {
		rapid.Check(t, func(r *rapid.T) {
			var normal []string
			for _, s := range rapid.SliceOfN(sentence, 1, 3).Draw(r, "texts") {
				if n := text.Normalize(s); n != "" {
					normal = append(normal, n)
				}
			}
			if len(normal) == 0 {
				return
			}
			subject := forget.Document(strata.Document{}, nil, normal, nil)
			w := subject.Text
			row := sentence.Draw(r, "before") + rapid.SampledFrom(normal).Draw(r, "held") + sentence.Draw(r, "after")
			if rapid.Bool().Draw(r, "upper") {
				row = strings.ToUpper(row)
			}
			var passes bool
			if err := tx.queryRow(ctx, `SELECT `+mayHold(`?2`), subject.Patterns(), row).Scan(&passes); err != nil {
				r.Fatal(err)
			}
			if w.In(row) && !passes {
				r.Fatalf("row %q holds one of %q but does not meet %q", row, normal, subject.Patterns())
			}
		})
	})
}
