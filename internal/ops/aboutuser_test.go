package ops

import "testing"

// A question for all that is known of the user is told from one for something else, which
// the ranking answers.
func TestQuestionsForAllThatIsKnownOfTheUser(t *testing.T) {
	for _, q := range []string{
		"What do you know about me?", "what do you know about me", "So, what do you remember about me?", "Tell me everything you know about me.",
		"who am I?", "Everything about the user", "What have you learned about me so far?", "Was weißt du über mich?", "Que sais-tu de moi ?",
	} {
		if !asksForUser.MatchString(q) {
			t.Errorf("%q is not read", q)
		}
	}
	for _, q := range []string{
		"user", "me", "What do you know about my cat?", "What do you know about me and Anna?", "who is the user that reported the bug?",
		"does the API know the user?", "what did I tell you about the deploy", "What do you know?",
	} {
		if asksForUser.MatchString(q) {
			t.Errorf("%q is taken for a question for everything", q)
		}
	}
}
