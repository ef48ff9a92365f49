package secretscan

import (
	"regexp"
	"sync"
)

// rule recognizes one kind of secret.
type rule struct {
	name string
	// rank orders rules from the most specific to the least. It is the position
	// in the table.
	rank int
	// anchors are literals; every match begins skip bytes before one of them.
	// fold makes ASCII letters of the anchors match in either case.
	anchors []string
	skip    int
	fold    bool
	// pattern (RE2) is matched where the secret begins. Instead of a pattern,
	// locate finds the secret when the anchor is at text[at:].
	pattern string
	locate  func(s *scanner, at int) (start, end int, ok bool)

	re *regexp.Regexp
}

// tokenRules are the credentials that are known by their shape. The comment on
// each says where the shape is from; "documented" means the issuer's own
// documentation, "scanners" that the common open secret scanners agree on it.
// Lower bounds are a little generous, because a wrong length in a note does not
// make a token harmless.
var tokenRules = []rule{
	// RFC 7468 and OpenPGP armor; also when cut off, because a header alone
	// means that key material follows somewhere.
	{name: "private-key", anchors: []string{"-----BEGIN "}, locate: (*scanner).privateKey},
	// IAM documentation: unique identifiers, 4 letters of prefix and 16 more.
	{name: "aws-access-key", anchors: []string{"AKIA", "ASIA", "ABIA", "ACCA", "A3T"}, pattern: `A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{16}`},
	// Google Cloud documentation: API keys are 39 characters.
	{name: "google-api-key", anchors: []string{"AIza"}, pattern: `AIza[\w-]{35}`},
	// Google OAuth client secrets, seen in downloaded client_secret.json files.
	{name: "gcp-oauth-secret", anchors: []string{"GOCSPX-"}, pattern: `GOCSPX-[\w-]{24,32}`},
	// Google OAuth access tokens, documented prefix.
	{name: "gcp-access-token", anchors: []string{"ya29."}, pattern: `ya29\.[\w.-]{20,}`},
	// Microsoft Entra client secrets: "Q~" after three characters and a digit (scanners).
	{name: "azure-ad-secret", anchors: []string{"Q~"}, skip: 4, pattern: `[\w~.]{3}\dQ~[\w~.-]{31,34}`},
	// Azure Storage connection strings: 64 bytes in base64.
	{name: "azure-storage-key", anchors: []string{"AccountKey="}, pattern: `AccountKey=([A-Za-z0-9+/]{86}==)`},
	// DigitalOcean: personal, OAuth and refresh tokens, documented prefixes.
	{name: "digitalocean-token", anchors: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, pattern: `do[opr]_v1_[a-f0-9]{64}`},
	// Anthropic keys: kind, two digits, then random characters.
	{name: "anthropic-key", anchors: []string{"sk-ant-"}, pattern: `sk-ant-(?:[a-z]{3,8}\d{2}-[\w-]{20,}|[\w-]{32,})`},
	// OpenAI project, service account and admin keys; "or-v1" is OpenRouter's.
	{name: "openai-key", anchors: []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-"}, pattern: `sk-(?:proj|svcacct|admin|or-v1)-[\w-]{20,}`},
	// The older form, which other vendors with the same protocol use too. One
	// run without hyphens, so that names such as sk-learn-extra are none.
	{name: "openai-key", anchors: []string{"sk-"}, pattern: `sk-[A-Za-z0-9]{20,}`},
	// Hugging Face user and organization tokens.
	{name: "huggingface-token", anchors: []string{"hf_", "api_org_"}, pattern: `(?:hf_|api_org_)[A-Za-z0-9]{30,}`},
	// GitHub: personal, OAuth, user-to-server, server-to-server, refresh (documented prefixes).
	{name: "github-token", anchors: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, pattern: `gh[opsur]_[A-Za-z0-9]{30,}`},
	// GitHub fine-grained tokens.
	{name: "github-token", anchors: []string{"github_pat_"}, pattern: `github_pat_\w{36,}`},
	// GitLab documentation lists the prefixes: personal, deploy, runner, trigger, job, feed, agent, mail, SCIM, flags.
	{name: "gitlab-token", anchors: []string{"glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glft-", "glagent-", "glimt-", "glsoat-", "glffct-"}, pattern: `gl[a-z]{2,5}-[\w.-]{20,}`},
	// Slack: bot, user, app-level, refresh and configuration tokens, documented prefixes.
	{name: "slack-token", anchors: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.xox", "xapp-"}, pattern: `(?:xox[abeprs]-|xoxe\.xox[bp]-|xapp-)\d[\w-]{9,}`},
	// Slack incoming webhooks: the URL alone allows posting.
	{name: "slack-webhook", anchors: []string{"hooks.slack.com/"}, pattern: `hooks\.slack\.com/(?:services|workflows|triggers)/([\w/]{20,})`},
	// Twilio API keys.
	{name: "twilio-key", anchors: []string{"SK"}, pattern: `SK[0-9a-f]{32}`},
	// SendGrid keys: identifier and secret joined by dots.
	{name: "sendgrid-key", anchors: []string{"SG."}, pattern: `SG\.[\w-]{16,32}\.[\w-]{32,64}`},
	// npm access tokens.
	{name: "npm-token", anchors: []string{"npm_"}, pattern: `npm_[A-Za-z0-9]{36,}`},
	// PyPI tokens are macaroons, whose first bytes are fixed.
	{name: "pypi-token", anchors: []string{"pypi-AgE"}, pattern: `pypi-AgE[\w-]{40,}`},
	// Databricks personal access tokens.
	{name: "databricks-token", anchors: []string{"dapi"}, pattern: `dapi[a-f0-9]{32}(?:-\d)?`},
	// HCP Terraform and Terraform Enterprise tokens.
	{name: "terraform-token", anchors: []string{".atlasv1."}, skip: 14, pattern: `[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}`},
	// Pulumi access tokens.
	{name: "pulumi-token", anchors: []string{"pul-"}, pattern: `pul-[a-f0-9]{40}`},
	// Postman API keys.
	{name: "postman-key", anchors: []string{"PMAK-"}, pattern: `PMAK-[a-f0-9]{24}-[a-f0-9]{34}`},
	// Grafana: older API keys are base64 of {"k":..., cloud and service account tokens have prefixes.
	{name: "grafana-token", anchors: []string{"eyJrIjoi"}, pattern: `eyJrIjoi[A-Za-z0-9+/]{70,400}={0,3}`},
	{name: "grafana-token", anchors: []string{"glc_"}, pattern: `glc_[A-Za-z0-9+/]{32,400}={0,3}`},
	{name: "grafana-token", anchors: []string{"glsa_"}, pattern: `glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}`},
	// Sentry user and organization tokens.
	{name: "sentry-token", anchors: []string{"sntryu_", "sntrys_"}, pattern: `sntry(?:u_[a-f0-9]{64}|s_eyJ[\w+/=-]{40,})`},
	// Stripe secret and restricted keys, webhook secrets; publishable keys are public.
	{name: "stripe-key", anchors: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}, pattern: `[rs]k_(?:live|test)_[A-Za-z0-9]{10,}`},
	{name: "stripe-webhook-secret", anchors: []string{"whsec_"}, pattern: `whsec_[A-Za-z0-9+/=]{24,}`},
	// Shopify access tokens (app, custom, private) and shared secrets.
	{name: "shopify-token", anchors: []string{"shpat_", "shpca_", "shppa_", "shpss_"}, pattern: `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`},
	// RFC 7519: header and payload are JSON objects, so both begin with eyJ. The
	// signature may be cut off; the payload alone often identifies a person.
	{name: "jwt", anchors: []string{"eyJ"}, pattern: `eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?`},
}

// contextRules are the secrets that are known by what introduces them.
var contextRules = []rule{
	{name: "url-password", anchors: []string{"://"}, locate: (*scanner).urlPassword},
	{name: "authorization", anchors: []string{"authorization"}, fold: true, locate: (*scanner).authorization},
	{name: "bearer-token", anchors: []string{"bearer"}, fold: true, locate: (*scanner).bearer},
}

// engine is the compiled table of rules. It is built once and only read.
type engine struct {
	index *index
	names []string // of the rules, without repeats
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
	for i := range labels {
		rules = append(rules, labels[i].rule())
	}
	e := &engine{index: newIndex()}
	seen := map[string]bool{}
	for rank, r := range rules {
		r.rank = rank
		for _, a := range r.anchors {
			e.index.add(a, r.fold, func(s *scanner, at int) { s.try(r, at) })
		}
		if !seen[r.name] {
			seen[r.name] = true
			e.names = append(e.names, r.name)
		}
	}
	return e
})

func ruleNames() []string { return compiled().names }
