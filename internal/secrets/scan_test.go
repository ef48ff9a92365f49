package secrets

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestScanFindsTokensInTheirSurroundings(t *testing.T) {
	token := "ghp_" + mixed(36)
	for name, text := range map[string]string{
		"alone":              token,
		"quoted":             `"` + token + `"`,
		"in a URL":           "https://" + token + "@github.com/x/y",
		"after CJK":          "令牌是" + token + "。",
		"after an escape":    `{"log":"line\n` + token + `\nend"}`,
		"percent-encoded":    "q=a%3D" + token,
		"colored":            "\x1b[31;1m" + token + "\x1b[0m",
		"end of a sentence":  "It is " + token + ".",
		"zero-width inside":  token[:10] + "\u200b" + token[10:20] + "\u2060\ufeff" + token[20:],
		"soft hyphen inside": token[:5] + "\u00ad" + token[5:],
		"NUL inside":         token[:12] + "\x00" + token[12:],
		"zero-width around":  "x\u200b" + token + "\u200by",
		"invalid UTF-8 near": "\xff" + token + "\xfe",
		"assigned":           "GITHUB_TOKEN=" + token,
		"assigned in code":   `token := "` + token + `"`,
	} {
		t.Run(name, func(t *testing.T) {
			out, found := Redact(text)
			if len(found) != 1 || found[0].Rule != "github-token" {
				t.Fatalf("findings %v", found)
			}
			if plain, _ := stripInvisible(out); strings.Contains(plain, token[4:16]) || strings.Contains(plain, token[24:]) {
				t.Errorf("%q keeps a part of the token", out)
			}
		})
	}
}

// Secrets that people write without any shape of their own. The part between
// « and » is what must be redacted.
var labeled = []string{
	"password: «hunter2!»",
	"Password = «hunter2!»",
	"my password is «hunter2!»",
	"My password is «hunter2!».",
	"the wifi password for guests is «Sommer2024»",
	"the password for staging: «s3cret.X»",
	"PASSWORD=«hunter2»",
	"DB_PASSWORD=«swordfish»",
	"DB_PASSWORD=«ab1&cd;ef»\nDB_USER=x",
	"export PGPASSWORD='«tr0ub4dor&3»'",
	"MYSQL_PWD: «abc12345»",
	"dbPassword: \"«correct-h0rse»\"",
	`{"user": "bob", "password": "«swordfish»"}`,
	`{\"user\": \"bob\", \"password\": \"«swordfish»\"}`,
	"spring.datasource.password=«h2o2go!»",
	"Server=db;User=sa;Password=«P@ssw0rd»;Encrypt=true",
	"config[\"password\"] = \"«hunter2»\"",
	"<password>«hunter2»</password>",
	"psql --password «hunter2!» -h db",
	"**Password:** «hunter2!»",
	"password (prod): «hunter2!»",
	"Password:\n«hunter2!»\n",
	"I changed my password to «hunter2!» yesterday",
	"password: str = '«hunter2»'",
	"if password == \"«hunter2»\" {",
	"password: «swordfish»",
	"my password is «swordfish»",
	"the password is \"«swordfish»\"",
	"The password is now «hunter22», don't tell anyone",
	"password: «123456»",
	"PIN: «4821»",
	"my pin is «4821».",
	"passphrase: «correct horse battery staple»",
	"passphrase: \"«correct horse battery staple»\"",
	"seed phrase: «witch collapse practice feed shame open despair creek»",
	"pw: «hunter2!»",
	"the password's «hunter2!»",
	"password -> «hunter2!»",
	"Password - «hunter2!»",
	"log in as bob with password «hunter2!»",
	"bob, password «Tr0ub4dor&3»",
	"use token «abc123def456» for it",
	"api_key = '«abcdefghijklmnopqrst»'",
	"contraseña: «hunter2!»",
	"Contraseña: «hunter2!»",
	"CONTRASEÑA: «hunter2!»",
	"contrasen\u0303a: «hunter2!»",
	"mi contraseña es «hunter2!»",
	"la clave es «abc12345»",
	"Passwort: «hunter2!»",
	"mein Passwort ist «hunter2!»",
	"Das Kennwort lautet «geheim99»",
	"mot de passe : «hunter2!»",
	"mon mot de passe est «hunter2!»",
	"mdp: «azerty123»",
	"senha: «abc12345»",
	"пароль: «qwerty12»",
	"密码：«hunter2!»",
	"我的密码是«hunter2»。",
	"パスワードは«hunter2»です",
	"비밀번호: «hunter2!»",
	"api_key = «abc123def456»",
	"api_key = \"«abc123def456»\"",
	"API key: «9f8e7d6c5b4a»",
	"apiKey: '«AbCdEfGh12345»'",
	"my api key is «abc123def456»",
	"X-Api-Key: «abc123def456»",
	"https://api.example.com/v1?api_key=«abc123def456»&page=2",
	"aws_secret_access_key = «wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzkey1»",
	"client_secret: «8Kq~x2Vb7»",
	"SECRET_KEY='«django-insecure-4x$k2p9q»'",
	"OPENAI_API_KEY_PROD=«0a1b2c3d4e5f»",
	"secret: «s3cr3t-v4lue»",
	"token: «abc123»",
	"clé API : «abc123def456»",
	"API-Schlüssel: «abc123def456»",
	"Authorization: Bearer «abc123»",
	"Authorization: Bearer «abcdef»",
	`{"Authorization": "Bearer «abc123»"}`,
	"curl -H 'authorization: token «abc123x»'",
	"Authorization: Basic «dXNlcjpwYXNz»",
	"Use Bearer «abc123» to log in",
	`h.Set("Authorization", "Bearer «abcdef»")`,
	"postgres://u:«p4ss»@host",
	"postgres://u:«p4ss»@host:5432/db?sslmode=require",
	"redis://:«p4ssw0rd»@cache:6379/0",
	"https://bob:«pa@ss»@example.com/x",
	"mongodb+srv://admin:«Zx9%21»@cluster0.example.net",
	"DATABASE_URL=postgres://u:«p4ss»@host/db",
	"password: «$2b$12$abcdefghijklmnopqrstuv»",
}

