package bench

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
)

// Synthetic is a generated statement and a question that it answers.
type Synthetic struct {
	Text     string // about 100 characters
	Question string // of about seven words that are not stop words
	// Long asks the same in about thirteen words. No statement holds two of these, so
	// they are looked up as parts of other words too.
	Long string

	parts parts // Ask makes other questions from these
}

// Generate returns n statements such as people make to an agent, each with a question
// that it answers (a few others may answer it too). The same seed gives the same
// statements. [Synthetic.Ask] asks in other ways. Names follow a skewed distribution, as
// in life: a few turn up all the time and most seldom, and statements share most of their
// words with many others. The statements serve to measure speed and size, and to compare
// memories with one another; quality is measured on real conversations.
func Generate(n int, seed uint64) []Synthetic {
	out := make([]Synthetic, 0, n)
	for s := range Statements(seed) {
		if len(out) == n {
			break
		}
		out = append(out, s)
	}
	return out
}

// Statements yields what Generate returns, one statement after another and without end,
// so that large numbers need not be in memory at once.
func Statements(seed uint64) iter.Seq[Synthetic] {
	return func(yield func(Synthetic) bool) {
		r := rand.New(rand.NewPCG(seed, 0x57a7a))
		names := zipf{rand.NewZipf(r, 1.1, 8, uint64(20*len(firstNames)-1))}
		for i := 0; yield(statement(r, names, i)); i++ {
		}
	}
}

// statement returns the statement with the given number, from 0.
func statement(r *rand.Rand, names zipf, number int) Synthetic {
	t := topics[r.IntN(len(topics))]
	who := names.person()
	object := t.objects[r.IntN(len(t.objects))]
	place := places[r.IntN(len(places))]
	when := fmt.Sprintf("%s %d", months[r.IntN(len(months))], 1+r.IntN(28))
	code := fmt.Sprintf("%s-%d", t.code, 100+number)
	verb := t.verbs[r.IntN(len(t.verbs))]
	return Synthetic{
		Text: fmt.Sprintf("%s %s %s in %s on %s, %s, and noted it under %s",
			who, verb, object, place, when, t.details[r.IntN(len(t.details))], code),
		Question: fmt.Sprintf("when was it that %s %s %s in %s, on %s?", who, verb, object, place, when),
		Long:     fmt.Sprintf("what did %s do with %s in %s around %s, see %s?", who, object, place, when, code),
		parts:    parts{number: number, who: who, verb: verb, object: object, place: place, day: when},
	}
}

// zipf draws names by rank.
type zipf struct{ *rand.Zipf }

func (z zipf) person() string {
	rank := int(z.Uint64())
	name := firstNames[rank%len(firstNames)]
	if family := rank / len(firstNames); family > 0 {
		name += " " + familyNames[(family-1)%len(familyNames)]
	}
	return name
}

// topic is a subject of statements.
type topic struct {
	code                    string
	verbs, objects, details []string
}

func words(list string) []string { return strings.Split(list, "|") }

var (
	firstNames  = words("Ana|Ben|Carla|Dmitri|Elif|Farid|Greta|Hugo|Ines|Jonas|Keiko|Luis|Mara|Nadia|Omar|Priya|Quinn|Rosa|Sven|Tara|Uma|Viktor|Wei|Ximena|Yusuf|Zoe")
	familyNames = words("Almeida|Brandt|Castillo|Duval|Eriksen|Fontana|Gupta|Haddad|Ivanov|Jensen|Kaplan|Lindqvist|Moreau|Nakamura|Okafor|Petrov|Quiroga|Rossi|Schmidt")
	months      = words("January|February|March|April|May|June|July|August|September|October|November|December")
	places      = words("Lisbon|the garage|Oslo|the north office|Kyoto|the community center|Montreal|the kitchen|Nairobi|the workshop|Quito|the school gym|Tallinn|the harbor|Valencia|the attic|Zagreb|the library")
	topics      = []topic{
		{"pet", words("adopted|groomed|walked|trained|fed"), words("a gray kitten|the old terrier|two parakeets|a rescue greyhound|the neighbor's rabbit"), words("after a long talk with the vet|which went better than expected|because the shelter had called")},
		{"trip", words("booked|planned|canceled|enjoyed|postponed"), words("a night train|the ferry crossing|a cycling tour|three hotel nights|the mountain hike"), words("with friends from university|to celebrate an anniversary|despite the heavy rain")},
		{"api", words("deployed|reviewed|rolled back|profiled|documented"), words("the billing service|the search index|the login page|the payment webhook|the nightly backup job"), words("after the integration tests had passed|because latency had doubled|with a feature flag switched off")},
		{"food", words("cooked|baked|tasted|ordered|invented"), words("a lentil soup|sourdough bread|mushroom risotto|a plum cake|the spicy noodles"), words("using the grandmother's recipe|without any nuts because of an allergy|for a dinner with the team")},
		{"care", words("discussed|scheduled|finished|started|moved"), words("the physiotherapy course|a dental appointment|the vaccination|a blood test|the eye examination"), words("on the advice of the doctor|which the insurance will pay|before the marathon season")},
		{"home", words("repaired|painted|sold|measured|insulated"), words("the kitchen window|the balcony railing|an oak table|the cellar door|the upstairs bathroom"), words("with tools borrowed from a cousin|before the tenants move in|for less than four hundred euros")},
		{"music", words("practiced|recorded|performed|bought|tuned"), words("the cello suite|a jazz standard|the church organ|an acoustic guitar|the choir piece"), words("for the summer concert|with a metronome at eighty beats|although the strings were old")},
		{"money", words("paid|budgeted|invested|claimed|refunded"), words("the electricity bill|the travel expenses|a pension contribution|the conference ticket|the car insurance"), words("from the shared account|after comparing three offers|as agreed in the last meeting")},
		{"read", words("finished|recommended|lent|translated|reviewed"), words("a novel about lighthouse keepers|the biography of a chess player|an essay on urban trees|the handbook of sailing knots|a history of cartography"), words("within a single weekend|and wrote two pages of notes|for the book club")},
		{"ops", words("migrated|monitored|scaled|patched|restarted"), words("the message queue|the postgres cluster|the build runners|the staging gateway|the metrics dashboard"), words("during the maintenance window|to cut the monthly cost by a third|after an alert at night")},
	}
)
