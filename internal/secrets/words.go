package secrets

import (
	"regexp"
	"strings"
	"sync"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/grammar"
)

// isPlaceholder reports whether s is a placeholder for a secret.
func isPlaceholder(s string) bool {
	if strings.Trim(s, "xX*•●·.…-_#?") == "" {
		return true
	}
	if s[0] == '<' || s[0] == '[' && strings.HasSuffix(s, "]") || s[0] == '{' && strings.HasSuffix(s, "}") {
		return true
	}
	if looksGenerated(s) {
		return false
	}
	l := strings.ToLower(s)
	for _, p := range []string{"your", "my-", "my_", "xxxx", "****", "insert", "replace", "enter-", "enter_", "tu-", "tu_", "votre", "dein-", "dein_"} {
		if strings.HasPrefix(l, p) {
			return true
		}
	}
	for _, p := range []string{"changeme", "change-me", "change_me", "placeholder", "redacted", "example", "dummy", "_here", "-here"} {
		if strings.Contains(l, p) {
			return true
		}
	}
	return false
}

// looksGenerated reports whether s is so long and mixed that a machine must have generated it.
// Such a string is not a placeholder even if it contains a word such as "example", as
// keys in documentation do: a text that calls it a secret means it.
func looksGenerated(s string) bool {
	c := classify(s)
	return len(s) >= 32 && c.digits > 0 && c.upper >= 8 && c.letters-c.upper >= 8 && !strings.ContainsAny(s, " -_<>")
}

// reference matches text that says where a secret is: variables of shells, templates and
// programs, and addresses in secret stores.
var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` +
		`\$\{|\$\(|\$[A-Za-z_]\w*(?:$|\[|->)|\$env:|%[A-Za-z_]\w*%|\{\{|#\{|<%|@@` + // $DB_PASS ${X} %X% {{x}} #{x}
		`|!(?:Ref|Sub|GetAtt|vault|secret|env)` + // YAML tags
		`|(?i:process\.env|os\.environ|os\.getenv|env\.|env\[|system\.getenv|secrets\.|vars\.|config\.|settings\.)` +
		`|(?i:op|vault|keychain|env|file|https?|ref\+\w+|secret|ssm|aws-sm|gcp-sm|azurekv)://?` +
		`|(?i:arn:|vault:|env:|file:|secretref:|keyring:)` +
		`|(?:~|\.{1,2})?/[\w.~-]+/|~/|\./|[A-Z]:\\` + // paths
		`)`)
})

func isReference(s string) bool {
	return reference().MatchString(s) || strings.LastIndexByte(s, '.') >= len(s)-5 && fileName().MatchString(s)
}

// fileName matches names of files that contain a secret or say how to get it.
var fileName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\w./~-]{1,80}\.(?:pem|key|crt|txt|md|json|ya?ml|toml|env|ini|conf|cfg|go|py|js|ts|java|rb|rs|sh|php|html|pdf|kdbx|gpg|age)$`)
})

// code matches unquoted values that are program expressions.
var code = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` +
		`[([{]` + // a list, an object, a call
		`|[&*@!|][A-Za-z_][A-Za-z_.]*$` + // a pointer, an alias, an attribute
		`|&?[A-Za-z_][\w.]*[(\[{]` + // f(x), a[i], T{}
		`|[A-Za-z_]\w*(?:::|->|\?\.)` + // a::b, a->b, a?.b
		`|[A-Za-z_]+\d{0,2}(?:\.[A-Za-z_]+\d{0,2})+$` + // a.b.c
		`|(?:[A-Za-z]+\.)?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$` + // A_CONSTANT
		`)`)
})

func isCode(s string) bool { return code().MatchString(s) }

// mentionsLabel reports whether s contains a word for a secret, as variable names do:
// userPassword, access_token.
func mentionsLabel(s string) bool {
	l := strings.ToLower(s)
	for _, w := range namesOfSecrets() {
		if strings.Contains(l, w) {
			return true
		}
	}
	return false
}

// namesOfSecrets returns the words for secrets that variable names contain.
var namesOfSecrets = sync.OnceValue(func() []string {
	out := []string{"token", "secret", "apikey", "api_key", "api-key", "credential"}
	for _, l := range grammar.Languages {
		for _, w := range l.Passwords {
			if !strings.Contains(w, " ") {
				out = append(out, w)
			}
		}
	}
	return out
})

