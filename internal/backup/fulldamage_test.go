package backup_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/backup"
	"github.com/strata-memory/strata/internal/backup/transfer"
	"github.com/strata-memory/strata/internal/sqlite/salvage"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
)

// kinds are the kinds of problems, each once.
func kinds(list []store.Problem) (out []string) {
	for _, p := range list {
		if !slices.Contains(out, p.Kind) {
			out = append(out, p.Kind)
		}
	}
	slices.Sort(out)
	return out
}

func wantCode(t *testing.T, err error, want strata.Code) {
	t.Helper()
	if strata.CodeOf(err) != want {
		t.Errorf("error %v, want code %s", err, want)
	}
}

// small is the export of a home with a bit of everything.
func small(t *testing.T) []byte {
	t.Helper()
	return write(t, randomHome(t, 7, 40))
}

// Lines that are damaged are left out and named by their numbers, and the rest becomes a
// home without a problem.
func TestImport_LeavesOutDamagedLines(t *testing.T) {
	lines := bytes.SplitAfter(small(t), []byte("\n"))
	at := func(kind string) int {
		t.Helper()
		i := slices.IndexFunc(lines, func(l []byte) bool { return bytes.HasPrefix(l, []byte(`{"kind":"`+kind+`"`)) })
		if i < 0 {
			t.Fatalf("there is no line of kind %s", kind)
		}
		return i
	}
	fact, session, file := at("fact"), at("session"), at("file")
	end := at("end")
	for _, c := range []struct {
		name    string
		damage  func([][]byte) [][]byte
		line    int // that is named; 0: none
		problem string
	}{
		{"a bit of a fact", func(l [][]byte) [][]byte { l[fact][len(l[fact])/2] ^= 1; return l }, fact + 1, "missing_rows"},
		{"a line that is cut", func(l [][]byte) [][]byte { l[fact] = append(l[fact][:20:20], '\n'); return l }, fact + 1, "missing_rows"},
		{"a session, whose turns stay", func(l [][]byte) [][]byte { l[session] = []byte("{}\n"); return l }, session + 1, "missing_rows"},
		{"a file", func(l [][]byte) [][]byte { l[file] = []byte("\xff\n"); return l }, file + 1, "missing_files"},
		{"a line longer than any", func(l [][]byte) [][]byte { l[fact] = append(bytes.Repeat([]byte("x"), 40<<20), '\n'); return l }, fact + 1, "missing_rows"},
		{"a line that is missing", func(l [][]byte) [][]byte { return slices.Delete(l, fact, fact+1) }, 0, "missing_rows"},
		{"a line that stands twice", func(l [][]byte) [][]byte { return slices.Insert(l, fact, l[fact]) }, fact + 2, "damaged_line"},
		{"its end", func(l [][]byte) [][]byte { return l[:end] }, 0, "missing_end"},
		{"something behind its end", func(l [][]byte) [][]byte { return append(l[:end+1:end+1], l[fact]) }, end + 2, "damaged_line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var copied [][]byte
			for _, l := range lines {
				copied = append(copied, slices.Clone(l))
			}
			_, l := load(t, bytes.Join(c.damage(copied), nil))
			if len(l.Problems) > 0 {
				t.Errorf("the new home has %+v", l.Problems)
			}
			if !slices.Contains(kinds(l.LeftOut), c.problem) {
				t.Errorf("left out %+v, want %s", l.LeftOut, c.problem)
			}
			named := slices.ContainsFunc(l.LeftOut, func(p store.Problem) bool { return p.Ref == fmt.Sprint("line ", c.line) })
			if c.line > 0 && !named {
				t.Errorf("left out %+v, want line %d named", l.LeftOut, c.line)
			}
		})
	}
}

// What is no full export, or of a newer version, is refused, and so is a home that is in
// use; nothing is made, and nothing is changed.
func TestImport_Refuses(t *testing.T) {
	export := small(t)
	first, rest, _ := bytes.Cut(export, []byte("\n"))
	newer := func(old, with string) []byte {
		return append(bytes.Replace(first, []byte(old), []byte(with), 1), append([]byte("\n"), rest...)...)
	}
	for name, c := range map[string]struct {
		export []byte
		code   strata.Code
	}{
		"nothing":        {nil, strata.CodeInvalid},
		"a text":         {[]byte("this is no export\n"), strata.CodeInvalid},
		"no header":      {rest, strata.CodeInvalid},
		"newer version":  {newer(`"version":2`, `"version":3`), strata.CodeNewerVersion},
		"newer schema":   {newer(`"schema":`, `"schema":9`), strata.CodeNewerVersion},
		"foreign schema": {newer(`"schema":`, `"schema":-`), strata.CodeNewerVersion},
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			_, err := backup.Import(t.Context(), backup.ImportOptions{Home: filepath.Join(parent, "home")}, bytes.NewReader(c.export))
			wantCode(t, err, c.code)
			if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
				t.Errorf("it left %v, %v", left, err)
			}
		})
	}
	home := randomHome(t, 8, 5)
	before := write(t, home)
	_, err := backup.Import(t.Context(), backup.ImportOptions{Home: home}, bytes.NewReader(export))
	wantCode(t, err, strata.CodeConflict)
	if !bytes.Equal(write(t, home), before) {
		t.Error("the home was changed")
	}
}

