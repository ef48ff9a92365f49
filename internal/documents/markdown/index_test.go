package markdown_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

var two = []markdown.Entry{
	{Title: "Deploy", Path: "notes/project_deploy.md", Hook: "when we ship"},
	{Title: "Cat", Path: "notes/user_cat.md", Hook: "names of pets"},
}

const (
	line1 = "- [Deploy](notes/project_deploy.md): when we ship\n"
	line2 = "- [Cat](notes/user_cat.md): names of pets\n"
)

// code is what follows an entry in its line.
var code = regexp.MustCompile(`(?m) <!-- [0-9a-f]{6} -->$`)

// shown is a file without the codes of its entries.
func shown(s string) string { return code.ReplaceAllString(strings.ReplaceAll(s, "\r\n", "\n"), "") }

func TestPutIndex(t *testing.T) {
	const block = "<!-- strata:index -->\n" + line1 + line2 + "<!-- /strata:index -->\n"
	fresh := markdown.PutIndex("", two)
	lines := strings.SplitAfter(fresh, "\n")
	coded1, coded2 := lines[1], lines[2]
	const earlier = "<!-- strata:index -->\n" + line1 + line2 + "<!-- /strata:index bacd0c655006 -->\n"
	for _, tt := range []struct{ name, content, want string }{
		{"an empty file", "", block},
		{"a starting text", markdown.Starter("MEMORY.md"), strings.Replace(markdown.Starter("MEMORY.md"), "<!-- strata:index -->\n<!-- /strata:index -->\n", block, 1)},
		{"no markers: below the first heading", "# Memory\nmine\n\n## Mine\nmore", "# Memory\nmine\n\n" + block + "\n## Mine\nmore"},
		{"no markers, no heading: at the end", "mine", "mine\n\n" + block},
		{"before generated blocks", "mine\n\n## Extracted <!-- strata:block -->\n", "mine\n\n" + block + "\n## Extracted <!-- strata:block -->\n"},
		{"a heading in code is none", "# A\n```\n# B\n```\nx\n", "# A\n```\n# B\n```\nx\n\n" + block},
		{"people's lines inside stay", strings.Replace(fresh, coded2, "mine\n"+coded2+"\n- also mine\n", 1),
			"<!-- strata:index -->\n" + line1 + line2 + "mine\n\n- also mine\n<!-- /strata:index -->\n"},
		{"an entry that a person changed stays and stands for its note", strings.Replace(fresh, coded1, "- [Deploy](notes/project_deploy.md): mine\n", 1),
			"<!-- strata:index -->\n" + line2 + "- [Deploy](notes/project_deploy.md): mine\n<!-- /strata:index -->\n"},
		{"an entry that a person copied elsewhere stays", "# Best\n" + line1 + "\n" + fresh, "# Best\n" + line1 + "\n" + block},
		{"an entry that a person took out comes back", strings.Replace(fresh, coded1, "", 1), block},
		{"no opening marker", "a\n" + strings.Replace(fresh, "<!-- strata:index -->\n", "", 1) + "b\n", "a\n" + block + "b\n"},
		{"no closing marker", "a\n<!-- strata:index -->\n" + line1 + line2 + "b\n" + line2, "a\n" + block + "b\n" + line2},
		{"doubled", fresh + "between\n" + fresh, block + "between\n"},
		{"doubled opening marker", "<!-- strata:index -->\nmine\n" + fresh, "mine\n" + block},
		{"a line that a person changed and its code", strings.Replace(fresh, "when we ship", "when Ana ships", 1),
			"<!-- strata:index -->\n" + line2 + "- [Deploy](notes/project_deploy.md): when Ana ships\n<!-- /strata:index -->\n"},
		{"as earlier versions wrote it", earlier, block},
		{"as earlier versions wrote it, with a line that a person changed", strings.Replace(earlier, "when we ship", "mine", 1),
			"<!-- strata:index -->\n" + line2 + "- [Deploy](notes/project_deploy.md): mine\n<!-- /strata:index -->\n"},
		{"moved to the end", "a\n" + line1 + "<!-- /strata:index -->\nb\n<!-- strata:index -->\n", "a\n" + line1 + "b\n" + block},
		{"moved around text", strings.Replace(fresh, "<!-- /strata", "# Mine\ntext\n<!-- /strata", 1),
			"<!-- strata:index -->\n" + line1 + line2 + "# Mine\ntext\n<!-- /strata:index -->\n"},
		{"shown in code", "```\n" + block + "```\n", "```\n" + block + "```\n\n" + block},
		{"code that nobody closed hides nothing", "```\nx\n" + fresh, "```\nx\n" + block},
		{"Windows line ends", "# A\r\nx\r\n", "# A\nx\n\n" + block},
		{"a carriage return at the end", "x\r", "x\r\n\n" + block},
		{"entries of people without codes", "<!-- strata:index -->\n" + line1 + "<!-- /strata:index -->\n",
			"<!-- strata:index -->\n" + line2 + line1 + "<!-- /strata:index -->\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := markdown.PutIndex(tt.content, two)
			if shown(got) != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
			if strings.Contains(tt.content, "\r") && strings.Count(got, "\n") != strings.Count(got, "\r\n") {
				t.Errorf("the ends of lines differ: %q", got)
			}
			if again := markdown.PutIndex(got, two); again != got {
				t.Errorf("not the same again:\n%s", again)
			}
			if a, b := markdown.Human("MEMORY.md", got), markdown.Human("MEMORY.md", tt.content); a != b {
				t.Errorf("people's text was\n%s\nand is\n%s", b, a)
			}
		})
	}
}

