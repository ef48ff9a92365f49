// Package markdown reads and writes the text of the Markdown files of memory.
//
// It is pure: text in, text out, and the time is passed in. The same input gives
// the same bytes, and to do a thing twice is to do it once. Every text can be
// given to every function: what is broken is returned as a [Problem] or read as the
// text of a person, and never changed.
//
//   - [ParseNote] and [EditNote] are about notes and their front matter,
//     [Slug] and [NotePath] about where they lie, [Describe] about what memory
//     keeps of a document.
//   - [Sections] divides a document into what retrieval ranks.
//   - [PutIndex] and [PutBlock] write the generated parts of MEMORY.md, and
//     [PromptIndex] is what of it reaches a prompt. [AddDaily] writes the log of
//     a day. [Human] is a file without its generated parts, [Without] one without
//     the lines of some decisions.
//   - [Rules] reads HEARTBEAT.md, and [Starter] is what the standard files begin
//     with.
//
// The formats are described in docs/formats: note.md, index.md and daily.md.
package markdown