// A full export of an earlier version, which had a format of its own, has the same lines.
func TestImport_ReadsAFullExportOfAnEarlierVersion(t *testing.T) {
	export := small(t)
	_, lines, _ := bytes.Cut(export, []byte("\n"))
	schema, err := salvage.Newest()
	ok(t, err)
	made, l := load(t, fmt.Appendf(nil, `{"kind":"header","format":"strata-full-export","version":1,"schema":%d}`+"\n%s", schema, lines))
	if len(l.LeftOut)+len(l.Problems) > 0 || !bytes.Equal(write(t, made), export) {
		t.Errorf("left out %+v, problems %+v, or other rows", l.LeftOut, l.Problems)
	}
}

// A home may have settings already, which stay. A dry run makes nothing.
func TestImport_KeepsSettings(t *testing.T) {
	export := small(t)
	home := filepath.Join(t.TempDir(), "home")
	ok(t, os.Mkdir(home, 0o700))
	settings := filepath.Join(home, "config.toml")
	ok(t, os.WriteFile(settings, []byte("max_results = 5\n"), 0o600))
	dry, err := backup.Import(t.Context(), backup.ImportOptions{Home: home, DryRun: true}, bytes.NewReader(export))
	ok(t, err)
	if entries, err := os.ReadDir(home); err != nil || len(entries) != 1 || len(dry.LeftOut) > 0 || dry.Rows["fact"] == 0 {
		t.Fatalf("a dry run: %v in the home, %v; %+v", entries, err, dry)
	}
	link := home + "-link"
	ok(t, os.Symlink(home, link))
	l, err := backup.Import(t.Context(), backup.ImportOptions{Home: link}, bytes.NewReader(export))
	ok(t, err)
	if to, err := os.Readlink(link); err != nil || to != home {
		t.Errorf("the link to the home leads to %q, %v", to, err)
	}
	if content, err := os.ReadFile(settings); err != nil || string(content) != "max_results = 5\n" {
		t.Errorf("settings are %q, %v", content, err)
	}
	for table, n := range dry.Rows {
		if l.Rows[table] != n {
			t.Errorf("%d rows of %s, a dry run says %d", l.Rows[table], table, n)
		}
	}
	if !bytes.Equal(write(t, home), export) {
		t.Error("the home is not that of the export")
	}
}

// A file of an export lands in the home and nowhere else, and is none of a repository or
// of the database.
func TestImport_WritesNoOtherFiles(t *testing.T) {
	export := string(small(t))
	for _, name := range []string{"../outside", "/tmp/outside", "strata.db", "config.toml", "global/.git/hooks/post-commit", "backups/x", "global/../x", ""} {
		line := fileLine(t, name)
		parent := t.TempDir()
		home := filepath.Join(parent, "home")
		l, err := backup.Import(t.Context(), backup.ImportOptions{Home: home}, strings.NewReader(strings.Replace(export, "{\"kind\":\"file\"", line+"{\"kind\":\"file\"", 1)))
		ok(t, err)
		if !slices.Contains(kinds(l.LeftOut), "damaged_line") {
			t.Errorf("%q: left out %+v", name, l.LeftOut)
		}
		if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
			t.Errorf("%q: beside the home are %v, %v", name, entries, err)
		}
	}
}

// fileLine is the line of a file of one part.
func fileLine(t *testing.T, path string) string {
	t.Helper()
	var out bytes.Buffer
	w := transfer.NewWriter(&out, nil)
	ok(t, w.File(path, strings.NewReader("x"), noon))
	ok(t, w.End())
	line, _, _ := strings.Cut(out.String(), "\n")
	return line + "\n"
}

const pageSize = 8192

// destroyPages overwrites pages of a database, and alters a text.
func destroyPages(t *testing.T, path string, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	content, err := os.ReadFile(path)
	ok(t, err)
	for range 12 {
		page := 1 + rng.IntN(len(content)/pageSize-1)
		for i := range pageSize {
			content[page*pageSize+i] = byte(rng.Uint32())
		}
	}
	ok(t, os.WriteFile(path, content, 0o600))
}

