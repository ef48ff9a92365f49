package token

// Window returns the context window of a model in tokens, for prompt and answer together,
// and whether it is known. It is known only for hosted models: for a model with open
// weights, the server decides by the memory it has.
func Window(model string) (int, bool) { return lookup(model, windows) }

// windows lists context windows in tokens. Source: the makers' model pages.
var windows = []entry[int]{
	{"gpt-5", 400_000},
	{"gpt-5-chat", 128_000},
	{"gpt-5.1", 400_000},
	{"gpt-5.1-chat", 128_000},
	{"gpt-5.2", 400_000},
	{"gpt-5.2-chat", 128_000},
	{"gpt-4.5-preview", 128_000},
	{"gpt-4.1", 1_047_576},
	{"gpt-4o", 128_000},
	{"chatgpt-4o", 128_000},
	{"gpt-4-turbo", 128_000},
	{"gpt-4-1106", 128_000},
	{"gpt-4-0125", 128_000},
	{"gpt-4-vision", 128_000},
	{"gpt-4-32k", 32_768},
	{"gpt-4", 8_192},
	{"gpt-3.5-turbo", 16_385},
	{"gpt-3.5-turbo-instruct", 4_096},
	{"gpt-3.5-turbo-0301", 4_096},
	{"gpt-3.5-turbo-0613", 4_096},
	{"o1", 200_000},
	{"o1-mini", 128_000},
	{"o1-preview", 128_000},
	{"o3", 200_000},
	{"o4-mini", 200_000},

	{"claude-3", 200_000},
	{"claude-3-5", 200_000},
	{"claude-3-7", 200_000},
	{"claude-opus-4", 200_000},
	{"claude-sonnet-4", 200_000},
	{"claude-haiku-4", 200_000},

	{"gemini-1.5-pro", 2_097_152},
	{"gemini-1.5-flash", 1_048_576},
	{"gemini-2.0-flash", 1_048_576},
	{"gemini-2.5-pro", 1_048_576},
	{"gemini-2.5-flash", 1_048_576},
}
