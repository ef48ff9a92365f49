package token

import "strings"

// ForModel returns the counter of a model. It counts exactly if the tokenizer of the
// model is known (the list is in model.go), and starts loading the tokenizer's table in
// the background; o200k takes about 0.2 s and 23 MB. For any other name, including "",
// the counter estimates.
func ForModel(name string) Counter {
	if e, ok := lookup(name, encodings); ok {
		e.load()
		return e
	}
	return Estimate{}
}

// entry holds a value for a family of models. The prefix stands for the name itself and
// for the name with a suffix such as "-mini", "-2024-08-06", ":20b" or "@latest"; "gpt-4"
// does not stand for "gpt-4o" or "gpt-4.1".
type entry[T any] struct {
	prefix string
	value  T
}

// encodings are the tokenizers of models. Source: the table of models in
// OpenAI's tiktoken, and OpenAI's model pages. The open models gpt-oss use
// o200k with further control tokens, which do not occur in text.
var encodings = []entry[*encoding]{
	{"gpt-5", o200k},
	{"gpt-5.1", o200k},
	{"gpt-5.2", o200k},
	{"gpt-4.5", o200k},
	{"gpt-4.1", o200k},
	{"gpt-4o", o200k},
	{"chatgpt-4o", o200k},
	{"gpt-oss", o200k},
	{"o1", o200k},
	{"o3", o200k},
	{"o4", o200k},

	{"gpt-4", cl100k},
	{"gpt-3.5", cl100k},
	{"gpt-35", cl100k}, // the spelling of Azure
	{"text-embedding-ada-002", cl100k},
	{"text-embedding-3", cl100k},
}

// lookup returns the value of the longest prefix in the table that stands for the model.
func lookup[T any](model string, table []entry[T]) (T, bool) {
	model = family(model)
	var best T
	longest := 0
	for _, e := range table {
		if len(e.prefix) > longest && names(e.prefix, model) {
			best, longest = e.value, len(e.prefix)
		}
	}
	return best, longest > 0
}

// family strips what routers put around the name of a model: the provider
// ("openai/gpt-4o", "openai:gpt-4o") and the mark of a fine-tuned model
// ("ft:gpt-4o-mini-2024-07-18:team::id").
func family(model string) string {
	model = strings.ToLower(strings.TrimSpace(model))
	model = model[strings.LastIndexByte(model, '/')+1:]
	for _, p := range []string{"openai:", "azure:", "ollama:", "anthropic:", "google:", "ft:"} {
		model = strings.TrimPrefix(model, p)
	}
	return model
}

// names reports whether a prefix stands for a model.
func names(prefix, model string) bool {
	rest, ok := strings.CutPrefix(model, prefix)
	return ok && (rest == "" || strings.IndexByte("-:@", rest[0]) >= 0)
}
