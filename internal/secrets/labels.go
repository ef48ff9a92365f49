package secrets

import (
	"slices"
	"sync"

	"github.com/strata-memory/strata/internal/text/grammar"
)

// class says what kind of value a label announces, which decides how the value is judged.
type class int

const (
	classPassword class = iota // chosen by people: may be short, may be a word
	classPhrase                // several plain words
	classPIN                   // four to eight digits
	classKey                   // made by machines: letters mixed with digits
	classCVV                   // three or four digits
	classIdentity              // the nine digits of a social security number
	classLogin                 // a name and a password
	classEntry                 // "to log in": the value is before it
	classBackup                // a list of codes
	classPassport              // letters and digits of a passport
)

// label is a word that introduces a secret.
type label struct {
	words []string
	class class
	// language is the language whose grammar connects the label to its value; nil for
	// all.
	language *grammar.Language
	// whole means that the label must not be the end of a longer word ("compass"); other
	// labels may ("PGPASSWORD", "authtoken").
	whole bool
	// after, if set, lists words of which one must precede the label: "key" alone is an
	// everyday word.
	after []string
	// of, if set, lists owners of which one may follow instead: "the code for the garage
	// is".
	of []string
	// bare means that the label is so short that only a quoted or a striking value
	// counts.
	bare bool
	// everyday means that the label has other meanings: only a striking value counts.
	everyday bool
	// not lists words of which none may precede the label: "error code".
	not []string
	// seed means that the label introduces the words of a wallet and nothing else.
	seed bool
	// suffix means that the label is the last part of a name: GITHUB_PAT.
	suffix bool
	// variable means that the label is the last part of the name of an environment
	// variable.
	variable bool

	examples, harmless []string // as in a rule
}

// locks are things that codes open.
var locks = []string{"door", "doors", "alarm", "gate", "garage", "entry", "entrance", "lock", "padlock", "keypad", "lockbox", "safe", "vault", "unlock",
	"building", "elevator", "voicemail", "locker", "suitcase", "luggage", "shed", "tresor", "haustür", "keller", "tor", "tür", "parking", "barrier", "house", "home", "office", "apartment", "flat", "sim", "card", "debit", "pin",
	"puerta", "alarma", "garaje", "porta", "allarme", "alarme", "porte", "portail", "alarmanlage", "deur", "voordeur", "drzwi", "alarmu", "domofonu", "двери", "домофона", "подъезда"}

// elsewhere are words before "code" that give it another meaning.
var elsewhere = []string{"error", "status", "exit", "zip", "postal", "area", "country", "dialing", "dialling", "source", "return", "response", "reason", "product", "bar", "fault", "color", "colour", "error-", "http"}

// dataKeys are words before "key" for keys of data, and for keys that are not secret.
var dataKeys = []string{"primary", "foreign", "partition", "sort", "cache", "public", "publishable", "hash", "range", "group", "row", "object", "map", "index", "unique", "lookup", "routing", "registry",
	"config", "hot", "shift", "ctrl", "alt", "meta", "escape", "enter", "any", "answer", "translation", "message", "event", "session_storage", "storage_item", "bucket", "s3", "feature", "locale", "i18n", "dedup", "idempotency", "join", "order"}

