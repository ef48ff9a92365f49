package controller

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/internal/text"
)

func TestCompare(t *testing.T) {
	tests := []struct {
		name string
		a, b string
		want Relation
	}{
		// The same in other dress.
		{"equal", "User likes tea", "User likes tea", Same},
		{"capitals and spaces", "User  likes TEA", "user likes tea", Same},
		{"punctuation at the ends", "User likes tea.", "“User likes tea”", Same},
		{"articles", "The user prefers the dark mode", "User prefers dark mode", Same},
		{"third person", "User prefer dark mode", "User prefers dark mode", Same},
		{"contraction", "The build doesn't need Docker", "The build does not need Docker", Same},
		{"typographic apostrophe", "It doesn’t rain", "It doesn't rain", Same},
		{"cannot", "Bob cannot drive", "Bob can't drive", Same},
		{"will not", "Bob won't come", "Bob will not come", Same},
		{"it is", "It's a tabby and we're proud", "It is a tabby and we are proud", Same},
		{"has and goes", "Anna have gone where Bob go", "Anna has gone where Bob goes", Same},
		{"regular plurals", "User keeps boxes, classes and libraries", "User keep box, class and library", Same},
		{"a dash between", "User likes tea – at night", "User likes tea at night", Same},
		{"Thai", "ผู้ใช้ชอบชา", "ผู้ใช้ชอบชา!", Same},
		{"without is not with", "Runs without tests", "Runs not with tests", Same},
		{"French articles", "Le chat aime l'eau", "chat aime eau", Same},
		{"German articles", "Der Hund mag das Wasser", "Hund mag Wasser", Same},
		{"unspaced script", "日本語の設定", "日本語の設定。", Same},
		{"blank texts", "  ", "\n", Same},

		// Word order and small words carry meaning.
		{"who manages whom", "Anna manages Bob", "Bob manages Anna", Different},
		{"before and after", "Backups run before deploys", "Backups run after deploys", Different},
		{"from and to", "User moved from Berlin", "User moved to Berlin", Different},
		{"whose", "My cat is Tom", "Your cat is Tom", Different},
		{"present and past", "User lives in Berlin", "User lived in Berlin", Different},
		{"is and was", "Anna is the manager", "Anna was the manager", Different},
		{"may and must", "Bob may deploy", "Bob must deploy", Different},
		{"more and less", "User wants more tea", "User wants less tea", Different},
		{"stems alike", "User studies the universe", "User studies the university", Different},
		{"operator and operation", "Deploy the operator", "Deploy the operation", Different},
		{"a letter that is a name", "Anna is on team A", "Anna is on the team", Different},
		{"a letter in the middle", "User takes vitamin A daily", "User takes vitamin daily", Different},
		{"a city, not an article", "User lives in LA now", "User lives in now", Different},
		{"no plural", "User reads the news", "User reads the new", Different},
		{"Paris", "User likes Paris", "User likes Pari", Different},
		{"whose cat", "Anna's cat", "Anna cat", Different},
		{"French of", "Le port d'Anna", "Le port Anna", Different},
		{"two questions", "Is the port 80?", "Is the port 81?", Different},
		{"question and statement", "User likes tea?", "User likes tea", Different},
		{"plain topic overlap", "The user prefers the dark theme for all editors", "The user prefers the metric system for all recipes", Different},

		// Values are never merged.
		{"versions", "The build needs Go 1.25", "The build needs Go 1.26", Different},
		{"B1 notes", "Note: the build needs Go 1.26", "Note: the CI runner is arm64", Different},
		{"B1 addresses", "https://staging.example.com is the staging URL", "https://prod.example.com is the staging URL", Different},
		{"sign of a number", "The offset amounts to 5 px", "The offset amounts to -5 px", Different},
		{"unit", "The cache takes 5%", "The cache takes 5", Different},
		{"language names", "User writes C++", "User writes C", Different},
		{"hidden file", "Settings live in .env", "Settings live in env", Different},
		{"paths", "Logs go to /var/log", "Logs go to /var-log", Different},
		{"arrows", "Data flows A -> B", "Data flows A <- B", Different},
		{"emoji", "User reacts with 👍", "User reacts with 👎", Different},
		{"only signs", "!!!", "???", Different},

		// More of the same.
		{"a second clause", "User likes tea and hates coffee", "User likes tea", Contains},
		{"a name", "User has a cat named Tom", "User has a cat", Contains},
		{"a cause", "User drinks tea because coffee keeps him awake", "User drinks tea", Contains},
		{"part of it", "User likes tea", "User likes tea and milk", ContainedBy},
		{"German", "Der Nutzer hat einen Hund namens Rex", "Der Nutzer hat einen Hund", Contains},
		{"a modifier restricts", "Deploys are allowed", "Deploys are allowed on Fridays", Different},
		{"a noun goes on", "User works at Acme", "User works at Acme Labs", Different},
		{"someone else", "Anna manages Bob", "Anna manages Bob's brother", Different},
		{"a condition", "Deploys are allowed", "Deploys are allowed if CI is green", Different},
		{"a complete list", "User drinks only tea", "User drinks only tea and water", Different},
		{"a complete value", "The color is black", "The color is black and white", Different},
		{"a new number", "User has a cat", "User has a cat and 2 dogs", Different},
		{"a negation within", "User likes tea", "User likes tea and not coffee", Different},
		{"some of many", "User avoids people", "User avoids people named Karen", Different},
		{"a fragment", "Anna", "Anna and Bob agree", Different},

		// Negations.
		{"does not", "User likes tea", "User does not like tea", Contradicts},
		{"doesn't", "User likes tea", "User doesn't like tea", Contradicts},
		{"is not", "The API is public", "The API isn't public", Contradicts},
		{"never", "Bob drinks wine", "Bob never drinks wine", Contradicts},
		{"no", "There is a deadline", "There is no deadline", Contradicts},
		{"no longer", "User works at Acme", "User no longer works at Acme", Contradicts},
		{"not anymore", "User eats meat", "User does not eat meat anymore", Contradicts},
		{"Spanish", "Al usuario le gusta el té", "Al usuario no le gusta el té", Contradicts},
		{"Spanish never", "El usuario nunca come carne", "El usuario come carne", Contradicts},
		{"Spanish no more", "El usuario ya no come carne", "El usuario come carne", Contradicts},
		{"French", "L'utilisateur aime le thé", "L'utilisateur n'aime pas le thé", Contradicts},
		{"French no more", "Il ne mange plus de viande", "Il mange de viande", Contradicts},
		{"German not", "Der Nutzer trinkt Kaffee", "Der Nutzer trinkt nicht Kaffee", Contradicts},
		{"German none", "Der Nutzer mag Tee", "Der Nutzer mag keinen Tee", Contradicts},
		{"German no more", "Der Nutzer raucht", "Der Nutzer raucht nicht mehr", Contradicts},
		{"both deny", "User does not like tea", "User does not like milk", Different},
		{"denials change places", "User does not like tea but likes milk", "User likes tea but does not like milk", Different},
		{"not only affirms", "User likes not only tea", "User likes only tea", Different},
		{"no as a number sign", "Bob is No. 5", "Bob is 5", Different},
		{"no as an answer", "No, the deploy day is Friday", "The deploy day is Friday", Same},
		{"in a clause", "The server which is not in use is down", "The server which is in use is down", Different},
		{"of a noun", "Users with no access can read", "Users with access can read", Different},
		{"without", "Deploys without tests fail", "Deploys with tests fail", Different},
		{"twice", "Bob never says no", "Bob says", Different},

		// Opposites.
		{"like and dislike", "User likes tea", "User dislikes tea", Contradicts},
		{"like and hate", "User hates tea", "User likes tea", Contradicts},
		{"states", "Dark mode is enabled", "Dark mode is disabled", Contradicts},
		{"states of a subject", "Open tickets are reviewed", "Closed tickets are reviewed", Different},

		// Another value of what has one.
		{"weekday", "The deploy day is Monday", "The deploy day is Friday", Contradicts},
		{"weekday with on", "The standup is on Monday", "The standup is on Friday", Contradicts},
		{"month", "The conference is in March", "The conference is in May", Contradicts},
		{"number", "The port is 8080", "The port is 9090", Contradicts},
		{"age", "Anna is 30 years old", "Anna is 31 years old", Contradicts},
		{"address", "The staging URL is https://a.example.com", "The staging URL is https://b.example.com", Contradicts},
		{"favorite", "My favorite color is blue", "My favorite color is green", Contradicts},
		{"name", "The cat's name is Tom", "The cat's name is Bob", Contradicts},
		{"Spanish value", "El puerto es 80", "El puerto es 81", Contradicts},
		{"German value", "Der Termin ist am Montag", "Der Termin ist am Freitag", Contradicts},
		{"French value", "Le nom est Paul", "Le nom est Jean", Contradicts},
		{"two properties", "Anna is tall", "Anna is smart", Different},
		{"one of many", "A mirror is https://a.example.com", "A mirror is https://b.example.com", Different},
		{"another", "Another mirror is https://a.example.com", "Another mirror is https://b.example.com", Different},
		{"a list", "The day is Monday and Friday", "The day is Tuesday and Friday", Different},
		{"a day and a mood", "The deploy day is Monday", "The deploy day is stressful", Different},
		{"deep in the value", "The server is listening on port 80", "The server is listening on port 443", Different},
		{"nobody knows what", "It is Monday", "It is Friday", Different},
		{"another subject", "Anna is 30", "Bob is 30", Different},
		{"two tastes", "User likes tea", "User likes coffee", Different},
		{"past values", "The deadline was Monday", "The deadline was Friday", Different},
		{"a city in two places", "The port is in Berlin", "The port is in Rome", Different},
		{"two claims in one", "The day is Monday which is good", "The day is Friday which is good", Different},
		{"excluded values", "The day is not Monday", "The day is not Friday", Different},
	}
	mirror := map[Relation]Relation{Same: Same, Different: Different, Contradicts: Contradicts, Contains: ContainedBy, ContainedBy: Contains}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Compare(tt.a, tt.b); got != tt.want {
				t.Errorf("Compare(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
			}
			if got := Compare(tt.b, tt.a); got != mirror[tt.want] {
				t.Errorf("Compare(%q, %q) = %v, want %v", tt.b, tt.a, got, mirror[tt.want])
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
			if got := relate(parse(tt.a), parse(tt.b)); got.doubtful != tt.want || got.relation != Different {
				t.Errorf("relate(%q, %q) = %+v, want doubtful %v", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

func TestRelationNames(t *testing.T) {
	want := map[Relation]string{Different: "different", Same: "same", Contains: "contains", ContainedBy: "contained by", Contradicts: "contradicts"}
	for r, name := range want {
		if r.String() != name {
			t.Errorf("%d is called %q, want %q", int(r), r, name)
		}
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
		if got := Compare(a, a); got != Same {
			t.Errorf("Compare(%q, itself) = %v", a, got)
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
	there, back := Compare(a, b), Compare(b, a)
	want := there
	switch there {
	case Contains:
		want = ContainedBy
	case ContainedBy:
		want = Contains
	}
	if back != want {
		t.Errorf("Compare(%q, %q) = %v, but the other way %v", a, b, there, back)
	}
	if text.Normalize(a) == text.Normalize(b) && there != Same {
		t.Errorf("Compare(%q, %q) = %v for equal texts", a, b, there)
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
		Compare(x, y)
	}
}
