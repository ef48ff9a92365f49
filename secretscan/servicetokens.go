package secretscan

// serviceTokens open chats, mail, documents and maps.
var serviceTokens = []rule{
	// Slack: bot, user, app-level, refresh and configuration tokens, documented prefixes.
	{name: "slack-token", anchors: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xoxe-", "xoxe.xox", "xapp-"}, pattern: `(?:xox[abceprs]-\d|xoxd-|xoxe\.xox[bp]-\d|xapp-\d)[\w%-]{9,}`,
		examples: []string{"xoxb-123456789012-1234567890123-{mixed24}", "xoxp-123456789012-{hex32}", "xapp-1-A012345-{hex64}"}},
	// Webhooks: the URL alone allows posting.
	{name: "slack-webhook", anchors: []string{"hooks.slack.com/"}, pattern: `hooks\.slack\.com/(?:services|workflows|triggers)/([\w/]{20,})`, examples: []string{"https://hooks.slack.com/services/«T012ABCDE/B012ABCDE/{mixed24}»"}},
	{name: "discord-webhook", anchors: []string{"discord.com/api/", "discordapp.com/api/"}, pattern: `discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{15,20}/([\w-]{40,})`,
		examples: []string{"https://discord.com/api/webhooks/182260056515471111/«{mixed68}»", "https://discordapp.com/api/v10/webhooks/182260056515471111/«{mixed68}»"},
		harmless: []string{"https://discord.com/api/webhooks/ID/TOKEN"}},
	{name: "teams-webhook", anchors: []string{"webhook.office.com/", "outlook.office.com/webhook"}, pattern: `(?:webhook|outlook)\.office\.com/webhook(?:b2)?/([\w@-]{20,}/IncomingWebhook/\w{20,}(?:/[\w-]{20,}){1,2})`,
		examples: []string{"https://acme.webhook.office.com/webhookb2/«{hex36}@{hex36}/IncomingWebhook/{hex32}/{hex36}»", "https://outlook.office.com/webhook/«{hex36}@{hex36}/IncomingWebhook/{hex32}/{hex36}»"}},
	{name: "zapier-webhook", anchors: []string{"hooks.zapier.com/"}, pattern: `hooks\.zapier\.com/hooks/catch/(\d{4,}/\w{5,})`, examples: []string{"https://hooks.zapier.com/hooks/catch/«1234567/b1x2y3z»"}},
	// Discord bots: the id in base64, a time, an HMAC.
	{name: "discord-token", anchors: []string{"MT", "Nj", "Nz", "OD", "OT", "MD", "Mz", "ND", "NT"}, pattern: `[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}`, examples: []string{"MT{mixed24}.G1x2Y3.{mixed38}"}},
	// Telegram bots: their number, a colon, 35 characters that begin with AA.
	{name: "telegram-token", anchors: []string{":AA"}, locate: (*scanner).telegramToken, examples: []string{"7123456789:AA{mixed33}", "https://api.telegram.org/bot«7123456789:AA{mixed33}»/getMe"}},
	// Twilio API keys.
	{name: "twilio-key", anchors: []string{"SK"}, pattern: `SK[0-9a-f]{32}`, examples: []string{"SK{hex32}"}},
	// SendGrid keys: identifier and secret joined by dots.
	{name: "sendgrid-key", anchors: []string{"SG."}, pattern: `SG\.[\w-]{16,32}\.[\w-]{32,64}`, examples: []string{"SG.{mixed22}.{mixed43}"}},
	// Mailgun: private, validation and webhook keys.
	{name: "mailgun-key", anchors: []string{"key-"}, pattern: `key-[a-f0-9]{32}`, examples: []string{"key-{hex32}"}, harmless: []string{"pubkey-{hex32}"}},
	{name: "mailchimp-key", anchors: []string{"-us"}, skip: 32, pattern: `[a-f0-9]{32}-us\d{1,2}`, examples: []string{"{hex32}-us14"}},
	{name: "brevo-key", anchors: []string{"xkeysib-", "xsmtpsib-"}, pattern: `x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}`, examples: []string{"xkeysib-{hex64}-{mixed16}"}},
	{name: "resend-key", anchors: []string{"re_"}, pattern: `re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}`, examples: []string{"re_{mixed8}_{mixed24}"}},
	{name: "notion-token", anchors: []string{"ntn_", "secret_"}, pattern: `(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})`, examples: []string{"ntn_{mixed46}", "secret_{mixed43}"}},
	{name: "figma-token", anchors: []string{"figd_", "figu_", "figo_"}, pattern: `fig[duo][rh]?_[\w-]{36,}`, examples: []string{"figd_{mixed40}"}},
	{name: "airtable-token", anchors: []string{"pat"}, pattern: `pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`, examples: []string{"pat{mixed14}.{hex64}"}},
	{name: "asana-token", anchors: []string{"1/", "2/"}, pattern: `[12]/\d{13,18}(?:/\d{13,18})?:[a-f0-9]{32}`, examples: []string{"1/1200123456789012:{hex32}"}},
	{name: "typeform-token", anchors: []string{"tfp_"}, pattern: `tfp_[\w.=-]{40,}`, examples: []string{"tfp_{mixed44}_{mixed14}"}},
	{name: "contentful-token", anchors: []string{"CFPAT-"}, pattern: `CFPAT-[\w-]{40,}`, examples: []string{"CFPAT-{mixed43}"}},
	{name: "hubspot-token", anchors: []string{"pat-na", "pat-eu"}, pattern: `pat-(?:na|eu)\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, examples: []string{"pat-na1-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}"}},
	{name: "mapbox-token", anchors: []string{"sk.eyJ"}, pattern: `sk\.eyJ[\w-]{40,}\.[\w-]{20,}`, examples: []string{"sk.eyJ{mixed70}.{mixed22}"}, harmless: []string{"pk.eyJ{mixed70}.{mixed22}"}},
	{name: "facebook-token", anchors: []string{"EAA"}, pattern: `EAA[A-Za-z0-9]{90,}`, examples: []string{"EAAB{mixed160}"}},
	{name: "adafruit-key", anchors: []string{"aio_"}, pattern: `aio_[A-Za-z0-9]{28}`, examples: []string{"aio_{mixed28}"}},
}

// telegramToken locates the token of a bot whose number ends before text[at:].
func (s *scanner) telegramToken(at int) (start, end int, ok bool) {
	const shortest, longest, secret = 8, 10, 33
	start = at
	for start > 0 && at-start <= longest && isDigit(s.text[start-1]) {
		start--
	}
	end = at + len(":AA")
	from := end
	for end < len(s.text) && end-from <= secret+2 && isWordByte(s.text[end]) {
		end++
	}
	digits := at - start
	return start, end, digits >= shortest && digits <= longest && end-from >= secret-1 && end-from <= secret+1
}
