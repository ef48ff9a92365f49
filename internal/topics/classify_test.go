package topics

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/wordvec"
)

// smallTable has the vectors of a few words in three directions: plants, food and
// dogs. Of these "rhubarb", "stew" and "borzoi" are on no list.
func smallTable(t testing.TB) *wordvec.Table {
	t.Helper()
	wait, err := os.Create(filepath.Join(t.TempDir(), "wait"))
	if err != nil {
		t.Fatal(err)
	}
	defer wait.Close()
	b, err := wordvec.NewBuilder(3, wait)
	if err != nil {
		t.Fatal(err)
	}
	for text, v := range map[string][]float64{
		"garden": {1, 0.1, 0}, "flower": {1, 0, 0.1}, "rhubarb": {0.9, 0.3, 0},
		"recipe": {0.1, 1, 0}, "soup": {0, 1, 0.1}, "goulash": {0.1, 0.9, 0},
		"dog": {0, 0.1, 1}, "puppy": {0.1, 0, 1}, "borzoi": {0, 0, 0.9},
		"march": {1, 0, 0}, "the": {1, 0, 0},
	} {
		if err := b.Add(wordvec.Word{Text: text, Rank: 10_000, Values: v}); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	if err := b.Finish(&file); err != nil {
		t.Fatal(err)
	}
	table, err := wordvec.Open(file.String())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// topicName is the name of the best topic of a text; empty without one.
func topicName(w Weights) string {
	if topic, ok := w.best(); ok {
		return topicTable()[topic].name
	}
	return ""
}

func TestClassifierKnowsWordsOfNoList(t *testing.T) {
	c := NewClassifier(smallTable(t))
	for s, want := range map[string]string{
		"The rhubarb is red":               "garden",
		"Goulash again":                    "food",
		"A borzoi came by":                 "pets",
		"My dog eats":                      "pets", // what comes first counts more
		"The recipe is for the dog":        "food",
		"in March":                         "", // a month says nothing
		"Zorblax frobnicates":              "",
		"":                                 "",
		"\xff\x00":                         "",
		"我有一只猫":                            "pets",
		"Die Katze schläft":                "pets",
		"We deploy with cron jobs nightly": "deployment",
	} {
		if got := topicName(c.Weigh(text.Analyze(s))); got != want {
			t.Errorf("topic of %q is %q, want %q", s, got, want)
		}
	}
	once, twice := c.Weigh(text.Analyze("dog")), c.Weigh(text.Analyze("dog dog dog"))
	if !slices.Equal(once, twice) {
		t.Error("a word that is repeated counts more than once")
	}
}

func TestWeighProperties(t *testing.T) {
	c := NewClassifier(smallTable(t))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		w := c.Weigh(text.Analyze(s))
		if len(w) != len(topicTable()) {
			t.Fatalf("%d weights", len(w))
		}
		for i, x := range w {
			if !(x >= 0) {
				t.Fatalf("weight %v of %s", x, topicTable()[i].name)
			}
		}
		if !slices.Equal(w, c.Weigh(text.Analyze(s))) {
			t.Fatal("the same text weighs differently")
		}
	})
}

// about returns the weights of a text that speaks for topics, by name.
func about(topics map[string]float32) Weights {
	w := make(Weights, len(topicTable()))
	for i, t := range topicTable() {
		w[i] = topics[t.name]
	}
	return w
}

