package chat

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/token"
)

// DefaultWindow is the window of a model that nobody knows, in tokens.
const DefaultWindow = 8192

// Window finds out how much a model reads at once, in tokens: what ask says,
// else what is known of the name, else [DefaultWindow]. ask may be nil. Its
// error is returned where it means that the model will not answer either:
// unavailable, not_found, denied, canceled.
func Window(ctx context.Context, model string, ask func(context.Context, string) (int, error)) (int, error) {
	if ask != nil {
		n, err := ask(ctx, model)
		switch strata.CodeOf(err) {
		case strata.CodeUnavailable, strata.CodeNotFound, strata.CodeDenied, strata.CodeCanceled:
			return 0, err
		}
		if err == nil && n > 0 {
			return n, nil
		}
	}
	if n, ok := token.Window(model); ok {
		return n, nil
	}
	return DefaultWindow, nil
}
