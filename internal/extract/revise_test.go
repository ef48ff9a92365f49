package extract_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/text"
)

// What changes or corrects something without naming it takes its place.
func TestWhatAChangeReplaces(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"My hamster's called Rumo.", "Remo, actually. Typo.", "The user's hamster is named Remo."},
		{"We use Travis for CI.", "hang on, that's stale, we moved everything to Drone in autumn.", "We moved everything to Drone in autumn."},
		{"My husband's name is Stefan.", "With a ph please: Stephan.", "The user's husband is named Stephan."},
		{"Our cabin has four rooms.", "Three rooms I should say, one is a cupboard.", "Our cabin has three rooms."},
		{"I play squash every Monday.", "They closed our court, from now on it's Thursdays.", "The user plays squash every Thursday."},
		{"We've got five ducks.", "The fox took one so we're down to four.", "We've got four ducks."},
		{"My son studies history in Leiden.", "He's just switched to maths, still in Leiden though.", "The user's son has just switched to maths, still in Leiden."},
		{"I'm on lisinopril for my blood pressure.", "The cough got bad, so the doctor put me on valsartan instead.", "The user is on valsartan instead."},
		{"Ana does design and Leo does the frontend.", "As of this week they've traded places, Leo does design and Ana the frontend.", "Leo does design and Ana the frontend."},
		{"North is our test box and South is production.", "Sorry, other way round: South is test and North is production.", "South is test and North is production."},
		{"My interview is on Friday.", "They moved it to Monday.", "The user's interview is on 9 March 2026."},
		{"I work at Fiat.", "I'm retired now.", "The user is retired now."},
		{"I'm vegan.", "Forget the vegan thing.", "It is no longer so that the user is vegan."},
		{"We use MySQL.", "We migrated to Postgres over the weekend.", "We migrated to Postgres over the weekend."},
		{"My email is a@x.example.", "Use b@y.example instead from now on.", "The user's email is b@y.example."},
		{"My brother lives in Rome.", "Not Rome, Naples.", "The user's brother lives in Naples."},
		{"The invoice job runs at 02:00 UTC.", "Correction: the invoice job runs at 03:00 UTC.", "The invoice job runs at 03:00 UTC."},
		{"I'm 51.", "52, my birthday was last week!", "The user is 52."},
		{"My phone number is 555 123 4567.", "Oops, I typed that wrong, it's 555 123 4568.", "The user's phone number is 555 123 4568."},
		{"The API runs on port 8080.", "mistyped, it's 8081", "The API runs on port 8081."},
		{"My birthday is 3 May.", "I misspoke, it's 4 May.", "The user's birthday is 4 May."},
		// These say something else.
		{"My birthday is 3 May.", "There's a typo in the title, it's late.", ""},
		{"I like tea.", "It's cold in here now.", ""},
		{"My dog is a beagle.", "The report is due on Friday.", ""},
		{"I have a boat.", "I have a question about Rust now.", ""},
		{"We use MySQL.", "The article says they moved to Mongo.", ""},
		{"I'm allergic to penicillin.", "I moved to Leeds in March 2025.", ""},
		{"I work as a nurse.", "My dad is a retired pilot.", ""},
	} {
		got := ""
		for _, cand := range extract.Turns(user(c.before, c.after))[1:] {
			if cand.Replaces != "" {
				got = cand.Content
			}
		}
		if got != c.want {
			t.Errorf("%q, %q: %q replaces, want %q", c.before, c.after, got, c.want)
		}
	}
}

// Of two statements about different things, said one after the other, both stay: what a
// change replaces shares a word with it that tells what it is about.
func TestWhatHasNothingInCommonStays(t *testing.T) {
	said, seed := lasting(t), rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 3000 {
		before, after := said[rng.IntN(len(said))], said[rng.IntN(len(said))]
		for _, c := range extract.Turns(user(before, after)) {
			if c.Replaces != "" && !shareWord(c.Replaces, c.Content) {
				t.Errorf("seed %d: %q, %q: %q replaces %q", seed, before, after, c.Content, c.Replaces)
			}
		}
	}
}

// lasting are the statements of the file that something is kept of.
func lasting(t *testing.T) (said []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/lasting.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if say, kept, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); kept != "" {
			said = append(said, say)
		}
	}
	return said
}

// shareWord reports whether two statements have a longer word in common besides "user".
func shareWord(a, b string) bool {
	words := text.Vocabulary(a)
	for w := range text.Vocabulary(b) {
		if len(w) > 3 && words[w] && w != text.Term("user") {
			return true
		}
	}
	return false
}

// A short answer is read by what the assistant asked.
func TestWhatAShortAnswerStates(t *testing.T) {
	for _, c := range []struct{ asked, answer, want string }{
		{"What's your dog's name?", "Pickle.", "The user's dog is named Pickle."},
		{"Nice! Where do you live?", "In a village near Bath.", "The user lives in a village near Bath."},
		{"Do you have any allergies?", "Yes, peanuts and kiwi.", "The user is allergic to peanuts and kiwi."},
		{"Do you eat meat?", "No, never.", "The user does not eat meat."},
		{"How old are you?", "42", "The user is 42."},
		{"Where do you live?", "Why do you ask?", ""},
		{"Where do you live?", "I'd rather not say.", ""},
		{"You could live in Leeds.", "Leeds.", ""},
	} {
		turns := user(c.asked, c.answer)
		turns[0].Role = strata.RoleAssistant
		got := ""
		for _, cand := range extract.Turns(turns) {
			got += cand.Content
		}
		if got != c.want {
			t.Errorf("%q, %q: got %q, want %q", c.asked, c.answer, got, c.want)
		}
	}
}
