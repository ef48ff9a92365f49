package chat

import (
	"time"

	"github.com/strata-memory/strata"
)

// ToolStarted says that a tool is about to run.
type ToolStarted struct{ Call strata.ToolCall }

// ToolFinished says what became of a call.
type ToolFinished struct {
	Call strata.ToolCall
	// Output of a memory tool is that of its operation, such as ops.Saved; of
	// the caller's own tool it is the text.
	Output any
	Err    error // nil when it went well
	Took   time.Duration
}

// ToolHeld says that a call was held back because it failed before with the same
// arguments. Warning is the result that the model got.
type ToolHeld struct {
	Call    strata.ToolCall
	Warning string
}

// Corrected says that the user corrected the assistant, and that the learning was
// stored for later sessions.
type Corrected struct{}

// Missed says that something failed without which the conversation goes on: a
// learning or the outcome of a call was not stored.
type Missed struct {
	What string
	Err  error
}

// ToolsLeftOut names memory tools that the model was not offered, because the
// window is too small for the definitions of all.
type ToolsLeftOut struct{ Names []string }
