package decide

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
)

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

const deploys = "notes/project_deploys.md"

// file is the document at a path with a content.
func file(path, content string) *strata.Document {
	return &strata.Document{ID: "doc_1", Scope: here, Path: path, Hash: hashOf(content), Generation: 1}
}

// put asks to write content to the path of the tests.
func put(content string) DocumentInput {
	return DocumentInput{Candidate: strata.Candidate{Scope: here, Path: deploys, Content: content}, Hash: hashOf(content)}
}

// drop asks to delete it.
func drop() DocumentInput {
	return DocumentInput{Candidate: strata.Candidate{Scope: here, Path: deploys, Action: strata.ActionDelete}}
}

func TestDecideDocument(t *testing.T) {
	type with func(*DocumentInput)
	before := func(content string) with { return func(in *DocumentInput) { in.Before = file(deploys, content) } }
	base := func(hash string) with { return func(in *DocumentInput) { in.Candidate.BaseHash = hash } }
	by := func(o strata.Origin) with { return func(in *DocumentInput) { in.Candidate.Origin = o } }
	at := func(path string) with { return func(in *DocumentInput) { in.Candidate.Path = path } }
	secret := func(in *DocumentInput) { in.Secrets = []string{"password"} }
	forgotten := func(in *DocumentInput) { in.Forgotten = true }
	held := func(in *DocumentInput) {
		in.Before = file(deploys, "a")
		in.Before.Redacted = []string{"password"}
	}
	lose := func(in *DocumentInput) { in.Candidate.LoseSecret = true }
	alike := func(in *DocumentInput) { in.Alike = "notes/project_Deploys.md" }
	for _, tt := range []struct {
		name string
		in   DocumentInput
		with []with
		op   strata.Op
		rule string
		code strata.Code
	}{
		{"a new file", put("a"), nil, strata.OpAdd, "add", ""},
		{"a new version", put("b"), []with{before("a")}, strata.OpUpdate, "update", ""},
		{"the same bytes", put("a"), []with{before("a")}, strata.OpNoop, "same_bytes", ""},
		{"white space is a change", put("a\n"), []with{before("a")}, strata.OpUpdate, "update", ""},
		{"deleted", drop(), []with{before("a")}, strata.OpDelete, "delete", ""},
		{"nothing to delete", drop(), nil, strata.OpNoop, "delete", ""},
		{"on the version seen", put("b"), []with{before("a"), base(hashOf("a"))}, strata.OpUpdate, "update", ""},
		{"on an older version", put("b"), []with{before("c"), base(hashOf("a"))}, strata.OpReject, "base", strata.CodeConflict},
		{"on a file that is gone", put("b"), []with{base(hashOf("a"))}, strata.OpReject, "base", strata.CodeConflict},
		{"expected none, none there", put("a"), []with{base(strata.NoFile)}, strata.OpAdd, "add", ""},
		{"expected none, one there", put("b"), []with{before("a"), base(strata.NoFile)}, strata.OpReject, "base", strata.CodeConflict},
		{"another wrote the same", put("b"), []with{before("b"), base(hashOf("a"))}, strata.OpNoop, "same_bytes", ""},
		{"delete of an older version", drop(), []with{before("c"), base(hashOf("a"))}, strata.OpReject, "base", strata.CodeConflict},
		{"an extractor on an older version", put("b"), []with{before("c"), base(hashOf("a")), by(strata.OriginExtractor)}, strata.OpNoop, "base", ""},
		{"a secret", put("b"), []with{before("a"), secret}, strata.OpReject, "secret", ""},
		{"a secret of an import", put("b"), []with{by(strata.OriginImport), secret}, strata.OpReject, "secret", ""},
		{"forgotten, by itself", put("a"), []with{forgotten, by(strata.OriginImport)}, strata.OpNoop, "forgotten", ""},
		{"forgotten, said again", put("a"), []with{forgotten, by(strata.OriginCLI)}, strata.OpAdd, "add", ""},
		{"of a file with a secret", drop(), []with{held}, strata.OpReject, "delete", strata.CodeRejectedSecret},
		{"over a file with a secret", put("b"), []with{held}, strata.OpReject, "update", strata.CodeRejectedSecret},
		{"over a file with a secret, by an import", put("b"), []with{held, by(strata.OriginImport)}, strata.OpNoop, "update", ""},
		{"of a secret that may be lost", drop(), []with{held, lose}, strata.OpDelete, "delete", ""},
		{"of a file with a secret, by hand", drop(), []with{held, by(strata.OriginFile)}, strata.OpDelete, "hand", ""},
		{"another case", put("a"), []with{alike}, strata.OpReject, "alike", strata.CodeConflict},
		{"another case, made by hand", put("a"), []with{alike, by(strata.OriginFile)}, strata.OpAdd, "hand", ""},
		{"made by hand", put("a"), []with{by(strata.OriginFile)}, strata.OpAdd, "hand", ""},
		{"edited by hand", put("b"), []with{by(strata.OriginFile), before("a")}, strata.OpUpdate, "hand", ""},
		{"deleted by hand", drop(), []with{by(strata.OriginFile), before("a")}, strata.OpDelete, "hand", ""},
		{"a secret by hand", put("b"), []with{by(strata.OriginFile), secret}, strata.OpAdd, "hand", ""},
		{"forgotten, restored by hand", put("b"), []with{by(strata.OriginFile), forgotten}, strata.OpAdd, "hand", ""},
		{"nothing done by hand", put("a"), []with{by(strata.OriginFile), before("a")}, strata.OpReject, "hand", strata.CodeInvalid},
		{"the system's, by an agent", put("a"), []with{at("_system/dreaming/x.md"), by(strata.OriginTool)}, strata.OpReject, "system", ""},
		{"the system's, by a person", put("a"), []with{at("_system/dreaming/x.md"), by(strata.OriginCLI)}, strata.OpAdd, "add", ""},
		{"the system's, by a dream", put("a"), []with{at("_system/dreaming/x.md"), by(strata.OriginDream)}, strata.OpAdd, "add", ""},
		{"an ad-hoc note by an agent", put("a"), []with{at("_system/ad_hoc/x.md"), by(strata.OriginTool)}, strata.OpAdd, "add", ""},
		{"a name like the system's", put("a"), []with{at("_system_notes.md"), by(strata.OriginCLI)}, strata.OpReject, "system", ""},
		{"a directory like the system's", put("a"), []with{at("_System2/notes.md"), by(strata.OriginTool)}, strata.OpReject, "system", ""},
		{"a name like the system's, by hand", put("a"), []with{at("_system_notes.md"), by(strata.OriginFile)}, strata.OpAdd, "hand", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, w := range tt.with {
				w(&tt.in)
			}
			out := DecideDocument(tt.in)
			if out.Op != tt.op || out.Rules[len(out.Rules)-1] != tt.rule {
				t.Errorf("%s by %v (%s), want %s by %s", out.Op, out.Rules, out.Reason, tt.op, tt.rule)
			}
			checkDocumentOutcome(t, tt.in, out)
			var code strata.Code
			if out.Err != nil {
				code = out.Err.Code
			}
			if code != tt.code {
				t.Errorf("error %v, want code %q", out.Err, tt.code)
			}
		})
	}
}

