package chatui

import (
	"strings"
	"testing"
)

func FuzzSlash(f *testing.F) {
	f.Add("/memory edit fact_1")
	f.Add("//a message")
	f.Add("/")
	f.Fuzz(func(t *testing.T, text string) {
		name, rest, ok := slash(text)
		if ok != (strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//")) {
			t.Errorf("slash(%q) is a command: %v", text, ok)
		}
		if ok && !strings.HasPrefix(text, "/"+name) || strings.Contains(name, " ") || !strings.HasSuffix(strings.TrimSpace(text), rest) {
			t.Errorf("slash(%q) = %q, %q", text, name, rest)
		}
	})
}
