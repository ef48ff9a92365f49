package tinymodel

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The kinds of tokens, by their numbers in the format.
const (
	kindNormal  = 1
	kindUnknown = 2
	kindControl = 3 // never part of a text
	kindUser    = 4 // a text that is always one token
	kindByte    = 6
)

// The first tokens of the chat model.
const (
	chatUnknown = 0
	chatBegin   = 1
	chatEnd     = 2
)

// Base rates of the tokens of the chat model, as logits. With the server's usual sampling
// from the 40 likeliest tokens, an answer has 25 words on average.
const (
	rateNever = -12.0 // control tokens and bytes, which are not text
	ratePiece = -4.0  // the beginning of a word
	rateChar  = -1.0
	rateWord  = 2.0
	rateEnd   = 5.0
)

// vocabulary is the set of tokens of a model, with what the server's tokenizer and the
// weights need to know about each.
type vocabulary struct {
	tokens []string
	types  []int32
	scores []float32 // the tokenizer merges the highest first
	rates  []float64

	known map[string]bool
}

// chatVocabulary returns control tokens, a token for each byte, characters and words. The
// tokenizer builds words by repeatedly joining two adjacent tokens, so every beginning of
// a word is a token too.
func chatVocabulary() vocabulary {
	v := vocabulary{known: make(map[string]bool)}
	v.add("<unk>", kindUnknown, rateNever)
	v.add("<s>", kindControl, rateNever)
	v.add("<|end|>", kindControl, rateEnd)
	for _, role := range []string{"system", "user", "assistant", "tool"} {
		v.add("<|"+role+"|>", kindControl, rateNever)
	}
	v.add("<tool_call>", kindUser, rateNever)
	v.add("</tool_call>", kindUser, rateNever)
	for b := range 256 {
		v.add(fmt.Sprintf("<0x%02X>", b), kindByte, rateNever)
	}
	v.add(space, kindNormal, rateChar)
	for _, r := range letters + strings.ToUpper(letters) {
		v.add(string(r), kindNormal, rateChar)
	}
	for _, w := range words {
		v.add(space+w, kindNormal, rateWord)
	}
	for _, w := range words {
		for i := 1; i < len(w); i++ {
			v.add(space+w[:i], kindNormal, ratePiece)
		}
	}
	return v
}

// add appends a token unless it is there. Longer tokens win a merge.
func (v *vocabulary) add(token string, kind int32, rate float64) {
	if v.known[token] {
		return
	}
	v.known[token] = true
	v.tokens = append(v.tokens, token)
	v.types = append(v.types, kind)
	v.rates = append(v.rates, rate)
	score := float32(0)
	if kind == kindNormal {
		score = float32(utf8.RuneCountInString(token) - 100)
	}
	v.scores = append(v.scores, score)
}