// commonLabels are the labels that no single language owns.
var commonLabels = []label{
	{words: []string{"pass"}, class: classPassword, whole: true, bare: true,
		examples: []string{"user=bob pass=«hunter22»", "pass=«h0rse9»", "https://h/x?user=bob&pass=«swordfish»"}, harmless: []string{"pass: 1204, fail: 3", "The boarding pass is in the wallet", "class Scanner: pass", "pass=3 fail=1"}},
	{words: []string{"pass"}, class: classPassword, whole: true, suffix: true, examples: []string{"DB_PASS=«swordfish»", "ansible_ssh_pass: «Tr0ub4dor»"}, harmless: []string{"first_pass: true", "DB_PASS=$X"}},
	{words: []string{"passphrase"}, class: classPhrase, examples: []string{"passphrase: «correct horse battery staple»", "my passphrase is «correct horse battery staple»."},
		harmless: []string{"The passphrase should be four random words", "passphrase rotation happened in March", "the passphrase is printed on paper"}},
	{words: []string{"phrase"}, class: classPhrase, after: []string{"seed", "recovery", "secret", "pass", "backup", "wallet", "mnemonic", "bip39", "bip-39"},
		examples: []string{"seed phrase: «witch collapse practice feed shame open despair creek»", "My recovery phrase is «witch collapse practice feed shame open despair creek road again ice leave»"},
		harmless: []string{"A seed phrase has twelve words", "the recovery phrase is in the safe"}},
	{words: []string{"seed", "mnemonic", "wallet", "words"}, class: classPhrase, whole: true, seed: true, examples: []string{"Seed: «witch collapse practice feed shame open despair creek road again ice leave»", "mnemonic: \"«witch collapse practice feed shame open despair creek road again ice leave»\""},
		harmless: []string{"The seed of the RNG is 42", "seed: 1234", "Seed: the first round of money"}},
	{words: []string{"code", "combination", "combo", "codes", "código", "codigo", "codice", "kod", "код"}, class: classPIN, whole: true, after: locks, of: locks, not: elsewhere,
		examples: []string{"The alarm code of the office is «9313»", "door code: «4711»", "The code for the garage is «90210».", "gate code «4711#»", "el código de la alarma es «4711»", "il codice della porta è «4711»"},
		harmless: []string{"The door code changes monthly", "error code: 4711", "The status code of the door service is 5003", "phone code is 0044", "zip code for the office is 90210", "The gate code is due 2027", "el código de error es 4711", "código postal: 28013"}},
	{words: []string{"code", "key"}, class: classPassword, whole: true, after: []string{"wifi", "wi-fi", "wlan"}, examples: []string{"new wifi-code: «Sommer4776»"}, harmless: []string{"the wifi code is on the router", "wlan-key: required"}},
	{words: []string{"code"}, class: classPIN, whole: true, after: []string{"access", "security", "verification", "login", "one-time", "otp", "2fa", "mfa", "backup", "unlocking"},
		examples: []string{"access code: «471193»", "your verification code is «482913»"}, harmless: []string{"The verification code is 6 digits", "a security code review in 2027"}},
	{words: []string{"cvv", "cvc", "cvv2"}, class: classCVV, whole: true, examples: []string{"exp 09/27 cvv «123»", "CVC: «1234»"}, harmless: []string{"cvv 3 digits", "cvc 12"}},
	{words: []string{"social security number", "social security no", "ssn"}, class: classIdentity, whole: true, examples: []string{"Her social security number is «078-05-1120»", "SSN: «078051120»"}, harmless: []string{"the ssn has 9 digits", "SSN is 123"}},
	{words: []string{"credentials", "creds", "login", "logins", "log in", "log into", "sign in", "sign into", "wifi", "wlan", "zugangsdaten", "anmeldedaten", "identifiants", "credenciales", "credenziali", "credenciais"}, class: classLogin, whole: true,
		examples: []string{"login: nora / «Kx82!mm»", "wifi: Guest / «Sommer2024!»", "The credentials are admin:«Kx82mmQp»", "Zugangsdaten: nora / «Kx82mmQp»"},
		harmless: []string{"login: github.com/acme2", "A login with Google is enough", "credentials: ~/.aws/creds2", "login: https://h/login2", "logins: 12/2024", "wifi: 2.4GHz / 5GHz", "wifi is on", "login is nora2/admin"}},
	{words: []string{"secret", "token", "jeton"}, class: classKey, examples: []string{"token: «abc123»", "My AWS secret is «wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»", "aws_secret_access_key = «wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»"},
		harmless: []string{"secret santa is on 18 December", "token count: 4096"}},
	{words: []string{"pat"}, class: classKey, whole: true, suffix: true, examples: []string{"GITHUB_PAT=«{lower40}»", "azure-devops-pat: «{lower52}»"}, harmless: []string{"Pat is user42x9q", "pat=user42x9q"}},
	{words: []string{"session cookie", "phpsessid", "jsessionid", "connect.sid", "laravel_session", "secret_key_base"}, class: classKey, whole: true,
		examples: []string{"my session cookie is «s%3Aabc123def456ghi789»", "secret_key_base: «{hex128}»"}, harmless: []string{"the session cookie expires after 3600s", "secret_key_base is generated by rails secret"}},
	{words: []string{"key"}, class: classKey, variable: true, not: dataKeys, examples: []string{"export FERNET_KEY=«dragonfly»"}, harmless: []string{"PARTITION_KEY=workspace_id", "TRANSLATION_KEY=welcome"}},
	{words: []string{"private_key_id", "private key id"}, class: classKey, whole: true, examples: []string{`"private_key_id": "«{hex40}»"`}, harmless: []string{"private_key_id is a field of the file"}},
	{words: []string{"identified by", "convertto-securestring"}, class: classPassword, whole: true, examples: []string{"CREATE USER app IDENTIFIED BY '«swordfish»'", `ConvertTo-SecureString "«swordfish»" -AsPlainText`}, harmless: []string{"users are identified by number", "IDENTIFIED BY ?"}},
	{words: []string{"psk"}, class: classPassword, whole: true, examples: []string{`psk="«swordfish»"`}, harmless: []string{"WPA2-PSK: enabled"}},
	{words: []string{"client-key-data"}, class: classKey, whole: true, examples: []string{"    client-key-data: «{mixed200}==»"}, harmless: []string{"client-certificate-data: {mixed200}=="}},
	{words: []string{"key"}, class: classKey, after: []string{"api", "access", "secret", "private", "signing", "encryption", "decryption",
		"auth", "master", "account", "service", "storage", "webhook", "deploy", "admin", "bot", "app", "license", "licence", "product", "recovery", "wifi", "wi-fi", "wlan",
		"shared", "preshared", "hmac", "jwt", "aes", "ingest", "integration", "instrumentation", "subscription", "ssh", "wallet", "unseal", "security"},
		examples: []string{"api_key = «abc123def456»", "DD_API_KEY=«{hex32}»", "the license key is «{upper5}-{upper5}-{upper5}»", "the AWS secret key is «wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»", "PrivateKey = «{mixed43}=»"},
		harmless: []string{"API_KEY=your-api-key-here", "the cache key is user:1234:profile", "The private key is generated in the HSM"}},
}