// Exports go on past what is damaged and name it. What they hold can be imported, and is
// what can be read.
func TestExport_GoesOnPastDamage(t *testing.T) {
	model := randomHome(t, 9, 150)
	n := uint64(12)
	if testing.Short() {
		n = 3
	}
	lossy := 0
	for seed := range n {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir()) // other tests have copies of their own meanwhile
			home := filepath.Join(t.TempDir(), "home")
			ok(t, os.CopyFS(home, os.DirFS(model)))
			destroyPages(t, local.Database(home), seed)
			if sound, err := backup.Sound(t.Context(), home, nil); err != nil || sound {
				t.Fatalf("sound %v, %v", sound, err)
			}
			var full, plain bytes.Buffer
			w, err := backup.ExportDamaged(t.Context(), home, true, nil, &full, nil)
			ok(t, err)
			p, err := backup.ExportDamaged(t.Context(), home, false, allScopes, &plain, nil)
			ok(t, err)
			if left, err := filepath.Glob(filepath.Join(os.TempDir(), "strata-export-*")); err != nil || len(left) > 0 {
				t.Errorf("what was read is still in %s, %v", left, err)
			}
			made, l := load(t, full.Bytes())
			if len(l.LeftOut) != len(w.LeftOut) || len(l.Problems) > 0 {
				t.Errorf("left out %+v\nwant %+v\nproblems %+v", l.LeftOut, w.LeftOut, l.Problems)
			}
			lost := 0
			for _, table := range []string{"fact", "turn", "decision", "document", "learning"} {
				lost += wantSubset(t, table, rowsOf(t, model, table), rowsOf(t, made, table))
			}
			if lost > 0 {
				lossy++
			}
			if lost > 0 && len(w.LeftOut) == 0 {
				t.Errorf("%d rows are lost, and none is named", lost)
			}
			mem := openAtNoon(t, filepath.Join(t.TempDir(), "other"))
			defer mem.Close()
			in, err := mem.Import(t.Context(), &plain, transfer.Options{})
			ok(t, err)
			if in.LeftOut != int64(len(p.LeftOut)) {
				t.Errorf("an import says that %d were left out, want %d", in.LeftOut, len(p.LeftOut))
			}
		})
	}
	if lossy == 0 {
		t.Error("no home lost anything")
	}
}

// wantSubset fails the test unless all rows are of a list, but for what they say of
// others, and returns how many are missing.
func wantSubset(t *testing.T, table string, all, rows []string) (missing int) {
	t.Helper()
	of := func(row string) string {
		var kept []string
		for _, field := range strings.SplitAfter(row, "\" ") {
			name, _, _ := strings.Cut(field, "=")
			// A document whose sections are lost is divided anew, as its next generation.
			divided := table == "document" && name == "generation"
			if !divided && !slices.Contains([]string{"images", "before_fact", "after_fact", "sum"}, name) {
				kept = append(kept, field)
			}
		}
		return strings.Join(kept, "")
	}
	known := make(map[string]bool)
	for _, row := range all {
		known[of(row)] = true
	}
	for _, row := range rows {
		if !known[of(row)] {
			t.Errorf("%s: row %.300s was not written", table, row)
		}
	}
	return len(all) - len(rows)
}

// A row that can be read and is not what was written is left out and named.
func TestExport_LeavesOutWhatChangedByItself(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	mem := openAtNoon(t, home)
	for _, text := range []string{"The ferry to Orkney leaves at noon", "The heron stands in the reeds"} {
		_, err := mem.Save(t.Context(), strata.Global(), text)
		ok(t, err)
	}
	ok(t, mem.Close())
	content, err := os.ReadFile(local.Database(home))
	ok(t, err)
	changed := bytes.ReplaceAll(content, []byte("The ferry to Orkney"), []byte("The ferry to Orkney"[:18]+"x"))
	ok(t, os.WriteFile(local.Database(home), changed, 0o600))
	if sound, err := backup.Sound(t.Context(), home, nil); err != nil || sound {
		t.Fatalf("sound %v, %v", sound, err)
	}
	var out bytes.Buffer
	report, err := backup.ExportDamaged(t.Context(), home, false, allScopes, &out, nil)
	ok(t, err)
	if got := kinds(report.LeftOut); !slices.Contains(got, "damaged_fact") {
		t.Errorf("left out %v", got)
	}
	if report.Rows["fact"] != 1 || !strings.Contains(out.String(), "heron") {
		t.Errorf("%+v", report)
	}
}

func allScopes(store.Store) ([]strata.Scope, error) { return nil, nil }

// A sound home is told from one that is not there, and neither is changed.
func TestSound(t *testing.T) {
	home := randomHome(t, 10, 20)
	for _, dir := range []string{home, filepath.Join(t.TempDir(), "none")} {
		if sound, err := backup.Sound(t.Context(), dir, nil); err != nil || !sound {
			t.Errorf("%s: sound %v, %v", dir, sound, err)
		}
	}
}
