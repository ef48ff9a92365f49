package secrets

// cloudTokens give access to clouds, hosts, networks and secret stores.
var cloudTokens = []rule{
	// RFC 7468 and OpenPGP armor; even if truncated, because a header alone means that
	// key material follows somewhere.
	{name: "private-key", anchors: []string{"-----BEGIN "}, locate: (*scanner).privateKey,
		examples: []string{
			"-----BEGIN RSA PRIVATE {KEY}-----\n{mixed64}\n{mixed64}\n{mixed20}==\n-----END RSA PRIVATE {KEY}-----",
			"-----BEGIN PRIVATE {KEY}-----", "-----BEGIN OPENSSH PRIVATE {KEY}",
			"-----BEGIN EC PRIVATE {KEY}-----\n{mixed64}\n{mixed64}",
			`-----BEGIN PGP PRIVATE {KEY} BLOCK-----\n{mixed64}\n{mixed30}==`,
		},
		harmless: []string{"-----BEGIN CERTIFICATE-----", "-----BEGIN PUBLIC {KEY}----- goes first"}},
	// The same in base64, as in Kubernetes secrets: RSA, plain, EC and OpenSSH keys.
	{name: "private-key", anchors: []string{"LS0tLS1CRUdJTi"}, pattern: `LS0tLS1CRUdJTi(?:BSU0Eg|BQUklW|BFQyBQ|BPUEVO)[\w+/-]{20,}={0,2}`,
		examples: []string{"LS0tLS1CRUdJTiBSU0Eg{mixed60}=="}, harmless: []string{"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg"}},
	// The format of PuTTY's key files.
	{name: "private-key", anchors: []string{"Private-Lines: "}, pattern: `Private-Lines: \d{1,3}\r?\n([A-Za-z0-9+/=]{40,64}(?:\r?\n[A-Za-z0-9+/=]{40,64})*)`,
		examples: []string{"Private-Lines: 2\n«{mixed64}\n{mixed40}»"}},
	// The age specification: Bech32 in upper case.
	{name: "age-key", anchors: []string{"AGE-SECRET-KEY-"}, pattern: `AGE-SECRET-KEY-1[0-9A-Z]{50,}`, examples: []string{"AGE-SECRET-KEY-1{upper58}"},
		harmless: []string{"the line begins with AGE-SECRET-KEY-1"}},
	// IAM documentation, unique identifiers: a prefix of 4 letters and 16 more
	// characters. Those in the documentation itself end in EXAMPLE.
	{name: "aws-access-key", anchors: []string{"AKIA", "ASIA", "ABIA", "ACCA", "A3T"}, pattern: `A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{16}`,
		examples: []string{"AKIA{upper16}", "ASIA{upper16}"}, harmless: []string{"AKIAIOSFODNN7EXAMPLE", "AKIAI44QH8DHBEXAMPLE", "AKIA is the prefix of AWS keys"}},
	// Bedrock API keys, documented prefixes.
	{name: "aws-bedrock-key", anchors: []string{"ABSKQm", "bedrock-api-key-"}, pattern: `(?:ABSK[A-Za-z0-9+/]{100,}={0,2}|bedrock-api-key-[\w=-]{40,})`, examples: []string{"ABSKQm{mixed110}="}},
	// Google Cloud documentation: API keys are 39 characters.
	{name: "google-api-key", anchors: []string{"AIza"}, pattern: `AIza[\w-]{35}`, examples: []string{"AIza{mixed35}"}},
	// Google OAuth client secrets, seen in downloaded client_secret.json files.
	{name: "gcp-oauth-secret", anchors: []string{"GOCSPX-"}, pattern: `GOCSPX-[\w-]{24,32}`, examples: []string{"GOCSPX-{mixed28}"}},
	// Google OAuth access and refresh tokens, documented prefixes.
	{name: "gcp-access-token", anchors: []string{"ya29."}, pattern: `ya29\.[\w.-]{20,}`, examples: []string{"ya29.{mixed120}"}},
	{name: "gcp-refresh-token", anchors: []string{"1//0"}, pattern: `1//0[\w-]{40,}`, examples: []string{"1//0{mixed90}"}},
	// Microsoft Entra client secrets: "Q~" after three characters and a digit (scanners).
	{name: "azure-ad-secret", anchors: []string{"Q~"}, skip: 4, pattern: `[\w~.]{3}\dQ~[\w~.-]{31,34}`, examples: []string{"aB38Q~{mixed34}"}},
	// Azure connection strings: keys of 32 or 64 bytes in base64.
	{name: "azure-storage-key", anchors: []string{"AccountKey="}, pattern: `AccountKey=([A-Za-z0-9+/]{86}==)`, examples: []string{"AccountName=x;AccountKey=«{mixed86}==»"}},
	{name: "azure-access-key", anchors: []string{"SharedAccessKey="}, pattern: `SharedAccessKey=([A-Za-z0-9+/]{32,86}={0,2})`,
		examples: []string{"SharedAccessKeyName=root;SharedAccessKey=«{mixed43}=»"}},
	// Workflows of Power Automate and Logic Apps: the signature at the end of the URL.
	{name: "teams-webhook", anchors: []string{"logic.azure.com", "api.powerplatform.com"}, pattern: `(?:logic\.azure|api\.powerplatform)\.com(?::443)?/[^\s"'<>]{0,300}[?&]sig=((?:[\w~.-]|%[0-9A-Fa-f]{2}){16,})`,
		examples: []string{"https://prod-12.westus.logic.azure.com:443/workflows/{hex32}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=«{mixed43}»"}, harmless: []string{"https://prod-12.westus.logic.azure.com:443/workflows"}},
	// Azure shared access signatures: an HMAC-SHA256 in base64, percent-encoded.
	{name: "azure-sas", anchors: []string{"sig="}, pattern: `sig=((?:[\w+/-]|%[0-9A-Fa-f]{2}){40,}={0,2})`,
		examples: []string{"https://x.blob.core.windows.net/a?sv=2022-11-02&se=2027-01-01&sp=r&sig=«{mixed20}%2F{mixed20}%3D»"}, harmless: []string{"sig=short"}},
	// Presigned URLs of S3 and of Google's storage: an HMAC-SHA256 or a signature in hexadecimal.
	{name: "presigned-url", anchors: []string{"X-Amz-Signature", "X-Goog-Signature"}, fold: true, pattern: `(?i:X-(?:Amz|Goog)-Signature)(?:=|%3D)([a-fA-F0-9]{40,})`,
		examples: []string{"https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=3600&X-Amz-Signature=«{hex64}»"}, harmless: []string{"The X-Amz-Signature parameter comes last"}},
	// AWS session tokens, as in presigned URLs and environments.
	{name: "aws-session-token", anchors: []string{"X-Amz-Security-Token"}, fold: true, pattern: `(?i:X-Amz-Security-Token)(?:=|%3D)((?:[\w+/=-]|%[0-9A-Fa-f]{2}){60,})`, examples: []string{"https://h/k?X-Amz-Security-Token=«IQoJb3JpZ2luX2Vj{mixed80}»&a=b"}},
	// DigitalOcean: personal, OAuth and refresh tokens, documented prefixes.
	{name: "digitalocean-token", anchors: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, pattern: `do[opr]_v1_[a-f0-9]{64}`, examples: []string{"dop_v1_{hex64}", "doo_v1_{hex64}", "dor_v1_{hex64}"}},
	// Alibaba and Tencent key ids, documented prefixes.
	{name: "alibaba-key", anchors: []string{"LTAI"}, pattern: `LTAI[A-Za-z0-9]{16,26}`, examples: []string{"LTAI{mixed20}"}},
	{name: "tencent-key", anchors: []string{"AKID"}, pattern: `AKID[A-Za-z0-9]{28,36}`, examples: []string{"AKID{mixed32}"}},
	// Heroku, Fly.io, Netlify, Supabase, PlanetScale, Neon: documented prefixes.
	{name: "heroku-key", anchors: []string{"HRKU-"}, pattern: `HRKU-[\w-]{36,}`, examples: []string{"HRKU-{mixed58}"}},
	{name: "fly-token", anchors: []string{"FlyV1 ", "fm2_", "fo1_"}, pattern: `(?:FlyV1 )?(?:fm2_[A-Za-z0-9+/]{60,}={0,3}|fo1_[\w-]{40,})`, examples: []string{"fo1_{mixed43}", "FlyV1 fm2_{mixed90}"}},
	{name: "netlify-token", anchors: []string{"nfp_", "nfc_", "nfo_", "nfu_", "nfb_"}, pattern: `nf[pcoub]_[A-Za-z0-9]{32,}`, examples: []string{"nfp_{mixed36}"}},
	{name: "supabase-key", anchors: []string{"sbp_", "sb_secret_"}, pattern: `sb(?:p_(?:v0_)?[a-f0-9]{40}|_secret_[\w-]{20,})`, examples: []string{"sbp_{hex40}", "sb_secret_{mixed31}"},
		harmless: []string{"sb_publishable_{mixed31}"}},
	{name: "planetscale-token", anchors: []string{"pscale_"}, pattern: `pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}`, examples: []string{"pscale_pw_{mixed43}"}},
	{name: "neon-key", anchors: []string{"napi_"}, pattern: `napi_[a-z0-9]{50,}`, examples: []string{"napi_{lower64}"}},
	// Tailscale documents the prefix and lists the kinds.
	{name: "tailscale-key", anchors: []string{"tskey-"}, pattern: `tskey-(?:[a-z]{3,12}-)?[A-Za-z0-9]{8,}(?:-[A-Za-z0-9]{16,})?`, examples: []string{"tskey-auth-{mixed16}-{mixed32}", "tskey-api-{mixed12}-{mixed20}"}},
	{name: "nebula-key", anchors: []string{"dnkey-"}, pattern: `dnkey-[\w=-]{26}-[\w=-]{52}`, examples: []string{"dnkey-{mixed26}-{mixed52}"}},
	// HashiCorp Vault: service, batch and recovery tokens, documented prefixes.
	{name: "vault-token", anchors: []string{"hvs.", "hvb.", "hvr."}, pattern: `hv[sbr]\.[\w-]{24,}`, examples: []string{"hvs.{mixed90}", "hvb.{mixed140}"}, harmless: []string{"hvs.example.com"}},
	// HCP Terraform and Terraform Enterprise tokens.
	{name: "terraform-token", anchors: []string{".atlasv1."}, skip: 14, pattern: `[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}`, examples: []string{"{mixed14}.atlasv1.{mixed67}"}},
	{name: "pulumi-token", anchors: []string{"pul-"}, pattern: `pul-[a-f0-9]{40}`, examples: []string{"pul-{hex40}"}},
	{name: "doppler-token", anchors: []string{"dp."}, pattern: `dp\.(?:pt|ct|sa|scim|audit|st(?:\.[a-z0-9_-]{2,35})?)\.[A-Za-z0-9]{36,44}`, examples: []string{"dp.pt.{mixed43}", "dp.st.prd.{mixed43}"}},
	{name: "onepassword-token", anchors: []string{"ops_eyJ"}, pattern: `ops_eyJ[\w+/=-]{60,}`, examples: []string{"ops_eyJ{mixed250}"}},
	{name: "openshift-token", anchors: []string{"sha256~"}, pattern: `sha256~[\w-]{43}`, examples: []string{"sha256~{mixed43}"}},
	{name: "infisical-token", anchors: []string{"st."}, pattern: `st\.[a-f0-9]{24}\.[a-f0-9]{32}\.[a-f0-9]{32}`, examples: []string{"st.{hex24}.{hex32}.{hex32}"}},
}

