// Package learnings holds what an agent learns from its mistakes: tools that
// failed and corrections by the user.
//
// It is pure: values in, values out, and the time is passed in.
//
//   - [Error] and [Correction] are the learnings. [ParseErrors] and
//     [ParseCorrections] read the files errors.md and corrections.md into a
//     [File], which keeps what people wrote between them. [File.Set] makes a
//     file show other learnings.
//   - [Detect] reports whether a user's message corrects the assistant.
//   - [Recoveries] finds calls that failed and what worked in their place.
//   - [Outcome] is the result of a tool call; [Repeats] reports that a call which
//     is about to be made failed before.
//
// Whoever calls removes secrets first: learnings end up in files. The formats are
// described in docs/formats/learnings.md.
package learnings
