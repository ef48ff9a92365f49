package learnings

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestParamsHash(t *testing.T) {
	same := [][]string{
		{`{"a":1,"b":[2,{"d":4,"c":3}]}`, ` { "b" : [2, {"c":3, "d":4}], "a" : 1 } `},
		{"", "{}", " null\n", "{ }"},
		{`{"a":"\u00e9"}`, `{"a":"é"}`},
		{`{"a":`, " {\"a\":\n"},
		{`{"a":1} x`, "{\"a\":1} x\n"},
	}
	seen := make(map[string]int)
	for i, group := range same {
		hash := ParamsHash(group[0])
		if len(hash) != 16 || strings.Trim(hash, "0123456789abcdef") != "" {
			t.Errorf("ParamsHash(%q) = %q", group[0], hash)
		}
		for _, s := range group {
			if got := ParamsHash(s); got != hash {
				t.Errorf("ParamsHash(%q) = %s, of %q %s", s, got, group[0], hash)
			}
		}
		if j, ok := seen[hash]; ok {
			t.Errorf("groups %d and %d have one hash", i, j)
		}
		seen[hash] = i
	}
	for _, pair := range [][2]string{{`{"a":1}`, `{"a":2}`}, {`{"a":"1"}`, `{"a":1}`}, {`[1,2]`, `[2,1]`}, {`{"a":10000000000000000001}`, `{"a":10000000000000000002}`}, {`{"a":`, `{"a":"`}} {
		if ParamsHash(pair[0]) == ParamsHash(pair[1]) {
			t.Errorf("%s and %s have one hash", pair[0], pair[1])
		}
	}
}

func FuzzParamsHash(f *testing.F) {
	f.Add(`{"a":1,"b":[2,{"d":4}]}`)
	f.Add(`{"a":`)
	f.Fuzz(func(t *testing.T, s string) {
		if h := ParamsHash(s); len(h) != 16 || ParamsHash(canonical(s)) != h || ParamsHash(" "+s+"\n") != h {
			t.Fatalf("ParamsHash(%q) = %q, of its canonical form %q", s, h, ParamsHash(canonical(s)))
		}
	})
}

// outcome returns the outcome of a call.
func outcome(tool, arguments string, ok bool, err string, at time.Time) Outcome {
	return Outcome{Tool: tool, ParamsHash: ParamsHash(arguments), Params: canonical(arguments), OK: ok, Error: err, At: at}
}

func TestRepeatsTellsOfFailedCalls(t *testing.T) {
	at := func(i int) time.Time { return noon.Add(time.Duration(i) * time.Minute) }
	var history []Outcome
	if w, ok := Repeats(history, "bash", `{"cmd":"make"}`); ok {
		t.Fatalf("nothing happened, but %+v", w)
	}
	history = append(history, outcome("bash", `{"cmd":"make","dir":"."}`, false, "no rule", at(1)))
	history = append(history, outcome("bash", `{"dir":".","cmd":"make"}`, false, "no ‹rule› to make", at(2)))
	history = append(history, outcome("bash", `{"cmd":"ls"}`, true, "ignored", at(3)))
	history = append(history, outcome("other", `{"cmd":"make","dir":"."}`, true, "", at(4)))
	w, ok := Repeats(history, "bash", `{ "cmd": "make", "dir": "." }`)
	want := Warning{Tool: "bash", Params: `{"cmd":"make","dir":"."}`, Times: 2, Error: "no ‹rule› to make", At: at(2)}
	if !ok || w != want {
		t.Errorf("Repeats = %+v, %v", w, ok)
	}
	if s := w.String(); !strings.Contains(s, "bash") || !strings.Contains(s, "2 times") || !strings.Contains(s, "no ‹rule› to make.") {
		t.Errorf("warning = %q", s)
	}
	if w, ok := Repeats(history, "bash", `{"cmd":"ls"}`); ok {
		t.Errorf("the call succeeded, but %+v", w)
	}
	history = append(history, outcome("bash", `{"cmd":"make","dir":"."}`, true, "", at(5)))
	if w, ok := Repeats(history, "bash", `{"cmd":"make","dir":"."}`); ok {
		t.Errorf("it worked since, but %+v", w)
	}
	history = append(history, outcome("bash", `{"cmd":"make","dir":"."}`, false, "", at(6)))
	if w, ok := Repeats(history, "bash", `{"cmd":"make","dir":"."}`); !ok || w.Times != 1 || !strings.Contains(w.String(), "once") {
		t.Errorf("it failed again, but %+v, %v", w, ok)
	}
}

// A failure that has left the window is forgotten.
func TestRepeatsLooksAtTheLastOutcomesOnly(t *testing.T) {
	history := append([]Outcome(nil), outcome("bash", `{"n":-1}`, false, "x", noon))
	for i := range KeptOutcomes {
		if _, ok := Repeats(history, "bash", `{"n":-1}`); !ok {
			t.Fatalf("forgotten after %d calls", i)
		}
		history = append(history, outcome("bash", fmt.Sprintf(`{"n":%d}`, i), true, "", noon))
	}
	if w, ok := Repeats(history, "bash", `{"n":-1}`); ok {
		t.Errorf("still remembered: %+v", w)
	}
}
