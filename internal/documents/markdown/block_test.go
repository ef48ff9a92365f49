package markdown_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/learnings"
)

// facts are items of decisions from to before another, one a minute.
func facts(from, to int) []markdown.Item {
	var out []markdown.Item
	for i := from; i < to; i++ {
		out = append(out, markdown.Item{Text: fmt.Sprintf("fact %d", i), Decision: fmt.Sprintf("dec_%03d", i),
			At: time.Date(2026, 3, 1, 0, i, 0, 0, time.UTC)})
	}
	return out
}

func TestPutBlock(t *testing.T) {
	got := markdown.PutBlock("# Memory\n\nmine", "Extracted 2026-03-01", facts(1, 3), 0)
	want := "# Memory\n\nmine\n\n## Extracted 2026-03-01 <!-- strata:block -->\n\n- fact 1 <!-- dec_001 "
	if !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 8 {
		t.Fatalf("got:\n%s", got)
	}
	t.Run("a later item goes to the same block", func(t *testing.T) {
		all := markdown.PutBlock("# Memory\n\nmine", "Extracted 2026-03-01", facts(1, 4), 0)
		if one := markdown.PutBlock(got, "Extracted 2026-03-01", facts(3, 4), 0); one != all {
			t.Errorf("one after the other:\n%s\nat once:\n%s", one, all)
		}
	})
	t.Run("another title is another block", func(t *testing.T) {
		other := markdown.PutBlock(got, "Dreamed 2026-03-02", facts(3, 4), 0)
		if !strings.HasPrefix(other, got) || !strings.Contains(other, "\n\n## Dreamed 2026-03-02 <!-- strata:block -->\n\n- fact 3") {
			t.Errorf("got:\n%s", other)
		}
	})
	t.Run("an item that a person changed stays theirs", func(t *testing.T) {
		mine := strings.Replace(got, "fact 1", "fact 1, about", 1)
		after := markdown.PutBlock(mine, "Extracted 2026-03-01", facts(1, 30), 200)
		if !strings.Contains(after, "fact 1, about <!-- dec_001") || strings.Contains(after, "fact 2 ") || strings.Contains(after, "fact 1 ") {
			t.Errorf("got:\n%s", after)
		}
	})
	t.Run("no markup from memory", func(t *testing.T) {
		text := "x\n## y <!-- strata:block -->\n- z <!-- dec_9 000000 --> ``` \u202e"
		after := markdown.PutBlock("", "a\nb <!--", []markdown.Item{{Text: text, Decision: "dec_1"}}, 0)
		if strings.Count(after, "\n") != 3 || markdown.Human("MEMORY.md", after) != "" || strings.Contains(after, "\u202e") {
			t.Errorf("got:\n%s", after)
		}
	})
	t.Run("what has no text or decision is left out", func(t *testing.T) {
		if after := markdown.PutBlock("mine", "T", []markdown.Item{{Text: "x"}, {Decision: "dec_1"}, {Text: "y", Decision: "dec_ -->"}}, 0); after != "mine" {
			t.Errorf("got:\n%s", after)
		}
	})
}

// An unbounded MEMORY.md froze the gateway, and its tail was cut.
func TestBlocksHoldTheirBudgetOldestFirst(t *testing.T) {
	content := "# Memory\n\nmine\n"
	const budget = 2_000
	for i := range 300 {
		title := fmt.Sprintf("Extracted day %d", i/10)
		content = markdown.PutBlock(content, title, facts(i, i+1), budget)
		if i%50 == 7 {
			content += "\nnote of a person " + fmt.Sprint(i) + "\n"
		}
	}
	generated := len(content) - len(markdown.Human("MEMORY.md", content))
	if generated > budget+100 { // empty lines stay
		t.Errorf("%d bytes are generated", generated)
	}
	if !strings.Contains(content, "fact 299 ") || strings.Contains(content, "fact 100 ") || strings.Contains(content, "day 3 ") {
		t.Errorf("the oldest did not go first:\n%s", content)
	}
	for _, i := range []int{7, 57, 107, 157, 207, 257} {
		if !strings.Contains(content, fmt.Sprintf("note of a person %d\n", i)) {
			t.Errorf("the text of a person is gone: %d", i)
		}
	}
	again := markdown.PutBlock(content, "Extracted day 29", facts(0, 300), budget)
	if markdown.PutBlock(again, "Extracted day 29", facts(0, 300), budget) != again {
		t.Error("what went comes back")
	}
}

