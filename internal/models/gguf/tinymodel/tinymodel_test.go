package tinymodel

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/models/gguf"
)

func TestTheSeedDecidesTheFile(t *testing.T) {
	for name, make := range map[string]func(uint64) *gguf.File{"chat": Chat, "embed": Embed} {
		t.Run(name, func(t *testing.T) {
			first := encode(t, make(1))
			if !bytes.Equal(first, encode(t, make(1))) {
				t.Error("the same seed made two files")
			}
			if bytes.Equal(first, encode(t, make(2))) {
				t.Error("two seeds made the same file")
			}
			if size := len(first); size < 300_000 || size > 600_000 {
				t.Errorf("the file has %d bytes, of 300,000 to 600,000", size)
			}
		})
	}
}

// TestMetadataAndTensorsAgree checks what the server relies on: that each
// measure said in the metadata is that of the tensors.
func TestMetadataAndTensorsAgree(t *testing.T) {
	for name, f := range map[string]*gguf.File{"llama": Chat(1), "bert": Embed(1)} {
		t.Run(name, func(t *testing.T) {
			if got := entry[string](t, f, "general.architecture"); got != name {
				t.Fatalf("architecture %s", got)
			}
			width := int(entry[uint32](t, f, name+".embedding_length"))
			tokens := entry[[]string](t, f, "tokenizer.ggml.tokens")
			if got := shape(t, f, "token_embd.weight"); !slices.Equal(got, []int{width, len(tokens)}) {
				t.Errorf("the embedding has shape %v for %d tokens of width %d", got, len(tokens), width)
			}
			if got := len(entry[[]int32](t, f, "tokenizer.ggml.token_type")); got != len(tokens) {
				t.Errorf("%d types for %d tokens", got, len(tokens))
			}
			if got := shape(t, f, "blk.0.ffn_up.weight"); got[1] != int(entry[uint32](t, f, name+".feed_forward_length")) {
				t.Errorf("the inner layer has shape %v", got)
			}
			layers := 0
			for _, tensor := range f.Tensors {
				if strings.HasSuffix(tensor.Name, ".attn_q.weight") {
					layers++
				}
			}
			if layers != int(entry[uint32](t, f, name+".block_count")) {
				t.Errorf("%d layers", layers)
			}
			seen := make(map[string]bool)
			for _, token := range tokens {
				if seen[token] {
					t.Errorf("token %q is there twice", token)
				}
				seen[token] = true
			}
		})
	}
}

// TestEveryWordCanBeBuilt checks that the tokenizer, which joins two tokens at
// a time, can reach every word of the chat model.
func TestEveryWordCanBeBuilt(t *testing.T) {
	v := chatVocabulary()
	for _, w := range words {
		for i := 1; i <= len(w); i++ {
			if !v.known[space+w[:i]] {
				t.Errorf("%q has no token for its beginning %q", w, w[:i])
			}
		}
	}
	for b := range 256 {
		if v.types[9+b] != kindByte {
			t.Fatalf("token %d, for byte %d, has kind %d", 9+b, b, v.types[9+b])
		}
	}
}

func TestLayersLeaveTheAnchorAlone(t *testing.T) {
	for _, tensor := range Chat(1).Tensors {
		switch {
		case tensor.Name == "token_embd.weight":
			for row := range tensor.Shape[1] {
				if got := tensor.Data[row*tensor.Shape[0]]; got != chatAnchor {
					t.Fatalf("token %d begins with %v", row, got)
				}
			}
		case strings.HasSuffix(tensor.Name, "attn_output.weight"), strings.HasSuffix(tensor.Name, "ffn_down.weight"):
			for _, x := range tensor.Data[:tensor.Shape[0]] {
				if x != 0 {
					t.Fatalf("%s adds to the anchor", tensor.Name)
				}
			}
		}
	}
}

func TestWeightsAreNumbers(t *testing.T) {
	for _, f := range []*gguf.File{Chat(3), Embed(3)} {
		for _, tensor := range f.Tensors {
			for _, x := range tensor.Data {
				if math.IsNaN(float64(x)) || math.Abs(float64(x)) > 10 {
					t.Fatalf("%s has a weight of %v", tensor.Name, x)
				}
			}
		}
	}
}

func encode(t *testing.T, f *gguf.File) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := f.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func entry[T any](t *testing.T, f *gguf.File, key string) T {
	t.Helper()
	for _, e := range f.Metadata {
		if v, ok := e.Value.(T); ok && e.Key == key {
			return v
		}
	}
	t.Fatalf("no entry %s of that type", key)
	panic("unreachable")
}

func shape(t *testing.T, f *gguf.File, name string) []int {
	t.Helper()
	for _, tensor := range f.Tensors {
		if tensor.Name == name {
			return tensor.Shape
		}
	}
	t.Fatalf("no tensor %s", name)
	return nil
}
