package secretscan

// cloudTokens open clouds, hosts, networks and stores of secrets.
var cloudTokens = []rule{
	// RFC 7468 and OpenPGP armor; also when cut off, because a header alone
	// means that key material follows somewhere.
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
	// IAM documentation: unique identifiers, 4 letters of prefix and 16 more.
	// Those of the documentation itself end in EXAMPLE.
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
