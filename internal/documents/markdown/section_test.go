package markdown_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

// outline writes sections as "line-end headings: first line".
func outline(sections []strata.Section) []string {
	var out []string
	for _, s := range sections {
		first, _, _ := strings.Cut(s.Text, "\n")
		out = append(out, fmt.Sprintf("%d-%d %s: %s", s.Line, s.EndLine, strings.Join(s.Headings, " > "), first))
	}
	return out
}

func TestSectionsFollowHeadings(t *testing.T) {
	for _, tt := range []struct {
		name, path, content string
		want                []string
	}{
		{"text before the first heading", "x.md", "a\nb\n\n# T\nc\n", []string{"1-2 : a", "4-5 T: # T"}},
		{"levels", "x.md", "# A\na\n## B\nb\n### C\nc\n## D\nd\n# E\ne",
			[]string{"1-2 A: # A", "3-4 A > B: ## B", "5-6 A > B > C: ### C", "7-8 A > D: ## D", "9-10 E: # E"}},
		{"a heading without text goes with the deeper one", "x.md", "# A\n\n## B\nb\n# C\n# D\n",
			[]string{"1-4 A > B: # A", "5-5 C: # C", "6-6 D: # D"}},
		{"underlined headings", "x.md", "A\n===\na\n\nB\nb2\n---\nb\n", []string{"1-3 A: A", "5-8 A > B b2: B"}},
		{"a code block holds no heading", "x.md", "# A\n```sh\n# no\n```\n~~~\n# no\n\n    # no\n", []string{"1-8 A: # A"}},
		{"an indented code block neither", "x.md", "# A\n\n    # no\n\nx\n", []string{"1-5 A: # A"}},
		{"nor an item or quotation", "x.md", "# A\n- # no\n> # no\n> x\n> ---\n", []string{"1-5 A: # A"}},
		{"nor code in an item", "x.md", "# A\n- x\n\n  ```\n  # no\n  ```\n", []string{"1-6 A: # A"}},
		{"nor HTML", "x.md", "# A\n<pre>\n# no\n\n# no\n</pre>\n", []string{"1-6 A: # A"}},
		{"Windows line ends", "x.md", "---\r\nname: n\r\n---\r\n\r\n# A\r\na\r\n\r\n# B\r\nb", []string{"5-6 A: # A", "8-9 B: # B"}},
		{"byte order mark", "x.md", "\uFEFF# A\na\n", []string{"1-2 A: # A"}},
		{"byte order mark and front matter", "x.md", "\uFEFF---\nname: n\n---\n# A\na", []string{"4-5 A: # A"}},
		{"front matter of other programs", "x.md", "---\ntags: [x]\n---\na\n", []string{"4-4 : a"}},
		{"a rule is no front matter", "x.md", "---\nJust text.\n\n---\nmore\n", []string{"1-5 : ---"}},
		{"broken front matter is text", "notes/user_x.md", "---\nname: a: b\n---\n", []string{"1-3 name: a: b: ---"}},
		{"a note without a body", "notes/user_x.md", "---\nname: a\ndescription: b\ntype: user\n---\n", []string{"1-5 : b"}},
		{"comments", "x.md", "# A\n<!-- hint -->\na\n\n<!-- only this -->\n", []string{"1-3 A: # A"}},
		{"a comment over several lines", "x.md", "<!--\n# no\n-->\na\n", []string{"1-4 : <!--"}},
		{"nothing", "x.md", "\n \n", nil},
		{"an empty heading", "x.md", "# A\na\n#\nb\n", []string{"1-2 A: # A", "3-4 : #"}},
		{"a starting text", "USER.md", markdown.Starter("USER.md"), nil},
		{"a starting text that went on", "USER.md", markdown.Starter("USER.md") + "\nI am Anna.\n", []string{"1-5 About the user: # About the user"}},
		{"the index", "MEMORY.md", markdown.PutIndex("# Memory\nmine\n", []markdown.Entry{{Title: "T", Path: "notes/user_t.md"}}), []string{"1-2 Memory: # Memory"}},
		{"the log of a day", "memory/2026-03-01.md", "# 2026-03-01\n\n- [10:00] made <!-- dec_1 -->\n- [11:00] by hand\n", []string{"1-4 2026-03-01: # 2026-03-01"}},
		{"learnings", "learnings/errors.md", "- [2026-03-03 08:12] **bash**: no such file\n", []string{"1-1 : - [2026-03-03 08:12] **bash**: no such file"}},
		{"bytes that are no text", "x.md", "# A\n\xff\x00\n", []string{"1-2 A: # A"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := markdown.Sections(tt.path, tt.content)
			if o := outline(got); !slices.Equal(o, tt.want) {
				t.Errorf("got  %q\nwant %q", o, tt.want)
			}
			for i, s := range got {
				if s.Seq != int64(i+1) || s.Path != tt.path || s.Text == "" {
					t.Errorf("section %d is %+v", i+1, s)
				}
			}
		})
	}
}