// isTechnical reports whether s is the name of a product or an algorithm that contains a
// digit, alone or joined to words ("base64-encoded").
func isTechnical(s string) bool {
	if len(s) > 32 {
		return false
	}
	l := strings.ToLower(strings.Trim(s, ".,;:!?"))
	if technical(l) {
		return true
	}
	found := false
	for _, piece := range strings.FieldsFunc(l, func(r rune) bool { return r == '-' || r == '_' || r == '/' }) {
		switch {
		case technical(piece):
			found = true
		case strings.ContainsAny(piece, "0123456789!@#$%^&*"):
			return false
		}
	}
	return found
}

func technical(s string) bool {
	switch s {
	case "1password", "auth0", "oauth1", "oauth2", "oauth2.0", "openid2", "saml2", "s3", "ec2", "k8s", "k3s",
		"base32", "base58", "base64", "base64url", "utf8", "utf16", "ascii85", "md5", "sha1", "sha2", "sha3", "sha256", "sha384", "sha512",
		"hs256", "hs384", "hs512", "rs256", "rs512", "es256", "es384", "ps256", "ed25519", "x25519", "curve25519", "secp256k1", "rsa2048", "rsa4096",
		"aes128", "aes256", "aes", "gcm", "chacha20", "poly1305", "argon2", "argon2i", "argon2id", "pbkdf2", "bcrypt", "scrypt", "hkdf", "fido2", "u2f", "2fa", "mfa",
		"x509", "pkcs1", "pkcs8", "pkcs11", "pkcs12", "p12", "http2", "ipv4", "ipv6", "int32", "int64", "uint8", "uint32", "uint64", "float32", "float64",
		"gpt2", "gpt3", "gpt4", "llama2", "llama3", "web3", "neo4j", "log4j", "i18n", "l10n", "utf", "sha", "sso", "ldap", "totp", "hotp":
		return true
	}
	return false
}

// isCommonWord reports whether s is a word that forms, schemas, programs and sentences
// have in the place of a secret.
func isCommonWord(s string) bool {
	if len(s) > 32 {
		return false
	}
	return commonWords()[strings.ToLower(strings.Trim(s, ".,;:!?*_~"))]
}

var commonWords = sync.OnceValue(func() map[string]bool {
	return text.WordSet(`
		true false null nil none undefined nan void any yes no on off empty blank missing unset unknown default n/a tbd todo fixme
		string str text varchar char bool boolean int integer number float bytes byte object array list map dict uuid optional[str] option<string>
		required optional mandatory hidden visible readonly nullable unique private public secret secrets password passwords passwd passphrase pass pwd
		token tokens key keys pin credential credentials auth login username user users admin-only email name value values field fields input output
		data args param params parameter self this that same other another both bearer basic digest apikey api-key
		negotiate ntlm hmac oauth ssws splunk geniekey genie-key bot
		redacted removed masked hashed encrypted encoded salted stored saved kept changed updated expired expiring reset rotated revoked
		generated created deleted forgotten lost stolen leaked compromised shared written located available protected configured provided managed
		invalid valid incorrect correct wrong right weak strong short long simple complex easy hard secure insecure safe unsafe good bad better fine ok okay great
		old new now then there here below above inside outside within under only also still always never not just set get use used using enter type choose pick
		see ask tell try forgot remember reuse confirm verify check send sent returns return required. must should shall can cannot will would may might
		the a an at by for from in into of on or and with without to up is are was were be been your yours my mine our their his her its
		vault keychain bitwarden lastpass keepass keepassxc dashlane hashicorp github gitlab okta google slack
		based length policy manager strength rules characters character words word letters digits numbers symbols case-sensitive
		compat files systemd nis winbind sss
		test testing demo sample foo bar baz foobar secret-santa santa practice
		hash salt plaintext ciphertext hex json yaml jwt uuidv4 random nonce
		obligatorio obligatoria requerido requerida opcional incorrecta incorrecto correcta correcto olvidada inválida nueva nuevo vieja guardada
		requis requise obligatoire facultatif incorrecte oublié oubliée invalide nouveau nouvelle stocké enregistré
		erforderlich pflichtfeld falsch richtig ungültig vergessen geändert abgelaufen neu alt gespeichert sicher unsicher
	`)
})
