package local_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/workspace"
)

// place is a home and a project in a git repository of its own.
type place struct {
	t             *testing.T
	home, project string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project")}
	if err := os.MkdirAll(p.project, 0o755); err != nil {
		t.Fatal(err)
	}
	p.git(p.project, "init", "-q", "-b", "main")
	p.git(p.project, "commit", "-q", "--allow-empty", "-m", "begin")
	return p
}

// git runs the real git.
func (p *place) git(dir string, args ...string) string {
	p.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		p.t.Skip("there is no git")
	}
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@localhost"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return string(out)
}

// in opens the memory as a command in dir does, lets work run, and closes it.
func (p *place) in(dir string, work func(ctx context.Context, mem *engine.Engine, view strata.View, ws strata.Scope)) {
	p.t.Helper()
	ctx := p.t.Context()
	found, err := workspace.Find(dir, p.home)
	if err != nil {
		p.t.Fatal(err)
	}
	opened, err := local.OpenWith(ctx, local.Options{Home: p.home, Project: found})
	if err != nil {
		p.t.Fatal(err)
	}
	mem := opened.Engine()
	id := found.ID
	if id == "" {
		if id, err = mem.WorkspaceID(ctx, found.Keys()...); err != nil {
			p.t.Fatal(err)
		}
	}
	work(ctx, mem, strata.ViewOf(id, ""), strata.InWorkspace(id))
	if err := mem.Drain(ctx); err != nil {
		p.t.Error(err)
	}
	if err := mem.Close(); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) remember(ctx context.Context, mem *engine.Engine, scope strata.Scope, title, body string) strata.Decision {
	p.t.Helper()
	d, err := mem.Remember(ctx, edit.Note{
		Scope: scope, Type: strata.TypeReference, Title: title, Body: body, Hook: "when it is asked for", Origin: strata.OriginCLI,
	})
	if err != nil {
		p.t.Fatalf("remember %s: %v", title, err)
	}
	if err := mem.Drain(ctx); err != nil {
		p.t.Fatal(err)
	}
	return d
}

// finds searches files and returns where the best passage of each stands.
func (p *place) finds(ctx context.Context, mem *engine.Engine, view strata.View, question string) []strata.Hit {
	p.t.Helper()
	res, err := mem.Query(ctx, strata.Query{View: view, Text: question, Kinds: []strata.Kind{strata.KindSection}})
	if err != nil {
		p.t.Fatal(err)
	}
	return slices.DeleteFunc(res.Hits, func(h strata.Hit) bool { return h.Why.Words == 0 })
}

