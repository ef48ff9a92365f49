// Package strata defines the vocabulary of a memory engine for AI agents: facts, turns,
// scopes, candidates, decisions and the errors that report on them.
//
// It imports the standard library only and does nothing by itself. Programs
// open an engine with package local and pass these values to it:
//
//	mem, err := local.Open(ctx, "")
//	...
//	me := strata.Global()
//	mem.Save(ctx, me, "My cat's name is Whiskerino")
//	res, err := mem.Recall(ctx, me.View(), "What is my cat called?")
//
// Every word has one meaning here, in SQL, in JSON and on the command line:
//
//   - A [Fact] is one short statement with a type and a category.
//   - A [Turn] is one message of a [Session], kept verbatim except for secrets.
//   - A [Document] is a Markdown file of a scope, such as a note; a [Section] is
//     a part of it.
//   - A passage is the unit that retrieval ranks; its parent is a fact's category, a
//     section's document or a turn's session.
//   - A [Learning] records what a failed tool or a correction taught, a
//     [ToolOutcome] one run of a tool, a [Snapshot] the memory given to a session.
//   - A [Scope] owns rows; a [View] is the ordered list of scopes a read may see.
//   - A [Candidate] is a request to change memory, a [Decision] its outcome.
//   - A [Query] asks; a [Result] answers with [Hit] values that explain themselves.
package strata

// Limits on what one call may carry. They bound memory and keep one value from
// wedging the store; each is far above what people write.
const (
	// MaxFactBytes is the longest text of one fact. A longer statement is a document and
	// belongs in a note.
	MaxFactBytes = 64 << 10
	// MaxDocumentBytes is the longest text of one document. Larger files are neither
	// indexed nor committed, but reported by name.
	MaxDocumentBytes = 1 << 20
	// MaxTurnBytes is the longest text of one turn.
	MaxTurnBytes = 16 << 20
	// MaxImageBytes bounds the total size of the images of one turn, as encoded files.
	MaxImageBytes = 32 << 20
	// MaxImages is the maximum number of images in one turn.
	MaxImages = 64
	// MaxCalls is the maximum number of tool calls in one turn.
	MaxCalls = 128
	// MaxCallBytes bounds the total size of the arguments of one turn's tool calls.
	MaxCallBytes = 4 << 20
	// MaxStateBytes bounds the saved state of a session.
	MaxStateBytes = 8 << 20
	// MaxSnapshotBytes bounds the text of one snapshot.
	MaxSnapshotBytes = 1 << 20
	// MaxLearningBytes bounds each text of a learning, and the error of a tool
	// outcome.
	MaxLearningBytes = 8 << 10
	// MaxQueryBytes is the longest query; analysis uses only its first words.
	MaxQueryBytes = 1 << 20
	// MaxNameBytes bounds names: categories, entities, attributes, speakers,
	// agents, workspaces, sessions and request ids.
	MaxNameBytes = 256
	// MaxBatch is the maximum number of candidates or turns in one batch.
	MaxBatch = 10_000
)

// ForgottenText replaces the text of a forgotten fact or turn.
const ForgottenText = "[forgotten]"

// PrunedText replaces the text of a turn whose session was pruned for its age.
const PrunedText = "[pruned]"

// ArchivedText replaces the text of a turn whose session was archived. A file in the home
// holds the original.
const ArchivedText = "[archived]"
