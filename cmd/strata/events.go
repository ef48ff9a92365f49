package main

import (
	"context"
	"strconv"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

// opEvents is the operation that can follow its output.
const opEvents = "events"

// eventsEvery is how often the log is checked.
const eventsEvery = time.Second

// checkFollow returns an error if the output cannot be followed: a single JSON document
// ends.
func (c *opCommand) checkFollow() error {
	if c.follow && c.app.out.Format == output.JSON {
		return strata.Invalid("", "--follow writes without end, but a JSON document must end", "use -o jsonl")
	}
	return nil
}

// followEvents prints new events after those already printed, whichever process they
// happen in, until it is interrupted.
func (c *opCommand) followEvents(ctx context.Context, env *operation.Env, seen upkeep.Events) error {
	in := *c.in.(*upkeep.EventsIn)
	tick := time.NewTicker(eventsEvery)
	defer tick.Stop()
	for {
		in.Since = strconv.FormatInt(seen.Next, 10)
		out, err := c.op.Run(ctx, env, &in)
		if ctx.Err() != nil {
			return nil // an interrupt ends it normally
		}
		if err != nil {
			return err
		}
		seen = out.(upkeep.Events)
		if len(seen.Events) > 0 {
			if err := c.app.out.Print(seen); err != nil {
				return err
			}
			continue // there may be more than one list holds
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
