package operation

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A secret that reached the store some other way is not shown, wherever it stands.
func TestSecretsAndHiddenCharactersAreNotShown(t *testing.T) {
	secret := "ghp_" + strings.Repeat("aB3dE6gH9j", 4)[:36]
	in := fmt.Sprintf(`{"hits":[{"id":"fact_1","text":"the token is %s, \u202Etxt"}],"notes":["%s"],"next_cursor":"%s"}`, secret, secret, secret)
	var got struct {
		Hits []struct{ ID, Text string }
		Next string `json:"next_cursor"`
	}
	shown := Shown([]byte(in))
	if err := json.Unmarshal(shown, &got); err != nil {
		t.Fatalf("%s: %v", shown, err)
	}
	if strings.Count(string(shown), secret) != 1 || got.Next != secret || strings.ContainsRune(got.Hits[0].Text, '\u202e') || !strings.Contains(got.Hits[0].Text, "[redacted:") {
		t.Errorf("shown: %s", shown)
	}
	if text := ShownText("it is " + secret + "\u202e!"); strings.Contains(text, secret) || strings.ContainsRune(text, '\u202e') || !strings.HasSuffix(text, "!") {
		t.Errorf("shown: %q", text)
	}
}

// What holds no secret stays as it is, byte for byte.
func TestOtherDocumentsStayAsTheyAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.MapOf(rapid.StringMatching(`[a-z_]{1,8}`), rapid.SliceOf(rapid.StringMatching(`[a-zäöü "\\/<>&]{0,30}`))).Draw(t, "document")
		data, err := json.Marshal(values)
		if err != nil {
			t.Fatal(err)
		}
		if shown := string(Shown(data)); shown != string(data) && !strings.Contains(shown, "[redacted:") {
			t.Errorf("%s\nbecame\n%s", data, shown)
		}
	})
}

func BenchmarkShown(b *testing.B) {
	var hits []string
	for i := range 10 {
		hits = append(hits, fmt.Sprintf(`{"id":"fact_01M8DSBBZPTZH7JV72JRQMMYG%d","kind":"fact","text":"We moved the billing service to PostgreSQL 16 last spring, and Maria looks after it. Invoices go out on the first of every month.","score":0.5385,"why":{"words":0.379,"vector":0.024,"terms":["billing","postgresql"]},"scope":"global","type":"user","category":"work","at":"2026-11-27T05:58:44.470205Z"}`, i))
	}
	data := []byte(`{"hits":[` + strings.Join(hits, ",") + `],"trace":"trace_01M8DSBC0M7KJ5W7WQ8FFSWDGJ"}`)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		Shown(data)
	}
}
