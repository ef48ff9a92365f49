package bench

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// CategoryScores say whether the categories of facts are useful.
type CategoryScores struct {
	Least   int     `json:"least"`   // categories of the scope with the fewest
	Most    int     `json:"most"`    // and with the most
	Largest float64 `json:"largest"` // greatest share of a scope's facts in one category
	// InNearest is the fraction of judged queries whose documents all lie in
	// the three categories nearest to the query.
	InNearest float64 `json:"in_nearest"`
}

// Range prints the number of categories.
func (c CategoryScores) Range() string {
	if c.Least == c.Most {
		return fmt.Sprint(c.Most)
	}
	return fmt.Sprintf("%d to %d", c.Least, c.Most)
}

// AsFacts returns the collection with every document a fact of one scope. Who
// spoke and when becomes part of the text.
func AsFacts(c Collection) Collection {
	out := Collection{Relevant: c.Relevant}
	for _, d := range c.Documents {
		text := d.Text
		if d.Speaker != "" {
			text = d.Speaker + ": " + text
		}
		if !d.At.IsZero() {
			text = d.At.Format("2 January 2006") + ". " + text
		}
		out.Documents = append(out.Documents, Document{ID: d.ID, Text: text, At: d.At})
	}
	for _, q := range c.Queries {
		q.Scope = ""
		out.Queries = append(out.Queries, q)
	}
	return out
}

// ScoreCategories looks at the categories that facts ended in.
func ScoreCategories(ctx context.Context, mem *engine.Engine, c Collection, names Names) (*CategoryScores, error) {
	scopes, err := mem.Scopes(ctx)
	if err != nil {
		return nil, err
	}
	s := &CategoryScores{}
	for i, scope := range scopes {
		categories, err := mem.Categories(ctx, scope.View())
		if err != nil {
			return nil, err
		}
		var facts, largest int64
		for _, cat := range categories {
			facts += cat.Facts
			largest = max(largest, cat.Facts)
		}
		if i == 0 || len(categories) < s.Least {
			s.Least = len(categories)
		}
		s.Most = max(s.Most, len(categories))
		if facts > 0 {
			s.Largest = max(s.Largest, float64(largest)/float64(facts))
		}
	}
	categoryOf, err := categoriesByDocument(ctx, mem, scopes, names)
	if err != nil {
		return nil, err
	}
	judged, covered := 0, 0
	for _, q := range c.Queries {
		want := c.Relevant[q.ID]
		if len(want) == 0 {
			continue
		}
		judged++
		near, err := mem.NearestCategories(ctx, strata.Global(), q.Text, 3)
		if err != nil {
			return nil, err
		}
		if allIn(want, categoryOf, near) {
			covered++
		}
	}
	if judged > 0 {
		s.InNearest = float64(covered) / float64(judged)
	}
	return s, nil
}

// categoriesByDocument maps documents to the category of their fact.
func categoriesByDocument(ctx context.Context, mem *engine.Engine, scopes []strata.Scope, names Names) (map[string]string, error) {
	out := make(map[string]string)
	for _, scope := range scopes {
		for after := ""; ; {
			const page = 10_000
			facts, err := mem.Facts(ctx, scope.View(), strata.FactFilter{After: after, Limit: page})
			if err != nil {
				return nil, err
			}
			for _, f := range facts {
				after = f.ID
				for _, doc := range names[f.ID] {
					out[doc] = f.Category
				}
			}
			if len(facts) < page {
				break
			}
		}
	}
	return out, nil
}

// allIn reports whether every wanted document lies in one of the categories.
func allIn(want map[string]int, categoryOf map[string]string, categories []strata.Category) bool {
	for doc := range want {
		found := false
		for _, c := range categories {
			found = found || c.Name == categoryOf[doc]
		}
		if !found {
			return false
		}
	}
	return true
}
