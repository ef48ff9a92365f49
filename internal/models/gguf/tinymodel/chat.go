package tinymodel

import (
	"fmt"
	"math"

	"github.com/strata-memory/strata/internal/models/gguf"
)

// The dimensions of the chat model.
const (
	// ChatContext is the longest conversation that the model accepts, in tokens.
	ChatContext = 4096

	chatWidth   = 48
	chatLayers  = 2
	chatHeads   = 3
	chatKVHeads = 1
	chatHead    = chatWidth / chatHeads
	chatInner   = 96

	// chatAnchor is the first number of every token's embedding. No layer changes it, so
	// its share of the output is the same at every step: the base rate of each token.
	chatAnchor = 4
	// chatNoise is how much the conversation shifts a token's logit.
	chatNoise = 1.5
)

// ChatTemplate is the template by which the Ollama server lays out a conversation for the
// chat model. It mentions tools and tool calls, so the server accepts both.
const ChatTemplate = `{{- if .Tools }}<|system|>tools:{{ range .Tools }} {{ .Function }}{{ end }}<|end|>{{ end }}
{{- range .Messages }}<|{{ .Role }}|>{{ .Content }}
{{- if .ToolCalls }}<tool_call>
{{- range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}{{ end }}</tool_call>
{{- end }}<|end|>
{{- end }}<|assistant|>`

// Chat returns a model of the llama family.
func Chat(seed uint64) *gguf.File {
	v := chatVocabulary()
	return &gguf.File{
		Metadata: []gguf.Entry{
			{Key: "general.architecture", Value: "llama"},
			{Key: "general.name", Value: "strata-tiny-chat"},
			{Key: "general.file_type", Value: uint32(0)}, // all float32
			{Key: "llama.vocab_size", Value: uint32(len(v.tokens))},
			{Key: "llama.context_length", Value: uint32(ChatContext)},
			{Key: "llama.embedding_length", Value: uint32(chatWidth)},
			{Key: "llama.block_count", Value: uint32(chatLayers)},
			{Key: "llama.feed_forward_length", Value: uint32(chatInner)},
			{Key: "llama.attention.head_count", Value: uint32(chatHeads)},
			{Key: "llama.attention.head_count_kv", Value: uint32(chatKVHeads)},
			{Key: "llama.attention.layer_norm_rms_epsilon", Value: float32(1e-5)},
			{Key: "llama.rope.dimension_count", Value: uint32(chatHead)},
			{Key: "llama.rope.freq_base", Value: float32(10000)},
			{Key: "tokenizer.ggml.model", Value: "llama"},
			{Key: "tokenizer.ggml.tokens", Value: v.tokens},
			{Key: "tokenizer.ggml.scores", Value: v.scores},
			{Key: "tokenizer.ggml.token_type", Value: v.types},
			{Key: "tokenizer.ggml.unknown_token_id", Value: uint32(chatUnknown)},
			{Key: "tokenizer.ggml.bos_token_id", Value: uint32(chatBegin)},
			{Key: "tokenizer.ggml.eos_token_id", Value: uint32(chatEnd)},
			{Key: "tokenizer.ggml.add_bos_token", Value: true},
			{Key: "tokenizer.ggml.add_eos_token", Value: false},
		},
		Tensors: chatTensors(newDice(seed), v),
	}
}

func chatTensors(d dice, v vocabulary) []gguf.Tensor {
	embedding := d.normal("token_embd.weight", 1, chatWidth, len(v.tokens))
	setColumn(embedding, func(int) float64 { return chatAnchor })
	tensors := []gguf.Tensor{
		embedding,
		constant("output_norm.weight", 1, chatWidth),
		chatOutput(d, v),
	}
	for i := range chatLayers {
		name := func(part string) string { return fmt.Sprintf("blk.%d.%s.weight", i, part) }
		tensors = append(tensors,
			constant(name("attn_norm"), 1, chatWidth),
			d.linear(name("attn_q"), chatWidth, chatHeads*chatHead),
			d.linear(name("attn_k"), chatWidth, chatKVHeads*chatHead),
			d.linear(name("attn_v"), chatWidth, chatKVHeads*chatHead),
			withoutAnchor(d.linear(name("attn_output"), chatWidth, chatWidth)),
			constant(name("ffn_norm"), 1, chatWidth),
			d.linear(name("ffn_gate"), chatWidth, chatInner),
			d.linear(name("ffn_up"), chatWidth, chatInner),
			withoutAnchor(d.linear(name("ffn_down"), chatInner, chatWidth)),
		)
	}
	return tensors
}

// chatOutput returns the layer that turns the last state into logits. That state has been
// scaled to a mean square of 1, in which the anchor is about 2.5.
func chatOutput(d dice, v vocabulary) gguf.Tensor {
	const anchor = 2.5
	t := d.normal("output.weight", chatNoise/math.Sqrt(chatWidth), chatWidth, len(v.tokens))
	setColumn(t, func(token int) float64 { return v.rates[token] / anchor })
	return t
}

// setColumn sets the first number of each row.
func setColumn(t gguf.Tensor, value func(row int) float64) {
	width := t.Shape[0]
	for row := range len(t.Data) / width {
		t.Data[row*width] = float32(value(row))
	}
}

// withoutAnchor clears the first row, so that the layer adds nothing to the anchor.
func withoutAnchor(t gguf.Tensor) gguf.Tensor {
	clear(t.Data[:t.Shape[0]])
	return t
}