func (p *place) read(path string) string {
	p.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// init makes the project a workspace, as strata init does.
func (p *place) init() string {
	p.t.Helper()
	made, err := workspace.Init(p.project, p.home, workspace.InitOptions{Text: markdown.Starter})
	if err != nil {
		p.t.Fatal(err)
	}
	p.in(p.project, func(ctx context.Context, mem *engine.Engine, _ strata.View, _ strata.Scope) {
		if _, err := mem.KeepWorkspace(ctx, made.ID, made.Keys...); err != nil {
			p.t.Fatal(err)
		}
	})
	return made.ID
}

// What a person and an agent do to one memory, from the first day to the last.
func TestTheLifeOfAWorkspace(t *testing.T) {
	p := newPlace(t)
	id := p.init()
	note := filepath.Join(p.project, ".strata", "notes", "reference_how-we-deploy.md")

	p.in(p.project, func(ctx context.Context, mem *engine.Engine, _ strata.View, ws strata.Scope) {
		if ws != strata.InWorkspace(id) {
			t.Fatalf("the workspace is %s, want %s", ws, id)
		}
		p.remember(ctx, mem, ws, "How we deploy", "Deploys go through staging.")
		p.remember(ctx, mem, strata.Global(), "How we deploy", "Elsewhere deploys go by ferry.")
	})
	if !strings.Contains(p.read(note), "through staging") {
		t.Fatalf("the note is %s", p.read(note))
	}
	if index := p.read(filepath.Join(p.project, ".strata", "MEMORY.md")); !strings.Contains(index, "](notes/reference_how-we-deploy.md)") {
		t.Errorf("the index does not name the note:\n%s", index)
	}
	if status := p.git(p.project, "status", "--porcelain"); status != "" {
		t.Errorf("the project's git sees %s", status)
	}

	// An edit by hand is found by the next command.
	if err := os.WriteFile(note, []byte(p.read(note)+"\n## Rollback\n\nRun the pelican script, then wait.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var first string
	p.in(p.project, func(ctx context.Context, mem *engine.Engine, view strata.View, ws strata.Scope) {
		hits := p.finds(ctx, mem, view, "pelican")
		if len(hits) != 1 || hits[0].Section.Path != "notes/reference_how-we-deploy.md" || !slices.Contains(hits[0].Section.Headings, "Rollback") {
			t.Fatalf("found %+v", hits)
		}
		if lines := strings.Split(p.read(note), "\n"); !strings.Contains(lines[hits[0].Section.Line-1], "Rollback") {
			t.Errorf("line %d is %q", hits[0].Section.Line, lines[hits[0].Section.Line-1])
		}
		c, err := mem.Checkpoint(ctx, ws, "first", "")
		if err != nil || c.ID == "" {
			t.Fatalf("checkpoint = %+v, %v", c, err)
		}
		first = c.ID
		if again, err := mem.Checkpoint(ctx, ws, "again", ""); err != nil || again.Skipped == "" {
			t.Errorf("nothing changed, and the checkpoint is %+v, %v", again, err)
		}
	})

	// What changes between two checkpoints is in the diff.
	if err := os.WriteFile(note, []byte(strings.Replace(p.read(note), "then wait", "then call Ana", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	p.in(p.project, func(ctx context.Context, mem *engine.Engine, _ strata.View, ws strata.Scope) {
		if _, err := mem.Checkpoint(ctx, ws, "second", ""); err != nil {
			t.Fatal(err)
		}
		log, err := mem.History(ctx, ws, 2, true)
		if err != nil || len(log.Commits) != 2 || log.Commits[1].ID != first {
			t.Fatalf("history = %+v, %v", log, err)
		}
		if !strings.Contains(log.Diff, "-Run the pelican script, then wait.") || !strings.Contains(log.Diff, "+Run the pelican script, then call Ana.") {
			t.Errorf("the diff is\n%s", log.Diff)
		}
	})

	// A worktree of the repository shares the memory.
	tree := filepath.Join(filepath.Dir(p.project), "tree")
	p.git(p.project, "worktree", "add", "-q", tree)
	p.in(tree, func(ctx context.Context, mem *engine.Engine, view strata.View, ws strata.Scope) {
		if ws != strata.InWorkspace(id) || len(p.finds(ctx, mem, view, "pelican")) != 1 {
			t.Errorf("the worktree is %s, and does not find the note", ws)
		}
		p.remember(ctx, mem, ws, "Written elsewhere", "From the walrus worktree.")
	})
	if _, err := os.Stat(filepath.Join(p.project, ".strata", "notes", "reference_written-elsewhere.md")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(tree, ".strata")); err == nil {
		t.Error("the worktree has a memory of its own")
	}
	p.git(p.project, "worktree", "remove", "--force", tree)

	// Moving the project loses nothing.
	moved := filepath.Join(filepath.Dir(p.project), "renamed")
	if err := os.Rename(p.project, moved); err != nil {
		t.Fatal(err)
	}
	p.project, note = moved, filepath.Join(moved, ".strata", "notes", "reference_how-we-deploy.md")
	var deleted string
	p.in(p.project, func(ctx context.Context, mem *engine.Engine, view strata.View, ws strata.Scope) {
		if ws != strata.InWorkspace(id) || len(p.finds(ctx, mem, view, "pelican walrus")) != 2 {
			t.Errorf("after the move the workspace is %s, and finds %+v", ws, p.finds(ctx, mem, view, "pelican walrus"))
		}
		if hits := p.finds(ctx, mem, view, "ferry"); len(hits) != 0 {
			t.Errorf("the shadowed note is found: %+v", hits)
		}
	})

	// The deeper note goes, and the shallower one shows; revert brings it back.
	if err := os.Remove(note); err != nil {
		t.Fatal(err)
	}
	p.in(p.project, func(ctx context.Context, mem *engine.Engine, view strata.View, ws strata.Scope) {
		if d, err := mem.Document(ctx, view, "reference/how-we-deploy"); err != nil || d.Scope != strata.Global() {
			t.Errorf("without the file the note is %+v, %v", d, err)
		}
		if len(p.finds(ctx, mem, view, "ferry")) != 1 || len(p.finds(ctx, mem, view, "pelican")) != 0 {
			t.Error("the deleted note is found, or the other is not")
		}
		list, err := mem.Decisions(ctx, ws.View(), strata.DecisionFilter{Op: strata.OpDelete, Path: "notes/reference_how-we-deploy.md"})
		if err != nil || len(list) != 1 || list[0].Origin != strata.OriginFile {
			t.Fatalf("decisions = %+v, %v", list, err)
		}
		deleted = list[0].ID
		if _, err := mem.Revert(ctx, view, deleted, engine.RevertOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := mem.Drain(ctx); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(p.read(note), "pelican script, then call Ana") || len(p.finds(ctx, mem, view, "ferry")) != 0 {
			t.Error("the note is not back")
		}
	})

	// Forgotten text is in no file, and the result names the commits.
	p.in(p.project, func(ctx context.Context, mem *engine.Engine, view strata.View, _ strata.Scope) {
		d, err := mem.Document(ctx, view, "reference/how-we-deploy")
		if err != nil {
			t.Fatal(err)
		}
		res, err := mem.Forget(ctx, view, d.ID, engine.ForgetOptions{Origin: strata.OriginCLI})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(res.Remaining, " "), first) && !strings.Contains(strings.Join(res.Remaining, " "), first[:7]) {
			t.Errorf("the first commit, %s, is not named in %v", first, res.Remaining)
		}
		if err := mem.Drain(ctx); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := os.Stat(note); err == nil {
		t.Error("the forgotten file is there")
	}
	if held := p.holding("pelican script"); slices.ContainsFunc(held, func(path string) bool { return !strings.Contains(path, ".git") }) {
		t.Errorf("the forgotten text is in %v", held)
	}
}

// With purge_history no byte of the text is left anywhere.
func TestForgetWithHistoryLeavesNoByte(t *testing.T) {
	p := newPlace(t)
	p.init()
	p.in(p.project, func(ctx context.Context, mem *engine.Engine, view strata.View, ws strata.Scope) {
		p.remember(ctx, mem, ws, "Who was here", "The quetzalcoatlus landed on the roof.")
		p.remember(ctx, mem, ws, "What stays", "The heron stays.")
		if _, err := mem.Checkpoint(ctx, ws, "one", ""); err != nil {
			t.Fatal(err)
		}
	})
	if held := p.holding("quetzalcoatlus"); !slices.ContainsFunc(held, func(path string) bool { return strings.Contains(path, ".git") }) {
		t.Fatalf("the search finds it in %v only: it cannot tell", held)
	}
	p.in(p.project, func(ctx context.Context, mem *engine.Engine, view strata.View, ws strata.Scope) {
		d, err := mem.Document(ctx, view, "reference/who-was-here")
		if err != nil {
			t.Fatal(err)
		}
		res, err := mem.Forget(ctx, view, d.ID, engine.ForgetOptions{Origin: strata.OriginCLI, PurgeHistory: true})
		if err != nil || len(res.Remaining) > 0 || res.Incomplete != "" {
			t.Fatalf("forget = %+v, %v", res, err)
		}
	})
	if held := p.holding("quetzalcoatlus"); len(held) > 0 {
		t.Errorf("the text is still in %v", held)
	}
	if held := p.holding("heron"); len(held) < 3 { // file, history, database
		t.Errorf("what was to stay is in %v only", held)
	}
	own := filepath.Join(p.project, ".strata")
	if out := p.git(own, "fsck", "--strict", "--full"); strings.Contains(out, "error") {
		t.Errorf("git fsck: %s", out)
	}
}

// holding lists the files of home and project that hold a text, git's objects
// read as git reads them.
func (p *place) holding(text string) []string {
	p.t.Helper()
	var held []string
	for _, root := range []string{p.home, p.project} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() {
				if e.Name() == ".git" && bytes.Contains([]byte(p.git(path, "cat-file", "--batch-all-objects", "--batch")), []byte(text)) {
					held = append(held, path)
				}
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if strings.Contains(path, "/objects/") {
				if r, err := zlib.NewReader(bytes.NewReader(data)); err == nil {
					more, _ := io.ReadAll(r) // what is no object ends where it is none
					data = append(data, more...)
				}
			}
			if bytes.Contains(bytes.ToLower(data), []byte(text)) {
				held = append(held, path)
			}
			return nil
		})
		if err != nil {
			p.t.Fatal(err)
		}
	}
	return held
}
