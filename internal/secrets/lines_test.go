package secrets

import (
	"slices"
	"strings"
	"testing"
)

func TestRedactedLinesKeepTheirNumbers(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2", 9)
	key := "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----"
	text := "first\n" + key + "\nthen " + token + "\nand " + token + "\nlast\n"
	got, rules := RedactLines(text)
	if strings.Count(got, "\n") != strings.Count(text, "\n") || len(Scan(got)) > 0 {
		t.Errorf("%q", got)
	}
	if len(rules) != 2 || !slices.IsSorted(rules) {
		t.Errorf("rules: %q", rules)
	}
	if got, rules := RedactLines("nothing here\n"); got != "nothing here\n" || rules != nil {
		t.Errorf("%q, %q", got, rules)
	}
}
