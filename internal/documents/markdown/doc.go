// Package markdown parses and writes the text of memory's Markdown files.
//
// Its functions are pure: text in, text out, with the time passed in. The same input
// results in the same bytes, and applying a function twice has the same result as once.
// Every function accepts any text. Broken parts are returned as a [Problem] or treated as
// a person's text, and never changed.
//
//   - [ParseNote] and [EditNote] handle notes and their front matter, [Slug] and [NotePath]
//     their locations, and [Describe] what memory stores about a document.
//   - [Sections] divides a document into the sections that retrieval ranks.
//   - [PutIndex] and [PutBlock] write the generated parts of MEMORY.md, and [PromptIndex]
//     returns what of it goes into a prompt. [AddDaily] writes daily logs. [Human] returns
//     a file without its generated parts, and [Without] one without the lines of some
//     decisions.
//   - [Rules] parses HEARTBEAT.md, and [Starter] returns the initial content of the
//     standard files.
//
// The formats are described in docs/formats: note.md, index.md and daily.md.
package markdown