func TestLabeledSecretsAreRedacted(t *testing.T) {
	for _, c := range labeled {
		text, secret := unmark(c)
		out, found := Redact(text)
		if len(found) != 1 {
			t.Errorf("%q: findings %v", text, found)
			continue
		}
		f := found[0]
		if got := text[f.Start:f.End]; got != secret {
			t.Errorf("%q: found %q, want %q", text, got, secret)
		}
		if want := strings.Replace(text, secret, "[redacted:"+f.Rule+"]", 1); out != want {
			t.Errorf("Redact(%q) = %q", text, out)
		}
	}
}

// unmark returns a case of labeled without its marks, and the secret.
func unmark(c string) (text, secret string) {
	before, rest, _ := strings.Cut(c, "«")
	secret, after, _ := strings.Cut(rest, "»")
	return before + secret + after, secret
}

func TestHarmlessSentencesPass(t *testing.T) {
	for _, s := range []string{
		"We deploy with cron jobs nightly.",
		"Docs live in docs/guide.md",
		"The password policy requires 14 characters.",
		"Root cause analyses go to the wiki.",
		"You are now on the platform team.",
		"Runtime docs are in packages/site/content/runtime/",
	} {
		if found := Scan(s); found != nil {
			t.Errorf("Scan(%q) = %v", s, found)
		}
		if threats := Threats(s); threats != nil {
			t.Errorf("Threats(%q) = %v", s, threats)
		}
	}
}

func TestHarmlessNamesPass(t *testing.T) {
	for _, s := range []string{
		"keyboard-shortcuts-json", "monkeypatching_fixtures", "tokenization_strategy", "task-dispatcher-service",
		"~/src/keyboard-shortcuts-json/README.md", "risk-assessment-2024-q3-report-final", "disk-usage-by-directory-2024",
	} {
		if found := Scan(s); found != nil {
			t.Errorf("Scan(%q) = %v", s, found)
		}
	}
}

