package sqlite

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
)

// Columns hold lists as JSON arrays that SQL can read, and an empty list as the
// empty string.

// encodeList returns list as JSON, or the empty string if it is empty.
func encodeList[T any](list []T) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	b, err := json.Marshal(list)
	return string(b), err
}

// listOfTexts is the inverse of [encodeList] for texts.
func listOfTexts(s string) ([]string, error) {
	if list, ok := plainList(s); ok {
		return list, nil
	}
	return decodeList[string](s)
}

// decodeList is the inverse of [encodeList]. The error has code corrupt if s is not
// JSON.
func decodeList[T any](s string) (list []T, err error) {
	if s != "" && json.Unmarshal([]byte(s), &list) != nil {
		return nil, &strata.Error{Code: strata.CodeCorrupt, Op: "read list", Message: "a stored list is not JSON",
			Hint: "strata doctor says what is damaged, strata reindex mends what is derived, strata salvage NEWHOME saves the rest"}
	}
	return list, nil
}

// plainList decodes a list written by [encodeList] if no string in it needs an
// escape, as in nearly all lists. Package json takes ten times as long, which is a
// quarter of the time in which a search reads its facts.
func plainList(s string) (list []string, ok bool) {
	inner, opened := strings.CutPrefix(s, `["`)
	inner, closed := strings.CutSuffix(inner, `"]`)
	if !opened || !closed || !utf8.ValidString(inner) {
		return nil, false
	}
	for i := range len(inner) {
		if inner[i] < ' ' || inner[i] == '\\' {
			return nil, false
		}
	}
	list = strings.Split(inner, `","`)
	return list, !slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, `"`) })
}
