package secrets

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func hex(n int) string   { return strings.Repeat("0f1e2d3c4b5a6978", n/16+1)[:n] }
func mixed(n int) string { return strings.Repeat("aB3dE6gH9jK2mN5pQ8", n/18+1)[:n] }
func upper(n int) string { return strings.Repeat("J4KQ7ZT2WB", n/10+1)[:n] }
func small(n int) string { return strings.Repeat("a7k2x9m4q", n/9+1)[:n] }

// example is one of the examples of a rule, filled in.
type example struct{ rule, text, secret string }

var blank = regexp.MustCompile(`\{(KEY|mixed|hex|upper|lower)(\d*)\}`)

// fill puts characters that look random where an example has "{mixed36}".
func fill(s string) string {
	return blank.ReplaceAllStringFunc(s, func(m string) string {
		part := blank.FindStringSubmatch(m)
		n, _ := strconv.Atoi(part[2])
		switch part[1] {
		case "mixed":
			return mixed(n)
		case "hex":
			return hex(n)
		case "upper":
			return upper(n)
		case "lower":
			return small(n)
		}
		return "KEY"
	})
}

// allRules are the rules of all tables.
func allRules() []*rule {
	var out []*rule
	for i := range tokenRules {
		out = append(out, &tokenRules[i])
	}
	for i := range contextRules {
		out = append(out, &contextRules[i])
	}
	for i := range commands {
		out = append(out, commands[i].rule())
	}
	for i := range commonLabels {
		out = append(out, commonLabels[i].rule())
	}
	return out
}

// examples are what the tables say that their rules find.
func examples() []example {
	var out []example
	for _, r := range allRules() {
		for _, e := range r.examples {
			text, secret := unmark(fill(e))
			if secret == "" {
				secret = text
			}
			out = append(out, example{r.name, text, secret})
		}
	}
	return out
}

func TestEveryKindFindsItsExamples(t *testing.T) {
	for _, e := range examples() {
		for _, text := range []string{e.text, "note: " + e.text, e.text + "\nand more"} {
			found := Scan(text)
			if len(found) != 1 || found[0].Rule != e.rule || text[found[0].Start:found[0].End] != e.secret {
				for _, f := range found {
					t.Logf("%s: %q", f.Rule, text[f.Start:f.End])
				}
				t.Errorf("%s: %q has findings %v, want %q", e.rule, text, found, e.secret)
			}
		}
	}
}

func TestEveryKindLeavesItsHarmless(t *testing.T) {
	for _, r := range allRules() {
		if len(r.examples) == 0 {
			t.Errorf("%s has no examples", r.name)
		}
		for _, h := range r.harmless {
			text := fill(h)
			for _, f := range Scan(text) {
				t.Errorf("%q: %s finds %q", text, f.Rule, text[f.Start:f.End])
			}
		}
	}
}

func TestSeedPhrasesAloneOnALine(t *testing.T) {
	words := strings.Fields("abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic acquire across act action actor actress actual")
	for _, n := range []int{12, 24} {
		phrase := strings.Join(words[:n], " ")
		text := "the wallet\n" + phrase + "\nThat is it."
		if out, _ := Redact(text); out != "the wallet\n[redacted:seed-phrase]\nThat is it." {
			t.Errorf("%d words: %q", n, out)
		}
	}
	for _, text := range []string{
		strings.Join(words[:11], " "),
		"fix the crash when opening empty files under load during tests from cron",
		"postgres redis kafka nginx docker linux golang python rust helm vault consul",
	} {
		if found := Scan(text); found != nil {
			t.Errorf("Scan(%q) = %v", text, found)
		}
	}
}