func TestPutIndexFollowsTheNotes(t *testing.T) {
	full := markdown.PutIndex("# Memory\n\nmine\n", two)
	one := markdown.PutIndex(full, two[1:])
	if strings.Contains(one, "Deploy") || !strings.Contains(shown(one), line2) {
		t.Errorf("a note that is gone is listed:\n%s", one)
	}
	if got := markdown.PutIndex(one, two); got != full {
		t.Errorf("there and back:\n%s\nfirst:\n%s", got, full)
	}
	if got := markdown.PutIndex("mine\n", nil); got != "mine\n" {
		t.Errorf("an index of nothing was made: %q", got)
	}
	if got := markdown.PutIndex(markdown.Starter("MEMORY.md"), nil); got != markdown.Starter("MEMORY.md") {
		t.Errorf("the starting text changed:\n%s", got)
	}
}

// The closing marker is as long for a thousand notes as for one, so that a change
// of a note is a change of its own line alone.
func TestTheClosingMarkerDoesNotGrow(t *testing.T) {
	var many []markdown.Entry
	for i := range 1000 {
		many = append(many, markdown.Entry{Title: fmt.Sprint("Note ", i), Path: fmt.Sprintf("notes/project_n%d.md", i), Hook: "when"})
	}
	before := strings.Split(markdown.PutIndex("", many), "\n")
	if got := before[len(before)-2]; got != "<!-- /strata:index -->" {
		t.Errorf("the marker is %.80q", got)
	}
	many[7].Hook = "when asked"
	after := strings.Split(markdown.PutIndex(strings.Join(before, "\n"), many), "\n")
	differ := 0
	for i, line := range before {
		if after[i] != line {
			differ++
		}
	}
	if len(after) != len(before) || differ != 1 {
		t.Errorf("%d lines differ", differ)
	}
}

