package builtin_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
)

var _ llm.Embedder = (*builtin.Embedder)(nil)

func embed(t testing.TB, e *builtin.Embedder, texts ...string) [][]float32 {
	t.Helper()
	vs, err := e.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(vs) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(vs), len(texts))
	}
	return vs
}

func dot(a, b []float32) float64 {
	var s float64
	for i := range a {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

func cosine(t testing.TB, e *builtin.Embedder, a, b string) float64 {
	t.Helper()
	v := embed(t, e, a, b)
	return dot(v[0], v[1])
}

var samples = []string{
	"My cat's name is Whiskerino",
	"We moved the billing service to PostgreSQL 16 last week, and the on-call rota with it.",
	"Mañana tengo cita con el dentista a las 10:30",
	"明日の会議は東京で開かれます",
	"ฉันชอบแมว", "Привет, мир", "مرحبا بالعالم",
	"who are you", "ﬁne ＡＢＣ", "a\x00b \xff\xfe c",
	strings.Repeat("again and again ", 500),
}

// The hash pins the vectors: whoever changes them must raise the number in
// Model, or stores would compare vectors that do not belong together. Homes that
// hold earlier ones still ask for those.
func TestVectorsAreThoseOfTheModelName(t *testing.T) {
	texts := slices.Clone(samples)
	for _, name := range []string{"everyday", "names", "concepts"} {
		list, err := os.ReadFile("lexicon/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.Split(string(list), "\n")...)
	}
	for model, want := range map[string]string{
		builtin.Model:   "236cb1b0aaba427f50269ed46ee8628c",
		builtin.Earlier: "59e71d6e2314cb6b78eea4cf54067882",
	} {
		e := builtin.Named(model)
		if e == nil || e.Model() != model {
			t.Fatalf("no embedder of %s", model)
		}
		h := sha256.New()
		for _, v := range embed(t, e, texts...) {
			for _, x := range v {
				h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
			}
		}
		if got := hex.EncodeToString(h.Sum(nil))[:32]; got != want {
			t.Errorf("vectors of %s hash to %s, want %s: raise the number in Model", model, got, want)
		}
	}
	if builtin.Named("builtin/ngram-384@1") != nil {
		t.Error("an embedder of a model that is no more")
	}
}

func TestVectorsDoNotDependOnWhatCameBefore(t *testing.T) {
	e := builtin.New()
	want := embed(t, e, samples...)
	for i := range 6000 { // more words than are remembered
		embed(t, e, "w"+strings.Repeat(string(rune('a'+i%26)), 1+i%7)+string(rune(0x100+i)))
	}
	backwards := slices.Clone(samples)
	slices.Reverse(backwards)
	got := embed(t, e, backwards...)
	slices.Reverse(got)
	for i := range samples {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("vector of %q changed", samples[i])
		}
	}
}

func TestConcurrentUseGivesTheSameVectors(t *testing.T) {
	e := builtin.New()
	want := embed(t, e, samples...)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				got, err := e.Embed(context.Background(), samples)
				if err != nil {
					t.Error(err)
					return
				}
				for i := range want {
					if !slices.Equal(got[i], want[i]) {
						t.Errorf("vector of %q differs", samples[i])
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestDimensionsAndName(t *testing.T) {
	e := builtin.New()
	if e.Model() != "builtin/words-384@3" || e.Dimensions() != 384 {
		t.Errorf("model %q, %d dimensions", e.Model(), e.Dimensions())
	}
	if n := len(embed(t, e, "hello")[0]); n != 384 {
		t.Errorf("vector of length %d", n)
	}
}

func TestLength(t *testing.T) {
	e := builtin.New()
	for _, s := range append(samples, strings.Repeat("x", 10<<20), strings.Repeat("a b\x00日", 2<<20)) {
		v := embed(t, e, s)[0]
		if n := dot(v, v); math.Abs(n-1) > 1e-5 {
			t.Errorf("squared length %g of %.20q", n, s)
		}
	}
	for _, s := range []string{"", " \n\t", "...", "\x00\x00", "\xff\xfe", "🙂"} {
		v := embed(t, e, s)[0]
		if dot(v, v) != 0 {
			t.Errorf("vector of %q is not zero", s)
		}
	}
}

func TestRelatedTextsAreNearerThanUnrelatedOnes(t *testing.T) {
	e := builtin.New()
	tests := []struct{ name, text, near, far string }{
		{"same words", "What is my cat called?", "My cat's name is Whiskerino", "The billing service runs in Frankfurt"},
		{"typing error", "Whiskreino", "My cat's name is Whiskerino", "My dog's name is Barksley"},
		{"inflection", "adopting a child", "She adopted two children", "She painted two landscapes"},
		{"derivation", "photographer", "photographs", "phosphorus"},
		{"identifier", "postgres", "Invoices are stored in PostgreSQL 16", "Invoices are stored in a drawer"},
		{"other word, same subject", "Is there a kitten in the house?", "He fed his feline at noon", "He paid his invoice at noon"},
		{"other language, same subject", "Meine Katze schläft", "my cat is asleep", "my car is broken"},
		{"accents", "Malaga", "We flew to Málaga", "We flew to Managua"},
		{"japanese", "東京の天気", "東京は雨です", "昨日は寿司を食べた"},
		{"numbers", "ticket 48213", "closed ticket 48213", "closed ticket 90577"},
		{"grammar counts little", "the of and with Helsinki", "Helsinki", "the of and with"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			near, far := cosine(t, e, tt.text, tt.near), cosine(t, e, tt.text, tt.far)
			if near < far+0.05 {
				t.Errorf("%q: %q at %.3f, %q at %.3f", tt.text, tt.near, near, tt.far, far)
			}
		})
	}
}

// Said nine times a word weighs three times, not nine.
func TestRepeatingAWordDoesNotDrownTheOthers(t *testing.T) {
	words := strings.Fields("zebra violin pumpkin dentist garden Whiskerino")
	for _, model := range []string{builtin.Model, builtin.Earlier} {
		e := builtin.Named(model)
		sum, pairs := 0.0, 0.0
		for _, once := range words {
			for _, often := range words {
				if once != often {
					sum += cosine(t, e, once+strings.Repeat(" "+often, 9), once)
					pairs++
				}
			}
		}
		if sum/pairs < 0.2 {
			t.Errorf("%s: mean cosine with the word said once is %.3f", model, sum/pairs)
		}
	}
}

// Golden cosines of single words: what they mean, and a little how they are
// written.
func TestWordsOfOneMeaningAreNear(t *testing.T) {
	e := builtin.New()
	for _, tt := range []struct {
		a, b string
		want float64
	}{
		{"cat", "kitten", 0.475}, {"car", "automobile", 0.647}, {"winery", "vineyard", 0.549}, {"doctor", "physician", 0.576},
		{"sailing", "ship", 0.536}, {"paris", "france", 0.467}, {"piano", "tax", -0.012},
		{"boat's", "boat", 0.958},
	} {
		if got := cosine(t, e, tt.a, tt.b); math.Abs(got-tt.want) > 0.0005 {
			t.Errorf("%s and %s: %.3f, want %.3f", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestTextsWithoutACommonWordAreNearByMeaning(t *testing.T) {
	e := builtin.New()
	for _, tt := range []struct{ text, near, far string }{
		{"Do I own a boat?", "I bought a yacht in May", "I bought a piano in May"},
		{"What do I like to eat?", "My favorite food is lasagna", "My favorite sport is tennis"},
		{"Where does she work?", "Her employer is a hospital in Lyon", "Her garden is full of roses"},
		{"any health problems", "diagnosed with asthma last spring", "promoted to captain last spring"},
	} {
		near, far := cosine(t, e, tt.text, tt.near), cosine(t, e, tt.text, tt.far)
		if near < far+0.05 {
			t.Errorf("%q: %q at %.3f, %q at %.3f", tt.text, tt.near, near, tt.far, far)
		}
	}
}

// Names and identifiers have no trained vector, and find themselves.
func TestUnknownWordsMatchThemselves(t *testing.T) {
	e := builtin.New()
	for _, name := range []string{"Whiskerino", "parse_http_header", "XJ-4471", "東京"} {
		near, far := cosine(t, e, name, "yesterday we talked about "+name), cosine(t, e, name, "yesterday we talked about Barksley")
		if near < far+0.1 {
			t.Errorf("%s: %.3f with it, %.3f without", name, near, far)
		}
	}
}

func TestTheOrderOfWordsDoesNotCount(t *testing.T) {
	e := builtin.New()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom(strings.Fields("tea two and Whiskerino boats boat's gato the 48213 violin v2.4.7 naïve"))).Draw(t, "words")
		mixed := rapid.Permutation(words).Draw(t, "mixed")
		vs, err := e.Embed(context.Background(), []string{strings.Join(words, " "), strings.Join(mixed, " ")})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(vs[0], vs[1]) {
			t.Errorf("%q and %q have different vectors", words, mixed)
		}
	})
}

func TestCanceledContextEndsTheWork(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := builtin.New().Embed(ctx, samples); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

// What an embedder remembers of words changes no vector, also where it has to
// forget them.
func TestVectorsDoNotDependOnWhatWasEmbeddedBefore(t *testing.T) {
	const text = "tea for two and tea for three, then tea for all of them and again tea"
	want := embed(t, builtin.New(), text)[0]
	var words []string
	for i := range 4200 {
		words = append(words, "w"+strconv.Itoa(i))
	}
	for before := 4080; before <= 4100; before += 2 {
		e := builtin.New()
		embed(t, e, strings.Join(words[:before], " "))
		if got := embed(t, e, text)[0]; !slices.Equal(got, want) {
			t.Errorf("another vector after %d words", before)
		}
	}
}
