// Package contextmgr keeps a conversation within a model's window without
// losing what was said.
//
// It counts what a request costs, extracts facts before they leave, replaces
// old turns by a summary, places recalled memory at the end, and hands out
// requests that fit. It works with any model, any counter, any memory and any
// ledger, or without: then rules extract, sentences of the conversation are
// its summary, and the ledger is in the process.
//
// # Concepts
//
// The ledger keeps every turn; the window is what of it the model sees. The
// budget is the model's context minus a reserve for the answer; all thresholds
// are shares of it, and everything counts: system prompt, snapshot, tools,
// messages, images.
//
//   - At 60 % a flush: facts of every turn that is not covered yet go to
//     memory. A cursor, not a length, says what is covered.
//   - At 70 % masking: results of tools from before the user spoke last are shown by
//     their beginning and end, until the threshold of a flush is met.
//   - If that is not enough a compaction: flush, then a summary takes the place of all but
//     the last messages. Standing rules, corrections, open tasks, paths and ids stay
//     in it word for word and get their room first; the rest has at most half of the
//     tokens of what it replaces. It frees a third of the history, names the turns it
//     covers and how to see them; else it is not made.
//   - Then shortening: long messages outside the last group are shown by their
//     beginning and end.
//   - At 80 % a warning at the end of the request.
//   - At 90 % pruning: all but the first and last groups are left out, save for what
//     must stay word for word; the next compaction summarizes them. What remains is shortened until it fits.
//
// With [Options.Background] the small model works beside the conversation, and no
// message waits for it. At once, rules extract, and the conversation's own sentences
// take the place of what leaves; the model reads the same turns after the answer, and
// what it finds, and its summary, are taken over by a later request. Three useless answers
// in a row (junk, refusals, silence) give it a rest of a minute, which doubles up to an
// hour, while rules do its work.
//
// A group is an assistant's turn with the results of its calls: they are shown
// together or not at all. A message that fits is shown whole when it comes; of one that
// does not, as much as fits: its beginning, its end and the passages between them that
// hold what was asked for.
//
// # Guarantees
//
//   - A turn is in the ledger before it is in the window. If the ledger refuses
//     it, the conversation is unchanged.
//   - A request never exceeds the budget as counted. Counts learn from what the
//     model reports, and from its refusal of a request as too large, after
//     which a smaller one is sent once.
//   - A request is valid for OpenAI and Ollama: the user begins, roles
//     alternate, every result follows its call and every call has a result.
//   - Between two of these measures a request only grows at its end: system prompt,
//     snapshot and history stay byte for byte the same, for the model's cache.
//   - Every turn reaches a flush and, before or when it leaves, a summary. Rules
//     extract always, and a model adds to that. One that fails, hangs, refuses or
//     writes junk is done without, for the current passage, with an event that says why.
//   - Killed at any point, the conversation continues as it was, and no fact is
//     saved twice. Recalled memory is not learned again.
//   - Never two compactions without a new turn between them.
//
// # Errors
//
// All are [strata.Error] or wrap one: invalid (an unknown role, an empty turn,
// contradicting options), too_large (a turn above 16 MiB; system prompt and
// tools that leave no room; a request that the model refused twice),
// unavailable (no model), corrupt (the model answered nothing), and those of
// the ledger and the model. What the manager does on its own behalf, such as
// extraction and recall, never fails a turn: it is reported by an [Event].
//
// # Example
//
//	m, err := contextmgr.New(ctx, contextmgr.Options{Model: chat, Window: 8192, Memory: memory, Ledger: ledger})
//	reply, err := m.Send(ctx, "My cat's name is Whiskerino")
//	for len(reply.Message.Calls) > 0 {
//		for _, call := range reply.Message.Calls {
//			err = m.Append(ctx, strata.Turn{Role: strata.RoleTool, CallID: call.ID, Tool: call.Name, Text: run(call)})
//		}
//		reply, err = m.Continue(ctx)
//	}
//
// A caller with a client of their own uses [Manager.Prompt], [Manager.Append]
// and [Manager.Observe] instead of [Manager.Send].
package contextmgr
