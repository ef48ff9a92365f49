package secrets

import (
	"strings"
	"testing"
)

const (
	plain200  = "We moved the billing service to PostgreSQL 16 last spring, and Maria looks after it. Invoices go out on the first of every month; whoever is on call watches the queue, and the runbook is in the wiki."
	talkative = "The password policy requires 14 characters; the token limit is 4096, the API key is rotated monthly, and bearer tokens expire after an hour. The secret is to keep calm, says the keyboard maker. Ok?"
)

func benchmarkText(b *testing.B, text string, scan func(string)) {
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		scan(text)
	}
}

func BenchmarkScan(b *testing.B) {
	scan := func(s string) { Scan(s) }
	big := 10 << 20
	b.Run("plain200", func(b *testing.B) { benchmarkText(b, plain200, scan) })
	b.Run("labels200", func(b *testing.B) { benchmarkText(b, talkative, scan) })
	b.Run("plain10MiB", func(b *testing.B) { benchmarkText(b, strings.Repeat(plain200, big/len(plain200)), scan) })
	for name, unit := range worst() {
		b.Run("worst10MiB/"+name, func(b *testing.B) { benchmarkText(b, strings.Repeat(unit, big/len(unit)), scan) })
	}
}

func BenchmarkThreats(b *testing.B) {
	threats := func(s string) { Threats(s) }
	b.Run("plain200", func(b *testing.B) { benchmarkText(b, plain200, threats) })
	b.Run("plain10MiB", func(b *testing.B) { benchmarkText(b, strings.Repeat(plain200, (10<<20)/len(plain200)), threats) })
	b.Run("ignore10MiB", func(b *testing.B) { benchmarkText(b, strings.Repeat("ignore all ", (10<<20)/11), threats) })
}

// worst are texts that keep some rule busy at every few bytes.
func worst() map[string]string {
	return map[string]string{
		"labels":    "password ",
		"assigned":  "password=",
		"connector": "password for ",
		"tokens":    "eyJaaaaaaaaa.",
		"runs":      "sntrys_eyJ/",
		"keys":      "-----BEGIN RSA " + "PRIVATE KEY-----\n",
		"urls":      "a://",
		"quotes":    "token=\"",
		"secrets":   "password: hunter2! ",
		"hidden":    "pass\u200b",
		"markers":   "[redacted:",
		"commands":  "mysql -u ",
		"cookies":   "cookie: a=",
		"ports":     "a:1",
		"cards":     "4111 ",
		"seeds":     "abandon\n",
		"reverse":   "is my password, ",
		"told":      "password, it is now ",
		"groups":    "api key: ab12 cd34 ",
		"wrapped":   "ghp_a1\n",
		"inserted":  "insert into t (password, ",
		"mailed":    "a@b.de / ",
		"ibans":     "DE1 ",
	}
}

// Texts made to keep the rules busy are redacted completely; that their time is
// linear is measured by the benchmarks.
func TestWorstCasesAreRedacted(t *testing.T) {
	for name, unit := range worst() {
		text := strings.Repeat(unit, (256<<10)/len(unit))
		out, found := Redact(text)
		if again := Scan(out); again != nil {
			t.Errorf("%s: %d findings, then again %d", name, len(found), len(again))
		}
		Threats(text)
	}
}
