package secrets_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/secrets"
)

func TestJSONStaysWhatItWasButForItsSecrets(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2", 9)
	for _, c := range []struct{ in, want string }{
		{`{"path": "a/b.go",  "n":1.50, "u":"\u00e9<b>"}`, `{"path": "a/b.go",  "n":1.50, "u":"\u00e9<b>"}`},
		{`{"command":"curl -H 'x: ` + token + `' https://h", "n": [1, 2]}`, `{"command":"curl -H 'x: [redacted:github-token]' https://h", "n": [1, 2]}`},
		{`{"password": "hunter2!", "user":"ann"}`, `{"password": "[redacted:password]", "user":"ann"}`},
		{`{"password":"p\u0040ss\/w0rd!9"}`, `{"password":"[redacted:password]"}`},
		{`{"auth":{"password":["hunter2!","s3cr3t!9"]}}`, `{"auth":{"password":["[redacted:password]","[redacted:password]"]}}`},
		{`{"t":"\u0067hp_` + strings.Repeat("a1B2", 9) + `"}`, `{"t":"[redacted:github-token]"}`},
		{`{"` + token + `": true}`, `{"[redacted:github-token]": true}`},
		{`"` + token + `"`, `"[redacted:github-token]"`},
		{`{"body":"{\"password\":\"hunter2!\"}"}`, ``},
		{`{"broken": "` + token, `{"broken": "[redacted:github-token]`},
		{`plain`, `plain`},
		{``, ``},
	} {
		got, n := secrets.RedactJSON(c.in)
		if c.want != "" && got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
		if (n > 0) != (got != c.in) {
			t.Errorf("%s: %d secrets, and it became %s", c.in, n, got)
		}
		for _, secret := range []string{token, "hunter2!", "s3cr3t!9"} {
			if strings.Contains(got, secret) {
				t.Errorf("%s still holds %s", got, secret)
			}
		}
	}
}

func FuzzRedactJSON(f *testing.F) {
	f.Add(`{"password": "hunter2!", "pin": 4711}`)
	f.Add(`[{"token":["` + "ghp_" + strings.Repeat("a1B2", 9) + `"]}, null, -1e9]`)
	f.Add(`{"a":"password:","b":"hunter2!"}`)
	f.Add("{\"pem\":\"-----BEGIN PRIVATE KEY-----\\nMIIB\\n-----END PRIVATE KEY-----\"}")
	f.Fuzz(func(t *testing.T, s string) {
		got, n := secrets.RedactJSON(s)
		if n == 0 && got != s {
			t.Errorf("%q became %q without a secret", s, got)
		}
		if left := secrets.Scan(got); len(left) > 0 {
			t.Errorf("%q became %q, which holds %+v", s, got, left)
		}
		if again, more := secrets.RedactJSON(got); again != got || more > 0 {
			t.Errorf("%q became %q, and then %q", s, got, again)
		}
		if json.Valid([]byte(s)) && n < 4 && !json.Valid([]byte(got)) {
			t.Errorf("%q became %q, which is no JSON", s, got)
		}
	})
}
