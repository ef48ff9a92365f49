package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/documents/markdown"
)

// typical is a note as agents write them: front matter, two headings, a list and
// a block of code, some 1,500 bytes.
func typical() string {
	n, _ := markdown.ParseNote(deploy)
	n.Body = "# Deploy\n\n" + strings.Repeat("The service is deployed from the main branch after the tests ran. ", 8) +
		"\n\n## Steps\n\n" + strings.Repeat("- run one of the steps and look at what it says\n", 8) +
		"\n```sh\nmake deploy\n```\n\n## Trouble\n\n" + strings.Repeat("If it fails, read the log. ", 8)
	return n.Render()
}

func BenchmarkParseNote(b *testing.B) {
	content := typical()
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if _, err := markdown.ParseNote(content); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSections(b *testing.B) {
	content := typical()
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if len(markdown.Sections("notes/project_deploy.md", content)) != 3 {
			b.Fatal("not three sections")
		}
	}
}

func BenchmarkEditNote(b *testing.B) {
	content := typical()
	n, _ := markdown.ParseNote(content)
	n.Description = "changed"
	for b.Loop() {
		if _, err := markdown.EditNote(content, n); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPutIndex10000(b *testing.B) {
	var list []markdown.Entry
	for i := range 10_000 {
		list = append(list, markdown.Entry{Title: fmt.Sprintf("Note %d", i), Path: fmt.Sprintf("notes/project_note-%d.md", i), Hook: "when the thing is about that"})
	}
	content := markdown.PutIndex(markdown.Starter("MEMORY.md"), list)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		markdown.PutIndex(content, list)
	}
}

// Hostile text must not take long: the times of these grow with their length.
func BenchmarkSectionsHostile(b *testing.B) {
	for name, unit := range map[string]string{
		"quotations": ">", "lists": "- ", "nested": "> - ", "fences": "```\n", "headings": "#\n", "deep-items": " - a\n  ", "html": "<div>\n", "comments": "<!--", "brackets": "[",
	} {
		for _, size := range []int{10_000, 100_000} {
			content := strings.Repeat(unit, size/len(unit))
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				b.SetBytes(int64(len(content)))
				for b.Loop() {
					markdown.Sections("x.md", content)
				}
			})
		}
	}
}
