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

// answerTokens is what an answer to an agent costs where it names no budget: what ten
// short facts or a few longer texts need, and little enough for a small window.
const answerTokens = 1500

// hitFrame is what stands around the text of a hit in an answer: its id, scope and date;
// answerFrame what stands around all of them. Both are in tokens.
const (
	hitFrame    = 50
	answerFrame = 100
)

// budget is what the texts of an answer may cost, and what each costs besides.
type budget struct{ tokens, each int } // 0 tokens: no bound

// budgetFor is the budget of an answer where a caller names so many tokens, 0 for none. An
// agent that names none pays for what stands around the texts from the same purse.
func budgetFor(env *operation.Env, named int) budget {
	if named == 0 && env.Origin == strata.OriginTool {
		return budget{answerTokens - answerFrame, hitFrame}
	}
	return budget{tokens: named}
}

// cursorOf writes the place behind a page as it is passed back, with a mark of what was asked
// for: in the answers to something else it is no place.
func cursorOf(offset int, asked ...string) string { return fmt.Sprintf("%d-%s", offset, mark(asked)) }

// offsetOf reads what cursorOf wrote, or a bare number; empty is the beginning.
func offsetOf(op, cursor string, asked ...string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	number, marked, isMarked := strings.Cut(cursor, "-")
	n, err := strconv.Atoi(number)
	switch {
	case err != nil || n < 0 || n > strata.MaxOffset:
		return 0, strata.Invalid(op, "no such cursor: "+operation.Clip(cursor), "pass next_cursor of the answer before, or leave it out")
	case isMarked && marked != mark(asked):
		return 0, strata.Invalid(op, "the cursor "+operation.Clip(cursor)+" belongs to another call", "pass it with the input of the call that it came from, or leave it out")
	}
	return n, nil
}

// mark tells what was asked for from nearly everything else, in four characters.
func mark(asked []string) string {
	return fmt.Sprintf("%04x", uint16(crc32.ChecksumIEEE([]byte(strings.Join(asked, "\x00")))))
}

// page chooses the texts from an offset on that fit into a limit and a budget. At least one
// is on every page, so that whoever turns pages comes to an end.
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

// cost is what a text costs as it is shown, in tokens: a character that is shown by its code
// costs several.
func cost(s string) int { return token.Count(fence.Line(s)) }

// fit returns a text and 0, or of one that is too long for a page its beginning, up to the
// end of a word, and the length of the whole in bytes.
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

// mostTokenBytes is how long tokens are at most on average, in bytes, where it is looked
// for the end of what fits.
const mostTokenBytes = 16

// aPart says of a fact or a section that it was cut.
const aPart = "a part of it; a question about the rest finds that"
