// Package grounding has a model write from facts and checks whether the result follows
// from them. Summaries and skills are written this way.
package grounding

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
	"github.com/strata-memory/strata/llm"
)

const (
	// modelTimeout bounds a call.
	modelTimeout = 2 * time.Minute
	// modelWindow is the context window that the model is asked to have, in tokens.
	modelWindow = 16_384
	// maxAnswerTokens bounds the answer, and maxAnswer is the longest answer to accept,
	// in bytes.
	maxAnswerTokens = 3000
	maxAnswer       = 64 << 10
	// minGrounded is the least share of a text's words that its facts must have.
	minGrounded = 0.6
)

// FactChars is how much of each fact a model is given, in characters.
const FactChars = 300

// Prompt tells a model what to write and in which form.
type Prompt struct {
	Instructions string
	Schema       string // JSON schema of the answer
	Repair       string // asks again if the answer cannot be read
}

// Ask has a model write from material, which it places between lines that material cannot
// imitate. read parses the answer; if it fails, Ask asks the model once more. The error
// says why the answer is not used.
func (p Prompt) Ask(ctx context.Context, model llm.Chat, material string, read func(answer string) error) error {
	sum := sha256.Sum256([]byte(material))
	id := hex.EncodeToString(sum[:8])
	return llm.AskObject(ctx, model, llm.ObjectRequest{
		Instructions: p.Instructions, Material: fence.Open("memory", id) + "\n" + material + fence.Close("memory", id) + "\n",
		Schema: p.Schema, Repair: p.Repair,
		MaxTokens: maxAnswerTokens, Window: modelWindow, MaxBytes: maxAnswer, Timeout: modelTimeout,
	}, read)
}

// Facts are the facts that a model writes from. It refers to them by number, from 1.
type Facts []strata.Fact

// String lists the facts as a model reads them, one a line with its number.
func (fs Facts) String() string {
	var b strings.Builder
	for i, f := range fs {
		fmt.Fprintf(&b, "%d. (%s, %s) %s\n", i+1, f.Type, f.RecordedAt.Format(time.DateOnly), fence.Cut(fence.Line(f.Text), FactChars))
	}
	return b.String()
}

var numbers = lazyregexp.New(`\d+`)

// Support returns the facts with the given numbers if said is at most most bytes long and
// follows from them: they must have most of its words and all of its numbers. Otherwise
// the error says what is wrong with the text.
func (fs Facts) Support(said string, named []int, most int) ([]strata.Fact, error) {
	var support []strata.Fact
	var material strings.Builder
	for _, n := range named {
		if n < 1 || n > len(fs) {
			return nil, fmt.Errorf("there is no fact %d", n)
		}
		support = append(support, fs[n-1])
		material.WriteString(fs[n-1].Text + "\n")
	}
	all := material.String()
	switch {
	case len(support) == 0:
		return nil, errors.New("it names no fact")
	case Plain(said) == "" || len(said) > most:
		return nil, errors.New("it is empty or too long")
	case !Safe(said):
		return nil, errors.New("it holds a secret or an instruction to the reader")
	case text.Grounding(said, text.Vocabulary(all)) < minGrounded:
		return nil, fmt.Errorf("its facts do not say %q", text.Clip(Plain(said), 80))
	}
	told := numbers.FindAllString(all, -1)
	for _, n := range numbers.FindAllString(said, -1) {
		if !slices.Contains(told, n) {
			return nil, fmt.Errorf("its facts do not say %s", n)
		}
	}
	return support, nil
}

// Plain returns a text on one line that cannot end a comment or begin a heading.
func Plain(s string) string {
	return strings.TrimLeft(strings.NewReplacer("<!--", "", "-->", "").Replace(fence.Line(strings.ToValidUTF8(s, ""))), "#->* ")
}

// Safe reports whether a text may be part of a prompt: it holds no secret and no
// instruction to its reader.
func Safe(s string) bool { return len(secrets.Scan(s)) == 0 && len(secrets.Threats(s)) == 0 }
