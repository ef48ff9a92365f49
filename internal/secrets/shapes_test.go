package secrets

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/text/grammar"
)

// shapes are the forms in which secrets are written down, by kind. Values are put in
// where a name in braces is.
var shapes = map[string][]string{
	"label": {
		"password: «{letters}»", "Password: «{letters}»", "passwd = «{letters}»", "pwd: «{letters}»", "pw: «{word}»", "passcode: «{mixed}»", "pass: «{letters}»", "PASSWORD: «{letters}»",
		"- password: «{noun}»", "password : «{noun}»", "user: nora, password: «{noun}»", "user: nora\npassword: «{letters}»\n", "Username: nora  Password: «{letters}»", "password=\"«{noun}»\"", "'password': '«{noun}»'",
		"| password | «{mixed}» |", "password » «{symbols}»", "<password>«{noun}»</password>", "password:\n  «{letters}»\n", "[client]\nuser = root\npassword = «{noun}»\n", "login: nora\npass: «{letters}»",
	},
	"environment": {
		"PGPASSWORD=«{noun}»", "PGPASSWORD=«{letters}» psql -h db -U app", "export DB_PASSWORD=«{noun}»", "MYSQL_ROOT_PASSWORD=«{Noun}»", "MYSQL_ROOT_PASSWORD: «{noun}»", "docker run -e POSTGRES_PASSWORD=«{noun}» postgres:16",
		"SMTP_PASS=«{noun}»", "MYSQL_PWD=«{letters}» mysqldump shop", "APP_TOKEN=«{letters}»", "JWT_SECRET=«{noun}»", "FERNET_KEY=«{letters}»", "ENV REDIS_PASSWORD «{mixed}»", "set FTP_PASSWORD=«{noun}»", "$env:DB_PASSWORD = \"«{noun}»\"", "DJANGO_SECRET_KEY='«{letters}»'",
	},
	"connection": {
		"Server=db;Database=shop;User Id=sa;Password=«{noun}»;", "Server=db;Uid=sa;Pwd=«{letters}»;Encrypt=yes", "jdbc:postgresql://db/shop?user=app&password=«{noun}»", "jdbc:sqlserver://db:1433;user=sa;password=«{noun}»;encrypt=true",
		"jdbc:oracle:thin:scott/«{noun}»@db:1521:shop", "mysql://root:«{noun}»@db/shop", "amqp://app:«{letters}»@mq:5672/", "smb://nora:«{noun}»@nas/share", "host=db user=app password=«{noun}» dbname=shop", "ftp://nora:«{noun}»@h/", "Data Source=db;User=sa;PWD=«{Noun}»",
		"ldap://cn=admin:«{mixed}»@ldap:389",
	},
	"sentence": {
		"I changed the wifi password, it is now «{letters}»", "I changed the wifi password, it is now «{noun}».", "We rotated the database password this morning; it's «{mixed}» now", "The old wifi password is gone. The new one is «{letters}».", "«{letters}» is the admin password", "«{Noun}» is our wifi password", "«{mixed}» was my password for the NAS",
		"use «{mixed}» to log in as root", "use «{letters}» to log in as root", "You can log in as root with «{symbols}»", "Use «{symbols}» to unlock the tablet", "the password for the router in the cellar is «{noun}»", "the password we set for the printer is «{letters}»", "my wifi password is «{noun}» and the network is Attic",
		"set the admin password to «{letters}»", "I set the password for staging to «{mixed}»", "Please use «{letters}» as the password for the demo.", "password is «{letters}» btw", "the pw's «{mixed}»", "What's the wifi password?\n«{mixed}»", "wifi password? «{letters}»", "Here is the new password:\n\n«{letters}»",
		"The password (for staging) is «{noun}».", "wifi password «{letters}»", "the guest wifi password is still «{noun}»", "My password used to be «{mixed}»", "The PIN of my card changed, it is now «{pin}»", "«{pin}» is the PIN of the alarm", "the password is '«{noun}»'",
	},
	"token": {
		"https://acme.webhook.office.com/webhookb2/«{uuid}@{uuid}/IncomingWebhook/{hex32}/{uuid}»", "https://prod-07.northeurope.logic.azure.com:443/workflows/{hex32}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=«{alnum43}»",
		"https://b.s3.eu-west-1.amazonaws.com/report.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20260101T000000Z&X-Amz-SignedHeaders=host&X-Amz-Signature=«{hex64}»", "«pcsk_{alnum6}_{alnum63}»", "«phx_{alnum43}»", "«sntrys_{alnum60}»", "cargo login «{alnum32}»", `"private_key_id": "«{hex40}»",`,
		"IBAN «{iban}»", "my account is «{iban4}», thanks", "passport number: «{passport}»", "Her passport no. is «{passport}»", "Reisepass: «{passport}»", "numéro de passeport «{passport}»",
	},
	"codes": {
		"backup codes: «{digits8}, {digits8}, {digits8}»", "Recovery codes:\n«{code}\n{code}\n{code}»\n", "2FA codes:\n- «{code}\n- {code}»\n", "my GitHub recovery code is «{code}»", "Wiederherstellungscodes: «{code} {code}»", "codes de secours : «{digits8} {digits8}»", "recovery key: «{group4}-{group4}-{group4}-{group4}»",
		"app password: «{quad} {quad} {quad} {quad}»", "The app password is «{quad} {quad} {quad} {quad}»", "api key: «{group4} {group4} {group4} {group4}»", "license key «{upper5}-{upper5}-{upper5}-{upper5}»", "备用码：«{digits8} {digits8}»",
	},
	"wrapped": {
		"token: «ghp_{alnum18}\n{alnum18}»", "«AKIA{upper8}\n{upper8}» is the id", "«github_pat_{alnum22}\n{alnum59}»", "> «glpat-{alnum9}\n> {alnum11}»", "«sk_live_{alnum8}\\\n{alnum16}»", "the key is «AIza{alnum20}\n    {alnum15}»",
	},
}

