package token

import "testing"

func TestForModelKnowsTheTokenizersOfKnownModels(t *testing.T) {
	tests := []struct {
		model string
		want  Counter
	}{
		{"gpt-4o", o200k},
		{"gpt-4o-mini-2024-07-18", o200k},
		{"GPT-4o", o200k},
		{"openai/gpt-4o", o200k},
		{"openai:gpt-4.1-nano", o200k},
		{"ft:gpt-4o-mini-2024-07-18:team::abc", o200k},
		{"chatgpt-4o-latest", o200k},
		{"gpt-4.1", o200k},
		{"gpt-5", o200k},
		{"gpt-5-mini", o200k},
		{"gpt-oss:20b", o200k},
		{"o1-preview", o200k},
		{"o3", o200k},
		{"o4-mini", o200k},
		{"gpt-4", cl100k},
		{"gpt-4-turbo", cl100k},
		{"gpt-4-0613", cl100k},
		{"gpt-3.5-turbo-16k", cl100k},
		{"gpt-35-turbo", cl100k},
		{"text-embedding-ada-002", cl100k},
		{"text-embedding-3-small", cl100k},

		{"", Estimate{}},
		{"gpt", Estimate{}},
		{"gpt-4all", Estimate{}},
		{"gpt-4.9", Estimate{}},
		{"gpt4all", Estimate{}},
		{"o1js", Estimate{}},
		{"o3000", Estimate{}},
		{"llama3.1:8b", Estimate{}},
		{"qwen2.5-coder", Estimate{}},
		{"claude-sonnet-4-5", Estimate{}},
		{"nomic-embed-text", Estimate{}},
		{"text-embedding-004", Estimate{}},
	}
	for _, tt := range tests {
		t.Run(tt.model, func(t *testing.T) {
			got := ForModel(tt.model)
			if got != tt.want {
				t.Errorf("ForModel(%q) = %T", tt.model, got)
			}
		})
	}
}

func TestWindow(t *testing.T) {
	tests := []struct {
		model string
		want  int // 0: not known
	}{
		{"gpt-4o", 128_000},
		{"gpt-4o-mini", 128_000},
		{"gpt-4", 8_192},
		{"gpt-4-0613", 8_192},
		{"gpt-4-turbo-2024-04-09", 128_000},
		{"gpt-4-32k", 32_768},
		{"gpt-4.1-mini", 1_047_576},
		{"gpt-3.5-turbo", 16_385},
		{"gpt-3.5-turbo-instruct", 4_096},
		{"openai/gpt-5-mini", 400_000},
		{"o3-mini", 200_000},
		{"o1-mini", 128_000},
		{"claude-3-5-sonnet-20241022", 200_000},
		{"gemini-2.5-flash", 1_048_576},

		{"", 0},
		{"gpt-4all", 0},
		{"llama3.1:8b", 0}, // the server decides
		{"gpt-oss:20b", 0}, // the server decides
		{"my-model", 0},
	}
	for _, tt := range tests {
		got, known := Window(tt.model)
		if got != tt.want || known != (tt.want > 0) {
			t.Errorf("Window(%q) = %d, %v, want %d", tt.model, got, known, tt.want)
		}
	}
}
