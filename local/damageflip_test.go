package local_test

import (
	"bytes"
	"database/sql"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
)

// texts are the stored texts, and how each row is named by a report.
var texts = []struct{ table, column, ref string }{
	{"fact", "text", "id"}, {"turn", "text", "id"}, {"decision", "reason", "id"}, {"document", "content", "id"},
	{"section", "headings", "number"}, {"learning", "text", "id"},
}

// flips is how many bits are flipped for each text, in SQL and in the file.
const flips = 52

// A bit that changes by itself in a stored text is found, and the row is named.
func TestDamage_FlippedBits(t *testing.T) {
	seed := *damageSeed
	if seed == 0 {
		seed = rand.Uint64() >> 16
	}
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	model := filepath.Join(t.TempDir(), "model")
	fillHome(t, model)
	n := flips
	if testing.Short() {
		n = 6
	}
	for name, flip := range map[string]func(*testing.T, string, *rand.Rand, int) (kind, ref string){"by SQL": flipBySQL, "in the file": flipInFile} {
		t.Run(name, func(t *testing.T) {
			found := 0
			for i := range n {
				home := copyHome(t, model)
				kind, ref := flip(t, local.Database(home), rng, i)
				opened, err := local.OpenWith(t.Context(), local.Options{Home: home, LookLater: true})
				if err != nil {
					t.Fatal(err)
				}
				mem := opened.Engine()
				report, err := mem.Doctor(t.Context(), nil)
				if err := mem.Close(); err != nil {
					t.Error(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				named := slices.ContainsFunc(report.Problems, func(p store.Problem) bool { return p.Kind == kind && (ref == "" || p.Ref == ref) })
				if !named {
					t.Errorf("flip %d of %s %s: found %+v", i, kind, ref, report.Problems)
					continue
				}
				found++
			}
			t.Logf("%d of %d were found", found, n)
		})
	}
}

// flipBySQL flips a bit of a text by SQL.
func flipBySQL(t *testing.T, path string, rng *rand.Rand, i int) (kind, ref string) {
	t.Helper()
	of := texts[i%len(texts)]
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var row int64
	var text []byte
	err = db.QueryRow(`SELECT rowid, `+of.column+`, `+of.ref+` FROM `+of.table+` WHERE length(`+of.column+`) > 2
		ORDER BY rowid LIMIT 1 OFFSET ? % (SELECT count(*) FROM `+of.table+` WHERE length(`+of.column+`) > 2)`, rng.IntN(1000)).Scan(&row, &text, &ref)
	if err != nil {
		t.Fatal(err)
	}
	text[rng.IntN(len(text))] ^= 1 << rng.IntN(8)
	if _, err := db.Exec(`UPDATE `+of.table+` SET `+of.column+` = CAST(? AS TEXT) WHERE rowid = ?`, text, row); err != nil {
		t.Fatal(err)
	}
	return "damaged_" + of.table, ref
}

// flipInFile flips a bit of a text where the file has it.
func flipInFile(t *testing.T, path string, rng *rand.Rand, i int) (kind, ref string) {
	t.Helper()
	of := texts[i%len(texts)]
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for {
		var number int64
		var text string
		err = db.QueryRow(`SELECT rowid, `+of.column+`, `+of.ref+` FROM `+of.table+` WHERE length(`+of.column+`) > 2
			ORDER BY rowid LIMIT 1 OFFSET ? % (SELECT count(*) FROM `+of.table+` WHERE length(`+of.column+`) > 2)`, rng.IntN(1000)).Scan(&number, &text, &ref)
		if err != nil {
			t.Fatal(err)
		}
		part := text[:min(len(text), 60)]
		var places []int
		for at := 0; ; {
			k := bytes.Index(content[at:], []byte(part))
			if k < 0 {
				break
			}
			places = append(places, at+k)
			at += k + 1
		}
		rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
		bit := byte(1) << rng.IntN(8)
		for _, at := range places { // copies are in the index, and in what was removed
			where := at + rng.IntN(len(part))
			content[where] ^= bit
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if now := readText(path, of.table, of.column, number); now != text {
				return "damaged_" + of.table, ref
			}
			content[where] ^= bit
		}
	}
}

// readText reads a text on a connection of its own.
func readText(path, table, column string, number int64) (text string) {
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		return ""
	}
	defer db.Close()
	_ = db.QueryRow(`SELECT `+column+` FROM `+table+` WHERE rowid = ?`, number).Scan(&text)
	return text
}
