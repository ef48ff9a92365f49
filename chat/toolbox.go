package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
)

// toolbox holds the tools of a conversation.
type toolbox struct {
	memory map[string]ops.Tool
	own    map[string]Tool

	offered []llm.Tool // tools whose definitions are sent to the model
	leftOut []string   // memory tools whose definitions are not
	cost    int        // of the offered definitions, in tokens
	// reads and saves are the names of the memory tools by effect, expand the one that
	// reopens turns; empty if it is not offered.
	reads, saves []string
	expand       string
}

const expandTool = "memory_expand"

// conversationTools returns the memory tools of a chat. Other tools are not needed, since
// the chat itself keeps turns, learns from failures and corrections, and starts with a
// snapshot of memory.
func conversationTools() []ops.Tool {
	return slices.DeleteFunc(ops.Tools(operation.AllTools), func(t ops.Tool) bool { return !slices.Contains(offeredTools, t.Name) })
}

// offeredTools are the names of the tools that conversationTools returns.
var offeredTools = []string{
	"memory_save", "remember", "memory_recall", "memory_think", "memory_search", expandTool, "memory_checkpoint", "memory_history", "memory_forget",
}

// dispensable returns the memory tools that a small window can do without, in the order
// in which they are dropped.
func dispensable() []string {
	return []string{"memory_think", "memory_history", "memory_checkpoint", "memory_forget", "remember", "memory_search", expandTool}
}

// newToolbox collects the tools. Memory tools whose definitions do not fit into room
// tokens are not offered, but run if they are called.
func newToolbox(own []Tool, room int, counter token.Counter) (toolbox, error) {
	b := toolbox{
		memory: make(map[string]ops.Tool), own: make(map[string]Tool),
		reads: memoryTools(false), saves: memoryTools(true), expand: expandTool,
	}
	for _, t := range conversationTools() {
		parameters, err := json.Marshal(t.Input)
		if err != nil {
			return toolbox{}, fmt.Errorf("encode the schema of %s: %w", t.Name, err)
		}
		b.memory[t.Name] = t
		b.offer(llm.Tool{Name: t.Name, Description: t.Description, Parameters: parameters}, counter)
	}
	for _, t := range own {
		if _, taken := b.own[t.Name]; taken || b.isMemory(t.Name) {
			return toolbox{}, strata.Invalid("open chat", "two tools are called "+t.Name, "rename one of them")
		}
		b.own[t.Name] = t
		b.offer(t.Tool, counter)
	}
	for _, name := range dispensable() {
		if b.cost <= room {
			break
		}
		b.drop(name, counter)
	}
	return b, nil
}

func (b *toolbox) isMemory(name string) bool { _, ok := b.memory[name]; return ok }

func (b *toolbox) offer(t llm.Tool, counter token.Counter) {
	b.offered = append(b.offered, t)
	b.cost += definitionCost(t, counter)
}

func (b *toolbox) drop(name string, counter token.Counter) {
	i := slices.IndexFunc(b.offered, func(t llm.Tool) bool { return t.Name == name })
	b.cost -= definitionCost(b.offered[i], counter)
	b.offered = slices.Delete(b.offered, i, i+1)
	b.leftOut = append(b.leftOut, name)
	if name == expandTool {
		b.expand = ""
	}
}

// toolFrame is the cost of the frame around a tool definition in a request, in tokens, as
// package contextmgr counts it.
const toolFrame = 12

// definitionCost returns the cost of a tool in a request, in tokens.
func definitionCost(t llm.Tool, counter token.Counter) int {
	var compact bytes.Buffer
	if json.Compact(&compact, t.Parameters) != nil {
		compact.Write(t.Parameters)
	}
	return toolFrame + counter.Count(t.Name) + counter.Count(t.Description) + counter.Count(compact.String())
}

// offers reports whether a tool is offered to the model.
func (b *toolbox) offers(name string) bool { return slices.Contains(b.names(), name) }

// names returns the names of all offered tools, to tell a model that called an unknown
// one.
func (b *toolbox) names() []string {
	names := make([]string, len(b.offered))
	for i, t := range b.offered {
		names[i] = t.Name
	}
	return names
}

// memoryTools returns the names of the memory tools that save, or of the others.
func memoryTools(save bool) []string {
	var names []string
	for _, t := range conversationTools() {
		if saves := !t.ReadOnly && !t.Destructive; saves == save {
			names = append(names, t.Name)
		}
	}
	return names
}
