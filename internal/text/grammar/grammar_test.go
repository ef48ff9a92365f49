package grammar

import "testing"

func TestDescriptionsAreToldFromPasswords(t *testing.T) {
	german := &Languages[1]
	for _, c := range []struct {
		word, copula string
		of           *Language
		want         bool
	}{
		{"wrong", "is", nil, true}, {"Wrong!", "is", nil, true}, {"rotated", "is", nil, true}, {"automatically", "", nil, true}, {"the", "is", nil, true},
		{"dragonfly", "is", nil, false}, {"family", "is", nil, false}, {"tumbleweed", "is", nil, false}, {"sunflower", "", nil, false},
		{"abgelaufen", "ist", german, true}, {"veränderlich", "ist", german, true}, {"Sonnenblume", "ist", german, false},
		{"guardada", "es", nil, true}, {"guardada", "is", nil, false},
	} {
		if got := IsDescription(c.word, c.copula, c.of); got != c.want {
			t.Errorf("IsDescription(%q, %q) = %t", c.word, c.copula, got)
		}
	}
}

func TestOpeningsAreWholeWords(t *testing.T) {
	for text, want := range map[string]int{
		"it is now x": len("it is now") - len(" now"), "It's x": 4, "Itself": 0, "now: x": 3, "nowhere": 0, "теперь он x": len("теперь он"), "Теперь x": len("Теперь"), "现在是x": len("现在是"), "": 0,
	} {
		if got := Every().Opening(text); got != want {
			t.Errorf("Opening(%q) = %d, want %d", text, got, want)
		}
	}
}

// What the table says of a language is complete enough to be read with.
func TestEveryLanguageNamesASecretAndStatesIt(t *testing.T) {
	names := map[string]bool{}
	for _, l := range Languages {
		if names[l.Name] || len(l.Passwords) == 0 || len(l.Is) == 0 || len(l.It) == 0 || len(l.Examples) == 0 || len(l.Harmless) == 0 {
			t.Errorf("%s is twice in the table, or lacks something", l.Name)
		}
		names[l.Name] = true
	}
}
