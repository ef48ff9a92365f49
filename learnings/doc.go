// Package learnings holds what an agent learns from its mistakes: tools that
// failed and corrections by the user.
//
// It is pure: values in, values out, and the time is passed in.
//
//   - [Error] and [Correction] are the lessons. [ParseErrors] and
//     [ParseCorrections] read the files errors.md and corrections.md into a
//     [File], which merges a lesson that it knows already, keeps what people
//     wrote into the file, and is written by String.
//   - [Inject] makes the text that a new session is told.
//   - [Detect] tells whether a user's message corrects the assistant.
//   - [Outcome] is what became of a tool call; [Repeats] tells that a call is
//     about to be repeated which failed before.
//
// Whoever calls removes secrets first: lessons end up in files. The formats are
// described in docs/formats/learnings.md.
package learnings
