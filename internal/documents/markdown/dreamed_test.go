package markdown_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

var night = time.Date(2026, 3, 1, 4, 5, 6, 0, time.UTC)

// dreamt is a block of promoted facts, each named by a letter of its decision.
func dreamt(at time.Time, names ...string) markdown.Block {
	b := markdown.Block{Title: markdown.DreamedTitle(at)}
	for i, n := range names {
		text := markdown.DreamedText("Fact "+n, strata.Promotion{Score: 0.9 - float64(i)/10, Recalls: 5, Days: 1})
		b.Items = append(b.Items, markdown.Item{Text: text, Decision: "dec_" + n})
	}
	return b
}

func TestPutDreamed(t *testing.T) {
	first, second := dreamt(night, "B", "A"), dreamt(night.Add(24*time.Hour), "C")
	got := markdown.PutDreamed("# Memory\n\nmine\n", []markdown.Block{first, second})
	want := "# Memory\n\nmine\n\n## Dreamed 2026-03-01 04:05 UTC <!-- strata:block -->\n\n" +
		"- Fact B _(score 0.90, 5 hits, 1 day)_ <!-- dec_B -->\n- Fact A _(score 0.80, 5 hits, 1 day)_ <!-- dec_A -->\n\n" +
		"## Dreamed 2026-03-02 04:05 UTC <!-- strata:block -->\n\n- Fact C _(score 0.90, 5 hits, 1 day)_ <!-- dec_C -->\n"
	if shownItems(got) != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if size := len(got) - len("# Memory\n\nmine\n"); size != first.Size()+second.Size() {
		t.Errorf("%d bytes, said to be %d", size, first.Size()+second.Size())
	}
	if again := markdown.PutDreamed(got, []markdown.Block{first, second}); again != got {
		t.Errorf("not the same again:\n%s", again)
	}
	if markdown.PutDreamed(got, []markdown.Block{second}) != markdown.PutDreamed("# Memory\n\nmine\n", []markdown.Block{second}) {
		t.Errorf("the first block is left:\n%s", markdown.PutDreamed(got, []markdown.Block{second}))
	}
	edited := dreamt(night, "B", "A")
	edited.Items[0] = markdown.Item{Text: "Fact B, put right", Decision: "dec_B2"}
	if after := markdown.PutDreamed(got, []markdown.Block{edited, second}); strings.Contains(after, "Fact B _") ||
		strings.Index(after, "put right") > strings.Index(after, "Fact A") {
		t.Errorf("an edited fact is not followed:\n%s", after)
	}
	byHand := strings.Replace(got, "Fact A", "Fact A, says Ana", 1)
	if after := markdown.PutDreamed(byHand, []markdown.Block{first, second}); after != byHand {
		t.Errorf("a line that a person changed:\n%s", after)
	}
	after := markdown.PutDreamed(byHand, nil)
	if !strings.HasPrefix(after, "# Memory\n\nmine\n\n- Fact A, says Ana _(score") || strings.Count(after, "\n") != 5 {
		t.Errorf("only people's lines stay:\n%s", after)
	}
}

// shownItems is a file without the codes of its items.
func shownItems(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if at := strings.LastIndex(line, " "); strings.HasPrefix(line, "- ") && strings.HasSuffix(line, " -->") {
			at = strings.LastIndex(line[:at], " ")
			lines[i] = line[:at] + " -->"
		}
	}
	return strings.Join(lines, "\n")
}

func TestAPromotedItemLeavesTheBlockOfExtractedOnes(t *testing.T) {
	extracted := []markdown.Item{{Text: "Fact A", Decision: "dec_A"}, {Text: "Fact Z", Decision: "dec_Z"}}
	content := markdown.PutBlock("", "Extracted", extracted, 0)
	got := markdown.PutDreamed(content, []markdown.Block{dreamt(night, "A")})
	if strings.Count(got, "Fact A") != 1 || strings.Index(got, "Fact A") < strings.Index(got, "## Dreamed") || !strings.Contains(got, "Fact Z") {
		t.Errorf("got:\n%s", got)
	}
	// The budget of one kind of block is none of the other's.
	if after := markdown.PutBlock(got, "Extracted", extracted[1:], 60); !strings.Contains(after, "Fact A") {
		t.Errorf("a promoted item gave way to the budget of extracted ones:\n%s", after)
	}
}

func TestTheNewestAndStrongestPromotionsReachThePrompt(t *testing.T) {
	content := "# Memory\n" + strings.Repeat("\nPeople wrote this line of some length about their work.", 600) + "\n"
	var items []markdown.Item
	for i := range 200 {
		items = append(items, markdown.Item{Text: fmt.Sprintf("extracted number %d", i), Decision: fmt.Sprintf("dec_X%05d", i)})
	}
	content = markdown.PutBlock(content, "Extracted", items, 0)
	var blocks []markdown.Block
	for day := range 2 {
		b := markdown.Block{Title: markdown.DreamedTitle(night.AddDate(0, 0, day))}
		for i := range 25 {
			b.Items = append(b.Items, markdown.Item{Text: fmt.Sprintf("day %d strength %d", day, 25-i), Decision: fmt.Sprintf("dec_A%d%05d", day, i)})
		}
		blocks = append(blocks, b)
	}
	got := markdown.PromptIndex(markdown.PutDreamed(content, blocks), nil, night)
	for _, want := range []string{"day 1 strength 25\n", "day 1 strength 1\n", "day 0 strength 25\n", "## Dreamed 2026-03-02 04:05 UTC\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the prompt", want)
		}
	}
	if strings.Contains(got, "extracted number 0\n") {
		t.Error("what was extracted first is in the prompt")
	}
}

