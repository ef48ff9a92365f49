package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/strata-memory/strata"
)

// An error says the same and means the same at the other end.
func TestErrorsTravelWhole(t *testing.T) {
	known := &strata.Error{Code: strata.CodeNotFound, Op: "read fact", Message: "no fact f", Hint: "look", Details: map[string]string{"kind": "fact"}}
	for _, err := range []error{
		known,
		&strata.Error{Code: strata.CodeUnavailable, Message: "it does not answer", Err: errors.New("refused")},
		&strata.Error{Code: strata.CodeInternal, Op: "write", Err: known},
		fmt.Errorf("look through the files of global: %w", known),
		fmt.Errorf("recall: %w", context.Canceled),
		context.DeadlineExceeded,
		errors.New("something"),
	} {
		data, jsonErr := json.Marshal(FailureOf(err))
		var f *Failure
		if jsonErr != nil || json.Unmarshal(data, &f) != nil {
			t.Fatal(err, jsonErr)
		}
		got := f.Err()
		var wantKnown, gotKnown *strata.Error
		is := errors.As(err, &wantKnown)
		if got.Error() != err.Error() || strata.CodeOf(got) != strata.CodeOf(err) || errors.As(got, &gotKnown) != is {
			t.Errorf("%#v came as %#v", err, got)
		}
		if is && (gotKnown.Hint != wantKnown.Hint || !reflect.DeepEqual(gotKnown.Details, wantKnown.Details)) {
			t.Errorf("%v lost its hint or details: %v", err, gotKnown)
		}
		for _, end := range []error{context.Canceled, context.DeadlineExceeded} {
			if errors.Is(got, end) != errors.Is(err, end) {
				t.Errorf("%v came as %v", err, got)
			}
		}
	}
	if FailureOf(nil).Err() != nil {
		t.Error("no error came as one")
	}
}

func TestACallerTravelsWhole(t *testing.T) {
	c := Caller{Home: "/home/ü/.strata", Build: "1", Settings: "s", Agent: "a", Scope: "global", Origin: "cli", Tools: "core", Session: "session_1",
		Project: Project{ID: "01", Root: "/p\n", Source: "git", Key: "git:/p", Keys: []string{"git:/p", "dir:/p"}}}
	got, err := ParseCaller(c.String())
	if err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("%+v came as %+v, %v", c, got, err)
	}
	c.Project.Root = "/caf\xe9"
	if got := c.String(); got != "" {
		t.Errorf("a directory whose name is no UTF-8 came as another: %s", got)
	}
	for _, header := range []string{"", "!", "e30", "bnVsbA"} {
		if got, err := ParseCaller(header); err == nil && !reflect.DeepEqual(got, Caller{}) {
			t.Errorf("%q is %+v", header, got)
		}
	}
}
