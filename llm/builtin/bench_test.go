package builtin_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strata-memory/strata/llm/builtin"
)

// vocabulary returns n made-up words with the lengths of English ones.
func vocabulary(r *rand.Rand, n int) []string {
	syllables := strings.Fields("ba con der ent fi gra hol ing ju ker lan mo ner op pre qui ran sta ter un ver wi ly tion ed s er")
	words := make([]string, n)
	for i := range words {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString(syllables[r.IntN(len(syllables))])
		}
		words[i] = b.String()
	}
	return words
}

// shortTexts returns texts of about 100 characters whose words are as unevenly
// frequent as those of a language (Zipf's law over 20,000 words).
func shortTexts(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	words := vocabulary(r, 20_000)
	zipf := rand.NewZipf(r, 1.1, 3, uint64(len(words)-1))
	texts := make([]string, n)
	for i := range texts {
		var b strings.Builder
		for b.Len() < 96 {
			b.WriteString(words[zipf.Uint64()])
			b.WriteByte(' ')
		}
		texts[i] = b.String()
	}
	return texts
}

func BenchmarkEmbedShort(b *testing.B) {
	e := builtin.New()
	texts := shortTexts(10_000)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := e.Embed(context.Background(), texts[i:i+1]); err != nil {
			b.Fatal(err)
		}
		i = (i + 1) % len(texts)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "texts/s")
}

// BenchmarkEmbedSentence embeds what people say, every word of which is known.
func BenchmarkEmbedSentence(b *testing.B) {
	e := builtin.New()
	texts := []string{"We moved to a small house near the lake last summer, and my brother helped to carry the piano."}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Embed(context.Background(), texts); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstText makes an embedder and embeds one text: what a process waits for
// that embeds at all.
func BenchmarkFirstText(b *testing.B) {
	for b.Loop() {
		if _, err := builtin.New().Embed(context.Background(), []string{"We moved to a small house near the lake"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEmbedBatch500(b *testing.B) {
	e := builtin.New()
	texts := shortTexts(500)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Embed(context.Background(), texts); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
}

func BenchmarkEmbed10MiB(b *testing.B) {
	e := builtin.New()
	text := []string{strings.Join(shortTexts(100_000), "\n")}
	for b.Loop() {
		if _, err := e.Embed(context.Background(), text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		builtin.New()
	}
}
