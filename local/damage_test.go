package local_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/backup"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
)

var (
	damagedHomes = flag.Int("damage.homes", 20, "homes that lose a page; 8 with -short")
	damageSeed   = flag.Uint64("damage.seed", 0, "seed of the first of them; 0 takes one at random")
)

const pageSize = 8192

// authority are the tables of what memory is made of.
var authority = []string{
	"scope", "fact", "access", "decision", "session", "turn", "turn_image", "tombstone", "event", "workspace",
	"session_state", "snapshot", "learning", "tool_outcome", "document", "category_choice",
}

// fillHome makes a home with a bit of everything, of some 250 pages.
func fillHome(t *testing.T, home string) {
	t.Helper()
	ctx := t.Context()
	opened, err := local.Open(ctx, home)
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	mem := opened.Engine()
	ok(err)
	defer func() { ok(mem.Close()) }()
	rng := rand.New(rand.NewPCG(1, 2))
	things := []string{"harbor", "bicycle", "violin", "garden", "ledger", "kettle", "glacier", "lantern", "compiler", "orchard"}
	text := func(words int) string {
		var b strings.Builder
		for range words {
			fmt.Fprintf(&b, "%s%d ", things[rng.IntN(len(things))], rng.IntN(1000))
		}
		return strings.TrimSpace(b.String())
	}
	for _, scope := range []strata.Scope{strata.Global(), strata.InWorkspace("w1")} {
		var cs []strata.Candidate
		for i := range 300 {
			cs = append(cs, strata.Candidate{Scope: scope, Content: fmt.Sprintf("The %s number %d is kept with %s", things[i%10], i, text(8)),
				Origin: strata.OriginCLI, Category: things[i%10]})
		}
		_, err := mem.WriteBatch(ctx, cs)
		ok(err)
		talk, err := mem.Talk(ctx, sessions.Options{View: scope.View(), Scope: scope})
		ok(err)
		for i := range 60 {
			_, err := talk.Append(ctx, []strata.Turn{{Role: strata.RoleUser, Text: text(20 + 100*(i%5)), Images: image(i)},
				{Role: strata.RoleAssistant, Text: text(30)}})
			ok(err)
		}
		ok(talk.SaveState(ctx, []byte(`{"at":"`+text(900)+`"}`)))
		for i := range 20 {
			_, err := mem.Learn(ctx, scope, strata.Learning{Kind: strata.LearningCorrection, Key: fmt.Sprint("k", i), Text: text(40)})
			ok(err)
		}
	}
	for i := range 12 {
		_, err := mem.Remember(ctx, edit.Note{Type: strata.TypeUser, Title: fmt.Sprintf("Note %d on the %s", i, things[i%10]),
			Body: text(900 * (1 + i%3)), Hook: "when asked", Origin: strata.OriginCLI})
		ok(err)
	}
	list, err := mem.Facts(ctx, strata.Global().View(), strata.FactFilter{Limit: 3})
	ok(err)
	_, err = mem.Forget(ctx, strata.Global().View(), list[0].ID, engine.ForgetOptions{})
	ok(err)
	_, err = mem.Recall(ctx, strata.Global().View(), "which violin is kept with a lantern?")
	ok(err)
	ok(mem.Drain(ctx))
}

func image(i int) []strata.Image {
	if i%10 != 0 {
		return nil
	}
	return []strata.Image{{MediaType: "image/png", Data: bytes.Repeat([]byte{byte(i), 7}, 6000)}}
}

// rowsOf reads the rows of tables by SQLite alone, each by its key, and those that
// can be read. What makes a row agree with others is left out.
func rowsOf(t *testing.T, path string, keys map[string][]any) map[string]map[string]string {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out := make(map[string]map[string]string)
	for _, table := range authority {
		out[table] = make(map[string]string)
		for _, key := range keys[table] {
			row, err := probe(db, table, key)
			if err == nil && row != "" {
				out[table][fmt.Sprint(key)] = row
			}
		}
	}
	return out
}

// keyOf is an SQL condition for the row of a key.
var keyOf = map[string]string{
	"access": `(scope_no || '/' || memory_id) = ?`, "session": `(scope_no || '/' || id) = ?`, "tombstone": `(scope_no || '/' || hex(hash)) = ?`,
	"workspace": `key = ?`, "category_choice": `(scope_no || '/' || topic) = ?`,
}

func condition(table string) string {
	if c, ok := keyOf[table]; ok {
		return c
	}
	return `rowid = ?`
}

// changeable are columns that say how rows go together.
var changeable = []string{"turns", "next", "images", "before_fact", "after_fact", "sum", "applied_at", "set_aside", "modified_at"}

func probe(db *sql.DB, table string, key any) (string, error) {
	rows, err := db.Query(`SELECT * FROM `+table+` WHERE `+condition(table), key)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	if !rows.Next() {
		return "", rows.Err()
	}
	values := make([]any, len(columns))
	dest := make([]any, len(columns))
	for i := range values {
		dest[i] = &values[i]
	}
	if err := rows.Scan(dest...); err != nil {
		return "", err
	}
	var b strings.Builder
	for i, c := range columns {
		if !slices.Contains(changeable, c) {
			fmt.Fprintf(&b, "%s=%q ", c, fmt.Sprint(values[i]))
		}
	}
	return b.String(), nil
}

