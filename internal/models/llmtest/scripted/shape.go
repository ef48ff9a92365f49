package scripted

import "github.com/strata-memory/strata"

// Shape is a way to encode tool calls. Each of them occurs in a real server.
type Shape string

// The shapes. A shape that a protocol does not have is written as Plain.
const (
	// Plain follows the protocol. OpenAI: id and name with the first piece, the arguments
	// in pieces, the calls numbered. Ollama: whole calls with an object of arguments.
	Plain Shape = ""
	// Whole sends each call in one piece, and all calls together.
	Whole Shape = "whole"
	// NoIDs omits the ids.
	NoIDs Shape = "no ids"
	// NoIndex omits the numbers.
	NoIndex Shape = "no index"
	// Bare omits ids and numbers.
	Bare Shape = "bare"
	// SameIndex sends whole calls that are all numbered 0.
	SameIndex Shape = "same index"
	// RepeatedName repeats id and name with every piece.
	RepeatedName Shape = "repeated name"
	// TextArguments sends arguments as a string where the protocol requires an object,
	// and ObjectArguments the other way around.
	TextArguments   Shape = "text arguments"
	ObjectArguments Shape = "object arguments"
	// Legacy is the form before tools: one function_call.
	Legacy Shape = "legacy function_call"
	// OneByOne sends each call in an event of its own.
	OneByOne Shape = "one by one"
	// NotStreamed answers in one piece although the client asked for a stream.
	NotStreamed Shape = "not streamed"
)

// Shapes lists the shapes of a protocol.
func Shapes(p Protocol) []Shape {
	if p == Ollama {
		return []Shape{Plain, OneByOne, NoIDs, TextArguments, NotStreamed}
	}
	return []Shape{
		Plain, Whole, OneByOne, NoIDs, NoIndex, Bare, SameIndex, RepeatedName, ObjectArguments, Legacy, NotStreamed,
	}
}

// Single reports whether a shape can hold only one call.
func (s Shape) Single() bool { return s == Legacy }

// hasIDs reports whether calls keep their ids.
func (s Shape) hasIDs() bool { return s != NoIDs && s != Bare && s != Legacy }

// KeepsIDs reports whether a client receives the ids that the script set.
func (s Shape) KeepsIDs() bool { return s.hasIDs() }

func arguments(c strata.ToolCall) string {
	if c.Arguments == "" {
		return "{}"
	}
	return c.Arguments
}
