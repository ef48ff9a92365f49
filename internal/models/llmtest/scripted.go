package llmtest

import (
	"context"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
)

// NewChat returns a client of the server at url for the model "scripted".
type NewChat func(url string, guard llm.GuardOptions) llm.Chat

// RunScripted checks a client of protocol p against a server that speaks the protocol,
// and misbehaves, as real servers do.
func RunScripted(t *testing.T, p scripted.Protocol, newChat NewChat) {
	s := suite{p: p, newChat: newChat}
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"parts add up to the text", s.partsAddUp},
		{"the stream may be split at any byte", s.splitAnywhere},
		{"any parts at any split come out whole", s.anyParts},
		{"the request arrives as it was meant", s.requestArrives},
		{"malformed arguments of an old call go as an object", s.malformedArguments},
		{"reasoning is no part of the text", s.reasoning},
		{"stops are told apart", s.stops},
		{"an answer that is not streamed is taken", s.notStreamed},
		{"tool calls in every shape", s.toolCalls},
		{"invented ids are stable and new", s.inventedIDs},
		{"a tool call between texts", s.callAfterText},
		{"429 is retried after the wait it names", s.tooManyRequests},
		{"429 with a long wait is not waited for", s.longWait},
		{"503 is retried with growing pauses", s.notNow},
		{"500 is not retried", s.serverError},
		{"a connection cut before the answer is retried", s.cutBeforeAnswer},
		{"a server that is not there", s.notThere},
		{"a hang before the headers is cut", s.hangBeforeHeaders},
		{"a hang in the middle of the stream is cut", s.hangMidStream},
		{"the whole call has a limit", s.limit},
		{"half a JSON document", s.halfDocument},
		{"a connection cut in the middle of the stream", s.cutMidStream},
		{"a stream without an end", s.noEnd},
		{"an error inside the stream", s.errorInStream},
		{"errors are told apart", s.errors},
		{"an empty answer", s.emptyAnswer},
		{"a huge line", s.hugeLine},
		{"a line without end", s.endlessLine},
		{"a web page instead of an answer", s.webPage},
		{"the caller cancels", s.callerCancels},
		{"an error of the watcher comes back", s.watcherStops},
		{"an impossible request is not sent", s.impossible},
		{"many calls at once", s.concurrent},
		{"the breaker opens and closes by itself", s.breaker},
		{"refused requests do not open the breaker", s.breakerCountsFailures},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t)
		})
	}
}

type suite struct {
	p       scripted.Protocol
	newChat NewChat
}

// quick returns guard options under which a hang is cut soon and no test waits.
func quick() llm.GuardOptions {
	return llm.GuardOptions{
		Limit: time.Minute, Start: 30 * time.Second, Idle: 30 * time.Second,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
}

// startServer serves script until the test ends.
func startServer(t testing.TB, script scripted.Script) *scripted.Server {
	t.Helper()
	server, err := scripted.Start("", script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// start serves script and returns a client of it.
func (s suite) start(t testing.TB, o llm.GuardOptions, script scripted.Script) (llm.Chat, *scripted.Server) {
	t.Helper()
	server := startServer(t, script)
	return s.newChat(server.URL(s.p), o), server
}

// serve is like start for a server that always gives the same answer.
func (s suite) serve(t testing.TB, reply scripted.Reply) llm.Chat {
	t.Helper()
	c, _ := s.start(t, quick(), func(scripted.Request) scripted.Reply { return reply })
	return c
}

func (s suite) newChatOf(t testing.TB, o llm.GuardOptions, reply scripted.Reply) llm.Chat {
	t.Helper()
	c, _ := s.start(t, o, inTurn(reply))
	return c
}

// inTurn returns a script that answers the first request with the first reply, and so on.
// It repeats the last reply.
func inTurn(replies ...scripted.Reply) scripted.Script {
	return func(r scripted.Request) scripted.Reply { return replies[min(r.N, len(replies))-1] }
}

// framed returns text as a piece of the protocol's stream.
func (s suite) framed(text string) string {
	if s.p == scripted.Ollama {
		return text + "\n"
	}
	return "data: " + text + "\n\n"
}

func hello() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: strata.RoleUser, Text: "hello"}}}
}

// ask calls c and also returns the text of the parts.
func ask(t testing.TB, c llm.Chat, req llm.Request) (reply llm.Reply, streamed string, err error) {
	t.Helper()
	reply, err = c.Chat(t.Context(), req, func(d llm.Delta) error {
		if d == (llm.Delta{}) {
			t.Error("an empty part was handed on")
		}
		streamed += d.Text
		return nil
	})
	return reply, streamed, err
}

// wantCode fails the test unless err has the code.
func wantCode(t testing.TB, err error, code strata.Code) {
	t.Helper()
	if strata.CodeOf(err) != code {
		t.Fatalf("error %v has code %q, want %q", err, strata.CodeOf(err), code)
	}
}
