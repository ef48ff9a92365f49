package ops

import (
	"fmt"
	"hash/crc32"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text/token"
)

// answerTokens is the budget of an answer to an agent that names none: enough for ten
// short facts or a few longer texts, and small enough for a small context window.
const answerTokens = 1500

// hitFrame is the cost of what surrounds the text of a hit in an answer: its id, scope
// and date. answerFrame is the cost of what surrounds all of them. Both are in tokens.
const (
	hitFrame    = 50
	answerFrame = 100
)

// budget is what the texts of an answer may cost together, and the extra cost of each.
type budget struct{ tokens, each int } // 0 tokens: no bound

// budgetFor returns the budget of an answer for a caller who named so many tokens; 0
// means that none were named. For an agent that names none, the budget also covers what
// surrounds the texts.
func budgetFor(env *operation.Env, named int) budget {
	if named == 0 && env.Origin == strata.OriginTool {
		return budget{answerTokens - answerFrame, hitFrame}
	}
	return budget{tokens: named}
}

// cursorOf returns a cursor for the end of a page. It contains a checksum of the request,
// so that it is not accepted for another one.
func cursorOf(offset int, asked ...string) string { return fmt.Sprintf("%d-%s", offset, mark(asked)) }

// offsetOf parses a cursor from cursorOf, or a bare number; empty means the beginning.
func offsetOf(op, cursor string, asked ...string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	number, marked, isMarked := strings.Cut(cursor, "-")
	n, err := strconv.Atoi(number)
	switch {
	case err != nil || n < 0 || n > strata.MaxOffset:
		return 0, strata.Invalid(op, "no such cursor: "+operation.Clip(cursor), "pass next_cursor of the previous answer, or leave it out")
	case isMarked && marked != mark(asked):
		return 0, strata.Invalid(op, "the cursor "+operation.Clip(cursor)+" belongs to another call", "pass it with the input of the call it came from, or leave it out")
	}
	return n, nil
}

// mark returns a checksum of a request, in four hexadecimal digits.
func mark(asked []string) string {
	return fmt.Sprintf("%04x", uint16(crc32.ChecksumIEEE([]byte(strings.Join(asked, "\x00")))))
}

// page chooses the texts from an offset on that fit a limit and a budget. Every page has
// at least one text, so that paging comes to an end.
func page(texts []string, offset, limit int, b budget) (from, to, tokens int) {
	from = min(offset, len(texts))
	for to = from; to < len(texts) && to-from < limit; to++ {
		n := cost(texts[to]) + b.each
		if b.tokens > 0 && to > from && tokens+n > b.tokens {
			break
		}
		tokens += n
	}
	return from, to, tokens
}

// cost returns what a text costs as it is shown, in tokens. An escaped character costs
// several.
func cost(s string) int { return token.Count(fence.Line(s)) }

// fit returns a text and 0 if it fits on a page. Otherwise it returns its beginning, cut
// at a word if possible, and the length of the whole in bytes.
func (b budget) fit(s string) (shown string, length int) {
	most := b.tokens - b.each
	if b.tokens == 0 || 2*len(s) <= most || cost(s) <= most {
		return s, 0
	}
	n := sort.Search(min(len(s), mostTokenBytes*max(most, 1)), func(n int) bool { return cost(s[:n+1]) >= most })
	if at := strings.LastIndexFunc(s[:n], unicode.IsSpace); at > n/2 {
		n = at
	}
	return strings.ToValidUTF8(strings.TrimSpace(s[:n]), "") + "…", len(s)
}

// mostTokenBytes bounds the average length of a token, in bytes, in the search for where
// to cut.
const mostTokenBytes = 16

// aPart is the note on a fact or section that was cut.
const aPart = "only a part; a question about the rest finds it"
