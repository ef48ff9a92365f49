package llmtest

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
)

// This file tests answers that break off or make no sense.

func (s suite) halfDocument(t *testing.T) {
	for _, half := range []string{`{"message":{"content":"a`, `{"choices":[{"delta":{"content":`, `nonsense`, `[1,2]`, `"text"`, "\x00\xff"} {
		reply, streamed, err := ask(t, s.serve(t, scripted.Reply{Parts: []scripted.Part{{Text: "so far"}, {Raw: s.framed(half)}}}), hello())
		wantCode(t, err, strata.CodeCorrupt)
		if reply.Message.Text != "so far" || streamed != "so far" {
			t.Errorf("%q: reply %+v", half, reply)
		}
	}
}

func (s suite) cutMidStream(t *testing.T) {
	half := strings.TrimRight(s.framed(`{"message":{"content":"a`), "\n")
	for _, parts := range [][]scripted.Part{
		{{Text: "so far"}, {Cut: true}},
		{{Text: "so far"}, {Raw: half}, {Cut: true}},
	} {
		c, server := s.start(t, quick(), inTurn(scripted.Reply{Parts: parts}))
		reply, _, err := ask(t, c, hello())
		wantCode(t, err, strata.CodeUnavailable)
		if reply.Message.Text != "so far" || len(server.Requests()) != 1 {
			t.Errorf("reply %+v, %d requests", reply, len(server.Requests()))
		}
	}
}

func (s suite) noEnd(t *testing.T) {
	for _, body := range []string{"\n", s.framed(`{}`), strings.TrimRight(s.framed(`{"message":{"content":"a`), "\n")} {
		_, _, err := ask(t, s.serve(t, scripted.Reply{Body: body}), hello())
		wantCode(t, err, strata.CodeUnavailable)
	}
}

func (s suite) errorInStream(t *testing.T) {
	for _, test := range []struct {
		message string
		code    strata.Code
	}{
		{"an error was encountered while running the model", strata.CodeUnavailable},
		{"the input length exceeds the context length", strata.CodeTooLarge},
	} {
		c, server := s.start(t, quick(), inTurn(scripted.Reply{Parts: []scripted.Part{{Text: "so far"}, {Error: test.message}}}))
		reply, _, err := ask(t, c, hello())
		wantCode(t, err, test.code)
		if reply.Message.Text != "so far" || len(server.Requests()) != 1 || !strings.Contains(err.Error(), test.message) {
			t.Errorf("reply %+v, %d requests, error %v", reply, len(server.Requests()), err)
		}
	}
}

func (s suite) hugeLine(t *testing.T) {
	huge := strings.Repeat("wörd ", 400_000) // 2.4 MB
	reply, streamed, err := ask(t, s.serve(t, scripted.Reply{Parts: []scripted.Part{{Text: huge}, {Text: "!"}}, Split: 60_000}), hello())
	if err != nil {
		t.Fatal(err)
	}
	if reply.Message.Text != huge+"!" || streamed != huge+"!" {
		t.Errorf("%d bytes of text, %d streamed", len(reply.Message.Text), len(streamed))
	}
}

func (s suite) endlessLine(t *testing.T) {
	endless := strings.Repeat("x", 17<<20)
	if s.p == scripted.OpenAI {
		endless = "data: " + endless
	}
	_, _, err := ask(t, s.serve(t, scripted.Reply{Body: endless, Split: 1 << 20}), hello())
	wantCode(t, err, strata.CodeCorrupt)
}

func (s suite) webPage(t *testing.T) {
	_, _, err := ask(t, s.serve(t, scripted.Reply{Body: "<!doctype html>\n<p>Welcome</p>\n", ContentType: "text/html; charset=utf-8"}), hello())
	wantCode(t, err, strata.CodeCorrupt)
}
