package main

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// misspell swaps two letters in the middle of the two longest words of a
// question, as fingers do.
func misspell(question string) string {
	words := strings.Fields(question)
	order := make([]int, len(words))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return utf8.RuneCountInString(words[b]) - utf8.RuneCountInString(words[a])
	})
	for _, i := range order[:min(2, len(order))] {
		letters := []rune(words[i])
		for at := len(letters) / 2; at > 1; at-- {
			if letters[at] != letters[at-1] {
				letters[at], letters[at-1] = letters[at-1], letters[at]
				break
			}
		}
		words[i] = string(letters)
	}
	return strings.Join(words, " ")
}
