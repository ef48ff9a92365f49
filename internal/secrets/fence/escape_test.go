package fence

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// encode writes a text as JSON with nothing escaped that need not be.
func encode(t testing.TB, s string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestEscapeLeavesNothingUnseen(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		text := "a" + string(r) + "b"
		got := Escape(encode(t, text))
		var back string
		if err := json.Unmarshal(got, &back); err != nil || back != text {
			t.Fatalf("%U: %q becomes %q, %v", r, text, back, err)
		}
		raw := strings.ContainsRune(strings.TrimSuffix(string(got), "\n"), r)
		unseen := Unseen(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r >= 0xe0000 && r < 0xe1000
		if raw && unseen && r != '\n' {
			t.Errorf("%U stands there as it is", r)
		}
		if !raw && unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S, unicode.Mc) && r != '"' && r != '\\' && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) {
			t.Errorf("%U is escaped", r)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("plain", []byte(`{"a":"\u202e"}`))
	f.Add("\u202e\U000e0041\x7f\u0085", []byte("\xff\xfe\x9b31m"))
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		text = strings.ToValidUTF8(text, "\ufffd")
		var back string
		if err := json.Unmarshal(Escape(encode(t, text)), &back); err != nil || back != text {
			t.Errorf("%q becomes %q, %v", text, back, err)
		}
		out := Escape(data)
		if !utf8.Valid(out) || json.Valid(data) && !json.Valid(out) {
			t.Errorf("%q becomes %q", data, out)
		}
	})
}