// checkDocumentOutcome fails unless the outcome keeps what every one promises.
func checkDocumentOutcome(t interface {
	Helper()
	Errorf(string, ...any)
}, in DocumentInput, out Outcome) {
	t.Helper()
	var names []string
	for _, r := range documentRules() {
		names = append(names, r.name)
	}
	switch {
	case out.Reason == "" || len(out.Reason) > maxReason || strings.ContainsAny(out.Reason, "\n\r"):
		t.Errorf("reason %q of %d bytes", out.Reason, len(out.Reason))
	case !slices.Equal(out.Rules, names[:len(out.Rules)]):
		t.Errorf("rules = %v", out.Rules)
	case !(out.Confidence > 0 && out.Confidence <= 1):
		t.Errorf("confidence = %v", out.Confidence)
	case out.Target != nil || out.Ambiguous != nil:
		t.Errorf("a document has no target: %+v", out)
	case out.Err != nil && (out.Op != strata.OpReject || out.Err.Hint == ""):
		t.Errorf("error %v with %s", out.Err, out.Op)
	case in.Before == nil && (out.Op == strata.OpUpdate || out.Op == strata.OpDelete):
		t.Errorf("%s of nothing", out.Op)
	case in.Before != nil && out.Op == strata.OpAdd:
		t.Errorf("%s in the place of a file", out.Op)
	case in.Candidate.Origin == strata.OriginFile && out.Err == nil && !out.Op.Changed():
		t.Errorf("a hand edit became %s", out.Op)
	}
}

// disk is the smallest tree that DecideDocument can be run against.
type disk map[string]string

func (d disk) write(c strata.Candidate) Outcome {
	in := DocumentInput{Candidate: c}
	if c.Action == strata.ActionSave {
		in.Hash = hashOf(c.Content)
	}
	if content, ok := d[c.Path]; ok {
		in.Before = file(c.Path, content)
	}
	out := DecideDocument(in)
	switch out.Op {
	case strata.OpAdd, strata.OpUpdate:
		d[c.Path] = c.Content
	case strata.OpDelete:
		delete(d, c.Path)
	}
	return out
}

