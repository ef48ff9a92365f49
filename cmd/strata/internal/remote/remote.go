// Package remote runs operations on the server of a home, or in this process if the
// server does not.
package remote

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"reflect"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/client"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// Open opens the memory for an operation.
type Open func(ctx context.Context, info operation.Info) (*operation.Env, error)

// Env returns an environment in which a server runs the operations. If the server does
// not run one, Env opens the memory after all.
func Env(server *client.Client, open Open, log *slog.Logger) *operation.Env {
	r := &remote{server: server, open: open, log: log, env: new(operation.Env)}
	r.env.Remote = r.run
	return r.env
}

// remote runs operations on a server.
type remote struct {
	server *client.Client
	open   Open
	log    *slog.Logger
	env    *operation.Env // environment of the command
	local  *operation.Env // environment of the memory once it is opened; nil before
}

// run runs an operation, in this process if the server does not.
func (r *remote) run(ctx context.Context, op operation.Operation, in any) (any, error) {
	if r.local != nil {
		return r.runHere(ctx, op, in)
	}
	again := repeatable(op, in)
	data, err := encode(op, in)
	if err != nil {
		return nil, err
	}
	if got, err := op.Decode(data); err != nil || !reflect.DeepEqual(got, in) {
		return r.runHere(ctx, op, in) // JSON cannot represent invalid UTF-8
	}
	_, t := op.Types()
	out := reflect.New(t)
	err = r.server.Follow(ctx, op.About().Name, json.RawMessage(data), out.Interface(), r.env.Progress)
	switch {
	case errors.Is(err, client.ErrNotTaken), errors.Is(err, client.ErrLost) && again:
		r.log.Debug("the server does not answer; the memory is opened", "error", err)
		return r.runHere(ctx, op, in)
	case errors.Is(err, client.ErrLost):
		return nil, &strata.Error{Code: strata.CodeUnavailable, Op: op.About().Name, Message: "the server ended before it answered: it may have been done",
			Hint: "look with strata decisions before you ask again"}
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	}
	return out.Elem().Interface(), nil
}

// runHere opens the memory and runs an operation on it.
func (r *remote) runHere(ctx context.Context, op operation.Operation, in any) (any, error) {
	if r.local == nil {
		env, err := r.open(ctx, op.About())
		if err != nil {
			return nil, err
		}
		r.local = env
	}
	r.local.Progress = r.env.Progress
	return op.Run(ctx, r.local, in)
}

// repeatable reports whether a call may be repeated if its answer is lost. It adds a
// request id to a write that accepts one, so that the second call finds what the first
// one did.
func repeatable(op operation.Operation, in any) bool {
	if op.About().ReadOnly {
		return true
	}
	keyed := false
	for _, f := range op.Inputs() {
		switch {
		case f.Name == "dry_run" && f.Get(in) == true:
			return true
		case f.Name == "request_id":
			if keyed = true; f.Get(in) == "" {
				var ids id.Maker
				_ = f.Set(in, ids.New("cli", time.Now())) // a text field accepts any value
			}
		}
	}
	return keyed
}

// encode encodes all fields of an input, including those that differ from a nonzero
// default.
func encode(op operation.Operation, in any) ([]byte, error) {
	fields := make(map[string]any)
	for _, f := range op.Inputs() {
		fields[f.Name] = f.Get(in)
	}
	return schema.Marshal(fields)
}
