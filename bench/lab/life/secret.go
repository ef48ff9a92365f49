package life

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// secretForm is a form of secrets, with messages that hold one.
type secretForm struct {
	name string
	// make returns a new secret, which replaces {s} in the message.
	make func(*rand.Rand) string
	says string // one message per line; ¶ begins a new line in it
}

const (
	lower    = "abcdefghijklmnopqrstuvwxyz"
	upper    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits   = "0123456789"
	hexChars = "0123456789abcdef"
	alnum    = lower + upper + digits
)

// chars draws n characters of an alphabet.
func chars(r *rand.Rand, alphabet string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

// prefixed returns a generator of secrets with a common prefix.
func prefixed(prefix, alphabet string, n int) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return prefix + chars(r, alphabet, n) }
}

// phrase returns a password such as people make.
func phrase(r *rand.Rand) string {
	words := strings.Fields("Kettle Harbor Violin Copper Meadow Rocket Walnut Saddle Mirror Tunnel")
	return fmt.Sprintf("%s-%s%d!%s", words[r.IntN(len(words))], words[r.IntN(len(words))], 1000+r.IntN(9000), chars(r, lower, 3))
}

// card returns a card number with a valid check digit.
func card(r *rand.Rand) string {
	n := "4" + chars(r, digits, 14)
	sum := 0
	for i, c := range n { // Luhn: every second digit from the right counts double
		d := int(c - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	n += fmt.Sprint((10 - sum%10) % 10)
	return n[:4] + " " + n[4:8] + " " + n[8:12] + " " + n[12:]
}

// token returns a JSON web token with a random signature.
func token(r *rand.Rand) string {
	enc := base64.RawURLEncoding
	return enc.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." +
		enc.EncodeToString(fmt.Appendf(nil, `{"sub":"%s","iat":1736150400}`, chars(r, digits, 10))) + "." + chars(r, alnum, 43)
}

// secretForms holds the forms of secrets in conversations.
var secretForms = []secretForm{
	{"AWS access key", prefixed("AKIA", upper+digits, 16), "My access key is {s}, can you check the policy?\nexport AWS_ACCESS_KEY_ID={s}"},
	{"AWS secret key", prefixed("", alnum+"/+", 40), "aws_secret_access_key = {s}\nexport AWS_SECRET_ACCESS_KEY=\"{s}\""},
	{"GitHub token", prefixed("ghp_", alnum, 36), "Use my token {s} for the clone.\ngit clone https://{s}@github.com/acme/shop.git"},
	{"fine-grained GitHub token", prefixed("github_pat_", alnum+"_", 82), "GITHUB_TOKEN={s}\nThis is the pat: {s}"},
	{"GitLab token", prefixed("glpat-", alnum+"-", 20), "The runner logs in with {s}.\ncurl -H 'PRIVATE-TOKEN: {s}' https://gitlab.example.com/api/v4/projects"},
	{"Stripe key", prefixed("sk_live_", alnum, 24), "Stripe is set up with {s} in production.\nSTRIPE_SECRET={s}"},
	{"Slack token", func(r *rand.Rand) string {
		return "xoxb-" + chars(r, digits, 12) + "-" + chars(r, digits, 12) + "-" + chars(r, alnum, 24)
	}, "The bot uses {s} to post.\nslack:¶  token: {s}"},
	{"Google API key", prefixed("AIza", alnum+"-_", 35), "Maps key: {s}\nvar key = '{s}';"},
	{"OpenAI key", prefixed("sk-proj-", alnum, 48), "OPENAI_API_KEY={s}\nmy openai key is {s}"},
	{"Anthropic key", prefixed("sk-ant-api03-", alnum+"-_", 93), "export ANTHROPIC_API_KEY={s}\nI pasted {s} into the config, is that right?"},
	{"Hugging Face token", prefixed("hf_", alnum, 34), "huggingface-cli login --token {s}\nThe hub token is {s}."},
	{"npm token", prefixed("npm_", alnum, 36), "//registry.npmjs.org/:_authToken={s}\nnpm publish fails with {s}"},
	{"SendGrid key", func(r *rand.Rand) string { return "SG." + chars(r, alnum, 22) + "." + chars(r, alnum, 43) }, "SENDGRID_API_KEY={s}\nMail goes out with {s}."},
	{"DigitalOcean token", prefixed("dop_v1_", hexChars, 64), "doctl auth init -t {s}\nDO token: {s}"},
	{"Telegram bot token", func(r *rand.Rand) string { return chars(r, digits[1:], 10) + ":AA" + chars(r, alnum, 33) }, "BotFather gave me {s}.\ncurl https://api.telegram.org/bot{s}/getMe"},
	{"JSON web token", token, "Authorization: Bearer {s}\nThe session token I get is {s}, why is it rejected?"},
	{"bearer token", prefixed("", alnum, 40), "curl -H \"Authorization: Bearer {s}\" https://api.example.com/v1/me"},
	{"private key", func(r *rand.Rand) string {
		return "MIIEpAIBAAKCAQEA" + chars(r, alnum+"+/", 48)
	}, "-----BEGIN RSA PRIVATE KEY-----¶{s}¶-----END RSA PRIVATE KEY-----\nMy deploy key:¶-----BEGIN OPENSSH PRIVATE KEY-----¶{s}¶-----END OPENSSH PRIVATE KEY-----"},
	{"password in a URL", phrase, "DATABASE_URL=postgres://shop:{s}@db.internal:5432/shop\nIt connects to mysql://root:{s}@10.0.0.5/app"},
	{"password assignment", phrase, "DB_PASSWORD={s}\npassword: \"{s}\"\nconst password = '{s}';"},
	{"password in prose", phrase, "My wifi password is {s}.\nThe password for the router is {s}\nLog in as admin with the password {s}, please.\nmy netflix password: {s}"},
	{"passphrase", phrase, "The passphrase of the backup is {s}.\nPassphrase: {s}"},
	{"storage account key", prefixed("", alnum+"+/", 86), "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={s}==;EndpointSuffix=core.windows.net"},
	{"basic auth", func(r *rand.Rand) string {
		return base64.StdEncoding.EncodeToString([]byte("deploy:" + phrase(r)))
	}, "Authorization: Basic {s}\ncurl -H 'Authorization: Basic {s}' https://ci.example.com"},
	{"card number", card, "My credit card number is {s}.\nPay with card {s}, valid 04/29."},
	{"client secret", prefixed("", alnum, 32), "client_secret={s}\n{\"client_id\": \"shop\", \"client_secret\": \"{s}\"}"},
}

// secret returns a secret of a form and the message that says it.
func secret(r *rand.Rand, form secretForm) (hidden, text string) {
	hidden = form.make(r)
	says := lines(form.says)
	return hidden, strings.NewReplacer("{s}", hidden, "¶", "\n").Replace(says[r.IntN(len(says))])
}
