package vector_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/strata-memory/strata/llm/builtin"
)

var (
	people = strings.Fields(`Anna Bruno Carla Dmitri Elif Farid Greta Hiro Ines Jonas Kaya Liam Mira Noor
		Otto Priya Quentin Rosa Sven Tara Umar Vera Wanda Xenia Yusuf Zoe`)
	places = strings.Fields(`Lisbon Oslo Kyoto Denver Nairobi Leeds Turin Quito Hanoi Perth Ghent Cairo Malmö
		Bergen Dakar Riga Porto Split Graz Cork`)
	times = []string{"on Monday", "last spring", "in March", "every Thursday", "before lunch", "next year",
		"two days ago", "in 2019", "at half past six", "over the holidays", "when it rained", "since the move"}
	things = []string{"sourdough bread", "a blue bicycle", "the old piano", "a rescue dog", "climbing shoes",
		"a balcony garden", "the tax return", "a wedding cake", "a leaking tap", "the billing service",
		"a Python script", "her passport", "jazz records", "a ceramic bowl", "the marathon", "a broken laptop",
		"the night train", "an electric car", "a chess set", "his knee surgery", "a gluten-free menu",
		"the staging server", "a camping stove", "their mortgage", "a beehive", "a Spanish course",
		"the school play", "a kayak", "the quarterly report", "an allergy test", "a film camera",
		"the solar panels", "a knitted scarf", "the backup job", "a violin lesson", "the dentist",
		"a job interview", "the recycling bins", "a ferry ticket", "the house keys"}
	deeds = []string{"bought", "repaired", "sold", "asked about", "postponed", "forgot", "recommends", "dreams of",
		"borrowed", "complained about", "is proud of", "cannot afford", "wrote a post about", "gave away",
		"photographed", "learned to love", "is worried about", "will replace", "found", "paid too much for"}
	frames = []string{"%[1]s %[3]s %[4]s in %[2]s %[5]s", "In %[2]s, %[1]s %[3]s %[4]s",
		"%[5]s %[1]s %[3]s %[4]s, and it was not in %[2]s", "Did %[1]s say who %[3]s %[4]s %[5]s?",
		"Remember that %[1]s %[3]s %[4]s", "%[1]s told the neighbors from %[2]s about the day she %[3]s %[4]s"}
)

// sentences returns n sentences such as people tell an assistant.
func sentences(n int, seed uint64) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	out := make([]string, n)
	for i := range out {
		s := fmt.Sprintf(pick(frames)+"%.0[6]s", pick(people), pick(places), pick(deeds), pick(things), pick(times), "")
		if r.IntN(3) == 0 {
			s += fmt.Sprintf(", together with %s and %s", pick(people), pick(things))
		}
		out[i] = s
	}
	return out
}

func embed(t testing.TB, texts []string) [][]float32 {
	t.Helper()
	vs, err := builtin.New().Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vs
}

// corpus returns the vectors of 10,000 sentences, the same on every call.
var corpus = sync.OnceValues(func() ([][]float32, error) {
	return builtin.New().Embed(context.Background(), sentences(10_000, 1))
})