func TestOrdinaryTextPasses(t *testing.T) {
	for _, s := range []string{
		"request 550e8400-e29b-41d4-a716-446655440000 failed",
		"fixed in 3f786850e387550fdab836ed7e6dc881de23001b",
		"commit: 3f786850e387550fdab836ed7e6dc881de23001b",
		"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"01JABCDEFGHJKMNPQRSTVWXYZ0",
		"password: <your password>", "password: your-password-1", "password: YOUR_PASSWORD", "api_key: your-api-key-123",
		"token count: 4096", "tokens: 4096", "token: 4096", "max_tokens=4096", "The token limit is 128000", "token budget: 3000",
		"the password is stored in 1Password", "We moved the password to 1Password.", "1Password: great app2",
		"secret santa", "Secret Santa: Friday 8pm at office 2", "The secret is to practice 10 times", "The secret: 10000 hours",
		"password=$DB_PASS", "password=${DB_PASS}", "password: ${{ secrets.DB_PASS_2 }}", "PASSWORD=$(cat /run/secrets/pw1)", "pwd=%DB_PASS1%",
		"password: {{ .Values.db.password1 }}", "password: xxxx", "password: ****", "password: ********", "password: xxxx-xxxx-1", "password: ••••••••",
		"password: changeme-example", "password: example123", "api_key = \"changeme\"",
		"password: required", "password: string", "Password: Required!", "password: [redacted]", "password: null", `"password": "string"`,
		`"password": "Password"`, `"password": "Passwort"`, `"password": "Mot de passe"`, `"password": "Password must be at least 8 characters"`,
		"password = getPassword()", "password = os.Getenv(\"DB_PASS1\")", "password: process.env.DB_PASS1", "password = self.password1",
		"password = user_password", "password=args.password", "password = value1.strip()", "token := lexer.Next()", "token = tokens[0]", "token = tokenizer.encode(text1)",
		"Token::Ident1", "type Token = Identifier2", "token: Token;", "func(password string) error", "api_key=None",
		"api_key: str = Field(...)", "secretName: my-tls-secret-2", "secret: app-secret-v2",
		"--- PASS: TestFoo2 (0.00s)", "pass: 1204, fail: 3", "PWD=/home/bob2/src", "compass: 12345",
		"private key: ~/.ssh/id_ed25519", "ssh key: id_ed25519", "key: value2", "primary key: user_id2", "Press any key: F12",
		"The password is 14 characters long.", "The password is 1234 days old.", "my password is 100% secure", "My password is weak.",
		"My password is expired", "My password is outdated.", "our password is in the vault", "password is case-sensitive", "The password was reset on 2024-05-01",
		"The password was changed on Monday by user42.", "password: 8-16 characters", "Passwords are hashed with argon2id", "password hashing: argon2id",
		"password: bcrypt", "the password is base64-encoded", "password: sha256", "token: sha256", "Pin 13 drives the LED", "PIN: 13", "pin the version to 1.2.3",
		"Bearer token authentication", "the bearer of good news2", "bearer tokens expire after 3600s", "Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "Authorization: required",
		"postgres://localhost:5432/db", "postgres://user:password@localhost/db", "postgres://u:${DB_PASS}@host", "https://example.com:8080/a@b", "git@github.com:x/y.git",
		"https://example.com/?email=a:b@c.de", "mailto:bob@example.com", "ssh://git@host:22/x",
		"-----BEGIN CERTIFICATE-----", "-----BEGIN " + "PUBLIC KEY-----", "sk-learn-contrib-extensions-2024", "sk-" + "internationalization",
		"sk-" + strings.Repeat("x", 48), "ghp_" + strings.Repeat("x", 36), "AKIA is the prefix of AWS keys", "hf_hub_download_from_repository_v2", "SG.Something.else", "npm_config_registry", "eyJ is how a JWT begins",
		"The passphrase should be four random words", "passphrase: choose four random words", "La contraseña es obligatoria", "Contraseña: incorrecta", "Das Passwort ist falsch.", "mot de passe oublié", "mot de passe : requis",
		"密码不能为空", "密码：不能为空", "パスワードは必須です", "La clave es practicar 10 veces", "Schlüssel: Wert2",
		"token: v2.4.7-hotfix1", "secret: 2024-05-01", "token: step12", "next token: ident2", "Use a password manager.", "Set the password to something long",
		"Reset the password to 2FA-only login", "password: see section-2.md", "The token is 8 characters", "access key id: the public half",
		`cmd.Env = append(os.Environ(), "PWD="+dir)`, "pwd:     absWork,", "--- PASS: TestAddr/ipv4-in-ipv6+zone (0.00s)", "passwd:         compat", "ATTR_TOKEN = 0x000C",
		`h.Set("Authorization", tt.header)`, `case "Authorization", "Www-Authenticate2":`, "token = 1*tchar", `"secret": "\u3299\ufe0f"`,
		"password manager2", "password v2 is out", "password - required", "password reset on 2024-05-01", "token 3 of 12", "secret project2024", "the token's lifetime is 3600s", "API key rotation2",
		"token refresh-v2-endpoint", "passwords -> vault2",
		"Token usage: 1.2k in, 3.4k out", "secrets: 3 found", "What is my password?", "password:", "password: ", "token=", "api_key",
		"", " ", "\x00", "\xff\xfe",
	} {
		if found := Scan(s); found != nil {
			for _, f := range found {
				t.Errorf("Scan(%q) finds %s %q", s, f.Rule, s[f.Start:f.End])
			}
		}
	}
}

