package scripted

import "github.com/strata-memory/strata"

// Shape is a way to write tool calls. Each was seen in a server.
type Shape string

// The shapes. A shape that a protocol does not have is written as Plain.
const (
	// Plain is what the protocol says. OpenAI: id and name with the first
	// piece, the arguments in pieces, the calls numbered. Ollama: whole calls
	// with an object of arguments.
	Plain Shape = ""
	// Whole sends every call in one piece, and all of them together.
	Whole Shape = "whole"
	// NoIDs leaves the ids out.
	NoIDs Shape = "no ids"
	// NoIndex leaves the numbers out.
	NoIndex Shape = "no index"
	// Bare leaves ids and numbers out.
	Bare Shape = "bare"
	// SameIndex sends whole calls that are all numbered 0.
	SameIndex Shape = "same index"
	// RepeatedName repeats id and name with every piece.
	RepeatedName Shape = "repeated name"
	// TextArguments sends the arguments as a text where the protocol wants an
	// object, ObjectArguments the other way round.
	TextArguments   Shape = "text arguments"
	ObjectArguments Shape = "object arguments"
	// Legacy is the form before tools: one function_call.
	Legacy Shape = "legacy function_call"
	// OneByOne sends each call in an event of its own.
	OneByOne Shape = "one by one"
	// NotStreamed answers in one piece although a stream was asked for.
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

// Single reports whether a shape can hold one call only.
func (s Shape) Single() bool { return s == Legacy }

// hasIDs reports whether calls keep their ids.
func (s Shape) hasIDs() bool { return s != NoIDs && s != Bare && s != Legacy }

// KeepsIDs reports whether a client can know the ids that the script gave.
func (s Shape) KeepsIDs() bool { return s.hasIDs() }

func arguments(c strata.ToolCall) string {
	if c.Arguments == "" {
		return "{}"
	}
	return c.Arguments
}
