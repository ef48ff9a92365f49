package storetest

import (
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// escaped returns s with every letter escaped, as JSON allows.
func escaped(s string) string {
	var b strings.Builder
	const hex = "0123456789abcdef"
	for _, r := range s {
		b.WriteString(`\u00`)
		b.WriteByte(hex[r>>4&15])
		b.WriteByte(hex[r&15])
	}
	return b.String()
}

var forgetSessionTests = []test{
	{"calls, images and failures of forgotten turns go", func(b *bench) {
		f := b.fact(global, secret)
		b.save(f)
		b.say(global, "s1", "hello")
		turns := []strata.Turn{
			{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "c1", Name: "write", Arguments: `{"text":"` + secret + `, I think"}`}}},
			{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "c2", Name: "write", Arguments: `{"text":"` + escaped(secret) + `"}`}}},
			{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "c3", Name: "write", Arguments: `{"broken": "` + secret}}},
			{Role: strata.RoleTool, CallID: "c1", Tool: "write", Failed: true, Text: "cannot write: " + secret},
			{Role: strata.RoleUser, Text: "Look, " + secret, Images: []strata.Image{{MediaType: "image/png", Data: []byte("whiskers")}}},
			{Role: strata.RoleAssistant, Text: "fine", Calls: []strata.ToolCall{{ID: "c4", Name: "read", Arguments: `{"path":"cat.txt"}`}}},
		}
		for i := range turns {
			turns[i].ID, turns[i].Scope, turns[i].Session = b.id("turn"), global, "s1"
			_, err := b.append(turns[i])
			b.ok(err)
		}
		got := b.forget(global, f.ID)
		b.equal("turns", len(got.Turns), 5)
		b.equal("remaining", got.Remaining, []string(nil))
		b.view(func(r store.Reader) {
			list, err := r.Turns(b.ctx, global, "s1", store.TurnFilter{After: 1})
			b.ok(err)
			for i, u := range list[:5] {
				if !u.Forgotten || u.Text != strata.ForgottenText || len(u.Images) > 0 {
					b.Errorf("turn %d is %+v", i, u)
				}
			}
			b.equal("call that was blanked", list[0].Calls, []strata.ToolCall{{ID: "c1", Name: "write"}})
			b.equal("answer that was blanked", list[3].CallID, "c1")
			b.equal("call that was not", list[5].Calls, turns[5].Calls)
		})
		b.equal("images", b.stats(global).Images, 0)
		b.indexRest("s1")
	}},
	{"snapshots and states lose the text in every scope", func(b *bench) {
		f := b.fact(global, secret)
		b.save(f)
		for _, s := range []strata.Scope{global, agent} {
			b.say(s, "s1", "hello")
			_, err := b.snapshot(s, "s1", 0, "You know:\n- "+secret+"\n- The build needs Go\n")
			b.ok(err)
			b.say(s, "s2", "hello")
			_, err = b.snapshot(s, "s2", 0, "My cat's\nname is Whiskerino")
			b.ok(err)
			b.saveState(s, "s1", `{"summary":"`+escaped(secret)+`"}`)
			b.saveState(s, "s2", `{"summary":"nothing"}`)
			b.update(func(w store.Writer) {
				b.ok(w.SetSessionStateAside(b.ctx, s, "s2", "broken"))
				b.ok(w.PutSessionState(b.ctx, s, "s2", []byte("plain "+secret)))
			})
		}
		got := b.forget(global, f.ID)
		b.equal("snapshots, states", []int{got.Snapshots, got.States}, []int{4, 4})
		b.view(func(r store.Reader) {
			for _, s := range []strata.Scope{global, agent} {
				one, err := r.Snapshot(b.ctx, s, "s1")
				b.ok(err)
				b.equal("line by line", one.Text, "You know:\n"+strata.ForgottenText+"\n- The build needs Go\n")
				two, err := r.Snapshot(b.ctx, s, "s2")
				b.ok(err)
				b.equal("across lines", two.Text, strata.ForgottenText)
				aside, err := r.StatesAside(b.ctx, s, "s2")
				b.ok(err)
				b.equal("set aside and harmless", len(aside), 1)
			}
		})
		b.equal("state", b.state(global, "s1")+b.state(agent, "s2"), "nonenone")
	}},
	{"snapshots and states lose what they show of a long text, and of one with markup", func(b *bench) {
		long := b.fact(global, secret+strings.Repeat(" and sleeps in the sun", 20))
		marked := b.fact(global, "Open the file with <edit>")
		b.save(long)
		b.save(marked)
		b.say(global, "s1", "hello")
		b.saveState(global, "s1", `{"notes":["- Open the file with ‹edit>"]}`)
		_, err := b.snapshot(global, "s1", 0, "- "+long.Text[:160]+"…\n- Open the file with ‹edit>\n- The build needs Go\n")
		b.ok(err)
		b.equal("snapshots", b.forget(global, long.ID).Snapshots+b.forget(global, marked.ID).Snapshots, 2)
		b.view(func(r store.Reader) {
			left, err := r.Snapshot(b.ctx, global, "s1")
			b.ok(err)
			b.equal("state", b.state(global, "s1"), "none")
			b.equal("left", left.Text, strata.ForgottenText+"\n"+strata.ForgottenText+"\n- The build needs Go\n")
		})
	}},
	{"the state of a session whose turn is blanked goes whatever it holds", func(b *bench) {
		turns := b.say(global, "s1", "We got a cat, it is Whiskerino")
		b.say(global, "s2", "other")
		f := b.fact(global, secret)
		f.Sources = []string{turns[0].ID}
		b.save(f)
		b.saveState(global, "s1", "in other words")
		b.saveState(global, "s2", "in other words")
		b.equal("states", b.forget(global, f.ID).States, 1)
		b.equal("left", b.state(global, "s1")+", "+b.state(global, "s2"), "none, in other words")
	}},
	{"learnings and failures of tools are blanked", func(b *bench) {
		f := b.fact(global, secret)
		b.save(f)
		l := strata.Learning{ID: b.id("lrn"), Scope: global, Kind: strata.LearningCorrection, Key: secret, Text: "No, " + secret, Context: "Tom?"}
		b.learn(l)
		b.learn(b.learning(global, "k", "exit status 1"))
		far := l
		far.ID, far.Scope = b.id("lrn"), workspace
		b.learn(far)
		b.outcome(strata.ToolOutcome{Scope: global, Tool: "t", Params: paramsHash, Error: "not found: " + secret})
		got := b.forget(global, f.ID)
		b.equal("learnings", got.Learnings, 2)
		b.equal("remaining", got.Remaining, []string{"workspace/w1/" + far.ID})
		b.view(func(r store.Reader) {
			list, err := r.Learnings(b.ctx, global, store.LearningFilter{})
			b.ok(err)
			b.equal("listed", len(list), 1)
			list, err = r.Learnings(b.ctx, global, store.LearningFilter{Forgotten: true, Kind: strata.LearningCorrection})
			b.ok(err)
			b.equal("blanked", []string{list[0].Text, list[0].Context, list[0].Key}, []string{strata.ForgottenText, "", l.ID})
			runs, err := r.Outcomes(b.ctx, global, store.OutcomeFilter{})
			b.ok(err)
			b.equal("run", runs[0].Error, strata.ForgottenText)
		})
		b.equal("counted", b.stats(global).Learnings, 1)
		l.ID = b.id("lrn")
		b.equal("learnt anew", b.learn(l).Count, 1)
	}},
	{"why a session was given up is blanked where it holds the text", func(b *bench) {
		f := b.fact(global, secret)
		b.save(f)
		b.say(global, "s1", "a")
		errors := map[store.Extractor]string{store.ByModel: "the model answered: " + secret, store.ByRules: "exit status 1"}
		for by, why := range errors {
			b.update(func(w store.Writer) {
				b.ok(w.RestartExtraction(b.ctx, global, "s1", by))
				x, err := w.Extraction(b.ctx, global, "s1", by)
				b.ok(err)
				x.LastError = why
				b.ok(w.ReleaseExtraction(b.ctx, x))
			})
		}
		b.forget(global, f.ID)
		errors[store.ByModel] = strata.ForgottenText
		b.view(func(r store.Reader) {
			for by, want := range errors {
				x, err := r.Extraction(b.ctx, global, "s1", by)
				b.ok(err)
				b.equal(string(by), x.LastError, want)
			}
		})
	}},
	{"learnings that hold the text without its markup are blanked", func(b *bench) {
		f := b.fact(global, "Run `make check` before <release>")
		b.save(f)
		b.learn(b.learning(global, "k", "No, run 'make check' before ‹release›"))
		b.outcome(strata.ToolOutcome{Scope: global, Tool: "t", Params: paramsHash, Error: "run 'make check' before ‹release›"})
		b.equal("learnings", b.forget(global, f.ID).Learnings, 2)
	}},
	{"the transcript of a closed session becomes outstanding", func(b *bench) {
		b.say(global, "closed", secret)
		b.say(global, "other", "hello")
		b.say(global, "open", secret)
		b.update(func(w store.Writer) {
			for _, s := range []string{"closed", "other"} {
				b.ok(w.CloseSession(b.ctx, global, s, w.Now()))
				_, err := w.StampTranscript(b.ctx, global, s, 0, "")
				b.ok(err)
			}
		})
		f := b.fact(global, secret)
		b.save(f)
		b.equal("transcripts", b.forget(global, f.ID).Transcripts, []string{"closed"})
		b.equal("outstanding", b.outstanding(), []string{"global/closed@1"})
	}},
}

// indexRest indexes the turns of a session that were appended without a passage, except
// forgotten ones.
func (b *bench) indexRest(session string) {
	b.Helper()
	b.update(func(w store.Writer) {
		list, err := w.Sources(b.ctx, global, 0, 1000)
		b.ok(err)
		for _, s := range list {
			if s.Turn != nil && s.Turn.Session == session && s.Turn.Seq > 1 {
				b.ok(w.PutPassage(b.ctx, store.Passage{Number: s.Number, Kind: strata.KindTurn, Ref: s.Turn.ID, Scope: global,
					Parent: session, Seq: s.Turn.Seq, Text: s.Turn.Text, RecordedAt: s.Turn.RecordedAt}))
			}
		}
	})
}
