package topics

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/internal/text"
)

// topic is a topic of a text by its name.
type topic struct {
	name   string
	weight float64
}

// topicsOf returns the topics of a text, the strongest first.
func topicsOf(s string) []topic {
	var out []topic
	for _, f := range read(text.Analyze(s)).topics() {
		out = append(out, topic{topicTable()[f.topic].name, f.weight})
	}
	return out
}

// categoryOf returns the category name of a text.
func categoryOf(s string) string {
	_, category, _ := Describe(text.Analyze(s), 1)
	return category
}

func TestCategory(t *testing.T) {
	for s, want := range map[string]string{
		"My cat's name is Whiskerino":                             "pets",
		"We deploy with cron jobs nightly":                        "deployment",
		"What is my cat called?":                                  "pets",
		"My sister Ana moved to Lisbon":                           "family",
		"I'm allergic to peanuts":                                 "health",
		"The billing service stores invoices in PostgreSQL 16.":   "money",
		"Postgres is our main database":                           "databases",
		"I prefer tabs over spaces in Go code":                    "programming",
		"My favourite color is teal":                              "preferences",
		"Standup is at 9:30 every weekday":                        "meetings",
		"The API key must be rotated; encryption is on":           "security",
		"I play the violin in an orchestra":                       "music",
		"We hiked to a waterfall last weekend":                    "outdoors",
		"My flight to Tokyo leaves on Friday":                     "travel",
		"My birthday is on May 3rd":                               "celebrations",
		"I was promoted to senior engineer":                       "career",
		"The unit tests are flaky under selenium":                 "testing",
		"mi gato se llama Bigotes":                                "pets",
		"Trabajo como maestra en una escuela":                     "school",
		"j'ai deux chiens":                                        "pets",
		"Je suis végétarienne et j'aime cuisiner":                 "food",
		"meine Katze heißt Mimi":                                  "pets",
		"Wir fahren im Urlaub nach Italien, der Flug geht morgen": "travel",
		"我有一只猫":                                                   "pets",
		"我们每天晚上部署到生产环境":                                           "deployment",
		"私の猫の名前はミケです":                                             "pets",
		"データベースはPostgreSQLです":                                     "databases",
		"우리 고양이 이름은 나비예요":                                         "pets",
		"나는 땅콩 알레르기가 있어요":                                         "health",
		"Zorblax is the codename of the thing":                    "zorblax",
		"":                                                        Unsorted,
		"I do, and so did you!":                                   Unsorted,
		"\x00\xff\xfe 12345 2024-05-01":                           Unsorted,
		"Hello there, how are you doing today?":                   Unsorted,
	} {
		if got := categoryOf(s); got != want {
			t.Errorf("category of %q = %q, want %q (topics %v)", s, got, want, topicsOf(s))
		}
	}
}

func TestTopicsAreRanked(t *testing.T) {
	got := topicsOf("The vet said my dog and my kitten can fly with us to the hotel")
	names := make([]string, len(got))
	for i, topic := range got {
		names[i] = topic.name
	}
	if len(names) < 2 || names[0] != "pets" || !slices.Contains(names, "travel") {
		t.Errorf("topics %v", got)
	}
	if got[0].weight < 3*clearWeight {
		t.Errorf("three words weigh %v", got[0].weight)
	}
}

func TestTopicsCountAWordOnce(t *testing.T) {
	once, often := topicsOf("a kitten"), topicsOf("kitten, kittens, a kitten's kitten")
	if !slices.Equal(once, often) {
		t.Errorf("%v against %v", once, often)
	}
	if got := topicsOf("部署部署部署"); len(got) != 1 || got[0].weight != clearWeight {
		t.Errorf("topics %v", got)
	}
}

func TestTopicsMatchInflections(t *testing.T) {
	for _, forms := range [][]string{
		{"deploy", "deploys", "deployed", "deploying"},
		{"cat", "cats", "cat's", "CATS"},
		{"médico", "medico", "MÉDICO"},
		{"gato", "gatos"},
		{"고양이", "고양이는", "고양이가"},
	} {
		want := categoryOf(forms[0])
		for _, f := range forms {
			if got := categoryOf(f); got != want || want == Unsorted {
				t.Errorf("category of %q = %q, category of %q = %q", f, got, forms[0], want)
			}
		}
	}
}