// fillShape puts values into a shape.
func (d draws) fillShape(s string) string {
	for {
		i := strings.IndexByte(s, '{')
		if i < 0 {
			return s
		}
		j := i + strings.IndexByte(s[i:], '}')
		s = s[:i] + d.value(s[i+1:j]) + s[j+1:]
	}
}

// value draws a value by the name of its kind, which may end in a length.
func (d draws) value(kind string) string {
	name := strings.TrimRight(kind, decimals)
	n := 0
	fmt.Sscan(kind[len(name):], &n)
	switch name {
	case "letters":
		return d.from(letters, 12)
	case "mixed":
		return d.passwords()["mixed"]
	case "symbols":
		return d.passwords()["symbols"]
	case "word":
		return d.passwords()["word"]
	case "noun":
		return d.noun()
	case "Noun":
		return capitalized(d.noun())
	case "pin":
		return d.from("123456789", 4)
	case "digits":
		return d.from(decimals, n)
	case "hex":
		return d.from("0123456789abcdef", n)
	case "upper":
		return d.from(upperLetters, 1) + d.from(upperLetters+decimals, n-2) + d.from(decimals, 1)
	case "alnum":
		return d.from(alnum, n-2) + d.from(lowerLetters, 1) + d.from(decimals, 1)
	case "quad":
		return d.from(lowerLetters, 4)
	case "group":
		return d.from(lowerLetters, 1) + d.from(alnum, n-2) + d.from(decimals, 1)
	case "code":
		return d.value("hex4") + d.from(decimals, 1) + "-" + d.value("hex4") + d.from(decimals, 1)
	case "uuid":
		return strings.Join([]string{d.value("hex8"), d.value("hex4"), d.value("hex4"), d.value("hex4"), d.value("hex12")}, "-")
	case "passport":
		return "C" + d.from("FGHJKLMNPRTVWXYZ", 1) + d.from(decimals, 7)
	case "iban":
		return d.iban()
	}
	panic("no such value: " + kind)
}

// noun returns a word of two, without an ending of words that describe.
func (d draws) noun() string {
	for {
		if w := d.word(); !grammar.HasEnding(w, grammar.Languages[0].Endings) {
			return w
		}
	}
}

// iban returns a German account number with its check digits.
func (d draws) iban() string {
	account := d.from(decimals, 18)
	n, _ := new(big.Int).SetString(account+"131400", 10)
	check := 98 - n.Mod(n, big.NewInt(97)).Int64()
	return fmt.Sprintf("DE%02d%s", check, account)
}

// Every shape is found with five draws of its values, and nothing but the value.
func TestSecretsOfEveryShape(t *testing.T) {
	t.Logf("seed %d", seed)
	d := newDraws()
	total := 0
	for _, kind := range slices.Sorted(func(yield func(string) bool) {
		for k := range shapes {
			if !yield(k) {
				return
			}
		}
	}) {
		total += len(shapes[kind])
		for _, shape := range shapes[kind] {
			shape = strings.ReplaceAll(shape, "{iban4}", grouped(d.iban()))
			for range 5 {
				wantRedacted(t, kind, d.fillShape(shape))
			}
		}
	}
	if total < 100 {
		t.Errorf("only %d shapes", total)
	}
}

// grouped returns a number in groups of four.
func grouped(s string) string {
	var out []string
	for part := range slices.Chunk([]byte(s), 4) {
		out = append(out, string(part))
	}
	return strings.Join(out, " ")
}
