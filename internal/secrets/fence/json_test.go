package fence

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWhatCannotBeSeenIsTakenOutOfJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alphabet := []rune("a ä\\\"\n\t\r\b\f\x1b\x7f\u0085\u200b\u202e\u2066\U000E0041\U000E007F👩\u200d🚀<&\u2028/u")
		text := string(rapid.SliceOf(rapid.SampledFrom(alphabet)).Draw(t, "text"))
		want := strings.Map(func(r rune) rune {
			if Unseen(r) {
				return -1
			}
			return r
		}, text)
		var data bytes.Buffer
		enc := json.NewEncoder(&data)
		enc.SetEscapeHTML(rapid.Bool().Draw(t, "escape"))
		if err := enc.Encode(map[string]string{"k": text}); err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		if err := json.Unmarshal(JSON(data.Bytes()), &got); err != nil || got["k"] != want {
			t.Fatalf("%q became %q (%v), want %q", text, got["k"], err, want)
		}
	})
	// Escapes of halves, as others write them.
	if got := string(JSON([]byte(`"a\udb40\udc41b\u202Ec\ud83d\ude80\\u202e"`))); got != `"abc\ud83d\ude80\\u202e"` {
		t.Errorf("got %s", got)
	}
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"k": "a\udb40\udc41b\u202e"}`))
	f.Add([]byte(`"\u12`))
	f.Fuzz(func(t *testing.T, data []byte) {
		out := JSON(data)
		if json.Valid(data) != json.Valid(out) && json.Valid(data) {
			t.Errorf("%q is JSON, %q is none", data, out)
		}
	})
}
