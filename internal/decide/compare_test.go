package decide

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/internal/text"
)

// String returns the name of r, for messages of tests.
func (r entailment) String() string {
	switch r {
	case same:
		return "same"
	case contains:
		return "contains"
	case containedBy:
		return "contained by"
	case contradicts:
		return "contradicts"
	}
	return "different"
}

// compare relates two texts as the controller does.
func compare(a, b string) entailment {
	if text.Normalize(a) == text.Normalize(b) {
		return same
	}
	return relate(parse(a), parse(b)).relation
}

func TestCompare(t *testing.T) {
	tests := []struct {
		name string
		a, b string
		want entailment
	}{
		// Two things that change places.
		{"order turned round", "User writes tests before the code", "User writes code before the tests", contradicts},
		{"preference turned round", "User prefers tabs over spaces", "User prefers spaces over tabs", contradicts},
		{"places changed without an order", "Anna told Bob", "Bob told Anna", different},
		// The same in other dress.
		{"equal", "User likes tea", "User likes tea", same},
		{"capitals and spaces", "User  likes TEA", "user likes tea", same},
		{"punctuation at the ends", "User likes tea.", "“User likes tea”", same},
		{"articles", "The user prefers the dark mode", "User prefers dark mode", same},
		{"third person", "User prefer dark mode", "User prefers dark mode", same},
		{"contraction", "The build doesn't need Docker", "The build does not need Docker", same},
		{"typographic apostrophe", "It doesn’t rain", "It doesn't rain", same},
		{"cannot", "Bob cannot drive", "Bob can't drive", same},
		{"will not", "Bob won't come", "Bob will not come", same},
		{"it is", "It's a tabby and we're proud", "It is a tabby and we are proud", same},
		{"has and goes", "Anna have gone where Bob go", "Anna has gone where Bob goes", same},
		{"regular plurals", "User keeps boxes, classes and libraries", "User keep box, class and library", same},
		{"a dash between", "User likes tea – at night", "User likes tea at night", same},
		{"Thai", "ผู้ใช้ชอบชา", "ผู้ใช้ชอบชา!", same},
		{"without is not with", "Runs without tests", "Runs not with tests", same},
		{"French articles", "Le chat aime l'eau", "chat aime eau", same},
		{"German articles", "Der Hund mag das Wasser", "Hund mag Wasser", same},
		{"unspaced script", "日本語の設定", "日本語の設定。", same},
		{"blank texts", "  ", "\n", same},

		// Word order and small words carry meaning.
		{"who manages whom", "Anna manages Bob", "Bob manages Anna", different},
		{"before and after", "Backups run before deploys", "Backups run after deploys", different},
		{"from and to", "User moved from Berlin", "User moved to Berlin", different},
		{"whose", "My cat is Tom", "Your cat is Tom", different},
		{"present and past", "User lives in Berlin", "User lived in Berlin", different},
		{"is and was", "Anna is the manager", "Anna was the manager", different},
		{"may and must", "Bob may deploy", "Bob must deploy", different},
		{"more and less", "User wants more tea", "User wants less tea", different},
		{"stems alike", "User studies the universe", "User studies the university", different},
		{"operator and operation", "Deploy the operator", "Deploy the operation", different},
		{"a letter that is a name", "Anna is on team A", "Anna is on the team", different},
		{"a letter in the middle", "User takes vitamin A daily", "User takes vitamin daily", different},
		{"a city, not an article", "User lives in LA now", "User lives in now", different},
		{"no plural", "User reads the news", "User reads the new", different},
		{"Paris", "User likes Paris", "User likes Pari", different},
		{"whose cat", "Anna's cat", "Anna cat", different},
		{"French of", "Le port d'Anna", "Le port Anna", different},
		{"two questions", "Is the port 80?", "Is the port 81?", different},
		{"question and statement", "User likes tea?", "User likes tea", different},
		{"plain topic overlap", "The user prefers the dark theme for all editors", "The user prefers the metric system for all recipes", different},

		// Values are never merged.
		{"versions", "The build needs Go 1.25", "The build needs Go 1.26", different},
		{"B1 notes", "Note: the build needs Go 1.26", "Note: the CI runner is arm64", different},
		{"B1 addresses", "https://staging.example.com is the staging URL", "https://prod.example.com is the staging URL", different},
		{"sign of a number", "The offset amounts to 5 px", "The offset amounts to -5 px", different},
		{"unit", "The cache takes 5%", "The cache takes 5", different},
		{"language names", "User writes C++", "User writes C", different},
		{"hidden file", "Settings live in .env", "Settings live in env", different},
		{"paths", "Logs go to /var/log", "Logs go to /var-log", different},
		{"arrows", "Data flows A -> B", "Data flows A <- B", different},
		{"emoji", "User reacts with 👍", "User reacts with 👎", different},
		{"only signs", "!!!", "???", different},

		// More of the same.
		{"a second clause", "User likes tea and hates coffee", "User likes tea", contains},
		{"a name", "User has a cat named Tom", "User has a cat", contains},
		{"a cause", "User drinks tea because coffee keeps him awake", "User drinks tea", contains},
		{"part of it", "User likes tea", "User likes tea and milk", containedBy},
		{"German", "Der Nutzer hat einen Hund namens Rex", "Der Nutzer hat einen Hund", contains},
		{"a modifier restricts", "Deploys are allowed", "Deploys are allowed on Fridays", different},
		{"a noun goes on", "User works at Acme", "User works at Acme Labs", different},
		{"someone else", "Anna manages Bob", "Anna manages Bob's brother", different},
		{"a condition", "Deploys are allowed", "Deploys are allowed if CI is green", different},
		{"a complete list", "User drinks only tea", "User drinks only tea and water", different},
		{"a complete value", "The color is black", "The color is black and white", different},
		{"a new number", "User has a cat", "User has a cat and 2 dogs", different},
		{"a negation within", "User likes tea", "User likes tea and not coffee", different},
		{"some of many", "User avoids people", "User avoids people named Karen", different},
		{"a fragment", "Anna", "Anna and Bob agree", different},

		// Negations.
		{"does not", "User likes tea", "User does not like tea", contradicts},
		{"doesn't", "User likes tea", "User doesn't like tea", contradicts},
		{"is not", "The API is public", "The API isn't public", contradicts},
		{"never", "Bob drinks wine", "Bob never drinks wine", contradicts},
		{"no", "There is a deadline", "There is no deadline", contradicts},
		{"no longer", "User works at Acme", "User no longer works at Acme", contradicts},
		{"not anymore", "User eats meat", "User does not eat meat anymore", contradicts},
		{"Spanish", "Al usuario le gusta el té", "Al usuario no le gusta el té", contradicts},
		{"Spanish never", "El usuario nunca come carne", "El usuario come carne", contradicts},
		{"Spanish no more", "El usuario ya no come carne", "El usuario come carne", contradicts},
		{"French", "L'utilisateur aime le thé", "L'utilisateur n'aime pas le thé", contradicts},
		{"French no more", "Il ne mange plus de viande", "Il mange de viande", contradicts},
		{"German not", "Der Nutzer trinkt Kaffee", "Der Nutzer trinkt nicht Kaffee", contradicts},
		{"German none", "Der Nutzer mag Tee", "Der Nutzer mag keinen Tee", contradicts},
		{"German no more", "Der Nutzer raucht", "Der Nutzer raucht nicht mehr", contradicts},
		{"both deny", "User does not like tea", "User does not like milk", different},
		{"denials change places", "User does not like tea but likes milk", "User likes tea but does not like milk", different},
		{"not only affirms", "User likes not only tea", "User likes only tea", different},
		{"no as a number sign", "Bob is No. 5", "Bob is 5", different},
		{"no as an answer", "No, the deploy day is Friday", "The deploy day is Friday", same},
		{"in a clause", "The server which is not in use is down", "The server which is in use is down", different},
		{"of a noun", "Users with no access can read", "Users with access can read", different},
		{"without", "Deploys without tests fail", "Deploys with tests fail", different},
		{"twice", "Bob never says no", "Bob says", different},

		// Opposites.
		{"like and dislike", "User likes tea", "User dislikes tea", contradicts},
		{"like and hate", "User hates tea", "User likes tea", contradicts},
		{"states", "Dark mode is enabled", "Dark mode is disabled", contradicts},
		{"states of a subject", "Open tickets are reviewed", "Closed tickets are reviewed", different},

		// Another value of what has one.
		{"weekday", "The deploy day is Monday", "The deploy day is Friday", contradicts},
		{"weekday with on", "The standup is on Monday", "The standup is on Friday", contradicts},
		{"month", "The conference is in March", "The conference is in May", contradicts},
		{"number", "The port is 8080", "The port is 9090", contradicts},
		{"age", "Anna is 30 years old", "Anna is 31 years old", contradicts},
		{"address", "The staging URL is https://a.example.com", "The staging URL is https://b.example.com", contradicts},
		{"favorite", "My favorite color is blue", "My favorite color is green", contradicts},
		{"name", "The cat's name is Tom", "The cat's name is Bob", contradicts},
		{"Spanish value", "El puerto es 80", "El puerto es 81", contradicts},
		{"German value", "Der Termin ist am Montag", "Der Termin ist am Freitag", contradicts},
		{"French value", "Le nom est Paul", "Le nom est Jean", contradicts},
		{"two properties", "Anna is tall", "Anna is smart", different},
		{"one of many", "A mirror is https://a.example.com", "A mirror is https://b.example.com", different},
		{"another", "Another mirror is https://a.example.com", "Another mirror is https://b.example.com", different},
		{"a list", "The day is Monday and Friday", "The day is Tuesday and Friday", different},
		{"a day and a mood", "The deploy day is Monday", "The deploy day is stressful", different},
		{"deep in the value", "The server is listening on port 80", "The server is listening on port 443", different},
		{"nobody knows what", "It is Monday", "It is Friday", different},
		{"another subject", "Anna is 30", "Bob is 30", different},
		{"two tastes", "User likes tea", "User likes coffee", different},
		{"past values", "The deadline was Monday", "The deadline was Friday", different},
		{"a city in two places", "The port is in Berlin", "The port is in Rome", different},
		{"two claims in one", "The day is Monday which is good", "The day is Friday which is good", different},
		{"excluded values", "The day is not Monday", "The day is not Friday", different},
	}
	mirror := map[entailment]entailment{same: same, different: different, contradicts: contradicts, contains: containedBy, containedBy: contains}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := compare(tt.a, tt.b); got != tt.want {
				t.Errorf("compare(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
			}
			if got := compare(tt.b, tt.a); got != mirror[tt.want] {
				t.Errorf("compare(%q, %q) = %v, want %v", tt.b, tt.a, got, mirror[tt.want])
			}
		})
	}
}