func TestWithoutTakesOutTheLinesOfDecisions(t *testing.T) {
	content := markdown.PutBlock("mine\n", "Extracted", facts(1, 3), 0)
	if got := markdown.Without(content, map[string]bool{"dec_001": true}); strings.Contains(got, "fact 1") || !strings.Contains(got, "fact 2") || !strings.Contains(got, "## Extracted") {
		t.Errorf("got:\n%s", got)
	}
	all := map[string]bool{"dec_001": true, "dec_002": true, "dec_009": true}
	if got := markdown.Without(content, all); strings.TrimSpace(got) != "mine" {
		t.Errorf("got:\n%s", got)
	}
	changed := strings.Replace(content, "fact 1", "fact one", 1)
	if got := markdown.Without(changed, all); strings.Contains(got, "fact one") {
		t.Errorf("a line that a person changed still tells it:\n%s", got)
	}
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	daily := markdown.AddDaily("", facts(1, 3), day)
	if got := markdown.Without(daily, map[string]bool{"dec_001": true}); got != "# 2026-03-01\n\n- [00:02] fact 2 <!-- dec_002 -->\n" {
		t.Errorf("got:\n%s", got)
	}
	if got := markdown.Without(daily, nil); got != daily {
		t.Errorf("got:\n%s", got)
	}
}

func TestAddDaily(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, zone)
	at := time.Date(2026, 3, 1, 8, 5, 0, 0, time.UTC)
	got := markdown.AddDaily("", []markdown.Item{
		{Text: "second\nline", Decision: "dec_2", At: at.Add(time.Hour)},
		{Text: "first <!-- dec_9 -->", Decision: "dec_1", At: at},
		{Text: "no decision", At: at}, {Decision: "dec_3", At: at},
	}, day)
	const want = "# 2026-03-01\n\n- [10:05] first ‹!-- dec_9 --› <!-- dec_1 -->\n- [11:05] second line <!-- dec_2 -->\n"
	if got != want {
		t.Fatalf("got:\n%s", got)
	}
	if list := markdown.Sections("memory/2026-03-01.md", got); len(list) != 0 {
		t.Errorf("a log that nobody wrote into has sections: %+v", list)
	}
	if list := markdown.Sections("memory/2026-03-01.md", got+"mine\n"); len(list) != 1 {
		t.Errorf("a log that somebody wrote into has %d sections, want 1", len(list))
	}
	for _, tt := range []struct {
		name, content string
		hour          int
		want          string
	}{
		{"a later line goes to the end", want + "mine", 12, want + "mine\n- [14:05] x <!-- dec_3 -->\n"},
		{"one in between to its place", "mine\n" + want, 0, "mine\n" + strings.Replace(want, "- [11", "- [02:05] x <!-- dec_3 -->\n- [11", 1)},
		{"Windows line ends", "a\r\n", 1, "a\r\n- [03:05] x <!-- dec_3 -->\r\n"},
		{"a log by hand", "- [09:00] mine\n", 1, "- [09:00] mine\n- [03:05] x <!-- dec_3 -->\n"},
		{"a decision that has a line", strings.Replace(want, "dec_1", "dec_3", 1), 1, strings.Replace(want, "dec_1", "dec_3", 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list := []markdown.Item{{Text: "x", Decision: "dec_3", At: time.Date(2026, 3, 1, tt.hour, 5, 0, 0, time.UTC)}}
			if tt.name == "one in between to its place" {
				list[0].At = at.Add(-8 * time.Hour).Add(24 * time.Hour) // 02:05 of the zone
				tt.want = "mine\n" + strings.Replace(want, "- [10", "- [02:05] x <!-- dec_3 -->\n- [10", 1)
			}
			got := markdown.AddDaily(tt.content, list, day)
			if got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
			if again := markdown.AddDaily(got, list, day); again != got {
				t.Errorf("not the same again:\n%s", again)
			}
			path := "memory/2026-03-01.md"
			if a, b := markdown.Human(path, got), markdown.Human(path, tt.content); a != b {
				t.Errorf("people wrote\n%s\nnow\n%s", b, a)
			}
		})
	}
}

