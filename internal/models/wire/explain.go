package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// Explain turns an error of a request to a model into one with a code, a message and a
// hint. It returns errors that it has explained already unchanged.
func (s *Server) Explain(op, model string, err error) error {
	var (
		explained *strata.Error
		status    *StatusError
		sending   *url.Error
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &explained):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &strata.Error{Code: strata.CodeCanceled, Op: op, Message: "canceled, or time ran out", Err: err}
	case errors.As(err, &status):
		return s.explainStatus(op, model, status)
	case errors.As(err, &sending):
		return s.explainSending(op, sending.Err)
	}
	return &strata.Error{
		Code: strata.CodeUnavailable, Op: op,
		Message: "the answer of the model server at " + s.Host() + " broke off",
		Hint:    "try again; if it happens often, look at the server's log",
		Err:     errors.New(s.redact(err.Error())),
	}
}

// BrokeOff returns the error for an answer that ended early.
func (s *Server) BrokeOff(op string) error {
	return s.Explain(op, "", io.ErrUnexpectedEOF)
}

// Corrupt returns the error for an answer that makes no sense.
func (s *Server) Corrupt(op, message string, err error) error {
	if err != nil {
		err = errors.New(s.redact(shorten(err.Error())))
	}
	return &strata.Error{
		Code: strata.CodeCorrupt, Op: op,
		Message: "the model server at " + s.Host() + " sent an answer that makes no sense: " + message,
		Hint:    "check that the base URL leads to a model server, and its version", Err: err,
	}
}

// explainSending explains a request that got no response.
func (s *Server) explainSending(op string, cause error) error {
	e := &strata.Error{
		Code: strata.CodeUnavailable, Op: op,
		Message: "the model server at " + s.Host() + " does not answer",
		Hint:    s.hints.Down, Err: cause,
	}
	if neverProcessed(cause) {
		e.Err = &llm.Refused{Err: cause}
	}
	return e
}

// neverProcessed reports whether a request without a response did no work at the server:
// the connection was never made, or was closed before an answer.
func neverProcessed(cause error) bool {
	var op *net.OpError
	if errors.As(cause, &op) && op.Op == "dial" {
		return true
	}
	for _, target := range []error{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(cause, target) {
			return true
		}
	}
	// net/http has no error value for this case: the server closed a kept connection
	// before the request was written.
	return strings.Contains(cause.Error(), "server closed idle connection")
}

// explainStatus explains an error that the server reported. Servers of one protocol use
// different statuses and codes for the same fault, and Ollama has no codes at all, so the
// wording counts too.
func (s *Server) explainStatus(op, model string, status *StatusError) error {
	code := classify(status)
	e := &strata.Error{
		Code: code, Op: op,
		Message: fmt.Sprintf("model server at %s, model %s: %s", s.Host(), model, verdicts[code]),
		Err:     &StatusError{Status: status.Status, Message: s.redact(status.Message), Code: status.Code, Type: status.Type, Param: status.Param, After: status.After},
	}
	if status.Status != 0 {
		e.Details = map[string]string{"status": strconv.Itoa(status.Status)}
	}
	switch code {
	case strata.CodeNotFound:
		e.Hint = strings.ReplaceAll(s.hints.Missing, "%s", model)
	case strata.CodeDenied:
		e.Hint = s.hints.Denied
		if status.Status == http.StatusUnauthorized {
			// Servers repeat parts of the key in this message.
			e.Err = &StatusError{Status: status.Status}
		}
	case strata.CodeTooLarge:
		e.Hint = "send less, or use a model or setting with a larger context"
	case strata.CodeUnsupported:
		e.Hint = "use a model that can do it, or leave the feature out"
	case strata.CodeUnavailable:
		e.Hint = "try again later, or look at the server's log"
		if rejected(status) {
			e.Err = &llm.Refused{After: status.After, Err: e.Err}
		}
	}
	return e
}

// verdicts are the messages for each code.
var verdicts = map[strata.Code]string{
	strata.CodeNotFound:    "it has no such model, or the address is wrong",
	strata.CodeDenied:      "access denied",
	strata.CodeTooLarge:    "the request is larger than the model's context",
	strata.CodeUnsupported: "the model or server cannot do that",
	strata.CodeInvalid:     "the server refused the request",
	strata.CodeUnavailable: "the server cannot answer now",
}

// rejected reports whether the server refused a request before doing any work. An account
// without credit gets 429 as well, but waiting does not help there.
func rejected(e *StatusError) bool {
	return e.Status == http.StatusServiceUnavailable ||
		e.Status == http.StatusTooManyRequests && e.Code != "insufficient_quota"
}

// classify returns the code for an error that a server reported.
func classify(e *StatusError) strata.Code {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return strata.CodeDenied
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return strata.CodeUnavailable
	case http.StatusRequestEntityTooLarge:
		return strata.CodeTooLarge
	}
	words := strings.ToLower(e.Code + " " + e.Type + " " + e.Message)
	switch {
	case says(words, tooLarge):
		return strata.CodeTooLarge
	case says(words, unsupported):
		return strata.CodeUnsupported
	case e.Status == http.StatusNotFound, says(words, missing):
		return strata.CodeNotFound
	case e.Status == http.StatusNotImplemented:
		return strata.CodeUnsupported
	case e.Status == http.StatusRequestTimeout, e.Status == http.StatusPaymentRequired,
		e.Status == 499, // Ollama dropped the request itself
		e.Status >= 500, e.Status == 0:
		return strata.CodeUnavailable
	}
	return strata.CodeInvalid
}

// Wording of servers, as seen in Ollama, OpenAI, llama.cpp, vLLM, LM Studio, Mistral,
// Groq and Together.
var (
	tooLarge = []string{
		"context_length_exceeded", "exceed_context_size", "context length", "context size", "context window",
		"maximum context", "prompt is too long", "prompt too long", "too many tokens", "reduce the length",
		"input is too large", "input is too long", "maximum input length", "string_above_max_length",
	}
	unsupported = []string{
		"does not support tools", "does not support chat", "does not support embed", "does not support image", "does not support vision",
		"does not support thinking", "tool choice requires", "tools param requires", "tool use is not supported", "tools are not supported",
		"support tool use", "support image input", "image input is not supported", "images are not supported", "is not a multimodal model",
		"json_schema is not supported", "response_format type is unavailable", "missing data required for image input",
	}
	missing = []string{"model_not_found", "model not found", "not found, try pulling"}
)

func says(words string, any []string) bool {
	for _, w := range any {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}