// codeTokens give access to services for writing, building, packaging and monitoring
// code.
var codeTokens = []rule{
	// GitHub: personal, OAuth, user-to-server, server-to-server, refresh (documented prefixes).
	{name: "github-token", anchors: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, pattern: `gh[opsur]_[A-Za-z0-9]{30,}`,
		examples: []string{"ghp_{mixed36}", "gho_{mixed36}", "ghu_{mixed36}", "ghs_{mixed36}", "ghr_{mixed76}"}},
	// GitHub fine-grained tokens.
	{name: "github-token", anchors: []string{"github_pat_"}, pattern: `github_pat_\w{36,}`, examples: []string{"github_pat_{mixed22}_{mixed59}"}},
	// GitLab documentation lists the prefixes: personal, deploy, runner, trigger, job, feed, agent, mail, SCIM, flags.
	{name: "gitlab-token", anchors: []string{"glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glft-", "glagent-", "glimt-", "glsoat-", "glffct-"}, pattern: `gl[a-z]{2,5}-[\w.-]{20,}`,
		examples: []string{"glpat-{mixed20}", "gldt-{mixed20}", "glrt-{mixed20}", "glptt-{hex40}"}},
	// Atlassian: accounts, administrators, Bitbucket's app passwords and repositories.
	{name: "atlassian-token", anchors: []string{"ATATT3", "ATCTT3", "ATBB", "BBDC-"}, pattern: `(?:AT[AC]TT3[\w=-]{30,}|ATBB[A-Za-z0-9]{32}|BBDC-[A-Za-z0-9+/]{40,})`, examples: []string{"ATATT3xFfGF0{mixed170}={upper8}", "ATBB{mixed32}"}},
	{name: "linear-key", anchors: []string{"lin_api_", "lin_oauth_"}, pattern: `lin_(?:api|oauth)_[A-Za-z0-9]{32,}`, examples: []string{"lin_api_{mixed40}"}},
	// Docker Hub: personal and organization tokens.
	{name: "docker-token", anchors: []string{"dckr_pat_", "dckr_oat_"}, pattern: `dckr_[po]at_[\w-]{24,}`, examples: []string{"dckr_pat_{mixed27}"}},
	{name: "npm-token", anchors: []string{"npm_"}, pattern: `npm_[A-Za-z0-9]{36,}`, examples: []string{"npm_{mixed36}"}, harmless: []string{"npm_config_registry"}},
	// PyPI tokens are macaroons, whose first bytes are fixed.
	{name: "pypi-token", anchors: []string{"pypi-AgE"}, pattern: `pypi-AgE[\w-]{40,}`, examples: []string{"pypi-AgEIcHlwaS5vcmc{mixed70}"}},
	{name: "rubygems-key", anchors: []string{"rubygems_"}, pattern: `rubygems_[a-f0-9]{48}`, examples: []string{"rubygems_{hex48}"}},
	{name: "clojars-token", anchors: []string{"CLOJARS_"}, pattern: `CLOJARS_[a-z0-9]{60}`, examples: []string{"CLOJARS_{lower60}"}},
	{name: "nuget-key", anchors: []string{"oy2"}, pattern: `oy2[a-z0-9]{43}`, examples: []string{"oy2{lower43}"}},
	// JFrog: API keys, identity tokens and reference tokens.
	{name: "artifactory-key", anchors: []string{"AKCp", "cmVmdGtu"}, pattern: `(?:AKCp[A-Za-z0-9]{60,}|cmVmdGtu[A-Za-z0-9]{50,})`, examples: []string{"AKCp{mixed69}", "cmVmdGtu{mixed56}"}},
	{name: "circleci-token", anchors: []string{"CCIPAT_", "CCIPRJ_"}, pattern: `CCIP(?:AT|RJ)_[A-Za-z0-9]{16,}_[a-f0-9]{40}`, examples: []string{"CCIPAT_{mixed22}_{hex40}"}},
	{name: "buildkite-token", anchors: []string{"bkua_"}, pattern: `bkua_[a-z0-9]{40}`, examples: []string{"bkua_{lower40}"}},
	{name: "octopus-key", anchors: []string{"API-"}, pattern: `API-[A-Z0-9]{26,32}`, examples: []string{"API-{upper26}"}},
	{name: "sonar-token", anchors: []string{"squ_", "sqp_", "sqa_"}, pattern: `sq[upa]_[a-f0-9]{40}`, examples: []string{"squ_{hex40}"}},
	{name: "sourcegraph-token", anchors: []string{"sgp_"}, pattern: `sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}`, examples: []string{"sgp_{hex40}"}},
	{name: "launchdarkly-key", anchors: []string{"sdk-"}, pattern: `sdk-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, examples: []string{"sdk-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}"}},
	{name: "databricks-token", anchors: []string{"dapi"}, pattern: `dapi[a-f0-9]{32}(?:-\d)?`, examples: []string{"dapi{hex32}", "dapi{hex32}-2"}},
	{name: "prefect-key", anchors: []string{"pnu_", "pnb_"}, pattern: `pn[ub]_[A-Za-z0-9]{36}`, examples: []string{"pnu_{mixed36}"}},
	{name: "postman-key", anchors: []string{"PMAK-"}, pattern: `PMAK-[a-f0-9]{24}-[a-f0-9]{34}`, examples: []string{"PMAK-{hex24}-{hex34}"}},
	{name: "readme-key", anchors: []string{"rdme_"}, pattern: `rdme_[a-z0-9]{70}`, examples: []string{"rdme_{lower70}"}},
	// Grafana: older API keys are base64 of {"k":..., cloud and service account tokens have prefixes.
	{name: "grafana-token", anchors: []string{"eyJrIjoi"}, pattern: `eyJrIjoi[A-Za-z0-9+/]{70,400}={0,3}`, examples: []string{"eyJrIjoi{mixed90}="}},
	{name: "grafana-token", anchors: []string{"glc_"}, pattern: `glc_[A-Za-z0-9+/]{32,400}={0,3}`, examples: []string{"glc_{mixed60}"}},
	{name: "grafana-token", anchors: []string{"glsa_"}, pattern: `glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}`, examples: []string{"glsa_{mixed32}_{hex8}"}},
	// Sentry user and organization tokens. A DSN with a secret has it where a URL has its
	// password.
	{name: "sentry-token", anchors: []string{"sntryu_", "sntrys_"}, pattern: `sntry(?:u_[a-f0-9]{40,}|s_[\w+/=-]{32,})`, examples: []string{"sntryu_{hex64}", "sntrys_eyJ{mixed80}_{mixed43}", "sntrys_{mixed64}"}},
	// New Relic: user, insert and browser keys; license keys end in NRAL.
	{name: "newrelic-key", anchors: []string{"NRAK-", "NRII-", "NRAA-", "NRRA-"}, pattern: `NR(?:AK|II|AA|RA)-[\w-]{24,}`, examples: []string{"NRAK-{upper27}", "NRII-{mixed32}"}},
	{name: "newrelic-key", anchors: []string{"NRAL"}, skip: 36, pattern: `[a-fA-F0-9]{36}NRAL`, examples: []string{"{hex36}NRAL"}},
	// PostHog: personal keys; project keys (phc_) are public.
	{name: "posthog-key", anchors: []string{"phx_"}, pattern: `phx_[A-Za-z0-9]{32,}`, examples: []string{"phx_{mixed43}"}, harmless: []string{"phc_{mixed43}"}},
	// crates.io: tokens since 2020.
	{name: "crates-token", anchors: []string{"cio"}, pattern: `cio[A-Za-z0-9]{32}`, examples: []string{"cio{mixed32}"}},
	{name: "dynatrace-token", anchors: []string{"dt0"}, pattern: `dt0[a-zA-Z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}`, examples: []string{"dt0c01.{upper24}.{upper64}"}},
	// RFC 7519: header and payload are JSON objects, so both begin with eyJ. The
	// signature may be cut off; the payload alone often identifies a person.
	{name: "jwt", anchors: []string{"eyJ"}, pattern: `eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?`, examples: []string{"eyJ{mixed20}.eyJ{mixed40}.{mixed43}", "eyJ{mixed20}.eyJ{mixed40}"},
		harmless: []string{"eyJ is how a JWT begins"}},
}

// modelTokens give access to language models and related services.
var modelTokens = []rule{
	// Anthropic keys: kind, two digits, then random characters.
	{name: "anthropic-key", anchors: []string{"sk-ant-"}, pattern: `sk-ant-(?:[a-z]{3,8}\d{2}-[\w-]{20,}|[\w-]{32,})`,
		examples: []string{"sk-ant-api03-{mixed93}AA", "sk-ant-admin01-{mixed93}AA", "sk-ant-oat01-{mixed40}"}},
	// OpenAI project, service account and admin keys; "or-v1" is OpenRouter, "lf"
	// Langfuse.
	{name: "openai-key", anchors: []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-", "sk-lf-"}, pattern: `sk-(?:proj|svcacct|admin|or-v1|lf)-[\w-]{20,}`,
		examples: []string{"sk-proj-{mixed60}_{mixed20}", "sk-svcacct-{mixed60}", "sk-or-v1-{hex64}", "sk-lf-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}"}},
	// The older form, which vendors with a compatible protocol use too. It is one run
	// without hyphens, so that names such as sk-learn-extra do not match.
	{name: "openai-key", anchors: []string{"sk-"}, pattern: `sk-[A-Za-z0-9]{20,}`, examples: []string{"sk-{mixed48}", "sk-{hex32}"}, harmless: []string{"sk-learn-contrib-extensions-2024"}},
	{name: "elevenlabs-key", anchors: []string{"sk_"}, pattern: `sk_[a-f0-9]{48}`, examples: []string{"sk_{hex48}"}},
	{name: "cerebras-key", anchors: []string{"csk-"}, pattern: `csk-[a-z0-9]{40,}`, examples: []string{"csk-{lower48}"}},
	// Hugging Face user and organization tokens.
	{name: "huggingface-token", anchors: []string{"hf_", "api_org_"}, pattern: `(?:hf_|api_org_)[A-Za-z0-9]{30,}`, examples: []string{"hf_{mixed34}", "api_org_{mixed34}"}, harmless: []string{"hf_hub_download_from_repository_v2"}},
	{name: "groq-key", anchors: []string{"gsk_"}, pattern: `gsk_[A-Za-z0-9]{40,}`, examples: []string{"gsk_{mixed52}"}},
	{name: "xai-key", anchors: []string{"xai-"}, pattern: `xai-[A-Za-z0-9]{60,}`, examples: []string{"xai-{mixed80}"}},
	{name: "replicate-token", anchors: []string{"r8_"}, pattern: `r8_[A-Za-z0-9]{36,40}`, examples: []string{"r8_{mixed37}"}},
	{name: "perplexity-key", anchors: []string{"pplx-"}, pattern: `pplx-[A-Za-z0-9]{40,}`, examples: []string{"pplx-{mixed48}"}},
	{name: "nvidia-key", anchors: []string{"nvapi-"}, pattern: `nvapi-[\w-]{60,}`, examples: []string{"nvapi-{mixed64}"}},
	{name: "fireworks-key", anchors: []string{"fw_"}, pattern: `fw_[A-Za-z0-9]{22,24}`, examples: []string{"fw_{mixed24}"}},
	{name: "langsmith-key", anchors: []string{"lsv2_"}, pattern: `lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}`, examples: []string{"lsv2_pt_{hex32}_{hex10}"}},
	{name: "tavily-key", anchors: []string{"tvly-"}, pattern: `tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,}`, examples: []string{"tvly-dev-{mixed32}"}},
	{name: "firecrawl-key", anchors: []string{"fc-"}, pattern: `fc-[a-f0-9]{32}`, examples: []string{"fc-{hex32}"}},
	{name: "pinecone-key", anchors: []string{"pcsk_"}, pattern: `pcsk_\w{20,}`, examples: []string{"pcsk_{mixed6}_{mixed63}", "pcsk_{mixed48}"}},
	{name: "weights-and-biases-key", anchors: []string{"wandb_v1_"}, pattern: `wandb_v1_[\w-]{40,}`, examples: []string{"wandb_v1_{mixed70}"}},
}

// moneyTokens give access to payments and shops.
var moneyTokens = []rule{
	// Stripe secret and restricted keys, webhook secrets; publishable keys are public.
	{name: "stripe-key", anchors: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}, pattern: `[rs]k_(?:live|test)_[A-Za-z0-9]{10,}`, examples: []string{"sk_live_{mixed24}", "rk_test_{mixed24}", "sk_test_{mixed99}"},
		harmless: []string{"pk_live_{mixed24}", "sk_test_yourkeygoeshere"}},
	{name: "stripe-webhook-secret", anchors: []string{"whsec_"}, pattern: `whsec_[A-Za-z0-9+/=]{24,}`, examples: []string{"whsec_{mixed32}"}},
	// Shopify access tokens (app, custom, private) and shared secrets.
	{name: "shopify-token", anchors: []string{"shpat_", "shpca_", "shppa_", "shpss_"}, pattern: `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`, examples: []string{"shpat_{hex32}", "shpss_{hex32}", "shpca_{hex32}", "shppa_{hex32}"}},
	// Square: access tokens, personal ones and application secrets.
	{name: "square-token", anchors: []string{"sq0atp-", "sq0csp-"}, pattern: `sq0(?:atp|csp)-[\w-]{22,}`, examples: []string{"sq0atp-{mixed22}", "sq0csp-{mixed43}"}, harmless: []string{"sq0idp-{mixed22}"}},
	{name: "square-token", anchors: []string{"EAAA"}, pattern: `EAAA[\w-]{60}`, examples: []string{"EAAA{mixed60}"}},
	{name: "braintree-token", anchors: []string{"access_token$"}, pattern: `access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}`, examples: []string{"access_token$production${lower16}${hex32}"}},
	{name: "plaid-token", anchors: []string{"access-"}, pattern: `access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, examples: []string{"access-production-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}"}},
	{name: "flutterwave-key", anchors: []string{"FLWSECK"}, pattern: `FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}-X`, examples: []string{"FLWSECK-{hex32}-X"}},
	{name: "shippo-token", anchors: []string{"shippo_"}, pattern: `shippo_(?:live|test)_[a-f0-9]{40}`, examples: []string{"shippo_live_{hex40}"}},
	{name: "easypost-key", anchors: []string{"EZAK", "EZTK"}, pattern: `EZ[AT]K[A-Za-z0-9]{54}`, examples: []string{"EZAK{mixed54}"}},
	{name: "duffel-token", anchors: []string{"duffel_"}, pattern: `duffel_(?:live|test)_[\w-]{43}`, examples: []string{"duffel_live_{mixed43}"}},
	// BIP 32 extended private keys and Nostr's (NIP 19).
	{name: "wallet-key", anchors: []string{"xprv", "zprv", "yprv"}, pattern: `[xyz]prv[A-Za-z0-9]{100,112}`, examples: []string{"xprv{mixed107}"}, harmless: []string{"xpub{mixed107}"}},
	{name: "wallet-key", anchors: []string{"nsec1"}, pattern: `nsec1[a-z0-9]{58}`, examples: []string{"nsec1{lower58}"}},
	// Bank account numbers, recognized by their check digits.
	{name: "iban", anchors: ibanPrefixes(), locate: (*scanner).iban,
		examples: []string{"IBAN: «DE89 3704 0044 0532 0130 00»", "pay to «GB82WEST12345698765432» please", "«FR14 2004 1010 0505 0001 3M02 606»"},
		harmless: []string{"DE89 3704 0044 0532 0130 01", "DE12345", "The IBAN field is optional", "XDE89370400440532013000"}},
	// Card numbers, recognized by their check digit.
	{name: "card-number", anchors: cardPrefixes(), locate: (*scanner).cardNumber,
		examples: []string{"My visa is «4111 1111 1111 1111» exp 09/27", "Amex «3782-822463-10005»", "card: «5555555555554444»"},
		harmless: []string{"4111 1111 1111 1112", "Order 4111111111111111 shipped", "4.111111111111111", "Stripe's test card is 4242 4242 4242 4242", "id_4111111111111111"}},
}

// serviceTokens give access to chats, mail, documents and maps.
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
