package secretscan

// modelTokens open language models and what surrounds them.
var modelTokens = []rule{
	// Anthropic keys: kind, two digits, then random characters.
	{name: "anthropic-key", anchors: []string{"sk-ant-"}, pattern: `sk-ant-(?:[a-z]{3,8}\d{2}-[\w-]{20,}|[\w-]{32,})`,
		examples: []string{"sk-ant-api03-{mixed93}AA", "sk-ant-admin01-{mixed93}AA", "sk-ant-oat01-{mixed40}"}},
	// OpenAI project, service account and admin keys; "or-v1" is OpenRouter's,
	// "lf" Langfuse's.
	{name: "openai-key", anchors: []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-", "sk-lf-"}, pattern: `sk-(?:proj|svcacct|admin|or-v1|lf)-[\w-]{20,}`,
		examples: []string{"sk-proj-{mixed60}_{mixed20}", "sk-svcacct-{mixed60}", "sk-or-v1-{hex64}", "sk-lf-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}"}},
	// The older form, which other vendors with the same protocol use too. One
	// run without hyphens, so that names such as sk-learn-extra are none.
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
