package secrets

import (
	"regexp"
	"slices"
	"sync"
)

// rule recognizes one kind of secret.
type rule struct {
	name string
	// rank is the position in the table, in which rules go from the most specific to the
	// least.
	rank int
	// anchors are literals; every match begins skip bytes before one of them. With fold,
	// ASCII letters match in either case.
	anchors []string
	skip    int
	fold    bool
	// pattern (RE2) is matched at the start of the secret. Instead of a pattern, a rule
	// may have locate, which finds the secret given an anchor at text[at:].
	pattern string
	locate  func(s *scanner, at int) (start, end int, ok bool)

	// examples are texts that contain one such secret, between « and » if it is not the
	// whole; harmless are similar texts without one. Both are run as tests. "{mixed36}"
	// stands for 36 letters and digits, see kinds_test.go, so that nothing here looks
	// like a secret to other scanners.
	examples, harmless []string

	re *regexp.Regexp
}

// tokenRules recognize credentials by their shape. The comment on each gives the source
// of the shape; "documented" means the issuer's own documentation, "scanners" that the
// common open-source secret scanners agree on it. Lower bounds are a little generous,
// because a wrong length in a note does not make a token harmless.
var tokenRules = slices.Concat(cloudTokens, codeTokens, modelTokens, serviceTokens, moneyTokens)

// contextRules recognize secrets by what introduces them.
var contextRules = []rule{
	{name: "url-password", anchors: []string{"://"}, locate: (*scanner).urlPassword,
		examples: []string{"postgres://u:«p4ss»@host", "https://{hex32}:«{hex32}»@sentry.io/42"}, harmless: []string{"postgres://user:password@localhost/db", "https://{hex32}@o1.ingest.sentry.io/42"}},
	{name: "url-password", anchors: []string{"jdbc:oracle:"}, locate: (*scanner).oraclePassword,
		examples: []string{"jdbc:oracle:thin:scott/«swordfish»@db:1521:shop"}, harmless: []string{"jdbc:oracle:thin:@db:1521:shop", "jdbc:oracle:thin:user/password@db:1521:shop"}},
	{name: "command-password", anchors: []string{"sudo -S", "chpasswd", "passwd --stdin", "--password-stdin"}, locate: (*scanner).piped,
		examples: []string{"echo «swordfish» | sudo -S apt update", "echo 'nora:«swordfish»' | chpasswd", "echo «hunter22» | docker login -u nora --password-stdin"}, harmless: []string{"echo $PW | sudo -S apt update", "cat pw | chpasswd", "sudo -S reads from standard input"}},
	{name: "authorization", anchors: []string{"authorization"}, fold: true, locate: (*scanner).authorization,
		examples: []string{"Authorization: Bearer «abc123»", "authorization: SSWS «00{mixed40}»"}, harmless: []string{"Authorization: Bearer <token>"}},
	{name: "bearer-token", anchors: []string{"bearer"}, fold: true, locate: (*scanner).bearer,
		examples: []string{"Use Bearer «abc123» to log in"}, harmless: []string{"bearer tokens expire after 3600s"}},
	{name: "cookie", anchors: []string{"cookie"}, fold: true, locate: (*scanner).cookie,
		examples: []string{"Cookie: theme=dark; sessionid=«{lower32}»", "Set-Cookie: sid=«{mixed24}»; HttpOnly", `document.cookie = "auth=«{mixed24}»"`, "curl -b x --cookie 'PHPSESSID=«{lower26}»' h"},
		harmless: []string{"Cookie: theme=dark; lang=en", "the cookie lasts 3600 seconds", "cookie: session=<value>", "set the cookie banner to dark"}},
	{name: "password", anchors: atSigns(), fold: true, locate: (*scanner).mailed,
		examples: []string{"Netflix: nora@mail.example / «Kx82mmQp9»", "nora@mail.example:«Kx82mmQp9»"}, harmless: []string{"git@github.com:acme2/shop24x.git", "nora@mail.example / ext. 4711", "scp a nora@h.example:backup2024q3"}},
	{name: "pgpass", anchors: []string{":0", ":1", ":2", ":3", ":4", ":5", ":6", ":7", ":8", ":9", ":*"}, locate: (*scanner).pgpass,
		examples: []string{"db.internal:5432:shop:app:«p4ssW0rd9»", "*:*:*:postgres:«swordfish»"}, harmless: []string{"main.go:1203:17:error:undefined", "at 10:30:45:123:55", "00:1A:2B:3C:4D:5E", "db:5432:shop:app:password", "localhost:8080:80:tcp:open"}},
}

// engine is the compiled table of rules. It is built once and then only read.
type engine struct {
	index *index
	seed  *rule           // for lines that are a seed phrase
	names map[string]bool // of the rules
}

var compiled = sync.OnceValue(func() *engine {
	var rules []*rule
	for i := range tokenRules {
		r := tokenRules[i]
		if r.pattern != "" {
			r.re = regexp.MustCompile(`^(?:` + r.pattern + `)`)
		}
		rules = append(rules, &r)
	}
	for i := range contextRules {
		r := contextRules[i]
		rules = append(rules, &r)
	}
	seed := &rule{name: "seed-phrase"}
	rules = append(rules, seed)
	for i := range commands {
		rules = append(rules, commands[i].rule())
	}
	for i := range labels() {
		rules = append(rules, labels()[i].rule())
	}
	e := &engine{index: newIndex(), seed: seed, names: map[string]bool{}}
	for rank, r := range rules {
		r.rank = rank
		for _, a := range r.anchors {
			e.index.add(a, r.fold, func(s *scanner, at int) { s.try(r, at) })
		}
		e.names[r.name] = true
	}
	return e
})

func ruleNames() map[string]bool { return compiled().names }
