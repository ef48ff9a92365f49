package ops

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// BatchItem is one statement of a batch, with its own scope if it has one.
type BatchItem struct {
	Statement
	Scope string `json:"scope,omitempty" doc:"scope that will own it, as for --scope (default: as for save)"`
}

// BatchIn is the input of save_batch.
type BatchIn struct {
	Items []BatchItem `json:"items" opt:"required" doc:"the statements, at most 10,000"`
}

// Batch reports what became of each statement of a batch.
type Batch struct {
	Decisions []Saved `json:"decisions" doc:"one for each statement, in order"`
}

func saveBatch() operation.Operation {
	return operation.Op[BatchIn, Batch]{
		Info: operation.Info{
			Name:    "save_batch",
			Summary: "Remember many statements at once",
			Description: "Saves statements in one transaction, with one decision for each. A statement that cannot be accepted is rejected with the reason, " +
				"and the others are still saved. An item that is out of date or names something that does not exist ends the batch: nothing is saved," +
				" and the error names the item.",
			Examples: []operation.Example{
				{Doc: "two statements", Input: `{"items": [{"content": "Lunch is at noon"}, {"content": "The staging host is stage-1", "type": "reference"}]}`},
			},
		},
		Handle: handleBatch,
	}
}

func handleBatch(ctx context.Context, env *operation.Env, in BatchIn) (Batch, error) {
	if len(in.Items) > strata.MaxBatch {
		return Batch{}, &strata.Error{
			Code: strata.CodeTooLarge, Op: "save_batch", Hint: "send it in several batches",
			Message: fmt.Sprintf("the batch holds %d statements, more than %d", len(in.Items), strata.MaxBatch),
		}
	}
	out := Batch{Decisions: make([]Saved, len(in.Items))}
	var good []strata.Candidate
	var places []int // index in the batch of each valid candidate
	for i, item := range in.Items {
		c, err := item.candidate(ctx, env)
		if err != nil {
			out.Decisions[i] = Rejected(err)
			continue
		}
		good, places = append(good, c), append(places, i)
	}
	if len(good) == 0 {
		return out, nil
	}
	decided, err := env.Engine.WriteBatch(ctx, good)
	if err != nil {
		return Batch{}, ofItem(err, places)
	}
	for i, d := range decided {
		out.Decisions[places[i]] = savedOf(d)
	}
	return out, nil
}

// ofItem names the batch item that an error belongs to, if it belongs to one. places
// holds the index of each candidate in the batch.
func ofItem(err error, places []int) error {
	var ended *engine.BatchError
	var known *strata.Error
	if !errors.As(err, &ended) || !errors.As(err, &known) {
		return err
	}
	named := *known
	named.Message = fmt.Sprintf("item %d: %s", places[ended.Index]+1, known.Message)
	return &named
}

// candidate converts the statement to a candidate, in the item's own scope if it has one.
func (b BatchItem) candidate(ctx context.Context, env *operation.Env) (strata.Candidate, error) {
	if b.Scope != "" {
		scope, err := env.Target(ctx, b.Scope)
		if err != nil {
			return strata.Candidate{}, err
		}
		own := *env
		own.Scope = scope
		env = &own
	}
	for _, f := range schema.Of(reflect.TypeFor[Statement]()) {
		if err := f.Check(&b.Statement); err != nil {
			return strata.Candidate{}, strata.Invalid("save_batch", err.Error(), "")
		}
	}
	return b.Statement.candidate(env)
}

// Rejected returns the result for a statement of a batch that was rejected.
func Rejected(err error) Saved {
	reason := err.Error()
	var known *strata.Error
	if errors.As(err, &known) && known.Message != "" {
		reason = known.Message
	}
	return Saved{Decision: strata.OpReject, Reason: reason}
}
