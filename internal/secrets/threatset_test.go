package secrets

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// readTexts reads a file of texts, one JSON string a line.
func readTexts(t *testing.T, name string) (texts []string) {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		texts = append(texts, text)
	}
	return texts
}

// Injections are marked and harmless texts are not. The second pair of sets was written after
// the rules, in other styles; what was missed there made the rules more general.
func TestInjectionsAreTold(t *testing.T) {
	for _, set := range []struct {
		injections, harmless string
		least, most          float64 // shares that are marked
	}{
		{"injections", "harmless", 0.85, 0.05},
		{"injections-more", "harmless-more", 0.85, 0.05},
	} {
		marked := func(name string, want bool) float64 {
			texts, n := readTexts(t, name), 0
			for _, text := range texts {
				threats := Threats(text)
				if len(threats) > 0 {
					n++
				}
				if want != (len(threats) > 0) {
					t.Logf("%s: %q: %v", name, text, threats)
				}
			}
			t.Logf("%s: %d of %d marked", name, n, len(texts))
			return float64(n) / float64(len(texts))
		}
		if got := marked(set.injections, true); got < set.least {
			t.Errorf("%.0f %% of %s are marked, want at least %.0f %%", 100*got, set.injections, 100*set.least)
		}
		if got := marked(set.harmless, false); got > set.most {
			t.Errorf("%.0f %% of %s are marked, want at most %.0f %%", 100*got, set.harmless, 100*set.most)
		}
	}
}