// keysOf lists the keys of all rows of a sound database.
func keysOf(t *testing.T, path string) map[string][]any {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out := make(map[string][]any)
	for _, table := range authority {
		what := strings.TrimSuffix(condition(table), " = ?")
		rows, err := db.Query(`SELECT ` + what + ` FROM ` + table)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var key any
			if err := rows.Scan(&key); err != nil {
				t.Fatal(err)
			}
			out[table] = append(out[table], key)
		}
		rows.Close()
	}
	return out
}

func copyHome(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "home")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// destroy overwrites a page of a file by random bytes.
func destroy(t *testing.T, path string, rng *rand.Rand) (page int64) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	page = 1 + rng.Int64N(info.Size()/pageSize)
	destroyPage(t, path, page, rng)
	return page
}

func destroyPage(t *testing.T, path string, page int64, rng *rand.Rand) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range pageSize {
		content[(page-1)*pageSize+int64(i)] = byte(rng.Uint32())
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// The schema says where every table is. It takes several pages, and each of them that
// is destroyed is mended: where tables are follows from the migrations.
func TestDamage_OfTheSchema(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	fillHome(t, model)
	keys := keysOf(t, local.Database(model))
	whole := rowsOf(t, local.Database(model), keys)
	content, err := os.ReadFile(local.Database(model))
	if err != nil {
		t.Fatal(err)
	}
	const header, interior = 100, 0x05 // SQLite's file format, 1.6
	if content[header] != interior {
		t.Fatal("the schema takes one page only")
	}
	of := []int64{1, int64(binary.BigEndian.Uint32(content[header+8:]))}
	for i := range int(binary.BigEndian.Uint16(content[header+3:])) {
		cell := binary.BigEndian.Uint16(content[header+12+2*i:])
		of = append(of, int64(binary.BigEndian.Uint32(content[cell:])))
	}
	if testing.Short() {
		of = of[:2]
	}
	for _, page := range of {
		t.Run(fmt.Sprint("page", page), func(t *testing.T) {
			home := copyHome(t, model)
			destroyPage(t, local.Database(home), page, rand.New(rand.NewPCG(uint64(page), 0)))
			problems, err := local.Examine(t.Context(), home, nil)
			if err != nil || len(problems) == 0 {
				t.Fatalf("%v, %v", problems, err)
			}
			wantMended(t, home, page, problems, keys, whole)
		})
	}
}

// Facts stay in the categories that they were put into, also when it is lost that these
// were chosen.
func TestDamage_OfTheChosenCategories(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	fillHome(t, home)
	keys := keysOf(t, local.Database(home))
	whole := rowsOf(t, local.Database(home), keys)
	db, err := sql.Open("sqlite3", "file:"+local.Database(home)+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	var page int64
	err = db.QueryRow(`SELECT rootpage FROM sqlite_schema WHERE name = 'category_choice'`).Scan(&page)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	destroyPage(t, local.Database(home), page, rand.New(rand.NewPCG(1, 0)))
	problems, err := local.Examine(t.Context(), home, nil)
	if err != nil || len(problems) == 0 {
		t.Fatalf("%v, %v", problems, err)
	}
	wantSalvaged(t, home, page, problems, keys, whole)
}

// A home with a destroyed page is reported with what is lost. Where that is only what
// is derived, reindex mends it; else salvage recovers every row that can be read.
func TestDamage_OneDestroyedPage(t *testing.T) {
	n, seed := *damagedHomes, *damageSeed
	if testing.Short() {
		n = min(n, 8)
	}
	if seed == 0 {
		seed = rand.Uint64() >> 16
	}
	model := filepath.Join(t.TempDir(), "model")
	fillHome(t, model)
	keys := keysOf(t, local.Database(model))
	whole := rowsOf(t, local.Database(model), keys)
	info, err := os.Stat(local.Database(model))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d pages, first seed %d", info.Size()/pageSize, seed)
	mended, salvaged, harmless := 0, 0, 0
	for i := range n {
		s := seed + uint64(i)
		t.Run(fmt.Sprintf("seed=%d", s), func(t *testing.T) {
			home := copyHome(t, model)
			page := destroy(t, local.Database(home), rand.New(rand.NewPCG(s, 0)))
			problems, err := local.Examine(t.Context(), home, nil)
			if err != nil {
				t.Fatalf("page %d: %v", page, err)
			}
			switch {
			case len(problems) == 0:
				harmless++
				wantUnused(t, local.Database(home), page)
			case slices.ContainsFunc(problems, func(p store.Problem) bool { return strings.Contains(p.Repair, "salvage") }):
				salvaged++
				wantSalvaged(t, home, page, problems, keys, whole)
			default:
				mended++
				wantMended(t, home, page, problems, keys, whole)
			}
		})
	}
	t.Logf("of %d homes %d were mended by reindex, %d salvaged, and %d lost a page that is not in use", n, mended, salvaged, harmless)
}

// wantUnused fails the test unless SQLite agrees that nothing is wrong.
func wantUnused(t *testing.T, path string, page int64) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var said string
	if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&said); err != nil || said != "ok" {
		t.Errorf("page %d: no problem was found, and SQLite says %s, %v", page, said, err)
	}
}

