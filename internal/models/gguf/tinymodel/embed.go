package tinymodel

import (
	"fmt"

	"github.com/strata-memory/strata/internal/models/gguf"
)

// The dimensions of the embedding model.
const (
	// EmbedContext is the longest text that the model accepts, in tokens, including the
	// two at its ends.
	EmbedContext = 512
	// EmbedDimensions is the length of its vectors.
	EmbedDimensions = 64

	embedLayers = 1
	embedHeads  = 4
	embedInner  = 256

	// poolingMean says that the vector of a text is the mean over all of its tokens.
	poolingMean = 1
)

// The first tokens of the embedding model.
const (
	embedPad     = 0
	embedUnknown = 1
	embedBegin   = 2
	embedEnd     = 3
)

// Embed returns a model of the BERT family.
func Embed(seed uint64) *gguf.File {
	tokens, types := embedVocabulary()
	return &gguf.File{
		Metadata: []gguf.Entry{
			{Key: "general.architecture", Value: "bert"},
			{Key: "general.name", Value: "strata-tiny-embed"},
			{Key: "general.file_type", Value: uint32(0)}, // all float32
			{Key: "bert.context_length", Value: uint32(EmbedContext)},
			{Key: "bert.embedding_length", Value: uint32(EmbedDimensions)},
			{Key: "bert.block_count", Value: uint32(embedLayers)},
			{Key: "bert.feed_forward_length", Value: uint32(embedInner)},
			{Key: "bert.attention.head_count", Value: uint32(embedHeads)},
			{Key: "bert.attention.layer_norm_epsilon", Value: float32(1e-12)},
			{Key: "bert.attention.causal", Value: false},
			{Key: "bert.pooling_type", Value: uint32(poolingMean)},
			{Key: "tokenizer.ggml.model", Value: "bert"},
			{Key: "tokenizer.ggml.tokens", Value: tokens},
			{Key: "tokenizer.ggml.token_type", Value: types},
			{Key: "tokenizer.ggml.token_type_count", Value: uint32(2)},
			{Key: "tokenizer.ggml.padding_token_id", Value: uint32(embedPad)},
			{Key: "tokenizer.ggml.unknown_token_id", Value: uint32(embedUnknown)},
			{Key: "tokenizer.ggml.cls_token_id", Value: uint32(embedBegin)},
			{Key: "tokenizer.ggml.seperator_token_id", Value: uint32(embedEnd)}, // the format spells it so
		},
		Tensors: embedTensors(newDice(seed), len(tokens)),
	}
}

// embedVocabulary returns control tokens, characters at the beginning and inside of a
// word, whole words and some endings.
func embedVocabulary() (tokens []string, types []int32) {
	v := vocabulary{known: make(map[string]bool)}
	for _, mark := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		v.add(mark, kindControl, 0)
	}
	for _, r := range letters {
		v.add(space+string(r), kindNormal, 0)
		v.add(string(r), kindNormal, 0)
	}
	for _, w := range words {
		v.add(space+w, kindNormal, 0)
	}
	for _, ending := range []string{"ed", "er", "es", "ing", "ly", "tion"} {
		v.add(ending, kindNormal, 0)
	}
	return v.tokens, v.types
}

// embedTensors returns the weights. Words weigh more than their places.
func embedTensors(d dice, vocabulary int) []gguf.Tensor {
	const width = EmbedDimensions
	tensors := []gguf.Tensor{
		d.normal("token_embd.weight", 1, width, vocabulary),
		d.normal("token_types.weight", 0.05, width, 2),
		d.normal("position_embd.weight", 0.05, width, EmbedContext),
		constant("token_embd_norm.weight", 1, width),
		constant("token_embd_norm.bias", 0, width),
	}
	for i := range embedLayers {
		name := func(part string) string { return fmt.Sprintf("blk.%d.%s", i, part) }
		layer := func(part string, in, out int) {
			tensors = append(tensors,
				d.linear(name(part+".weight"), in, out),
				constant(name(part+".bias"), 0, out))
		}
		norm := func(part string) {
			tensors = append(tensors,
				constant(name(part+".weight"), 1, width),
				constant(name(part+".bias"), 0, width))
		}
		layer("attn_q", width, width)
		layer("attn_k", width, width)
		layer("attn_v", width, width)
		layer("attn_output", width, width)
		norm("attn_output_norm")
		layer("ffn_up", width, embedInner)
		layer("ffn_down", embedInner, width)
		norm("layer_output_norm")
	}
	return tensors
}
