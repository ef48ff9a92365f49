package filestest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

const note = "notes/project_deploys.md"

// scopes returns all scopes that one agent in one workspace sees.
func scopes() []strata.Scope {
	return strata.ViewOf(Workspace, "coder").Scopes
}

var writeTests = []test{
	{"a file that is written can be read", func(b *bench) {
		b.gone(strata.Global(), note)
		f := b.write(strata.Global(), note, "one\n", strata.NoFile)
		if got := b.holds(strata.Global(), note, "one\n"); got.Hash != f.Hash {
			b.Errorf("read %+v, wrote %+v", got.Stat, f.Stat)
		}
	}},
	{"every scope has files of its own", func(b *bench) {
		for _, s := range scopes() {
			if _, ok := b.Tree.Directory(s); !ok {
				b.Errorf("%s has no directory", s)
			}
			b.write(s, "MEMORY.md", s.Key(), strata.NoFile)
		}
		for _, s := range scopes() {
			b.holds(s, "MEMORY.md", s.Key())
			c := b.scan(s, map[string]files.Stat{})
			if len(c.Changed) != 1 || string(c.Changed[0].Content) != s.Key() {
				b.Errorf("scan of %s: %v", s, paths(c.Changed))
			}
		}
	}},
	{"a file is replaced only by who knows it", func(b *bench) {
		first := b.write(strata.Global(), note, "one", strata.NoFile)
		_, err := b.Tree.Write(b.ctx, strata.Global(), note, []byte("two"), strata.NoFile)
		b.code(err, strata.CodeConflict)
		_, err = b.Tree.Write(b.ctx, strata.Global(), note, []byte("two"), files.Hash([]byte("other")))
		b.code(err, strata.CodeConflict)
		b.holds(strata.Global(), note, "one")
		second := b.write(strata.Global(), note, "two", first.Hash)
		_, err = b.Tree.Write(b.ctx, strata.Global(), note, []byte("three"), first.Hash)
		b.code(err, strata.CodeConflict)
		b.holds(strata.Global(), note, "two")
		b.write(strata.Global(), note, "three", second.Hash)
	}},
	{"what stands already is no conflict", func(b *bench) {
		b.write(strata.Global(), note, "one", strata.NoFile)
		b.write(strata.Global(), note, "one", strata.NoFile)
		b.write(strata.Global(), note, "one", files.Hash([]byte("older")))
	}},
	{"a file that is gone is not written over", func(b *bench) {
		f := b.write(strata.Global(), note, "one", strata.NoFile)
		b.ok(b.Hand.Delete(strata.Global(), note))
		_, err := b.Tree.Write(b.ctx, strata.Global(), note, []byte("two"), f.Hash)
		b.code(err, strata.CodeConflict)
		b.gone(strata.Global(), note)
	}},
	{"a file changed by hand is kept", func(b *bench) {
		f := b.write(strata.Global(), note, "one", strata.NoFile)
		b.put(strata.Global(), note, "by hand", f.ModifiedAt)
		_, err := b.Tree.Write(b.ctx, strata.Global(), note, []byte("two"), f.Hash)
		b.code(err, strata.CodeConflict)
		b.code(b.Tree.Remove(b.ctx, strata.Global(), note, f.Hash), strata.CodeConflict)
		b.holds(strata.Global(), note, "by hand")
	}},
	{"a file is removed only by who knows it", func(b *bench) {
		f := b.write(strata.Global(), note, "one", strata.NoFile)
		b.code(b.Tree.Remove(b.ctx, strata.Global(), note, strata.NoFile), strata.CodeConflict)
		b.holds(strata.Global(), note, "one")
		for range 2 {
			b.ok(b.Tree.Remove(b.ctx, strata.Global(), note, f.Hash))
			b.gone(strata.Global(), note)
		}
		b.ok(b.Tree.Remove(b.ctx, strata.ForAgent("nobody"), note, f.Hash))
	}},
	{"all sizes are kept", func(b *bench) {
		base := strata.NoFile
		for _, n := range []int{0, 1, 4096, 100_000, strata.MaxDocumentBytes} {
			text := strings.Repeat("x", n)
			base = b.write(strata.Global(), note, text, base).Hash
			b.holds(strata.Global(), note, text)
		}
	}},
	{"of many writers none loses what another wrote", func(b *bench) {
		const writers, each = 8, 10
		b.write(strata.Global(), note, "", strata.NoFile)
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() {
				for n := range each {
					if err := Append(b.ctx, b.Tree, strata.Global(), note, fmt.Sprintf("%d-%d\n", i, n)); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		f, err := b.Tree.Read(b.ctx, strata.Global(), note)
		b.ok(err)
		lines := strings.Fields(string(f.Content))
		slices.Sort(lines)
		if len(slices.Compact(lines)) != writers*each || len(lines) != writers*each {
			b.Errorf("%d lines, %d wanted:\n%s", len(lines), writers*each, f.Content)
		}
	}},
	{"who gave up gets no answer", func(b *bench) {
		ctx, cancel := context.WithCancel(b.ctx)
		cancel()
		_, err := b.Tree.Write(ctx, strata.Global(), note, []byte("x"), strata.NoFile)
		b.code(err, strata.CodeCanceled)
		_, err = b.Tree.Scan(ctx, strata.Global(), nil)
		b.code(err, strata.CodeCanceled)
		b.gone(strata.Global(), note)
	}},
}

// Append appends text to a file and tries again until nobody interferes. The text must be
// unique to the caller, because a text that is there already is not written twice.
func Append(ctx context.Context, t files.Tree, scope strata.Scope, path, text string) error {
	for {
		f, err := t.Read(ctx, scope, path)
		if err != nil {
			return err
		}
		_, err = t.Write(ctx, scope, path, append(f.Content, text...), f.Hash)
		if strata.CodeOf(err) != strata.CodeConflict {
			return err
		}
	}
}

var badInputTests = []test{
	{"paths that name no document are refused", func(b *bench) {
		ws := strata.InWorkspace(Workspace)
		for _, c := range []struct {
			scope strata.Scope
			path  string
		}{
			{ws, ""}, {ws, "."}, {ws, ".."}, {ws, "/etc/passwd.md"}, {ws, "../x.md"}, {ws, "notes/../../x.md"}, {ws, "notes//x.md"},
			{ws, "./x.md"}, {ws, `notes\x.md`}, {ws, "x\x00.md"}, {ws, ".hidden.md"}, {ws, ".git/x.md"}, {ws, "notes/.x.md"}, {ws, "x.txt"},
			{ws, "notes"}, {ws, "transcripts/x.md"}, {ws, "media/x.md"}, {ws, "Transcripts/x.md"}, {ws, "agents/coder/MEMORY.md"}, {ws, "Agents/coder/MEMORY.md"},
			{ws, strings.Repeat("x", 300) + ".md"}, {ws, strings.Repeat("x/", 300) + "x.md"}, {ws, "\xff.md"}, {ws, "a\nb.md"}, {ws, "@/README.md"},
			{ws, "@/../x.md"}, {strata.Global(), files.ProjectFile}, {strata.Scope{}, note}, {strata.InWorkspace("../.."), note}, {strata.ForAgent(".."), note},
		} {
			_, err := b.Tree.Read(b.ctx, c.scope, c.path)
			if strata.CodeOf(err) != strata.CodeInvalid {
				b.Errorf("read %q in %q: %v", c.path, c.scope, err)
			}
			_, err = b.Tree.Write(b.ctx, c.scope, c.path, []byte("x"), strata.NoFile)
			if strata.CodeOf(err) != strata.CodeInvalid {
				b.Errorf("write %q in %q: %v", c.path, c.scope, err)
			}
			if err := b.Tree.Remove(b.ctx, c.scope, c.path, strata.NoFile); strata.CodeOf(err) != strata.CodeInvalid {
				b.Errorf("remove %q in %q: %v", c.path, c.scope, err)
			}
		}
		if c := b.scan(ws, map[string]files.Stat{}); len(c.Changed) > 0 {
			b.Errorf("there are files: %v", paths(c.Changed))
		}
	}},
	{"strange names are names", func(b *bench) {
		for _, path := range []string{
			"CON.md", "con.md", "notes/CON.md", "notes/🦊.md", "notes/مرحبا.md", "notes/日本語の設定.md", "notes/a b.md", "notes/'\"$(x);*?.md",
			"notes/-rf.md", "a/b/c/d/e/f/g/h.md", strings.Repeat("é", 126) + ".md", "notes/%2e%2e.md", "notes/x..md",
		} {
			b.write(strata.Global(), path, path, strata.NoFile)
		}
		c := b.scan(strata.Global(), map[string]files.Stat{})
		for _, f := range c.Changed {
			if string(f.Content) != f.Path {
				b.Errorf("%q holds %q", f.Path, f.Content)
			}
		}
		if len(c.Changed) != 13 || len(c.Skipped) > 0 {
			b.Errorf("found %q, skipped %v", paths(c.Changed), c.Skipped)
		}
	}},
	{"content that is no text is refused", func(b *bench) {
		for _, c := range []struct {
			content []byte
			want    strata.Code
		}{
			{[]byte("a\x00b"), strata.CodeInvalid},
			{[]byte("\xff\xfe"), strata.CodeInvalid},
			{bytes.Repeat([]byte("x"), strata.MaxDocumentBytes+1), strata.CodeTooLarge},
		} {
			_, err := b.Tree.Write(b.ctx, strata.Global(), note, c.content, strata.NoFile)
			b.code(err, c.want)
			b.gone(strata.Global(), note)
			b.ok(b.Hand.Put(strata.Global(), note, c.content, clock))
			_, err = b.Tree.Read(b.ctx, strata.Global(), note)
			b.code(err, c.want)
			b.ok(b.Hand.Delete(strata.Global(), note))
		}
	}},
	{"the project's own file is read and never written", func(b *bench) {
		ws := strata.InWorkspace(Workspace)
		b.gone(ws, files.ProjectFile)
		b.put(ws, files.ProjectFile, "the project's", clock)
		f := b.holds(ws, files.ProjectFile, "the project's")
		_, err := b.Tree.Write(b.ctx, ws, files.ProjectFile, []byte("x"), f.Hash)
		b.code(err, strata.CodeInvalid)
		b.code(b.Tree.Remove(b.ctx, ws, files.ProjectFile, f.Hash), strata.CodeInvalid)
		b.holds(ws, files.ProjectFile, "the project's")
	}},
}
