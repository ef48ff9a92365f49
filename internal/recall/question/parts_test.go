package question

import (
	"slices"
	"testing"
)

func TestPartsCanBeAskedAlone(t *testing.T) {
	tests := []struct {
		question string
		want     []string
	}{
		{"Where does Anna work?", nil},
		{"Where does Anna work, and when is her birthday?", []string{"Where does Anna work,", "when is her birthday? Anna"}},
		{"What is my cat called, and when is its birthday?", []string{"What is my cat called,"}},
		{"Which database do we use? Who chose the queue?", []string{"Which database do we use?", "Who chose the queue?"}},
		{"", nil},
	}
	for _, tt := range tests {
		if got := Parts(tt.question); !slices.Equal(got, tt.want) {
			t.Errorf("Parts(%q) = %q, want %q", tt.question, got, tt.want)
		}
	}
}