func TestAddDeleteAddOfADocumentWorks(t *testing.T) {
	d := disk{}
	for _, want := range []strata.Op{strata.OpAdd, strata.OpDelete, strata.OpAdd, strata.OpDelete, strata.OpAdd} {
		c := put("X").Candidate
		if want == strata.OpDelete {
			c = drop().Candidate
		}
		if out := d.write(c); out.Op != want {
			t.Fatalf("got %s (%s), want %s", out.Op, out.Reason, want)
		}
	}
	if d[deploys] != "X" {
		t.Errorf("the file is %q", d[deploys])
	}
}

func TestEveryVersionOfADocumentIsWritten(t *testing.T) {
	d := disk{}
	for i, content := range []string{"A", "B", "A", "B"} {
		if out := d.write(put(content).Candidate); !out.Op.Changed() {
			t.Errorf("write %d: %s (%s)", i, out.Op, out.Reason)
		}
	}
	if d[deploys] != "B" {
		t.Errorf("the file is %q", d[deploys])
	}
}

func TestOneOfEightWritersOfAFileWhoSawNoneWins(t *testing.T) {
	d := disk{}
	won, lost := 0, 0
	for i := range 8 {
		c := put(fmt.Sprintf("by writer %d", i)).Candidate
		c.BaseHash = strata.NoFile
		switch out := d.write(c); {
		case out.Op == strata.OpAdd:
			won++
		case out.Err != nil && out.Err.Code == strata.CodeConflict:
			lost++
		}
	}
	if won != 1 || lost != 7 || d[deploys] != "by writer 0" {
		t.Errorf("%d won and %d were told, the file is %q", won, lost, d[deploys])
	}
}

func TestDecideDocumentProperties(t *testing.T) {
	origins := []strata.Origin{"", strata.OriginCLI, strata.OriginTool, strata.OriginExtractor, strata.OriginDream, strata.OriginFile, strata.OriginImport}
	contents := []string{"a", "b", "c"}
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom([]string{deploys, "MEMORY.md", "_system/x.md", "_system/ad_hoc/x.md", "_system.md", "skills/x/SKILL.md",
			"notes/project_" + strings.Repeat("x", 480) + ".md"}).Draw(t, "path")
		in := DocumentInput{Candidate: strata.Candidate{Scope: here, Path: path, Origin: rapid.SampledFrom(origins).Draw(t, "origin")}}
		if rapid.Bool().Draw(t, "delete") {
			in.Candidate.Action = strata.ActionDelete
		} else {
			in.Candidate.Content = rapid.SampledFrom(contents).Draw(t, "content")
			in.Hash = hashOf(in.Candidate.Content)
		}
		if rapid.Bool().Draw(t, "there") {
			in.Before = file(path, rapid.SampledFrom(contents).Draw(t, "before"))
		}
		if rapid.Bool().Draw(t, "based") {
			in.Candidate.BaseHash = rapid.SampledFrom([]string{strata.NoFile, hashOf("a"), hashOf("b")}).Draw(t, "base")
		}
		if rapid.IntRange(0, 3).Draw(t, "secret") == 0 {
			in.Secrets = []string{"password"}
		}
		in.Forgotten = rapid.IntRange(0, 3).Draw(t, "forgotten") == 0
		out := DecideDocument(in)
		checkDocumentOutcome(t, in, out)
		again := DecideDocument(in)
		if fmt.Sprint(out) != fmt.Sprint(again) {
			t.Fatalf("decided twice: %+v, %+v", out, again)
		}
		if len(in.Secrets) > 0 && in.Candidate.Origin != strata.OriginFile && out.Op != strata.OpReject {
			t.Fatalf("a secret became %s", out.Op)
		}
	})
}

// What init wrote is not told as something that a person made.
func TestDecideDocument_AStandardFileAsItBegins(t *testing.T) {
	in := DocumentInput{
		Candidate: strata.Candidate{Scope: strata.Global(), Path: "SOUL.md", Content: "begin", Origin: strata.OriginFile},
		Hash:      "h", Starter: true,
	}
	if out := DecideDocument(in); out.Op != strata.OpAdd || strings.Contains(out.Reason, "by hand") {
		t.Errorf("%s, %s", out.Op, out.Reason)
	}
	in.Starter = false
	if out := DecideDocument(in); !strings.Contains(out.Reason, "by hand") {
		t.Errorf("%s, %s", out.Op, out.Reason)
	}
}