func TestPutRegions(t *testing.T) {
	a, b := markdown.Region{ID: "dream_A", Lines: []string{"## A", "", "text a"}}, markdown.Region{ID: "dream_B", Lines: []string{"## B"}}
	if got := markdown.PutRegions(markdown.DreamsPath, "", nil); got != "" {
		t.Errorf("a diary of nothing: %q", got)
	}
	got := markdown.PutRegions(markdown.DreamsPath, "", []markdown.Region{a})
	if !strings.HasPrefix(got, "# Dreams\n\n<!-- strata:region dream_A ") || !strings.HasSuffix(got, " -->\n## A\n\ntext a\n<!-- /strata:region -->\n") {
		t.Errorf("got:\n%s", got)
	}
	if markdown.Human(markdown.DreamsPath, got) != "# Dreams\n" || len(markdown.Sections(markdown.DreamsPath, got)) != 0 {
		t.Error("what is generated counts as a person's")
	}
	both := markdown.PutRegions(markdown.DreamsPath, got, []markdown.Region{b, a}) // the newest first
	if strings.Index(both, "## B") > strings.Index(both, "## A") || !strings.Contains(both, "## B") {
		t.Errorf("got:\n%s", both)
	}
	mine := strings.Replace(both, "text a", "text a, I think", 1) + "\nbelow\n"
	after := markdown.PutRegions(markdown.DreamsPath, mine, []markdown.Region{{ID: "dream_C", Lines: []string{"## C"}}, a})
	for _, want := range []string{"text a, I think", "\nbelow\n", "## C"} {
		if !strings.Contains(after, want) {
			t.Errorf("%q is not in\n%s", want, after)
		}
	}
	if strings.Contains(after, "## B") || strings.Count(after, "## A") != 1 {
		t.Errorf("got:\n%s", after)
	}
}

func TestHumanTextSurvivesDreams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := files().Draw(t, "content")
		want := markdown.Human("MEMORY.md", content)
		var blocks []markdown.Block
		for i := range rapid.IntRange(0, 3).Draw(t, "blocks") {
			b := markdown.Block{Title: markdown.DreamedTitle(night.AddDate(0, 0, i))}
			for j := range rapid.IntRange(0, 3).Draw(t, "items") {
				b.Items = append(b.Items, markdown.Item{Text: rapid.String().Draw(t, "text"), Decision: fmt.Sprintf("dec_Q%d%d", i, j)})
			}
			blocks = append(blocks, b)
		}
		got := markdown.PutDreamed(content, blocks)
		if h := markdown.Human("MEMORY.md", got); h != want {
			t.Fatalf("people wrote\n%q\nnow\n%q\nin\n%q\nof\n%q", want, h, got, content)
		}
		if again := markdown.PutDreamed(got, blocks); again != got {
			t.Fatalf("not the same again:\n%q\nfirst:\n%q\nof\n%q", again, got, content)
		}
	})
}

func TestHumanTextSurvivesRegions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"mine", "", "<!-- /strata:region -->", "<!-- strata:region dream_1 abcdef -->", "# Dreams", "\r", "## x"})
		content := strings.Join(rapid.SliceOfN(line, 0, 8).Draw(t, "lines"), "\n")
		draw := func() (out []markdown.Region) {
			for i := range rapid.IntRange(0, 3).Draw(t, "regions") {
				id := rapid.IntRange(0, 4).Draw(t, "id")*10 + i // each once
				out = append(out, markdown.Region{ID: fmt.Sprint("dream_", id), Lines: []string{fmt.Sprint("## ", id), rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "line")}})
			}
			return out
		}
		was := markdown.PutRegions(markdown.DreamsPath, content, draw())
		want := markdown.Human(markdown.DreamsPath, was)
		regions := draw()
		got := markdown.PutRegions(markdown.DreamsPath, was, regions)
		if h := markdown.Human(markdown.DreamsPath, got); !markdown.SameHuman(h, want) && was != "" {
			t.Fatalf("people wrote\n%q\nnow\n%q\nin\n%q\nof\n%q", want, h, got, was)
		}
		for _, r := range regions {
			if strings.Contains(want, "region "+r.ID+" ") {
				continue // a person's stands for it
			}
			if n := strings.Count(strings.ReplaceAll(got, "\r\n", "\n"), "\n"+strings.Join(r.Lines, "\n")); n != 1 {
				t.Fatalf("%d times %q in\n%q\nof\n%q", n, r.Lines, got, was)
			}
		}
		if again := markdown.PutRegions(markdown.DreamsPath, got, regions); again != got {
			t.Fatalf("not the same again:\n%q\nfirst:\n%q\nof\n%q", again, got, was)
		}
	})
}
