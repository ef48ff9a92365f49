package secrets

import (
	"fmt"
	"testing"
)

// A PIN has four to eight digits.
func TestPINsHaveFourToEightDigits(t *testing.T) {
	for n := 2; n <= 10; n++ {
		digits := "4821936075"[:n]
		text := "PIN: " + digits
		found := Scan(text)
		if n < 4 || n > 8 {
			if found != nil {
				t.Errorf("Scan(%q) finds %v", text, found)
			}
			continue
		}
		if len(found) != 1 || text[found[0].Start:found[0].End] != digits {
			t.Errorf("Scan(%q) finds %v", text, found)
		}
	}
}

// Findings that overlap become one from the first byte to the last, however
// they lie, under the name of the rule that ranks first.
func TestMergeKeepsEveryByte(t *testing.T) {
	first, second := &rule{rank: 1}, &rule{rank: 2}
	for _, c := range []struct {
		name  string
		spans []span
		want  []span
	}{
		{"one in another", []span{{second, 0, 10}, {first, 2, 5}}, []span{{first, 0, 10}}},
		{"one behind another", []span{{first, 0, 5}, {second, 4, 10}}, []span{{first, 0, 10}}},
		{"one beginning", []span{{second, 0, 5}, {first, 0, 10}}, []span{{first, 0, 10}}},
		{"three, of which the first is the longest", []span{{first, 0, 10}, {second, 2, 5}, {second, 7, 9}}, []span{{first, 0, 10}}},
		{"side by side", []span{{second, 5, 10}, {first, 0, 5}}, []span{{first, 0, 5}, {second, 5, 10}}},
	} {
		if got := merge(c.spans); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A quoted passphrase has three words or more.
func TestQuotedPassphrasesHaveThreeWords(t *testing.T) {
	for text, want := range map[string]bool{
		`password: "purple walrus"`:               false,
		`password: "purple walrus lantern"`:       true,
		`password: "purple walrus lantern creek"`: true,
	} {
		if found := Scan(text); (found != nil) != want {
			t.Errorf("Scan(%q) finds %v", text, found)
		}
	}
}

// A secret may come before the word that says what it is, where the clause ends with
// that word.
func TestASecretBeforeItsLabel(t *testing.T) {
	for text, want := range map[string]string{
		"I use Tr0ub4dor&3 as my password":             "Tr0ub4dor&3",
		"I use Tr0ub4dor&3 as my password, by the way": "Tr0ub4dor&3",
		"I use 'Tr0ub4dor&3' as my wifi password.":     "Tr0ub4dor&3",
		"I use Tr0ub4dor&3 as my password manager":     "",
		"I wrote Tr0ub4dor&3 as my phone number":       "",
		"Tr0ub4dor&3 is my username":                   "",
	} {
		wantSecret(t, text, want)
	}
}

// What a header says to be credentials has four characters or more; what only follows
// the word "bearer" has six, and looks like a token.
func TestCredentialsOfHeaders(t *testing.T) {
	for text, want := range map[string]string{
		"Authorization: Basic abc":    "",
		"Authorization: Basic abcd":   "abcd",
		"bearer abc12":                "",
		"bearer abc123x":              "abc123x",
		"Bearer AbcdefGhijklmnopqrst": "AbcdefGhijklmnopqrst",
		"Bearer AbcdefGhijklmnopqrs":  "",
		"Bearer abcdefghijklmnopqrst": "",
	} {
		wantSecret(t, text, want)
	}
}

// A passphrase of plain words ends with its line or sentence.
func TestAPassphraseEndsWithItsSentence(t *testing.T) {
	for _, end := range []string{"", "\r\nand more", "\nand more", ". It is old"} {
		wantSecret(t, "my password is purple walrus lantern creek"+end, "purple walrus lantern creek")
	}
}

// wantSecret fails the test unless one secret is found in a text; "" wants none.
func wantSecret(t *testing.T, text, want string) {
	t.Helper()
	got := ""
	for _, f := range Scan(text) {
		got += text[f.Start:f.End]
	}
	if got != want {
		t.Errorf("Scan(%q) finds %q, want %q", text, got, want)
	}
}
