package scripted

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"

	"github.com/strata-memory/strata/llm"
)

// Kind is what a request asks for.
type Kind string

// The kinds.
const (
	KindChat  Kind = "chat"
	KindEmbed Kind = "embed"
	KindModel Kind = "model" // information about a model, or the list of models
)

// Request is a request of a client, in either protocol.
type Request struct {
	N        int // number of the request at this server, from 1
	Protocol Protocol
	Kind     Kind
	Header   http.Header
	Body     []byte // as received

	// Chat is the request in Strata's own form.
	Chat  llm.Request
	Model string
	// Texts are the texts to embed.
	Texts []string
	// wantsUsage means that an OpenAI client asked for the usage.
	wantsUsage bool
}

// Last returns the last message of a chat; the zero message if there is none.
func (r Request) Last() llm.Message {
	if len(r.Chat.Messages) == 0 {
		return llm.Message{}
	}
	return r.Chat.Messages[len(r.Chat.Messages)-1]
}

// maxRequest is the most bytes read of a request's body.
const maxRequest = 64 << 20

// read reads a request. It returns a nil dialect for an unknown path.
func read(r *http.Request) (Request, dialect, error) {
	req := Request{Header: r.Header.Clone()}
	var d dialect
	switch r.Method + " " + r.URL.Path {
	case "POST /api/chat":
		req.Protocol, req.Kind, d = Ollama, KindChat, ollama{}
	case "POST /api/embed":
		req.Protocol, req.Kind, d = Ollama, KindEmbed, ollama{}
	case "POST /api/show":
		req.Protocol, req.Kind, d = Ollama, KindModel, ollama{}
	case "POST /v1/chat/completions":
		req.Protocol, req.Kind, d = OpenAI, KindChat, openai{}
	case "POST /v1/embeddings":
		req.Protocol, req.Kind, d = OpenAI, KindEmbed, openai{}
	case "GET /v1/models":
		req.Protocol, req.Kind, d = OpenAI, KindModel, openai{}
	default:
		return req, nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	if err != nil || r.Method == http.MethodGet {
		return req, d, err
	}
	req.Body = body
	var common struct {
		Model string          `json:"model"`
		Input json.RawMessage `json:"input"`
	}
	if err := json.Unmarshal(body, &common); err != nil {
		return req, d, fmt.Errorf("read request: %w", err)
	}
	req.Model = common.Model
	switch {
	case req.Kind == KindEmbed:
		err = json.Unmarshal(common.Input, &req.Texts)
	case req.Kind == KindChat && req.Protocol == Ollama:
		req.Chat, err = readOllama(body)
	case req.Kind == KindChat:
		req.Chat, req.wantsUsage, err = readOpenAI(body)
	}
	if err != nil {
		return req, d, fmt.Errorf("read %s request: %w", req.Kind, err)
	}
	return req, d, nil
}

// vectors returns the vectors that answer an embedding request.
func vectors(req Request, reply Reply) [][]float32 {
	if reply.Vectors != nil {
		return reply.Vectors
	}
	out := make([][]float32, 0, len(req.Texts))
	for _, text := range req.Texts {
		out = append(out, vector(text))
	}
	return out
}

// Dimensions is the length of the vectors that the server makes from texts.
const Dimensions = 16

// vector returns a vector that depends only on the text. Like those of many servers, it
// is not of unit length.
func vector(text string) []float32 {
	out := make([]float32, Dimensions)
	for i := range out {
		h := fnv.New32a()
		fmt.Fprintf(h, "%d %s", i, text)
		out[i] = float32(h.Sum32())/math.MaxUint32*4 - 2
	}
	return out
}
