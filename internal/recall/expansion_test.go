package recall

import (
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/topics"
)

// A question is expanded by so many words at most, each of them once and none its own.
func TestRelatedTermsAreFewAndNew(t *testing.T) {
	for _, asked := range []string{
		"animal", "vehicle furniture instrument food drink sport city country profession tool fruit",
		strings.Repeat("job work food meal trip vacation ", 3),
	} {
		f := newFinder(nil, Request{Query: strata.Query{Text: asked}, Analysis: analyze(asked), Now: noon})
		related := f.relatedTerms()
		all := slices.Concat(f.query.terms, related.terms)
		slices.Sort(all)
		if n := len(slices.Compact(slices.Clone(all))); n != len(all) {
			t.Errorf("%q: of %d words only %d differ: %q", asked, len(all), n, related.terms)
		}
		if n := len(related.terms); n == 0 || n > maxRelated || n != len(related.features) || n != len(related.counts) {
			t.Errorf("%q: %d related words, %d features, %d counts", asked, n, len(related.features), len(related.counts))
		}
		for i, term := range related.terms {
			known := topics.RelatedTo(f.query.terms[related.features[i]])
			if !slices.Contains(slices.Concat(known.Synonyms, known.Hyponyms), term) {
				t.Errorf("%q: %q is not related to %q", asked, term, f.query.terms[related.features[i]])
			}
		}
	}
}