func TestLongSectionsAreDividedAtParagraphs(t *testing.T) {
	paragraph := func(i, n int) string {
		return strings.TrimSpace(strings.Repeat(fmt.Sprintf("word%d ", i), n)) + ".\n"
	}
	for name, tt := range map[string]struct{ body string }{
		"paragraphs":       {paragraph(1, 150) + "\n" + paragraph(2, 150) + "\n" + paragraph(3, 150) + "\n" + paragraph(4, 20)},
		"items":            {strings.Repeat("- one item of nine words that says very little\n", 120)},
		"code":             {"```\n" + strings.Repeat("one line of code\n", 300) + "```\n"},
		"one line":         {strings.Repeat("A sentence of six words here. ", 500)},
		"one line, no end": {strings.Repeat("word ", 3000)},
		"no spaces":        {strings.Repeat("日本語の長い文章です。", 400)},
		"one word":         {strings.Repeat("x", 200_000)},
	} {
		t.Run(name, func(t *testing.T) {
			got := markdown.Sections("x.md", "# Long\n\n"+tt.body)
			if len(got) < 2 {
				t.Fatalf("it was not divided: %d", len(got))
			}
			var all strings.Builder
			for i, s := range got {
				all.WriteString(s.Text)
				if !slices.Equal(s.Headings, []string{"Long"}) {
					t.Errorf("section %d stands under %q", i+1, s.Headings)
				}
				words := len(strings.Fields(s.Text))
				if words > markdown.MaxWords || strings.Contains(tt.body, "\n") && words < 30 {
					t.Errorf("section %d of %d has %d words", i+1, len(got), words)
				}
				if len(s.Text) > 100_000 {
					t.Errorf("section %d has %d bytes", i+1, len(s.Text))
				}
				if name == "paragraphs" && !strings.HasSuffix(s.Text, ".") {
					t.Errorf("section %d ends inside a paragraph: %q", i+1, s.Text)
				}
			}
			if a, b := strings.Join(strings.Fields(all.String()), ""), strings.Join(strings.Fields("# Long"+tt.body), ""); a != b {
				t.Errorf("%d bytes of %d are in sections", len(a), len(b))
			}
		})
	}
}

// files draws Markdown as people write it, and worse.
func files() *rapid.Generator[string] {
	line := rapid.OneOf(
		rapid.SampledFrom([]string{"", "", "# A", "## B", "#", "text", "===", "---", "```", "~~~", "- item", "  more", "> quote", "1. x",
			"<!-- c -->", "<!--", "-->", "<div>", "    code", "\ttab", "name: x", "日本語", "---\nname: x\n---",
			"<!-- strata:index -->", "<!-- /strata:index -->", " <!-- strata:index -->", "<!-- /strata:index 00 -->",
			"- [T](notes/user_t.md): hook", "- [Mine](notes/user_m.md)", "## Own <!-- strata:block -->",
			"- mine <!-- dec_1 000000 -->", "- [10:00] x <!-- dec_9 -->", "- [11:30] by hand",
			strings.Repeat("many words here ", 60)}),
		rapid.String(),
	)
	return rapid.Custom(func(t *rapid.T) string {
		end := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "end")
		s := strings.Join(rapid.SliceOfN(line, 0, 25).Draw(t, "lines"), end)
		if rapid.Bool().Draw(t, "ended") {
			s += end
		}
		if rapid.Bool().Draw(t, "generated") {
			s = markdown.PutIndex(s, entries().Draw(t, "entries"))
		}
		if rapid.Bool().Draw(t, "blocks") {
			s = markdown.PutBlock(s, "Extracted", items().Draw(t, "items"), 0)
		}
		return s
	})
}

func entries() *rapid.Generator[[]markdown.Entry] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) markdown.Entry {
		return markdown.Entry{
			Title: rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"T", "[x](y.md)", "--> <!-- strata:index -->", "a\nb"})).Draw(t, "title"),
			Path:  rapid.SampledFrom([]string{"notes/user_t.md", "notes/user_m.md", "notes/project_x y(1).md", "notes/user_日本.md", "../x.md"}).Draw(t, "path"),
			Hook:  rapid.OneOf(rapid.String(), rapid.Just("hook")).Draw(t, "hook"),
		}
	}), 0, 5)
}

func items() *rapid.Generator[[]markdown.Item] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) markdown.Item {
		return markdown.Item{
			Text:     rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a fact", "<!-- dec_7 -->", "x\n## y <!-- strata:block -->", "```"})).Draw(t, "text"),
			Decision: rapid.StringMatching(`(dec_[0-9]{2}|dec_01J[A-Z]|x|)`).Draw(t, "decision"),
			At:       time.Unix(rapid.Int64Range(0, 86_399).Draw(t, "at"), 0).UTC(),
		}
	}), 0, 6)
}

func TestSectionsCoverEveryHumanLineOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom([]string{"x.md", "MEMORY.md", "memory/2026-03-01.md"}).Draw(t, "path")
		checkCover(t, path, strings.ReplaceAll(files().Draw(t, "content"), "\x00", ""))
	})
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkCover fails unless the words of people are exactly those of the sections.
func checkCover(t failer, path, content string) {
	t.Helper()
	content = strings.ToValidUTF8(content, "\uFFFD")
	sections := markdown.Sections(path, content)
	if !reflect.DeepEqual(sections, markdown.Sections(path, content)) {
		t.Fatalf("not the same again")
	}
	lines := strings.Split(content, "\n")
	last := 0
	var words []string
	for _, s := range sections {
		if s.Line < last || s.EndLine < s.Line || s.EndLine > len(lines) || s.Line < 1 {
			t.Fatalf("section %d has the lines %d to %d after %d of %d", s.Seq, s.Line, s.EndLine, last, len(lines))
		}
		if s.Line == last && len(strings.Fields(lines[last-1])) < 300 && len(lines[last-1]) < 600 {
			t.Fatalf("two sections share line %d", last)
		}
		last = s.EndLine
		words = append(words, strings.Fields(s.Text)...)
		at := strings.Join(lines[s.Line-1:s.EndLine], "\n")
		for line := range strings.SplitSeq(s.Text, "\n") {
			if !strings.Contains(at, strings.TrimRight(line, "\r")) {
				t.Fatalf("section %d says %q, which is not in its lines", s.Seq, line)
			}
		}
	}
	if len(sections) == 0 && content == markdown.Starter(path) {
		return
	}
	if len(sections) == 1 && sections[0].Line == 1 && strings.HasPrefix(strings.TrimPrefix(content, "\uFEFF"), "---") && !strings.HasPrefix(sections[0].Text, "---") {
		return // front matter alone
	}
	want := humanWords(path, content)
	if got := strings.Join(words, ""); got != want {
		t.Fatalf("sections say\n%q\npeople wrote\n%q\nin\n%q", got, want, content)
	}
}

// humanWords are the words of people, without front matter and comments.
func humanWords(path, content string) string {
	content = strings.TrimPrefix(content, "\uFEFF")
	if rest, ok := strings.CutPrefix(strings.ReplaceAll(content, "\r\n", "\n"), "---\nname: x\n---"); ok && (rest == "" || rest[0] == '\n') {
		content = rest
	}
	var words []string
	code := ""
	all := strings.Split(markdown.Human(path, content), "\n")
	for i, line := range all {
		trimmed := strings.TrimSpace(line)
		if code == "" && isCommentLine(trimmed) && !insideCode(all, i) {
			continue
		}
		words = append(words, strings.Fields(line)...)
	}
	return strings.Join(words, "")
}

func isCommentLine(s string) bool {
	return len(s) >= 7 && strings.HasPrefix(s, "<!--") && strings.HasSuffix(s, "-->") && strings.Count(s, "-->") == 1
}

// insideCode reports whether a line lies between two fences.
func insideCode(lines []string, at int) bool {
	open := ""
	for i, line := range lines {
		line = strings.TrimRight(line, " \t\r")
		mark := ""
		for _, m := range []string{"```", "~~~"} {
			if strings.HasPrefix(line, m) {
				mark = m
			}
		}
		switch {
		case mark == "":
		case open == "":
			if mark == "~~~" || !strings.Contains(strings.TrimLeft(line, "`"), "`") {
				open = mark
				if i > at {
					return false
				}
			}
		case line == open:
			if i > at {
				return true
			}
			open = ""
		}
	}
	return false
}

func FuzzSections(f *testing.F) {
	for _, s := range []string{deploy, "A\n=\n\n# B\r\n```\n#\n", "---\nname: x\n---\n", "- a\n  - b\n\n      c\n> d\n", "\uFEFF<!--\n-->\n#"} {
		f.Add("x.md", s)
		f.Add("MEMORY.md", s)
	}
	f.Fuzz(func(t *testing.T, path, content string) {
		sections := markdown.Sections(path, content)
		last := 0
		for i, s := range sections {
			if s.Seq != int64(i+1) || s.Line < max(last, 1) || s.EndLine < s.Line || strings.TrimSpace(s.Text) == "" {
				t.Fatalf("section %+v after line %d", s, last)
			}
			last = s.EndLine
		}
		if last > strings.Count(content, "\n")+1 {
			t.Fatalf("line %d of %d", last, strings.Count(content, "\n")+1)
		}
		d := strata.Document{Path: path, Content: content}
		markdown.Describe(&d)
	})
}