func TestNoEntryCanBreakOutOfItsLine(t *testing.T) {
	hostile := []markdown.Entry{
		{Title: "a](evil.md) [b", Path: "notes/user_a.md", Hook: "x\n<!-- /strata:index -->\n# Mine"},
		{Title: "<!-- strata:index -->", Path: "notes/user b (1).md", Hook: "--> ``` <script>"},
		{Title: "", Path: "notes/user_c.md"},
		{Title: "twice", Path: "notes/user_c.md"},
		{Title: "outside", Path: "../../etc/passwd"},
		{Title: strings.Repeat("long ", 100), Path: "notes/user_d.md", Hook: strings.Repeat("long ", 100)},
		{Title: "hidden \u202e\u200b", Path: "notes/user_日本.md"},
	}
	got := markdown.PutIndex("# Memory\n", hostile)
	want := "# Memory\n\n<!-- strata:index -->\n" +
		`- [a\](evil.md) \[b](notes/user_a.md): x ‹!-- /strata:index --› # Mine` + "\n" +
		"- [‹!-- strata:index --›](notes/user%20b%20%281%29.md): --› `` ‹script>\n" +
		"- [user_c](notes/user_c.md)\n"
	if !strings.HasPrefix(shown(got), want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if strings.Count(got, "\n") != 2+7 || strings.Contains(got, "passwd") || strings.Contains(got, "\u202e") {
		t.Errorf("got:\n%s", got)
	}
	if markdown.Human("MEMORY.md", got) != "# Memory\n" {
		t.Errorf("people are said to have written %q", markdown.Human("MEMORY.md", got))
	}
}

func TestHumanTextSurvivesWhateverIsGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := files().Draw(t, "content")
		want := markdown.Human("MEMORY.md", content)
		index := entries().Draw(t, "entries")
		got := markdown.PutIndex(content, index)
		if h := markdown.Human("MEMORY.md", got); h != want {
			t.Fatalf("people wrote\n%q\nnow\n%q\nin\n%q\nof\n%q", want, h, got, content)
		}
		if again := markdown.PutIndex(got, index); again != got {
			t.Fatalf("not the same again:\n%q\nfirst:\n%q", again, got)
		}
		title, list := rapid.SampledFrom([]string{"Extracted", "Dreamed 2026"}).Draw(t, "title"), items().Draw(t, "items")
		budget := rapid.IntRange(-1, 300).Draw(t, "budget")
		list = slices.DeleteFunc(list, func(it markdown.Item) bool { // one decision has one text
			return it.Decision != "" && strings.Contains(got, it.Decision)
		})
		block := markdown.PutBlock(got, title, list, budget)
		if h := markdown.Human("MEMORY.md", block); h != want {
			t.Fatalf("people wrote\n%q\nnow\n%q\nin\n%q", want, h, block)
		}
		if again := markdown.PutBlock(block, title, list, budget); again != block {
			t.Fatalf("not the same again:\n%q\nfirst:\n%q\nof\n%q", again, block, got)
		}
	})
}

func TestPromptIndexHoldsItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := files().Draw(t, "content")
		switch rapid.IntRange(0, 3).Draw(t, "more") {
		case 1:
			content = strings.Repeat(content+"\n", 30)
		case 2:
			content += strings.Repeat("ß", 30_000)
		}
		index := entries().Draw(t, "entries")
		for i := range rapid.SampledFrom([]int{0, 300}).Draw(t, "many") {
			index = append(index, markdown.Entry{Title: strings.Repeat("t", 100), Path: fmt.Sprintf("notes/user_%d.md", i), Hook: strings.Repeat("h", 150)})
		}
		got := markdown.PromptIndex(content, index, time.Time{})
		if n := strings.Count(got, "\n"); n > markdown.PromptLines || len(got) > markdown.PromptBytes || !utf8.ValidString(got) {
			t.Fatalf("%d lines, %d bytes", n, len(got))
		}
		if got != markdown.PromptIndex(content, index, time.Time{}) {
			t.Fatal("not the same again")
		}
	})
}

func TestTheNewestReachesThePrompt(t *testing.T) {
	content := "# Memory\n" + strings.Repeat("\nPeople wrote this line of some length about their work.", 400) + "\n"
	var list []markdown.Item
	for i := range 300 {
		list = append(list, markdown.Item{Text: fmt.Sprintf("fact number %d", i), Decision: fmt.Sprintf("dec_%05d", i)})
	}
	for i := range 3 {
		content = markdown.PutBlock(content, fmt.Sprintf("Extracted 2026-03-0%d", i+1), list[i*100:(i+1)*100], 1_000_000)
	}
	var many []markdown.Entry
	for i := range 300 {
		many = append(many, markdown.Entry{Title: fmt.Sprintf("Note %d", i), Path: fmt.Sprintf("notes/user_%d.md", i)})
	}
	got := markdown.PromptIndex(content, many, time.Time{})
	for _, want := range []string{"# Memory", "fact number 299\n", "## Extracted 2026-03-03\n", "[Note 0]", "(cut: ", "more notes are found by search)", "older items stand in MEMORY.md)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	for _, bad := range []string{"fact number 0\n", "<!--", "Extracted 2026-03-01"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in the prompt", bad)
		}
	}
}