func TestGroup(t *testing.T) {
	pets, dance := about(map[string]float32{"pets": 2}), about(map[string]float32{"fitness": 2})
	nowhere := func(string) bool { return false }
	for name, tt := range map[string]struct {
		texts  []Weights
		least  int
		exists func(string) bool
		want   []string
	}{
		"enough":             {[]Weights{pets, pets, dance, dance}, 2, nowhere, []string{"pets", "pets", "fitness", "fitness"}},
		"a field of topics":  {[]Weights{dance, dance, about(map[string]float32{"outdoors": 1})}, 3, nowhere, []string{"sports", "sports", "sports"}},
		"nearly as good":     {[]Weights{pets, pets, about(map[string]float32{"food": 1, "pets": 0.9})}, 2, nowhere, []string{"pets", "pets", "pets"}},
		"rather than alone":  {[]Weights{pets, pets, about(map[string]float32{"cars": 2, "pets": 0.1})}, 2, nowhere, []string{"pets", "pets", "pets"}},
		"alone after all":    {[]Weights{pets, pets, about(map[string]float32{"cars": 2})}, 2, nowhere, []string{"pets", "pets", "cars"}},
		"one that is there":  {[]Weights{dance}, 3, func(name string) bool { return name == "fitness" }, []string{"fitness"}},
		"no topic":           {[]Weights{pets, pets, about(nil), nil}, 2, nowhere, []string{"pets", "pets", "", ""}},
		"nothing":            {nil, 2, nowhere, []string{}},
		"too weak for topic": {[]Weights{about(map[string]float32{"pets": ClearFrom / 2})}, 1, nowhere, []string{""}},
	} {
		if got := Group(tt.texts, tt.least, tt.exists); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestJoin(t *testing.T) {
	w := about(map[string]float32{"fitness": 2, "food": 1.8, "pets": 0.5})
	for there, want := range map[string]string{
		"":             "fitness",
		"fitness food": "fitness",
		"food sports":  "food",
		"sports pets":  "sports",
		"pets":         "fitness",
	} {
		exists := func(name string) bool { return slices.Contains(strings.Fields(there), name) }
		if got := w.Join(exists); got != want {
			t.Errorf("beside %q it is %q, want %q", there, got, want)
		}
	}
	if got := about(nil).Join(func(string) bool { return true }); got != "" {
		t.Errorf("without a topic it is %q", got)
	}
}

func TestNameOf(t *testing.T) {
	texts := []string{"The ferry to Corsica", "A ferry from Dover", "The cabin of the ferry", "Corsica in May"}
	free := func(string) bool { return false }
	taken := func(names ...string) func(string) bool {
		return func(s string) bool { return slices.Contains(names, s) }
	}
	for name, tt := range map[string]struct {
		texts, others []string
		before        string
		taken         func(string) bool
		want          string
	}{
		"what most share":         {texts, nil, "", free, "ferry"},
		"after what they are of":  {texts, nil, "travel", free, "travel ferry"},
		"what others have not":    {texts, []string{"ferry", "the ferry", "ferry", "a ferry", "ferry", "ferry"}, "", free, "corsica"},
		"taken":                   {texts, nil, "", taken("ferry"), "ferry corsica"},
		"all taken":               {texts, nil, "", func(string) bool { return true }, ""},
		"nothing in common":       {[]string{"zorblax", "quandil"}, nil, "", free, ""},
		"only what names nothing": {[]string{"on Monday it is good", "Monday is good"}, nil, "", free, ""},
	} {
		if got := NameOf(tt.texts, tt.others, tt.before, tt.taken); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestLeastOf(t *testing.T) {
	for texts, want := range map[int]int{0: 2, 20: 2, 100: 3, 1000: 11, 10_000: 100} {
		if got := LeastOf(texts); got != want {
			t.Errorf("LeastOf(%d) = %d, want %d", texts, got, want)
		}
	}
}

// Every topic has its field among the topics or as a subject of its own, and no name
// is the beginning of another's, by which the parts of a category are found.
func TestFieldsAreSound(t *testing.T) {
	for _, topic := range topicTable() {
		if topic.field == "" {
			continue
		}
		if tag, ok := Tag(topic.field); !ok || tag != topic.field || topic.field == topic.name || !IsTopic(topic.field) {
			t.Errorf("%s is in field %q", topic.name, topic.field)
		}
	}
	if IsTopic("zorblax") {
		t.Error("zorblax is no topic")
	}
}
