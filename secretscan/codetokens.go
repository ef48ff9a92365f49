package secretscan

// codeTokens open where programs are written, built, packaged and watched.
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
	// Sentry user and organization tokens; a DSN with a secret has it where a URL
	// has its password.
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
