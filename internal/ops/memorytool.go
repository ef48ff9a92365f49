package ops

import (
	"context"

	"github.com/strata-memory/strata/internal/ops/memorytool"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// MemoryTool is the name of the operation through which a program passes on the calls of
// its model's memory tool; see package memorytool.
const MemoryTool = "memory_tool"

// memoryTool answers a call of the memory tool.
func memoryTool() operation.Operation {
	return operation.Op[memorytool.Call, memorytool.Answer]{
		Info: operation.Info{
			Name: MemoryTool, Summary: "Answer a call of Anthropic's memory tool",
			Description: "Views, creates, edits, renames and deletes the files below /memories, which are the notes of the workspace, or the global ones " +
				"without a workspace. Every change is a decision, with its history. Answers use the words that models know from Anthropic's SDKs; a " +
				"call that cannot be carried out changes nothing and returns is_error.",
			Examples: []operation.Example{
				{Doc: "what is there", Input: `{"command": "view", "path": "/memories"}`},
				{Doc: "make a file", Input: `{"command": "create", "path": "/memories/deploys.md", "file_text": "Deploys go out on Tuesdays."}`},
				{Doc: "change it", Input: `{"command": "str_replace", "path": "/memories/deploys.md", "old_str": "Tuesdays", "new_str": "Thursdays"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, c memorytool.Call) (memorytool.Answer, error) {
			return toolAt(env).Run(ctx, c)
		},
	}
}

// AnswerCall answers a call, given as the JSON that a model wrote.
func AnswerCall(ctx context.Context, env *operation.Env, call []byte) (memorytool.Answer, error) {
	return toolAt(env).Handle(ctx, call)
}

// toolAt returns the tool for the environment. A model makes the calls, whoever passes
// them on.
func toolAt(env *operation.Env) *memorytool.Tool {
	return memorytool.New(env.Engine, memorytool.Options{Scope: env.MainScope(), Agent: env.Agent, Session: env.Session})
}