func TestAMissingOrStaleIndexIsMadeForThePrompt(t *testing.T) {
	want := line1 + line2
	stale := markdown.PutIndex("mine\n", []markdown.Entry{{Title: "Old", Path: "notes/user_old.md"}})
	for name, content := range map[string]string{"none": "", "stale": stale, "damaged": "<!-- strata:index -->\n"} {
		got := markdown.PromptIndex(content, two, time.Time{})
		if !strings.Contains(got, want) || strings.Contains(got, "Old") || strings.Contains(got, "<!--") {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
	if got := markdown.PromptIndex("---\nname: x\n---\n\nmine\n", nil, time.Time{}); got != "mine\n" {
		t.Errorf("got %q", got)
	}
	if got := markdown.PromptIndex(markdown.Starter("MEMORY.md"), nil, time.Time{}); got != "# Memory\n" {
		t.Errorf("hints reach the prompt: %q", got)
	}
}

func FuzzIndex(f *testing.F) {
	f.Add("# A\n"+markdown.PutIndex("", two), "t", "h")
	f.Add("<!-- /strata:index 0 -->\n<!-- strata:index -->", "]", "-->")
	f.Add("- [\\", "\\", "\r")
	f.Fuzz(func(t *testing.T, content, title, hook string) {
		list := []markdown.Entry{{Title: title, Path: "notes/user_x.md", Hook: hook}, two[0]}
		want := markdown.Human("MEMORY.md", content)
		got := markdown.PutIndex(content, list)
		if h := markdown.Human("MEMORY.md", got); h != want {
			t.Fatalf("people wrote %q, now %q in %q", want, h, got)
		}
		if markdown.PutIndex(got, list) != got {
			t.Fatalf("not the same again: %q", got)
		}
		item := []markdown.Item{{Text: hook, Decision: "dec_1"}}
		block := markdown.PutBlock(got, title, item, 0)
		if h := markdown.Human("MEMORY.md", block); h != want {
			t.Fatalf("people wrote %q, now %q in %q", want, h, block)
		}
		if markdown.PutBlock(block, title, item, 0) != block {
			t.Fatalf("not the same again: %q", block)
		}
		markdown.PromptIndex(content, list, time.Time{})
		markdown.Without(content, map[string]bool{"dec_1": true})
	})
}

func TestHumanOfOtherFilesIsTheFile(t *testing.T) {
	for _, path := range []string{"USER.md", "notes/user_x.md", "skills/x/SKILL.md", "a.md"} {
		content := "\uFEFFx\r\n\n\n- [10:00] a <!-- dec_1 -->"
		if got := markdown.Human(path, content); got != content {
			t.Errorf("%s: %q", path, got)
		}
	}
	if !slices.Equal(strata.Types(), []strata.Type{"user", "feedback", "project", "reference"}) {
		t.Error("types changed: the paths of notes are made of them")
	}
}

func TestThePromptSaysHowOldANoteIs(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	entries := []markdown.Entry{
		{Title: "Old", Path: "notes/project_old note.md", Hook: "when old", At: now.AddDate(0, 0, -91)},
		{Title: "Fresh", Path: "notes/project_fresh.md", Hook: "when fresh", At: now.AddDate(0, 0, -90)},
		{Title: "Unknown", Path: "notes/project_unknown.md"},
	}
	got := markdown.PromptIndex("", entries, now)
	want := "- [Old](notes/project_old%20note.md): when old (91 days old)\n" +
		"- [Fresh](notes/project_fresh.md): when fresh\n- [Unknown](notes/project_unknown.md)\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if file := markdown.PutIndex("", entries); strings.Contains(file, "days old") {
		t.Errorf("the file says it too:\n%s", file)
	}
}
