package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
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

// proposedEvents returns what agents save most: sentences of some hundred
// characters about what somebody did, of which no two are alike.
func proposedEvents(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	one := func(list string) string {
		all := strings.Split(list, "|")
		return all[r.IntN(len(all))]
	}
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("%s %s %s %s in %s on %s %d, %s, and noted it under %s-%d",
			one("Ana|Ben|Carla|Dmitri|Elif|Farid|Greta|Hugo|Ines|Jonas|Keiko|Luis|Mara|Nadia|Omar|Priya"),
			one("Almeida|Brandt|Castillo|Duval|Eriksen|Fontana|Gupta|Haddad|Ivanov|Jensen|Kaplan|Moreau|Okafor|Petrov"),
			one("adopted|trained|booked|canceled|deployed|reviewed|cooked|baked|scheduled|finished|repaired|measured|recorded|migrated"),
			one("a gray kitten|the night train|a cycling tour|the billing service|the search index|a lentil soup|the blood test|an oak table|the cello suite|the car insurance"),
			one("Lisbon|Oslo|Kyoto|Montreal|Nairobi|the workshop|the school gym|the harbor|the attic|the library"),
			one("January|March|April|June|August|October"), 1+r.IntN(28),
			one("which went better than expected|despite the heavy rain|because latency had doubled|on the advice of the doctor|for less than four hundred euros|as agreed in the last meeting"),
			one("pet|trip|api|food|care|home|music|money|ops"), 100+i)
	}
	return texts
}

// BenchmarkPropose is what a fact costs before its transaction: its type and
// slot, concept tags, category, the scan for secrets and the vector.
func BenchmarkPropose(b *testing.B) {
	kinds := make([]string, 50_000)
	for i := range kinds {
		kinds[i] = fmt.Sprintf(proposedTexts[i%len(proposedTexts)], 1000+i)
	}
	for _, c := range []struct {
		name  string
		texts []string
	}{{"kinds", kinds}, {"events", proposedEvents(len(kinds))}} {
		b.Run("texts="+c.name, func(b *testing.B) {
			emb := builtin.New()
			ctx := context.Background()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p, err := proposeFact(strata.Candidate{Action: strata.ActionSave, Content: c.texts[i%len(c.texts)], Workspace: "w"})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := emb.Embed(ctx, []string{p.indexed}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