// labels returns the common labels and those of the languages, whose examples and tests
// are in package grammar.
var labels = sync.OnceValue(func() []label { return slices.Concat(commonLabels, languageLabels()) })

func languageLabels() []label {
	var out []label
	for i := range grammar.Languages {
		l := &grammar.Languages[i]
		of := l
		if i == 0 {
			of = nil // all languages use English words
		}
		for _, kind := range []struct {
			words []string
			class class
			whole bool
		}{
			{l.Passwords, classPassword, false}, {l.Short, classPassword, true}, {l.Everyday, classPassword, true}, {l.Keys, classKey, false}, {l.Pins, classPIN, true},
			{l.Backups, classBackup, true}, {l.Passports, classPassport, true}, {l.Enter, classEntry, false},
		} {
			if len(kind.words) > 0 {
				out = append(out, label{words: grammar.Spellings(kind.words), class: kind.class, whole: kind.whole, language: of, everyday: slices.Equal(kind.words, l.Everyday)})
			}
		}
	}
	return out
}

// grammar returns the grammar that connects the label to its value.
func (l *label) grammar() *grammar.Grammar {
	if l.language == nil {
		return grammar.Every()
	}
	return l.language.Grammar()
}

// rule returns the rule that finds the secrets that l introduces.
func (l *label) rule() *rule {
	name := [...]string{classPassword: "password", classPhrase: "passphrase", classPIN: "pin", classKey: "labeled-secret",
		classCVV: "card-code", classIdentity: "identity-number", classLogin: "password", classEntry: "password", classBackup: "backup-code", classPassport: "passport-number"}[l.class]
	return &rule{name: name, anchors: l.words, fold: true, examples: l.examples, harmless: l.harmless,
		locate: func(s *scanner, at int) (int, int, bool) { return s.labeled(l, at) }}
}