func TestCompareDoubts(t *testing.T) {
	tests := []struct {
		name string
		a, b string
		want bool
	}{
		{"home", "User lives in Berlin", "User lives in Munich", true},
		{"employer", "User works at Acme", "User works at Globex", true},
		{"version", "The build needs Go 1.25", "The build needs Go 1.26", true},
		{"holder of an office", "The CTO is Anna", "The CTO is Bob", true},
		{"negation of a part", "Deploys without tests fail", "Deploys with tests fail", true},
		{"tastes stand side by side", "User likes tea", "User likes coffee", false},
		{"other subjects", "Anna lives in Berlin", "Bob lives in Berlin", false},
		{"nothing in common", "User likes tea", "The build needs Go 1.26", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := relate(parse(tt.a), parse(tt.b)); got.doubtful != tt.want || got.relation != different {
				t.Errorf("relate(%q, %q) = %+v, want doubtful %v", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

// wordList yields statements that often relate to one another.
var wordList = strings.Fields(`user User likes like does not never no the a tea coffee is Monday Friday 5 -5 https://a.b
	and with without Anna Bob manages name ne pas kein No, L'eau n'aime can't ? . 日本 named because`)

func statements() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(wordList), 0, 8).Draw(t, "words"), " ")
	})
}

func TestCompareProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := statements().Draw(t, "a"), statements().Draw(t, "b")
		checkCompare(t, a, b)
		if got := compare(a, a); got != same {
			t.Errorf("compare(%q, itself) = %v", a, got)
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add("User likes tea", "User does not like tea")
	f.Add("L'utilisateur n'aime pas le thé", "\xff'")
	f.Add("n't", "-$v")
	f.Fuzz(func(t *testing.T, a, b string) { checkCompare(t, a, b) })
}

func checkCompare(t interface{ Errorf(string, ...any) }, a, b string) {
	there, back := compare(a, b), compare(b, a)
	want := there
	switch there {
	case contains:
		want = containedBy
	case containedBy:
		want = contains
	}
	if back != want {
		t.Errorf("compare(%q, %q) = %v, but the other way %v", a, b, there, back)
	}
	if text.Normalize(a) == text.Normalize(b) && there != same {
		t.Errorf("compare(%q, %q) = %v for equal texts", a, b, there)
	}
	if d := relate(parse(a), parse(b)).doubtful; d != relate(parse(b), parse(a)).doubtful {
		t.Errorf("doubt about %q and %q depends on their order", a, b)
	}
}

func BenchmarkCompare(b *testing.B) {
	x := "The user prefers the dark theme for all editors and terminals at night"
	y := "The user prefers the light theme for all editors and terminals at noon"
	b.ReportAllocs()
	for b.Loop() {
		compare(x, y)
	}
}
