// Package memorytool answers the calls of the memory tool that Anthropic's models are
// trained with: a directory /memories of files that a model views, creates, edits, renames
// and deletes. Here the files are the notes of a scope, and every change is a decision like
// any other, with its history and the scan for secrets.
//
// A program declares the tool to the model as {"type": "memory_20250818", "name":
// "memory"}, hands the input of each call to [Tool.Handle] and the answer back to the model:
//
//	tool := memorytool.New(mem, memorytool.Options{Scope: strata.Global()})
//	answer, err := tool.Handle(ctx, block.Input)
//
// # Files
//
// /memories is the directory notes/ of the scope, and what lies below it has the same path
// there: /memories/projects/a.md is notes/projects/a.md. Documents are Markdown, so a file
// of another name is kept under that name with "_.md" behind it: todo.txt is
// notes/todo.txt_.md. Directories are those that hold a file; they come and go with them.
//
// The model sees the text of a note and not its front matter. What it writes is kept to the
// byte. Front matter is made for a new file and kept up in one that has it.
//
// # Answers
//
// A line is shown with what could be taken for markup defused, as everywhere: "‹div>" for a
// tag, "x (https://…)" for a link. A model may name it as it saw it, and what it does not
// touch stays. Lines without a number below a file say what reads like an instruction in it.
//
// Answers and refusals have the words of the file system example in Anthropic's own SDKs,
// which models know. A call that cannot be carried out is an answer too, one that says so;
// an error means that memory itself failed.
package memorytool
