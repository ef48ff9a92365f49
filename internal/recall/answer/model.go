package answer

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/llm"
)

// The prompt is a file, so that it can be read and reviewed as prose.
//
//go:embed instructions.md
var instructions string

const (
	// modelTimeout bounds the call, since the asker waits for it.
	modelTimeout = time.Minute
	// modelWindow is the context window that the model is asked to have, in tokens:
	// enough for the longest request and the answer.
	modelWindow = 8192
	// maxReplyTokens bounds the answer, with room for a model that counts badly. maxReply
	// is the longest reply to accept, in bytes.
	maxReplyTokens = 400
	maxReply       = 16 << 10
	// evidenceChars and questionChars are how much of each piece of evidence and of the
	// question the model is given, in characters.
	evidenceChars = 2000
	questionChars = 2000
)

var (
	errTooLong    = errors.New("it answered at length")
	errNoCitation = errors.New("nothing that it answered cites what it rests on")
)

// byModel asks a model to answer, and keeps the sentences that pass the check.
func (b basis) byModel(ctx context.Context, model llm.Chat) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, modelTimeout)
	defer cancel()
	var zero float64
	size := 0
	reply, err := model.Chat(ctx, llm.Request{
		Messages:  []llm.Message{{Role: strata.RoleSystem, Text: instructions}, {Role: strata.RoleUser, Text: b.material()}},
		MaxTokens: maxReplyTokens, Window: modelWindow, Temperature: &zero,
	}, func(d llm.Delta) error {
		if size += len(d.Text) + len(d.Reasoning); size > maxReply {
			return errTooLong
		}
		return nil
	})
	if err != nil {
		return Answer{}, err
	}
	if len(reply.Message.Text) > maxReply {
		return Answer{}, errTooLong
	}
	out, ok := b.checked(reply.Message.Text)
	if !ok {
		return Answer{}, errNoCitation
	}
	out.Model = model.Model()
	return out, nil
}

// material returns what the model is given: the question, and the evidence between two
// lines that no evidence can imitate.
func (b basis) material() string {
	var evidence strings.Builder
	for _, c := range b.evidence {
		about := []string{day(c.At), c.Scope.Key(), string(c.Kind)}
		if c.Kind == strata.KindTurn {
			who := c.Speaker
			if who == "" {
				who = string(c.Role)
			}
			about = append(about, "said by "+fence.Line(who))
		}
		for _, n := range c.Notes {
			about = append(about, fence.Line(n))
		}
		fmt.Fprintf(&evidence, "[%d] (%s) %s\n", c.Number, strings.Join(about, "; "), fence.Cut(fence.Line(bestPart(c.Hit)), evidenceChars))
	}
	sum := sha256.Sum256([]byte(evidence.String()))
	id := hex.EncodeToString(sum[:8])
	return fmt.Sprintf("It is %s. The question:\n%s\n\n%s\n%s%s\n", day(b.asked), fence.Cut(fence.Line(b.question), questionChars),
		fence.Open("evidence", id), evidence.String(), fence.Close("evidence", id))
}