func wantMended(t *testing.T, home string, page int64, problems []store.Problem, keys map[string][]any, whole map[string]map[string]string) {
	t.Helper()
	ctx := t.Context()
	mended, err := local.Mend(ctx, home, nil)
	if err != nil || !mended {
		t.Fatalf("page %d, %v: mended %v, %v", page, problems, mended, err)
	}
	reindex(t, home)
	got := rowsOf(t, local.Database(home), keys)
	for table := range whole {
		missing(t, page, table, whole[table], got[table])
	}
}

// reindex rebuilds what is derived and fails the test unless all is well then.
func reindex(t *testing.T, home string) {
	t.Helper()
	opened, err := local.Open(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	defer mem.Close()
	if _, err := mem.Reindex(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	sound(t, mem)
	res, err := mem.Recall(t.Context(), strata.Global().View(), "The violin number 42 is kept with")
	if err != nil || len(res.Hits) == 0 {
		t.Errorf("nothing is found, %v", err)
	}
}

func sound(t *testing.T, mem *engine.Engine) {
	t.Helper()
	report, err := mem.Doctor(context.WithoutCancel(t.Context()), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Problems {
		t.Errorf("afterwards: %+v", p)
	}
}

// dividedAnew is the row of a document whose sections were lost: they are divided anew,
// as its next generation and otherwise the same.
func dividedAnew(row string) string {
	return generationField.ReplaceAllStringFunc(row, func(field string) string {
		n, _ := strconv.Atoi(generationField.FindStringSubmatch(field)[1])
		return fmt.Sprintf(` generation="%d"`, n+1)
	})
}

var generationField = regexp.MustCompile(` generation="(\d+)"`)

// missing fails the test for each row that is not there, or is another.
func missing(t *testing.T, page int64, table string, want, got map[string]string) {
	t.Helper()
	shown := 0
	for key, row := range want {
		divided := table == "document" && got[key] == dividedAnew(row)
		if got[key] != row && !divided && shown < 3 {
			shown++
			t.Errorf("page %d: row %s of %s is %.300s, want %.300s", page, key, table, got[key], row)
		}
	}
}

func wantSalvaged(t *testing.T, home string, page int64, problems []store.Problem, keys map[string][]any, whole map[string]map[string]string) {
	t.Helper()
	if mended, err := local.Mend(t.Context(), home, nil); mended || strata.CodeOf(err) != strata.CodeCorrupt {
		t.Errorf("page %d: reindex: %v, %v, want corrupt", page, mended, err)
	}
	before := contents(t, home)
	readable := rowsOf(t, local.Database(home), keys)
	to := filepath.Join(t.TempDir(), "new")
	out, err := backup.Salvage(t.Context(), home, to, nil)
	if err != nil {
		t.Fatalf("page %d, %v: %v", page, problems, err)
	}
	for _, p := range out.Problems {
		t.Errorf("page %d: the new home: %+v", page, p)
	}
	if len(out.Unread) > 0 || len(out.LeftOut) == 0 {
		t.Errorf("page %d: unread %v, lost %v", page, out.Unread, out.LeftOut)
	}
	after := contents(t, home)
	for name := range before {
		if !strings.HasSuffix(name, "-shm") && before[name] != after[name] {
			t.Errorf("page %d: %s of the old home was changed", page, name)
		}
	}
	got := rowsOf(t, local.Database(to), keys)
	for _, l := range out.LeftOut {
		if l.Kind != "row_not_kept" {
			continue
		}
		// It belonged to a row that is lost, and is named.
		maps.DeleteFunc(readable["access"], func(key, _ string) bool { return strings.HasSuffix(key, "/"+l.Ref) })
		var place, turn int64
		if n, _ := fmt.Sscanf(l.Ref, "image %d of turn number %d", &place, &turn); n == 2 {
			image := fmt.Sprintf("number=%q place=%q ", fmt.Sprint(turn), fmt.Sprint(place))
			maps.DeleteFunc(readable["turn_image"], func(_, row string) bool { return strings.HasPrefix(row, image) })
		}
	}
	lost := 0
	for table := range whole {
		// SQLite does not see that the end of a long row is damaged.
		maps.DeleteFunc(readable[table], func(key, row string) bool { return whole[table][key] != row })
		missing(t, page, table, readable[table], got[table])
		for key := range whole[table] {
			if got[table][key] == "" {
				lost++
			}
		}
	}
	t.Logf("page %d: %d rows are lost, %d problems name them, such as %+v", page, lost, len(problems), problems[len(problems)-1])
	private(t, to)
}

// contents are the files of a directory.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		out[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// private fails the test unless only its owner may read what is in a directory.
func private(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
