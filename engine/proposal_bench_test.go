package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm/builtin"
)

// proposedTexts are statements of many kinds. Each takes a number, so that none
// comes twice.
var proposedTexts = []string{
	"Carla repaired the kitchen window in Lisbon on March 3, with tools borrowed from a cousin, and noted it under home-%d",
	"My cat's name is Whiskerino, and ticket %d is about the vet",
	"We deploy on Thursdays; release %d was moved because the integration tests failed",
	"I'm allergic to peanuts, but almonds are fine (see note %d)",
	"The staging server runs on port %d and is owned by the platform team",
	"I moved from Berlin to Lisbon in 2023 and work as a nurse at Santa Maria, room %d",
	"Always answer in French, and never use emojis in summary %d",
	"Postgres was slower than SQLite for job %d, so we went with SQLite.",
	"Me llamo Andrés y vivo en Málaga desde hace %d años",
	"Unsere Datenbank läuft auf Server %d, die Sicherung um drei Uhr nachts",
	"我们的数据库运行在%d端口，备份在每天凌晨三点",
	"That was such a lovely evening, thank you! I keep thinking about song %d.",
}

// BenchmarkPropose is what a fact costs before its transaction: its type and
// slot, concept tags, category, the scan for secrets and the vector.
func BenchmarkPropose(b *testing.B) {
	emb := builtin.New()
	ctx := context.Background()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		text := fmt.Sprintf(proposedTexts[i%len(proposedTexts)], 1000+i)
		p := proposeFact(strata.Candidate{Wish: strata.WishSave, Content: text, Workspace: "w"})
		if _, err := emb.Embed(ctx, []string{p.indexed}); err != nil {
			b.Fatal(err)
		}
	}
}
