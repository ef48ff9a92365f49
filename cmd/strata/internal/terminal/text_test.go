package terminal

import "testing"

func TestTextFromMemoryIsMadeSafe(t *testing.T) {
	tests := []struct{ in, want string }{
		{"two\nlines\tand  a tab", "two lines and a tab"},
		{"red \x1b[31m", "red \uFFFD[31m"},
		{"\u202eevil", "\uFFFDevil"},
		{"family 👨\u200d👩\u200d👧", "family 👨\u200d👩\u200d👧"},
		{"猫の名前", "猫の名前"},
	}
	for _, tt := range tests {
		if got := Clean(tt.in); got != tt.want {
			t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
