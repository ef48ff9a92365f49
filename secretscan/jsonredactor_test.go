package secretscan_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/strata-memory/strata/secretscan"
)

// Whatever was redacted before, a JSONRedactor finds what RedactJSON finds: also
// where a value that is no secret under one name is one under another, and
// where a secret stands in several values.
func TestAJSONRedactorFindsWhatRedactJSONFinds(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2", 9)
	values := []any{"hunter2!", "the harbor opens", token, "see " + token + " here", 4711, 1.5, true, nil, "ann",
		"AKIA", []string{"hunter2!", "x"}, map[string]any{"password": "hunter2!", "note": "hunter2!"}, "BEGIN", "-----"}
	names := []string{"password", "user", "text", "pin", "api_key", "id"}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	var r secretscan.JSONRedactor
	state := map[string]any{}
	redacted := 0
	for range 400 {
		name := fmt.Sprint(names[rng.IntN(len(names))])
		if rng.IntN(4) == 0 {
			delete(state, name)
		} else {
			state[name] = values[rng.IntN(len(values))]
		}
		raw, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		want, n := secretscan.RedactJSON(string(raw))
		got, m := r.Redact(string(raw))
		if got != want || m != n {
			t.Fatalf("%s: got %s (%d), want %s (%d)", raw, got, m, want, n)
		}
		redacted += n
	}
	if redacted < 100 {
		t.Errorf("%d secrets only", redacted)
	}
	if got, n := r.Redact("no JSON: " + token); n != 1 || strings.Contains(got, token) {
		t.Errorf("text that is no JSON: %q, %d", got, n)
	}
}

func TestAJSONRedactorServesSeveralAtOnce(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2", 9)
	var r secretscan.JSONRedactor
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 50 {
				if got, found := r.Redact(fmt.Sprintf(`{"n":"%d","m":%q,"t":%q}`, n, fmt.Sprint("of ", i), token)); found != 1 || strings.Contains(got, token) {
					t.Errorf("got %s, %d", got, found)
				}
			}
		})
	}
	all.Wait()
}

// A state of a long chat after one more turn.
func BenchmarkJSONRedactor(b *testing.B) {
	type note struct {
		Seq  int      `json:"seq"`
		IDs  []string `json:"ids"`
		Text string   `json:"text"`
	}
	var notes []note
	states := make([]string, 64)
	for i := range states {
		notes = append(notes, note{i, []string{fmt.Sprintf("fact_01J%023d", i)}, fmt.Sprintf("Nora moved the ferry to Quito on day %d. %s", i, strings.Repeat("It says little. ", 20))})
		raw, err := json.Marshal(notes[max(0, i-20):])
		if err != nil {
			b.Fatal(err)
		}
		states[i] = string(raw)
	}
	b.Run("remembered=false", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			secretscan.RedactJSON(states[i%len(states)])
		}
	})
	b.Run("remembered=true", func(b *testing.B) {
		var r secretscan.JSONRedactor
		for i := 0; b.Loop(); i++ {
			r.Redact(states[i%len(states)])
		}
	})
}
