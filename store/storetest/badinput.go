package storetest

import (
	"fmt"
	"math"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// nasty are texts that have a meaning in some syntax.
var nasty = []string{
	`"`, `""`, `'`, `')`, `*`, `^a`, `a*`, `"a`, `a"b`, `NEAR(a b)`, `a AND`, `OR`, `NOT a`, `terms:a`, `{a b}:c`, `-a`, `+`, `(`,
	`'; DROP TABLE fact; --`, `%`, `_`, `\`, "\n", "a\u0000b", "\xff\xfe", "\u202e", "🐈", "", " ", strings.Repeat("x", 100_000),
	strings.Repeat(`"`, 1000), "?1", ":a", "$a",
}

var badInputTests = []test{
	{"any text may be a term or substring", func(b *bench) {
		b.save(b.fact(global, "a plain fact"))
		b.view(func(r store.Reader) {
			for _, s := range nasty {
				_, err := r.Match(b.ctx, global, []string{s, "plain"}, store.Filter{}, store.MatchOptions{})
				b.ok(err)
				_, err = r.MatchPhrase(b.ctx, global, []string{s}, true, store.Filter{}, 10)
				b.ok(err)
				_, err = r.MatchPhrase(b.ctx, global, []string{"plain", s}, false, store.Filter{}, 10)
				b.ok(err)
				if err := r1(r.MatchSubstring(b.ctx, global, s, store.Filter{}, 10)); err != nil {
					b.code(err, strata.CodeInvalid) // shorter than three characters
				}
				_, err = r.FactsByText(b.ctx, global, text.Analyze(s))
				b.ok(err)
				_, err = r.FactsBySlot(b.ctx, global, s, s)
				b.ok(err)
				_, _, err = r.Forgotten(b.ctx, global, text.Analyze(s))
				b.ok(err)
				_, err = r.Workspace(b.ctx, s)
				b.ok(err)
				_, err = r.Fact(b.ctx, []strata.Scope{global}, s)
				b.code(err, strata.CodeNotFound)
			}
			m, err := r.Match(b.ctx, global, []string{`"`, "plain"}, store.Filter{}, store.MatchOptions{})
			b.ok(err)
			b.equal("the good term still matches", len(m.Passages), 1)
		})
	}},
	{"a text that can be stored comes back as it was", func(b *bench) {
		for i, s := range nasty {
			f := b.fact(global, "text "+s)
			err := b.tryUpdate(func(w store.Writer) error {
				number, err := w.PutFact(b.ctx, f)
				if err != nil {
					return err
				}
				return w.PutPassage(b.ctx, factPassage(w, f, number))
			})
			switch strata.CodeOf(err) {
			case "":
				b.view(func(r store.Reader) {
					got, err := r.Fact(b.ctx, []strata.Scope{global}, f.ID)
					b.ok(err)
					if got.Text != f.Text {
						b.Errorf("text %d came back as %q", i, got.Text)
					}
				})
			case strata.CodeInvalid, strata.CodeTooLarge:
			default:
				b.Errorf("text %d: %v", i, err)
			}
		}
	}},
	{"a fact that would damage the store is refused", func(b *bench) {
		base := b.fact(global, "fine")
		for name, c := range map[string]struct {
			change func(*strata.Fact)
			code   strata.Code
		}{
			"no id":            {func(f *strata.Fact) { f.ID = "" }, strata.CodeInvalid},
			"no text":          {func(f *strata.Fact) { f.Text = " \n" }, strata.CodeInvalid},
			"a NUL byte":       {func(f *strata.Fact) { f.Text = "a\x00b" }, strata.CodeInvalid},
			"broken UTF-8":     {func(f *strata.Fact) { f.Text = "a\xff" }, strata.CodeInvalid},
			"too long":         {func(f *strata.Fact) { f.Text = strings.Repeat("x", strata.MaxFactBytes+1) }, strata.CodeTooLarge},
			"no type":          {func(f *strata.Fact) { f.Type = "" }, strata.CodeInvalid},
			"no generation":    {func(f *strata.Fact) { f.Generation = 0 }, strata.CodeInvalid},
			"NaN":              {func(f *strata.Fact) { f.Confidence = math.NaN() }, strata.CodeInvalid},
			"a path":           {func(f *strata.Fact) { f.Category = "../x" }, strata.CodeInvalid},
			"an unknown maker": {func(f *strata.Fact) { f.Origin = "dark" }, strata.CodeInvalid},
		} {
			f := base
			c.change(&f)
			err := b.tryUpdate(func(w store.Writer) error { _, err := w.PutFact(b.ctx, f); return err })
			if got := strata.CodeOf(err); got != c.code {
				b.Errorf("%s: code %q, want %q (%v)", name, got, c.code, err)
			}
		}
		b.equal("facts", b.stats(global).Facts, 0)
	}},
	{"a vector that is none is refused and nothing of it stays", func(b *bench) {
		f := b.fact(global, "has a good vector")
		numbers := b.save(f)
		long := make([]float32, 1<<20)
		long[0] = 1
		bad := map[string][]float32{
			"too short": {1, 0}, "too long": append(vectorOf("x"), 1), "far too long": long,
			"empty": {}, "NaN": broken(float32(math.NaN())), "infinite": broken(float32(math.Inf(1))),
		}
		for name, v := range bad {
			err := b.tryUpdate(func(w store.Writer) error { return w.PutVector(b.ctx, numbers[0], model, v) })
			if strata.CodeOf(err) != strata.CodeInvalid {
				b.Errorf("%s: PutVector returned %v", name, err)
			}
			if len(v) > 0 { // an empty vector counts as none: the passage waits for one
				err = b.tryUpdate(func(w store.Writer) error {
					g := b.fact(global, "with a bad vector")
					number, err := w.PutFact(b.ctx, g)
					if err != nil {
						return err
					}
					p := factPassage(w, g, number)
					p.Vector = v
					return w.PutPassage(b.ctx, p)
				})
				if strata.CodeOf(err) != strata.CodeInvalid {
					b.Errorf("%s: PutPassage returned %v", name, err)
				}
			}
			err = b.st.View(b.ctx, func(r store.Reader) error {
				return r1(r.Nearest(b.ctx, global, model, v, nil, store.Filter{}, 10))
			})
			if strata.CodeOf(err) != strata.CodeInvalid {
				b.Errorf("%s: Nearest returned %v", name, err)
			}
			err = b.st.View(b.ctx, func(r store.Reader) error {
				return r1(r.NearestParents(b.ctx, global, model, v, strata.KindFact, store.Filter{}, 10))
			})
			if strata.CodeOf(err) != strata.CodeInvalid {
				b.Errorf("%s: NearestParents returned %v", name, err)
			}
		}
		b.equal("facts", b.stats(global).Facts, 1)
		b.view(func(r store.Reader) {
			near, err := r.Nearest(b.ctx, global, model, vectorOf(f.Text), nil, store.Filter{}, 10)
			b.ok(err)
			b.near("the good vector", near[0].Similarity, 1)
		})
	}},
	{"a passage of no fact is refused", func(b *bench) {
		numbers := b.save(b.fact(global, "x"))
		f := b.fact(workspace, "y")
		b.save(f)
		for _, number := range []int64{0, -1, numbers[0], math.MaxInt64} {
			b.code(b.tryUpdate(func(w store.Writer) error { return w.PutPassage(b.ctx, factPassage(w, f, number)) }), strata.CodeInvalid)
		}
	}},
	{"turns and sessions that make no sense are refused", func(b *bench) {
		b.say(global, "s1", "a")
		for name, change := range map[string]func(*strata.Turn){
			"no id": func(u *strata.Turn) { u.ID = "" }, "no role": func(u *strata.Turn) { u.Role = "" },
			"no text": func(u *strata.Turn) { u.Text = "" }, "a NUL byte": func(u *strata.Turn) { u.Text = "\x00" },
			"a negative number": func(u *strata.Turn) { u.Seq = -1 }, "no session": func(u *strata.Turn) { u.Session = "" },
		} {
			u := b.turn("s1", 0)
			change(&u)
			if _, err := b.append(u); strata.CodeOf(err) != strata.CodeInvalid {
				b.Errorf("%s: %v", name, err)
			}
		}
		for _, x := range []strata.Session{{ID: "", Scope: global}, {ID: "a/b", Scope: global}, {ID: "a", Scope: global, Kind: "odd"}, {ID: "a"}} {
			b.code(b.tryUpdate(func(w store.Writer) error { return w.OpenSession(b.ctx, x) }), strata.CodeInvalid)
		}
	}},
	{"limits that make no sense are bounded", func(b *bench) {
		for i := range 3 {
			b.save(b.fact(global, fmt.Sprint("apple ", i)))
		}
		b.view(func(r store.Reader) {
			for _, limit := range []int{-1, 0, math.MaxInt32} {
				list, err := r.Facts(b.ctx, global, strata.FactFilter{Limit: limit})
				b.ok(err)
				b.equal("facts", len(list), 3)
				for _, err := range []error{
					r1(r.Decisions(b.ctx, global, strata.DecisionFilter{Limit: limit})),
					r1(r.Events(b.ctx, global, -1, limit)),
					r1(r.Traces(b.ctx, global, store.TraceFilter{Limit: limit})),
					r1(r.Sessions(b.ctx, global, store.SessionFilter{Limit: limit})),
					r1(r.Turns(b.ctx, global, "s1", store.TurnFilter{After: -1, Until: -1, Limit: limit})),
					r1(r.Learnings(b.ctx, global, store.LearningFilter{Limit: limit})),
					r1(r.Outcomes(b.ctx, global, store.OutcomeFilter{Limit: limit})),
					r1(r.Unexported(b.ctx, strata.Session{}, limit)),
					r1(r.Nearest(b.ctx, global, model, vectorOf("x"), nil, store.Filter{}, limit)),
					r1(r.MatchSubstring(b.ctx, global, "apple", store.Filter{}, limit)),
					r1(r.MatchPhrase(b.ctx, global, []string{"appl"}, false, store.Filter{}, limit)),
					r1(r.Sources(b.ctx, global, -1, limit)),
					r1(r.Unembedded(b.ctx, theModel, limit)),
				} {
					b.ok(err)
				}
			}
		})
	}},
	{"the largest turn is stored and found", func(b *bench) {
		big := strings.Repeat("lorem ipsum dolor ", 1<<20/18) + "needle"
		u := b.say(global, "s1", big)[0]
		b.equal("found", b.found(global, "needle", store.Filter{}), []string{u.ID})
		b.view(func(r store.Reader) {
			got, err := r.Turn(b.ctx, []strata.Scope{global}, u.ID)
			b.ok(err)
			if got.Text != big {
				b.Error("the turn came back changed")
			}
		})
	}},
}

// r1 drops a result, for calls of which only the error matters.
func r1[T any](_ T, err error) error { return err }

// broken returns a vector with one component that is not a finite number.
func broken(x float32) []float32 {
	v := vectorOf("x")
	v[dimension/2] = x
	return v
}
