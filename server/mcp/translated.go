package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// translated converts answers of the SDK, whose errors are plain text, to the form used
// elsewhere: the same status, with JSON.
type translated struct {
	http.ResponseWriter
	status int // of the error held back; 0 for none
	text   bytes.Buffer
}

// Unwrap supports [http.ResponseController].
func (t *translated) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// WriteHeader starts the answer, or holds back an error.
func (t *translated) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(t.Header().Get("Content-Type"), "text/plain") {
		t.status = status
		return
	}
	t.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the answer, or collects the text of an error.
func (t *translated) Write(p []byte) (int, error) {
	if t.status != 0 {
		return t.text.Write(p)
	}
	return t.ResponseWriter.Write(p)
}

// end answers with the error that was held back, if any.
func (t *translated) end() {
	if t.status == 0 {
		return
	}
	out := operation.Failure{Code: strata.CodeInvalid, Message: strings.TrimSpace(t.text.String()), Hint: "docs/mcp.md says how the server is called"}
	switch t.status {
	case http.StatusBadRequest:
		out.Hint = "send the headers that the protocol asks for, and one message"
	case http.StatusNotFound:
		out.Code, out.Hint = strata.CodeNotFound, "begin a new session with initialize, without the header Mcp-Session-Id"
	case http.StatusForbidden:
		out.Code = strata.CodeDenied
	case http.StatusUnsupportedMediaType:
		out.Hint = "send Content-Type: application/json"
	case http.StatusInternalServerError:
		out.Code, out.Message, out.Hint = strata.CodeInternal, operation.FailedInside, ""
	}
	data, err := json.Marshal(out)
	if err != nil { // texts always encode
		data = []byte(`{"code":"internal","message":"the error cannot be written"}`)
	}
	writeJSON(t.ResponseWriter, t.status, operation.Shown(data))
}