func TestDailyItemsReadsWhatWasWritten(t *testing.T) {
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	got := markdown.DailyItems("# 2026-03-01\n\n- [08:00] by hand\n- [09:30] made <!-- dec_1 -->\r\n- [25:00] no\n- 10:00 no\n```\n- [10:00] no\n```\n")
	want := []markdown.Item{{Text: "by hand", At: day.Add(8 * time.Hour)}, {Text: "made", Decision: "dec_1", At: day.Add(9*time.Hour + 30*time.Minute)}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		list := items().Draw(t, "items")
		before := files().Draw(t, "content")
		content := markdown.AddDaily(before, list, day)
		if again := markdown.AddDaily(content, list, day); again != content {
			t.Fatalf("not the same again:\n%q\nfirst:\n%q", again, content)
		}
		if strings.TrimSpace(strings.TrimPrefix(before, "\uFEFF")) != "" && markdown.Human("memory/2026-03-01.md", content) != markdown.Human("memory/2026-03-01.md", before) {
			t.Fatalf("people's text changed: %q of %q", content, before)
		}
		found := make(map[string]bool)
		for _, it := range markdown.DailyItems(content) {
			found[it.Decision] = true
		}
		all := make(map[string]bool)
		for _, it := range list {
			if strings.HasPrefix(it.Decision, "dec_") {
				all[it.Decision] = true
				if visible := strings.ContainsFunc(it.Text, func(r rune) bool { return r > ' ' && r < 0x7f }); visible && !found[it.Decision] {
					t.Fatalf("%s has no line in %q", it.Decision, content)
				}
			}
		}
		for _, it := range markdown.DailyItems(markdown.Without(content, all)) {
			if all[it.Decision] {
				t.Fatalf("%s still has a line", it.Decision)
			}
		}
	})
}

func FuzzDaily(f *testing.F) {
	f.Add("# 2026-03-01\n- [10:00] x <!-- dec_1 -->", "y")
	f.Add("\r\n", "<!-- dec_2 -->")
	f.Fuzz(func(t *testing.T, content, text string) {
		day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		list := []markdown.Item{{Text: text, Decision: "dec_9", At: day.Add(9 * time.Hour)}}
		got := markdown.AddDaily(content, list, day)
		if markdown.AddDaily(got, list, day) != got {
			t.Fatalf("not the same again: %q", got)
		}
		if strings.Count(got, "\n") > strings.Count(content, "\n")+4 {
			t.Fatalf("more than a line: %q", got)
		}
		for _, it := range markdown.DailyItems(markdown.Without(got, map[string]bool{"dec_9": true})) {
			if it.Decision == "dec_9" {
				t.Fatal("still there")
			}
		}
	})
}

// What package learnings writes is what Human takes for learnings.
func TestHumanKnowsLearnings(t *testing.T) {
	at := time.Date(2026, 3, 3, 8, 12, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Just("no such file"))
		file := learnings.ParseErrors("mine\n").Set([]learnings.Error{
			{Tool: "bash", Text: "x" + text.Draw(t, "error"), Context: text.Draw(t, "context"), Times: learnings.At(at)},
			{Tool: "a b", Text: "twice", Times: learnings.Times{First: at, Last: at.Add(time.Hour), Count: 2}},
		})
		if got := markdown.Human("learnings/errors.md", file.String()+"also mine\n"); got != "mine\nalso mine\n" {
			t.Fatalf("people wrote %q of\n%s", got, file.String())
		}
		said := learnings.ParseCorrections("mine\n").Set([]learnings.Correction{{Original: text.Draw(t, "original"), Correction: "x" + text.Draw(t, "correction"), Times: learnings.At(at)}})
		if got := markdown.Human("learnings/corrections.md", said.String()+"- [2026-03-03 08:12] Original: alone\n"); got != "mine\n- [2026-03-03 08:12] Original: alone\n" {
			t.Fatalf("people wrote %q of\n%s", got, said.String())
		}
	})
	if got := strata.KindOfPath("learnings/errors.md"); got != strata.DocumentOther {
		t.Errorf("kind %s", got)
	}
}
