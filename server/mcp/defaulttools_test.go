package mcp

import (
	"fmt"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
)

// What an agent gets without asking for more lets it save, ask and look around, and a
// question may be confined to a category: facts of others take no place in the answer.
func TestAnAgentSavesAsksAndLooksAroundByDefault(t *testing.T) {
	e := open(t)
	add := func(text, category string) {
		t.Helper()
		_, err := e.Write(t.Context(), strata.Candidate{Scope: strata.Global(), Content: text, Category: category, Origin: strata.OriginCLI})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 40 {
		add(fmt.Sprintf("The ferry from pier %d leaves for the islands at noon", i), "timetable")
	}
	add("Our old boat was a ferry that leaves its berth once a year", "boats")
	cs := connect(t, New(e, Options{}))
	call(t, cs, "memory_save", map[string]any{"content": "My dinghy is called Wanda", "type": "user", "category": "boats"})
	call(t, cs, "memory_save", map[string]any{"content": "My cat is called Tom", "type": "user", "category": "pets"})
	categories := func(found map[string]any) (list []string) {
		t.Helper()
		for _, hit := range found["hits"].([]any) {
			versions, err := e.Fact(t.Context(), strata.Global().View(), hit.(map[string]any)["id"].(string))
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, versions[0].Category)
		}
		return list
	}
	for _, tool := range []string{"memory_recall", "memory_search"} {
		_, all := call(t, cs, tool, map[string]any{"query": "when does the ferry leave?", "max_results": 1})
		_, boats := call(t, cs, tool, map[string]any{"query": "when does the ferry leave?", "max_results": 1, "category": "boats"})
		of := func(found map[string]any) string {
			t.Helper()
			hits := categories(found)
			if len(hits) != 1 {
				t.Fatalf("%s: %d hits, want 1", tool, len(hits))
			}
			return hits[0]
		}
		if is := of(all); is != "timetable" {
			t.Errorf("%s: the best of all is in %q", tool, is)
		}
		if is := of(boats); is != "boats" {
			t.Errorf("%s: the best of boats is in %q", tool, is)
		}
	}
	_, known := call(t, cs, "memory_recall", map[string]any{"query": "what do you know about me?", "category": "BOATS"})
	if got := categories(known); len(got) == 0 || slices.ContainsFunc(got, func(c string) bool { return c != "boats" }) {
		t.Errorf("what is known of the user in boats is in %q", got)
	}
}
