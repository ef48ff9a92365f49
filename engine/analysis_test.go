package engine_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sqlite"
)

// A save reads its text once, and a recall its question: what one step has made of it
// the next is given.
func TestATextIsReadOnce(t *testing.T) {
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(ctx, st, nil) // no embedder, which reads what it is given itself
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	me := strata.Global()
	// Wholly unlike what follows, it has word lists made that are made once.
	if _, err := e.Save(ctx, me, "Bicycles rust"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Recall(ctx, me.View(), "Do bicycles rust?"); err != nil {
		t.Fatal(err)
	}

	var names strings.Builder
	for i := range 40 {
		fmt.Fprintf(&names, " Ganzo%d", i)
	}
	readOnce(t, "save", names.Len(), func() {
		if _, err := e.Save(ctx, me, "Kiosks in Lisbon sell"+names.String()); err != nil {
			t.Fatal(err)
		}
	})
	readOnce(t, "recall", names.Len(), func() {
		if _, err := e.Recall(ctx, me.View(), "Which shops in Lisbon, if any, have"+names.String()); err != nil {
			t.Fatal(err)
		}
	})
}

// readOnce fails unless do cuts one text of so many bytes, or more, into words and makes
// tokens of them, once each.
func readOnce(t *testing.T, name string, size int, do func()) {
	t.Helper()
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1 // every allocation
	before := readings(t, size)
	do()
	count := make(map[string]int64)
	for r, n := range readings(t, size) {
		if n -= before[r]; n > 0 {
			count[r.function] += n
			t.Logf("%s: %s %d times by%s", name, r.function, n, r.stack)
		}
	}
	if want := map[string]int64{"asciiWords": 1, "tokensOf": 1}; !maps.Equal(count, want) {
		t.Errorf("%s: the text is read by %v, want %v", name, count, want)
	}
}

// pass is a place at which a text is read: the function of package text, and who
// called it.
type pass struct{ function, stack string }

// readings tells how often each place has read a text of so many bytes, or more, by what
// it allocated for its words.
func readings(t *testing.T, size int) map[pass]int64 {
	t.Helper()
	runtime.GC() // a profile is as of the last collection but one
	runtime.GC()
	n, _ := runtime.MemProfile(nil, true)
	records := make([]runtime.MemProfileRecord, n+100)
	n, ok := runtime.MemProfile(records, true)
	if !ok {
		t.Fatal("the profile has grown")
	}
	out := make(map[pass]int64)
	for _, record := range records[:n] {
		if record.AllocObjects == 0 || record.AllocBytes/record.AllocObjects < int64(size) {
			continue
		}
		var r pass
		leaf := true
		for frames := runtime.CallersFrames(record.Stack()); ; {
			f, more := frames.Next()
			_, function, _ := strings.Cut(f.Function, "/internal/text.")
			switch {
			case r.function != "":
				r.stack += fmt.Sprintf("\n\t%s:%d", f.Function, f.Line)
			case leaf && slices.Contains([]string{"asciiWords", "tokensOf", "tokensUnspaced", "Terms"}, function), strings.HasPrefix(function, "Tokens."):
				r.function = function
			}
			leaf = leaf && strings.HasPrefix(f.Function, "runtime.")
			if !more {
				break
			}
		}
		if r.function != "" {
			out[r] += record.AllocObjects
		}
	}
	return out
}
