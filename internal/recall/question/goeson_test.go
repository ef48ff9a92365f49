package question

import "testing"

func TestQuestionsThatGoOn(t *testing.T) {
	for question, want := range map[string]bool{
		"What did you suggest for the garden?":           true,
		"Regarding the plan from last time, what now?":   true,
		"As we discussed, the launch moves to May":       true,
		"Was hast du mir für den Garten empfohlen?":      true,
		"Qu'est-ce que tu as proposé pour le jardin ?":   true,
		"¿Qué me recomendaste para el jardín?":           true,
		"What is my sister called?":                      false,
		"Do you know when my flight leaves?":             false,
		"Wann geht mein Flug?":                           false,
		"Which color did Ada paint the fence last year?": false,
	} {
		if got := Analyze(question, noon).GoesOn; got != want {
			t.Errorf("%q goes on: %v, want %v", question, got, want)
		}
	}
}
