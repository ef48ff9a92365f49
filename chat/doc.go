// Package chat is the agent loop: a model, the tools of memory and the context
// manager, held together for one conversation.
//
//	agent, err := chat.New(ctx, chat.Options{Memory: mem, Model: server.Chat("qwen3:4b")})
//	if err != nil { ... }
//	defer agent.Close(ctx)
//	answer, err := agent.Send(ctx, "My cat's name is Whiskerino")
//
// # What a message goes through
//
// [Agent.Send] puts the message into the ledger, asks the model, runs the tools
// it calls, returns their results and asks again, until the model answers
// without a call or the bound on rounds is reached. Counting, flush, compaction
// and recall are the context manager's, see package contextmgr.
//
//   - A call that cannot be run (malformed arguments, no such tool, a tool that
//     fails) becomes a result that says what to change.
//   - A call that failed before with the same arguments is held back once, with
//     the reason of that failure. If the model repeats it, it is run.
//   - The outcome of each call is stored, and a message in which the user
//     corrects the assistant becomes a learning for later sessions.
//
// # Sessions
//
// A conversation is a session of the memory. [Agent.Close] saves the facts of
// what was said last and leaves the session open, so that it can go on later
// by its id. [Agent.Reset] ends it and begins a new one; memory stays.
// [FlushSession] saves the facts of a session whose process was killed.
//
// # Errors
//
// All are [strata.Error] or wrap one: unavailable (there is no model, or it
// does not answer), conflict (the session is closed), too_large (the window is
// too small, or the model does not stop calling tools), canceled, and those of
// the model and the memory. After an error the conversation is whole: what the
// user said and what had arrived of the answer stay.
package chat
