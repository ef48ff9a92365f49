package question

import "testing"

func TestWhichValueIsAskedFor(t *testing.T) {
	tests := []struct {
		question string
		want     Value
	}{
		{"Where do I live?", NewestValue},
		{"Where do I live now, and where was that?", NewestValue},
		{"What is the deadline of the first sprint?", NewestValue},
		{"What should I do before a meeting?", NewestValue},
		{"¿Dónde vivo actualmente?", NewestValue},
		{"Where did I live before?", PreviousValue},
		{"Which editor did I use previously?", PreviousValue},
		{"Where did I used to live?", PreviousValue},
		{"Wo habe ich früher gewohnt?", PreviousValue},
		{"Où est-ce que j'habitais avant ?", PreviousValue},
		{"¿Dónde vivía antes?", PreviousValue},
		{"What was my first car?", FirstValue},
		{"Which editor did we use originally?", FirstValue},
		{"Was war mein erstes Auto?", FirstValue},
		{"Quelle était ma première voiture ?", FirstValue},
		{"What did Ada do in Rome?", AnyValue},
		{"", NewestValue},
	}
	for _, tt := range tests {
		if got := Analyze(tt.question, noon).Value; got != tt.want {
			t.Errorf("%q asks for %d, want %d", tt.question, got, tt.want)
		}
	}
}
