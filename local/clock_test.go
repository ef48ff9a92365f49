package local_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/local"
)

// A clock that is far off loses nothing and wraps nothing: what is saved is found, in a
// sound home, also once the clock is right again.
func TestAClockThatIsFarOff(t *testing.T) {
	for _, year := range []int{1, 1903, 1969, 1970, 2262, 2300, 9999, 12000} {
		t.Run(fmt.Sprint(year), func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			home := filepath.Join(t.TempDir(), "home")
			ok := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			off := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
			if year == 2262 {
				off = off.AddDate(0, 11, 0) // nanoseconds end in April
			}
			opened, err := local.OpenWith(ctx, local.Options{Home: home, Now: func() time.Time { return off }})
			ok(err)
			mem := opened.Engine()
			_, err = mem.Save(ctx, strata.Global(), "The harbor master keeps 40 lanterns in the shed")
			ok(err)
			_, err = mem.Remember(ctx, edit.Note{Type: strata.TypeUser, Title: "Orchard", Body: "Pears ripen in October.", Origin: strata.OriginCLI})
			ok(err)
			talk, err := mem.Talk(ctx, sessions.Options{View: strata.Global().View(), Scope: strata.Global()})
			ok(err)
			for _, at := range []time.Time{{}, off} {
				_, err = talk.Append(ctx, []strata.Turn{{Role: strata.RoleUser, Text: "The kettle stands beside the violin", At: at}})
				ok(err)
			}
			ok(mem.Drain(ctx))
			ok(mem.Close())

			again, err := local.Open(ctx, home)
			ok(err)
			defer again.Close()
			for question, answer := range map[string]string{"how many lanterns does the harbor master keep?": "40 lanterns",
				"when do pears ripen?": "October", "where does the kettle stand?": "violin"} {
				found, err := again.Recall(ctx, strata.Global().View(), question)
				ok(err)
				if !slices.ContainsFunc(found.Hits, func(h strata.Hit) bool { return strings.Contains(h.Text, answer) }) {
					t.Errorf("%s: %+v", question, found.Hits)
				}
			}
			facts, err := again.Facts(ctx, strata.Global().View(), strata.FactFilter{})
			ok(err)
			for _, f := range facts {
				if y := f.RecordedAt.Year(); y < 1970 || y > 2262 || (year < 2000) != (y < 2000) {
					t.Errorf("recorded in %d", y)
				}
				if _, err := f.RecordedAt.MarshalJSON(); err != nil {
					t.Error(err)
				}
			}
			report, err := again.Engine().Doctor(ctx, nil)
			if err != nil || len(report.Problems) > 0 {
				t.Errorf("doctor: %+v, %v", report.Problems, err)
			}
		})
	}
}
