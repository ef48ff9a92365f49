package markdown_test

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/documents/markdown"
)

// However many headings a document has, its sections are bounded by its words, and each of
// its lines lies in one.
func TestManyHeadingsMakeFewSections(t *testing.T) {
	for name, heading := range map[string]string{
		"one level": "# a\n", "no words": "#\n", "underlined": "a\n=\n", "nested": "# a\n## b\n### c\n#### d\n", "with text": "# a\nb\n",
		"rules": "# a\n***\n", "rising": "### c\n## b\n# a\n",
	} {
		for _, n := range []int{markdown.MaxParts, 40_000, 200_000} {
			lines := strings.Count(heading, "\n")
			content := strings.Repeat(heading, n/lines)
			list := markdown.Sections("notes/user_x.md", content)
			if n > markdown.MaxParts && len(list) > n/100+1 {
				t.Errorf("%s: %d lines make %d sections", name, n, len(list))
			}
			last := 0
			for _, s := range list {
				if s.Line != last+1 || s.EndLine < s.Line {
					t.Fatalf("%s: lines %d to %d follow line %d", name, s.Line, s.EndLine, last)
				}
				last = s.EndLine
			}
			if last != n/lines*lines {
				t.Errorf("%s: the last section ends at line %d of %d", name, last, n/lines*lines)
			}
		}
	}
}

// A document of as many headings as people write keeps a section for each.
func TestHeadingsHaveSectionsOfTheirOwn(t *testing.T) {
	list := markdown.Sections("notes/user_x.md", strings.Repeat("# a\nsome text\n", markdown.MaxParts))
	if len(list) != markdown.MaxParts {
		t.Errorf("%d sections, want %d", len(list), markdown.MaxParts)
	}
}

// Short sections under one heading stay under it when they become one.
func TestJoinedSectionsAreUnderTheHeadingsTheyShare(t *testing.T) {
	list := markdown.Sections("notes/user_x.md", "# Words\n\n"+strings.Repeat("## a\nb\n", markdown.MaxParts+1))
	for _, s := range list[1:] {
		if len(s.Headings) == 0 || s.Headings[0] != "Words" || len(s.Headings) > 2 {
			t.Fatalf("headings %v", s.Headings)
		}
	}
}
