package question

import (
	"slices"
	"testing"
)

func TestPartsOfAQuestion(t *testing.T) {
	tests := []struct {
		in   string
		want int
	}{
		{"What is my cat called, and which database does billing use?", 2},
		{"Where does Ada work? When did she move to Lisbon?", 2},
		{"Who did Ada meet in Rome and what did she buy there?", 2},
		{"What do Ada and Ben cook together?", 0},
		{"Which database does billing use?", 0},
		{"", 0},
	}
	for _, tt := range tests {
		if got := Analyze(tt.in, noon).Subquestions; len(got) != tt.want {
			t.Errorf("parts of %q = %q, want %d", tt.in, got, tt.want)
		}
	}
	parts := Analyze("Who did Ada meet in Rome and what gifts did she buy?", noon).Subquestions
	if len(parts) != 2 || !slices.Contains(parts[1], "ada") {
		t.Errorf("the second part lost its name: %q", parts)
	}
}
