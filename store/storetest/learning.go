package storetest

import (
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// learn stores a learning.
func (b *bench) learn(l strata.Learning) (out strata.Learning) {
	b.Helper()
	b.update(func(w store.Writer) {
		var err error
		out, err = w.PutLearning(b.ctx, l)
		b.ok(err)
	})
	return out
}

func (b *bench) learning(scope strata.Scope, key, s string) strata.Learning {
	return strata.Learning{ID: b.id("lrn"), Scope: scope, Kind: strata.LearningError, Key: key, Tool: "run", Text: s}
}

// outcome stores a run of a tool.
func (b *bench) outcome(o strata.ToolOutcome) {
	b.Helper()
	b.update(func(w store.Writer) { b.ok(w.PutOutcome(b.ctx, o)) })
}

// paramsHash stands for the hash of some arguments.
const paramsHash = "0123456789abcdef"

var learningTests = []test{
	{"a learning is read back with every field", func(b *bench) {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		l := strata.Learning{ID: b.id("lrn"), Scope: agentIn, Kind: strata.LearningCorrection, Key: "k", Text: "no, 猫", Context: "a dog",
			Session: "s1", Count: 3, FirstAt: at, LastAt: at.Add(time.Hour)}
		b.equal("kept", b.learn(l), l)
		b.view(func(r store.Reader) {
			list, err := r.Learnings(b.ctx, agentIn, store.LearningFilter{})
			b.ok(err)
			b.equal("list", list, []strata.Learning{l})
			got, err := r.LearningByKey(b.ctx, agentIn, strata.LearningCorrection, "k")
			b.ok(err)
			b.equal("by key", got, l)
			_, err = r.LearningByKey(b.ctx, agentIn, strata.LearningError, "k")
			b.code(err, strata.CodeNotFound)
			_, err = r.LearningByKey(b.ctx, global, strata.LearningCorrection, "k")
			b.code(err, strata.CodeNotFound)
		})
	}},
	{"the same learning counts up and takes over what is newer", func(b *bench) {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		first := b.learning(global, "k", "first")
		first.LastAt, first.Session = at, "s1"
		b.learn(first)
		newer := b.learning(global, "k", "newer")
		newer.LastAt, newer.Session, newer.Tool = at.Add(time.Hour), "s2", "shell"
		b.learn(newer)
		older := b.learning(global, "k", "older")
		older.LastAt, older.Count = at.Add(-time.Hour), 5
		got := b.learn(older)
		want := newer
		want.ID, want.Count, want.FirstAt = first.ID, 7, older.LastAt
		b.equal("merged", got, want)
		b.learn(b.learning(workspace, "k", "elsewhere"))
		correction := strata.Learning{ID: b.id("lrn"), Scope: global, Kind: strata.LearningCorrection, Key: "k", Text: "of another kind"}
		b.equal("count of another kind", b.learn(correction).Count, 1)
		b.equal("counted", b.stats(global).Learnings, 2)
	}},
	{"learnings are listed last learnt first, by kind", func(b *bench) {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		for i, k := range []string{"a", "b", "c", "a"} {
			l := b.learning(global, k, k)
			l.LastAt = at.Add(time.Duration(i) * time.Hour)
			b.learn(l)
		}
		c := strata.Learning{ID: b.id("lrn"), Scope: global, Kind: strata.LearningCorrection, Key: "d", Text: "d", LastAt: at}
		b.learn(c)
		b.view(func(r store.Reader) {
			for _, x := range []struct {
				filter store.LearningFilter
				want   string
			}{
				{store.LearningFilter{}, "acbd"}, {store.LearningFilter{Limit: 2}, "ac"}, {store.LearningFilter{Skip: 1, Limit: 2}, "cb"},
				{store.LearningFilter{Kind: strata.LearningError}, "acb"}, {store.LearningFilter{Kind: strata.LearningCorrection}, "d"},
			} {
				list, err := r.Learnings(b.ctx, global, x.filter)
				b.ok(err)
				got := ""
				for _, l := range list {
					got += l.Text
				}
				b.equal(fmt.Sprintf("%+v", x.filter), got, x.want)
			}
		})
	}},
	{"a learning that says nothing is refused", func(b *bench) {
		for name, change := range map[string]func(*strata.Learning){
			"no id":        func(l *strata.Learning) { l.ID = "" },
			"no key":       func(l *strata.Learning) { l.Key = "" },
			"no text":      func(l *strata.Learning) { l.Text = " " },
			"no tool":      func(l *strata.Learning) { l.Tool = "" },
			"unknown kind": func(l *strata.Learning) { l.Kind = "win" },
			"not UTF-8":    func(l *strata.Learning) { l.Context = "\xff" },
		} {
			l := b.learning(global, "k", "x")
			change(&l)
			err := b.tryUpdate(func(w store.Writer) error { _, err := w.PutLearning(b.ctx, l); return err })
			if strata.CodeOf(err) != strata.CodeInvalid {
				b.Errorf("%s: %v", name, err)
			}
		}
		b.equal("kept", b.stats(global).Learnings, 0)
	}},
	{"the newest runs of each tool are kept", func(b *bench) {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		b.outcome(strata.ToolOutcome{Scope: global, Tool: "quiet", Params: paramsHash, OK: true, At: at})
		for i := range store.KeptOutcomes + 5 {
			b.outcome(strata.ToolOutcome{Scope: global, Session: "s1", Tool: "busy", Params: fmt.Sprintf("%016x", i%2), Error: fmt.Sprint("error ", i),
				At: at.Add(time.Duration(i) * time.Second)})
		}
		b.view(func(r store.Reader) {
			list, err := r.Outcomes(b.ctx, global, store.OutcomeFilter{Tool: "busy", Limit: 1000})
			b.ok(err)
			b.equal("kept", len(list), store.KeptOutcomes)
			last := store.KeptOutcomes + 4
			b.equal("newest", list[0], strata.ToolOutcome{Scope: global, Session: "s1", Tool: "busy", Params: fmt.Sprintf("%016x", last%2),
				Error: fmt.Sprint("error ", last), At: at.Add(time.Duration(last) * time.Second)})
			list, err = r.Outcomes(b.ctx, global, store.OutcomeFilter{Tool: "busy", Params: "0000000000000001", Limit: 1})
			b.ok(err)
			b.equal("of some arguments", list[0].Error, fmt.Sprint("error ", last-1))
			list, err = r.Outcomes(b.ctx, global, store.OutcomeFilter{Limit: 1000})
			b.ok(err)
			b.equal("of all tools", len(list), store.KeptOutcomes+1)
			list, err = r.Outcomes(b.ctx, global, store.OutcomeFilter{Skip: store.KeptOutcomes, Limit: 10})
			b.ok(err)
			b.equal("after all but the oldest", list[0].Tool, "quiet")
			list, err = r.Outcomes(b.ctx, global, store.OutcomeFilter{Session: "s2"})
			b.ok(err)
			b.equal("of another session", len(list), 0)
			list, err = r.Outcomes(b.ctx, workspace, store.OutcomeFilter{})
			b.ok(err)
			b.equal("of another scope", len(list), 0)
		})
		b.equal("counted", b.stats(global).Outcomes, store.KeptOutcomes+1)
	}},
	{"a run that cannot be told apart is refused", func(b *bench) {
		for name, o := range map[string]strata.ToolOutcome{
			"no tool":         {Scope: global, Params: paramsHash},
			"no hash":         {Scope: global, Tool: "t", Params: "ls -l"},
			"good with error": {Scope: global, Tool: "t", Params: paramsHash, OK: true, Error: "x"},
		} {
			err := b.tryUpdate(func(w store.Writer) error { return w.PutOutcome(b.ctx, o) })
			if strata.CodeOf(err) != strata.CodeInvalid {
				b.Errorf("%s: %v", name, err)
			}
		}
	}},
}
