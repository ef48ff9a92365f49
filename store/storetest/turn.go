package storetest

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// append tries to append a turn.
func (b *bench) append(u strata.Turn) (out strata.Turn, err error) {
	err = b.tryUpdate(func(w store.Writer) error {
		var err error
		out, _, err = w.AppendTurn(b.ctx, u)
		return err
	})
	return out, err
}

func (b *bench) turn(session string, seq int64) strata.Turn {
	return strata.Turn{ID: b.id("turn"), Scope: global, Session: session, Seq: seq, Role: strata.RoleUser, Text: "hello there"}
}

// index indexes the turns that were appended without a passage.
func (b *bench) index(session string) {
	b.Helper()
	b.update(func(w store.Writer) {
		list, err := w.Sources(b.ctx, global, 0, 1000)
		b.ok(err)
		for _, s := range list {
			if s.Turn != nil && s.Turn.Session == session {
				b.ok(w.PutPassage(b.ctx, store.Passage{Number: s.Number, Kind: strata.KindTurn, Ref: s.Turn.ID, Scope: global,
					Parent: session, Seq: s.Turn.Seq, Text: s.Turn.Text, RecordedAt: s.Turn.RecordedAt}))
			}
		}
	})
}

var turnTests = []test{
	{"a turn is read back with every field", func(b *bench) {
		b.update(func(w store.Writer) { b.ok(w.OpenSession(b.ctx, strata.Session{ID: "s1", Scope: agent})) })
		u := strata.Turn{ID: b.id("turn"), Scope: agent, Session: "s1", Seq: 7, Role: strata.RoleTool, Speaker: "Ann",
			Text: "line one\n\tline two 猫", At: time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC), Redacted: 2,
			CallID: "call_1", Tool: "shell", Failed: true, Images: []strata.Image{{MediaType: "image/png", Data: []byte("\x89PNG\x00\xff")}}}
		b.update(func(w store.Writer) {
			got, number, err := w.AppendTurn(b.ctx, u)
			b.ok(err)
			u.RecordedAt = w.Now()
			b.equal("turn returned", got, u)
			b.ok(w.PutPassage(b.ctx, store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: agent, Parent: "s1",
				Seq: u.Seq, Text: u.Text, RecordedAt: u.RecordedAt}))
		})
		b.view(func(r store.Reader) {
			got, err := r.Turn(b.ctx, []strata.Scope{global, agent}, u.ID)
			b.ok(err)
			b.equal("turn", got, u)
			_, err = r.Turn(b.ctx, []strata.Scope{global}, u.ID)
			b.code(err, strata.CodeNotFound)
		})
	}},
	{"turns are numbered from one unless the caller numbers them", func(b *bench) {
		b.say(global, "other", "x")
		got := b.say(global, "s1", "a", "b")
		b.equal("numbers", []int64{got[0].Seq, got[1].Seq}, []int64{1, 2})
		u, err := b.append(b.turn("s1", 10))
		b.ok(err)
		b.equal("number asked for", u.Seq, 10)
		u, err = b.append(b.turn("s1", 0))
		b.ok(err)
		b.equal("number after it", u.Seq, 11)
		b.index("s1")
	}},
	{"a number that is taken is a conflict", func(b *bench) {
		got := b.say(global, "s1", "a", "b")
		_, err := b.append(b.turn("s1", 2))
		b.code(err, strata.CodeConflict)
		same := b.turn("s1", 0)
		same.ID = got[0].ID
		_, err = b.append(same)
		b.code(err, strata.CodeConflict)
		b.view(func(r store.Reader) {
			x, err := r.Session(b.ctx, global, "s1")
			b.ok(err)
			b.equal("turns counted", x.Turns, 2)
		})
	}},
	{"a turn needs its session", func(b *bench) {
		_, err := b.append(b.turn("none", 0))
		b.code(err, strata.CodeNotFound)
		b.say(global, "s1", "a")
		_, err = b.append(b.turn("none", 0))
		b.code(err, strata.CodeNotFound)
	}},
	{"turns are listed in order and in parts", func(b *bench) {
		b.say(global, "s1", "a", "b", "c", "d", "e")
		b.say(global, "s2", "z")
		for _, c := range []struct {
			after int64
			limit int
			want  string
		}{{0, 0, "abcde"}, {0, 2, "ab"}, {2, 2, "cd"}, {4, 0, "e"}, {5, 0, ""}} {
			b.view(func(r store.Reader) {
				list, err := r.Turns(b.ctx, global, "s1", store.TurnFilter{After: c.after, Limit: c.limit})
				b.ok(err)
				var got strings.Builder
				for _, u := range list {
					got.WriteString(u.Text)
				}
				b.equal("turns", got.String(), c.want)
			})
		}
	}},
	{"tool calls and images come back in order", func(b *bench) {
		b.say(global, "s1", "draw me a cat")
		u := b.turn("s1", 0)
		u.Role, u.Text = strata.RoleAssistant, ""
		u.Calls = []strata.ToolCall{{ID: "c2", Name: "draw", Arguments: `{"a": "<b>\n\u00e9"`}, {ID: "c1", Name: "look"}}
		_, err := b.append(u)
		b.ok(err)
		v := b.turn("s1", 0)
		v.Text, v.Images = "", []strata.Image{{MediaType: "image/png", Data: bytes.Repeat([]byte{1}, 300_000)}, {MediaType: "image/jpeg", Data: []byte{2}}}
		_, err = b.append(v)
		b.ok(err)
		b.view(func(r store.Reader) {
			list, err := r.Turns(b.ctx, global, "s1", store.TurnFilter{After: 1, Until: 3})
			b.ok(err)
			b.equal("calls", list[0].Calls, u.Calls)
			b.equal("images", list[1].Images, v.Images)
			list, err = r.Turns(b.ctx, global, "s1", store.TurnFilter{After: 2, NoImages: true})
			b.ok(err)
			b.equal("images without data", list[0].Images, []strata.Image{{MediaType: "image/png"}, {MediaType: "image/jpeg"}})
			list, err = r.Turns(b.ctx, global, "s1", store.TurnFilter{Until: 2})
			b.ok(err)
			b.equal("up to the second", len(list), 2)
			sources, err := r.Sources(b.ctx, global, 0, 10)
			b.ok(err)
			b.equal("images of a source", len(sources[2].Turn.Images), 0)
		})
		b.equal("counted", b.stats(global).Images, 2)
		b.indexRest("s1")
	}},
	{"turns beyond the limits are refused", func(b *bench) {
		b.say(global, "s1", "a")
		call := strata.ToolCall{ID: "c", Name: "n"}
		image := strata.Image{MediaType: "image/png", Data: []byte("x")}
		for name, c := range map[string]struct {
			change func(*strata.Turn)
			code   strata.Code
		}{
			"too many calls": {func(u *strata.Turn) {
				u.Role, u.Calls = strata.RoleAssistant, slices.Repeat([]strata.ToolCall{call}, strata.MaxCalls+1)
			}, strata.CodeTooLarge},
			"user calls":    {func(u *strata.Turn) { u.Calls = []strata.ToolCall{call} }, strata.CodeInvalid},
			"nameless call": {func(u *strata.Turn) { u.Role, u.Calls = strata.RoleAssistant, []strata.ToolCall{{ID: "c"}} }, strata.CodeInvalid},
			"long arguments": {func(u *strata.Turn) {
				u.Role, u.Calls = strata.RoleAssistant, []strata.ToolCall{{ID: "c", Name: "n", Arguments: strings.Repeat("x", strata.MaxCallBytes+1)}}
			}, strata.CodeTooLarge},
			"broken arguments": {func(u *strata.Turn) {
				u.Role, u.Calls = strata.RoleAssistant, []strata.ToolCall{{ID: "c", Name: "n", Arguments: "\xff"}}
			}, strata.CodeInvalid},
			"user answers":    {func(u *strata.Turn) { u.CallID = "c" }, strata.CodeInvalid},
			"too many images": {func(u *strata.Turn) { u.Images = slices.Repeat([]strata.Image{image}, strata.MaxImages+1) }, strata.CodeTooLarge},
			"too large images": {func(u *strata.Turn) {
				u.Images = []strata.Image{image, {MediaType: "image/png", Data: make([]byte, strata.MaxImageBytes)}}
			}, strata.CodeTooLarge},
			"empty image":       {func(u *strata.Turn) { u.Images = []strata.Image{{MediaType: "image/png"}} }, strata.CodeInvalid},
			"image of no image": {func(u *strata.Turn) { u.Images = []strata.Image{{MediaType: "text/html", Data: []byte("x")}} }, strata.CodeInvalid},
			"nothing at all":    {func(u *strata.Turn) { u.Text = "" }, strata.CodeInvalid},
		} {
			u := b.turn("s1", 0)
			c.change(&u)
			if _, err := b.append(u); strata.CodeOf(err) != c.code {
				b.Errorf("%s: %v", name, err)
			}
		}
		b.equal("turns", b.stats(global).Turns, 1)
	}},
	{"a session is opened once and closed once", func(b *bench) {
		start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		b.update(func(w store.Writer) {
			b.ok(w.OpenSession(b.ctx, strata.Session{ID: "s1", Scope: global, Kind: strata.SessionGroup, StartedAt: start}))
			b.ok(w.OpenSession(b.ctx, strata.Session{ID: "s1", Scope: global, Kind: strata.SessionSub}))
		})
		var at time.Time
		b.update(func(w store.Writer) {
			b.ok(w.CloseSession(b.ctx, global, "s1", time.Time{}))
			at = w.Now()
		})
		b.update(func(w store.Writer) { b.ok(w.CloseSession(b.ctx, global, "s1", time.Time{})) })
		b.view(func(r store.Reader) {
			x, err := r.Session(b.ctx, global, "s1")
			b.ok(err)
			b.equal("session", x, strata.Session{ID: "s1", Scope: global, Kind: strata.SessionGroup, StartedAt: start, ClosedAt: &at})
			_, err = r.Session(b.ctx, global, "none")
			b.code(err, strata.CodeNotFound)
		})
		for _, scope := range []strata.Scope{global, workspace} {
			b.code(b.tryUpdate(func(w store.Writer) error { return w.CloseSession(b.ctx, scope, "none", time.Time{}) }), strata.CodeNotFound)
		}
	}},
	{"sessions are listed newest first with their turns counted", func(b *bench) {
		for i, id := range []string{"s2", "s3", "s1"} {
			b.update(func(w store.Writer) {
				b.ok(w.OpenSession(b.ctx, strata.Session{ID: id, Scope: global,
					StartedAt: time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)}))
			})
			b.say(global, id, "a", "b", "c")
		}
		b.view(func(r store.Reader) {
			list, err := r.Sessions(b.ctx, global, store.SessionFilter{Limit: 2})
			b.ok(err)
			b.equal("ids", []string{list[0].ID, list[1].ID}, []string{"s1", "s3"})
			b.equal("turns", list[0].Turns, 3)
			b.equal("kind", list[0].Kind, strata.SessionMain)
		})
	}},
}