func TestTopicsMatchPhrasesWhole(t *testing.T) {
	if got := topicsOf("one on a call"); slices.ContainsFunc(got, func(t topic) bool { return t.name == "operations" }) {
		t.Errorf("parts of a phrase give %v", got)
	}
	if got := topicsOf("who is on call?"); len(got) == 0 || got[0].name != "operations" {
		t.Errorf("on call gives %v", got)
	}
}

// A stop word or a lone letter as a trigger would put every text under its topic.
func TestTopicTableIsSound(t *testing.T) {
	names := map[string]bool{}
	for _, topic := range topicTable() {
		if tag, ok := Tag(topic.name); !ok || tag != topic.name || names[topic.name] {
			t.Errorf("topic name %q", topic.name)
		}
		names[topic.name] = true
		for _, w := range strings.Fields(topic.clear + " " + topic.vague) {
			terms := text.Analyze(w).Tokens()
			if len(terms) == 0 || len(terms) == 1 && (terms[0].Stop || len(terms[0].Term) < 2) {
				t.Errorf("%s: trigger %q says nothing", topic.name, w)
			}
		}
		for _, w := range strings.Fields(topic.east) {
			if !text.HasUnspaced(w) && !isEastern(w) {
				t.Errorf("%s: %q is not in an eastern script", topic.name, w)
			}
		}
	}
}

// Skipping the stemming of words that cannot be triggers must not lose any.
func TestLookupFindsEveryForm(t *testing.T) {
	l := topicLexicon()
	for _, topic := range topicTable() {
		for _, w := range text.Words(topic.clear + " " + topic.vague) {
			for _, ending := range []string{"", "s", "es", "'s", "ed", "ing", "er", "ly", "ness", "ation", "ational", "ability", "ies", "y"} {
				terms := text.Terms(w + ending)
				if len(terms) != 1 || text.IsStop(w) || text.IsStop(w+ending) {
					continue
				}
				if term, got := l.lookup(w + ending); len(got) != len(l.terms[terms[0]]) || got != nil && term != terms[0] {
					t.Errorf("lookup(%q) finds %d triggers of %q, want %d", w+ending, len(got), terms[0], len(l.terms[terms[0]]))
				}
			}
		}
	}
}

func checkTopics(t interface{ Fatalf(string, ...any) }, s string) {
	topics := topicsOf(s)
	seen := map[string]bool{}
	for i, topic := range topics {
		if topic.name == "" || seen[topic.name] || !(topic.weight > 0) || math.IsInf(topic.weight, 0) {
			t.Fatalf("topics of %q: %v", s, topics)
		}
		if i > 0 && topic.weight > topics[i-1].weight {
			t.Fatalf("topics of %q are not ranked: %v", s, topics)
		}
		seen[topic.name] = true
	}
	if !slices.Equal(topics, topicsOf(s)) {
		t.Fatalf("topics of %q differ between calls", s)
	}
	lead := categoryOf(s)
	if tag, ok := Tag(lead); !ok || tag != lead {
		t.Fatalf("category of %q = %q, which is no tag", s, lead)
	}
	if len(topics) > 0 && lead != topics[0].name {
		t.Fatalf("category of %q = %q, topics %v", s, lead, topics)
	}
}

func TestTopicProperties(t *testing.T) {
	var words []string
	for _, topic := range topicTable() {
		words = append(words, strings.Fields(topic.clear)[0], strings.Fields(topic.vague)[0], strings.Fields(topic.east)[0])
	}
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(words), rapid.String()), 0, 8).Draw(t, "words")
		checkTopics(t, strings.Join(list, " "))
	})
}

func BenchmarkCategory(b *testing.B) {
	for name, s := range map[string]string{
		"topic":   "We moved the billing service to PostgreSQL last spring, and Maria now looks after the nightly jobs.",
		"tag":     "Zorblax frobnicates whatever quuxes arrive from Wibbleton, unless grault or garply got hold of him now.",
		"chinese": "我们每天晚上用定时任务把账单服务部署到生产环境，然后由玛丽亚检查。",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				categoryOf(s)
			}
		})
	}
}
