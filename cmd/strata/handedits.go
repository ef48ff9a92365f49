package main

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops/operation"
)

// watchFiles takes in what people do to files while a command runs, until stop is
// called. Where files cannot be watched, the next command finds it.
func (a *app) watchFiles(ctx context.Context, env *operation.Env) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	err := env.Engine.Watch(ctx, env.View)
	switch code := strata.CodeOf(err); {
	case code == strata.CodeUnsupported, code == strata.CodeUnavailable:
		a.log.Info("files are not watched: what is done to them by hand is seen the next time", "error", err)
	case err != nil:
		a.log.Warn("files are not watched", "error", err)
	}
	return stop
}
