package snapshot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
)

const (
	digestCategories = 40  // most categories listed
	digestNewest     = 5   // most newest facts listed
	digestChars      = 160 // length limit of each fact, in characters
)

// digest returns an index for a scope without a MEMORY.md: its categories with their
// counts, largest first, and the newest facts except those whose text, in the normal form
// of package internal/text, is in shown. It is empty if there are no facts. If categories
// is empty, digest counts the facts. The order of the input does not matter.
//
// The caller must pass only facts that may be shown, as [Compose] does. The result is
// Markdown that is not fenced yet.
func digest(facts []strata.Fact, categories []strata.Category, shown map[string]bool) string {
	counts := make(map[string]int64)
	for _, c := range categories {
		counts[c.Name] += c.Facts
	}
	if len(categories) == 0 {
		for _, f := range facts {
			counts[f.Category]++
		}
	}
	var total int64
	names := make([]string, 0, len(counts))
	for name, n := range counts {
		if n > 0 {
			total += n
			names = append(names, name)
		}
	}
	if total == 0 {
		return ""
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })

	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s.\n\n", plural(total, "fact", "facts"), plural(int64(len(names)), "category", "categories"))
	for _, name := range names[:min(len(names), digestCategories)] {
		fmt.Fprintf(&b, "- %s: %d\n", cmp.Or(fence.Cut(fence.Line(name), 60), "(no category)"), counts[name])
	}
	if more := len(names) - digestCategories; more > 0 {
		fmt.Fprintf(&b, "- and %s\n", plural(int64(more), "smaller category", "smaller categories"))
	}
	if lines := newest(facts, shown); len(lines) > 0 {
		b.WriteString("\nNewest:\n" + strings.Join(lines, "\n") + "\n")
	}
	return b.String()
}

// newest returns lines for the facts recorded last, newest first, without repeating a
// text.
func newest(facts []strata.Fact, shown map[string]bool) []string {
	rest := make([]*strata.Fact, 0, len(facts))
	for i := range facts {
		rest = append(rest, &facts[i])
	}
	slices.SortFunc(rest, func(a, b *strata.Fact) int {
		return cmp.Or(b.RecordedAt.Compare(a.RecordedAt), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Text, b.Text))
	})
	var lines []string
	said := make(map[string]bool)
	maps.Copy(said, shown)
	for _, f := range rest {
		if len(lines) == digestNewest {
			break
		}
		key := text.Normalize(f.Text)
		if said[key] {
			continue
		}
		said[key] = true
		plain, _ := secrets.Redact(f.Text)
		lines = append(lines, fmt.Sprintf("- %s (%s)", fence.Cut(fence.Line(plain), digestChars), f.RecordedAt.UTC().Format("2006-01-02")))
	}
	return lines
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
