package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/internal/sqlite/salvage"
	"github.com/strata-memory/strata/store"
)

// A letter of the stored schema that changes by itself leaves a database that opens. The
// table, index or trigger is named, no backup is called sound, and all of it is mended.
func TestAStoredSchemaThatChangesByItselfIsNamedAndMended(t *testing.T) {
	ctx := context.Background()
	for ref, change := range map[string]string{
		"table document":     `UPDATE sqlite_schema SET sql = replace(sql, 'problem', 'probdem') WHERE name = 'document'`,
		"table fact":         `UPDATE sqlite_schema SET sql = replace(sql, 'verbatim', 'verbatin') WHERE name = 'fact'`,
		"index fact_version": `UPDATE sqlite_schema SET sql = replace(sql, 'generation', 'confidence') WHERE name = 'fact_version'`,
	} {
		t.Run(ref, func(t *testing.T) {
			t.Parallel()
			path := filled(t, 5)
			raw(t, path, `PRAGMA writable_schema = ON`, change)
			named := func(found []store.Problem) bool {
				return slices.ContainsFunc(found, func(p store.Problem) bool {
					return p.Kind == "damaged_schema" && p.Ref == ref && p.Repair == "strata reindex"
				})
			}
			if found, err := salvage.Examine(ctx, path, nil); err != nil || !named(found) {
				t.Errorf("examine = %+v, %v", found, err)
			}
			if _, err := salvage.InspectCopy(ctx, path); strata.CodeOf(err) != strata.CodeCorrupt {
				t.Errorf("a backup of it: %v", err)
			}
			if ok, err := salvage.Sound(ctx, path, nil); ok || err != nil {
				t.Errorf("sound = %v, %v", ok, err)
			}
			if db, err := sqlite.Open(ctx, path, nil); err == nil {
				found, err := db.Check(ctx, nil)
				if err != nil || !named(found) {
					t.Errorf("check = %+v, %v", found, err)
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			}
			if mended, err := salvage.Mend(ctx, path, nil); err != nil || !mended {
				t.Fatalf("mend = %v, %v", mended, err)
			}
			if found, err := salvage.Examine(ctx, path, nil); err != nil || len(found) > 0 {
				t.Errorf("examine = %+v, %v", found, err)
			}
			if got := facts(t, open(t, path, nil)); len(got) != 5 {
				t.Errorf("facts %v", got)
			}
		})
	}
}

// Homes of earlier versions are stored as a new one is, before and after they are brought
// up to date.
func TestTheStoredSchemaOfEarlierHomesIsThatOfANewOne(t *testing.T) {
	ctx := context.Background()
	list, err := filepath.Glob("testdata/schema-*.db.gz")
	if err != nil || len(list) == 0 {
		t.Fatal("no homes", err)
	}
	for _, file := range list {
		path := filepath.Join(t.TempDir(), "strata.db")
		if err := unpack(file, path); err != nil {
			t.Fatal(err)
		}
		look := func(when string) {
			if found, err := salvage.Examine(ctx, path, nil); err != nil || len(found) > 0 {
				t.Errorf("%s %s: %+v, %v", file, when, found, err)
			}
			if _, err := salvage.InspectCopy(ctx, path); err != nil {
				t.Errorf("%s %s: %v", file, when, err)
			}
		}
		look("as it was")
		if err := open(t, path, nil).Close(); err != nil {
			t.Fatal(err)
		}
		look("brought up to date")
		os.Remove(path)
	}
}
