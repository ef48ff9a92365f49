package history_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

func BenchmarkDiffOfLongFiles(b *testing.B) {
	h := newHome(b)
	var one, two strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&one, "line %d\n", i%977)
		fmt.Fprintf(&two, "line %d\n", i*7%977)
	}
	h.write("a.md", one.String())
	h.commit("one")
	h.write("a.md", two.String())
	h.commit("two")
	for b.Loop() {
		if log, err := h.Log(context.Background(), strata.Global(), 1, true); err != nil || log.Diff == "" {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheckpoint commits one changed file among 10,000.
func BenchmarkCheckpoint(b *testing.B) {
	for _, count := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("files=%d", count), func(b *testing.B) {
			h := newHome(b)
			for i := range count {
				h.write(fmt.Sprintf("notes/project_topic-%05d.md", i), fmt.Sprintf("---\nname: Topic %d\n---\n\n%s", i, strings.Repeat("A line about it.\n", 20)))
			}
			h.commit("start")
			h.commit("again") // what was too fresh to be sure of
			n := 0
			done := measureCPU(b)
			for b.Loop() {
				n++
				h.write("notes/project_topic-00042.md", fmt.Sprintf("version %d\n", n))
				c, err := h.Commit(context.Background(), strata.Global(), files.Message{Subject: "checkpoint", At: day}, nil)
				if err != nil || c.Files != 1 {
					b.Fatal(c, err)
				}
			}
			done()
		})
	}
}

// BenchmarkCleanTree finds that nothing changed among 10,000 files.
func BenchmarkCleanTree(b *testing.B) {
	h := newHome(b)
	for i := range 10_000 {
		h.write(fmt.Sprintf("notes/project_topic-%05d.md", i), fmt.Sprintf("note %d\n", i))
	}
	h.commit("start")
	h.commit("again")
	done := measureCPU(b)
	for b.Loop() {
		if c := h.commit("nothing"); c.Skipped == "" {
			b.Fatal(c)
		}
	}
	done()
}

// BenchmarkFirstCommit records 10,000 new files.
func BenchmarkFirstCommit(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		h := newHome(b)
		for i := range 10_000 {
			h.write(fmt.Sprintf("notes/project_topic-%05d.md", i), fmt.Sprintf("note %d\n%s", i, strings.Repeat("A line about it.\n", 20)))
		}
		b.StartTimer()
		h.commit("start")
	}
}