func TestScanMergesWhatRulesShare(t *testing.T) {
	token := "ghp_" + mixed(36)
	text := "api_key=" + token + "; password: https://u:" + token + "@host"
	found := Scan(text)
	if len(found) != 2 {
		t.Fatalf("findings %v", found)
	}
	for _, f := range found {
		if f.Rule != "github-token" {
			t.Errorf("finding %v does not name the most specific rule", f)
		}
	}
}

func TestPrivateKeysWithoutEnd(t *testing.T) {
	header := "-----BEGIN RSA " + "PRIVATE KEY-----\n"
	text := strings.Repeat(header+mixed(64)+"\nplain words follow\n", 3)
	out, found := Redact(text)
	if len(found) != 3 || strings.Contains(out, mixed(64)) || strings.Count(out, "plain words follow") != 3 {
		t.Errorf("%v: %q", found, out)
	}
}

func TestLongValuesAreRedactedWhole(t *testing.T) {
	for _, n := range []int{250, 252, 253, 255, 256, 257, 300, 5000} {
		for _, format := range []string{"api_key=%s rest", "api_key=\"%s\" rest", "Authorization: Bearer %s rest", "密码：é%s rest"} {
			secret := mixed(n)
			text := strings.Replace(format, "%s", secret, 1)
			out, _ := Redact(text)
			if strings.Contains(out, secret[n-8:]) || strings.Contains(out, secret[:8]) || !strings.HasSuffix(out, " rest") {
				t.Errorf("%s with %d bytes leaves %q", format, n, out)
			}
		}
	}
}

func TestRedactKeepsOffsetsOfTheOriginal(t *testing.T) {
	text := "a\u200b password: hun\u200bter2! b"
	_, found := Redact(text)
	if len(found) != 1 || text[found[0].Start:found[0].End] != "hun\u200bter2!" {
		t.Errorf("findings %v", found)
	}
}

func checkScan(t interface{ Fatalf(string, ...any) }, text string) {
	found := Scan(text)
	pos := 0
	for _, f := range found {
		if f.Rule == "" || f.Start < pos || f.End <= f.Start || f.End > len(text) {
			t.Fatalf("finding %v of %q is out of order or range", f, text)
		}
		if utf8.ValidString(text) && !(utf8.ValidString(text[:f.Start]) && utf8.ValidString(text[f.Start:f.End])) {
			t.Fatalf("finding %v of %q cuts a character", f, text)
		}
		pos = f.End
	}
	out, same := Redact(text)
	if !slices.Equal(found, same) {
		t.Fatalf("Scan of %q finds %v, Redact %v", text, found, same)
	}
	if again := Scan(out); again != nil {
		t.Fatalf("%q, redacted %q, still has %v", text, out, again)
	}
	if twice, _ := Redact(out); twice != out {
		t.Fatalf("redacting %q again gives %q", out, twice)
	}
	pos = 0
	for _, th := range Threats(text) {
		if th.Rule == "" || th.Start < pos || th.End <= th.Start || th.End > len(text) {
			t.Fatalf("threat %v of %q is out of order or range", th, text)
		}
		pos = th.Start
	}
}

// Any mixture of secrets, labels, separators and noise is redacted completely.
func TestRedactionIsComplete(t *testing.T) {
	pieces := []string{" ", "\n", ":", "=", "\"", "'", "\\", "is", "my", "password", "token", "api key", "x", "1", "!", "@", "://", "u:", "\u200b", "\u202e",
		"Bearer ", "authorization: ", "[redacted:password]", "[redacted:", "]", "-----BEGIN RSA ", "PRIVATE KEY-----", "-----END", "eyJ", ".", "-", "_", "密码", "は", "\xff", "hunter2!", "correct horse battery staple"}
	for _, e := range examples() {
		pieces = append(pieces, e.text)
	}
	slices.Sort(pieces)
	rapid.Check(t, func(t *rapid.T) {
		checkScan(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), ""))
	})
}

func FuzzScan(f *testing.F) {
	for _, c := range labeled {
		text, _ := unmark(c)
		f.Add(text)
	}
	for _, e := range examples() {
		f.Add(e.text)
	}
	for _, c := range threatening {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkScan(t, text) })
}
