package storetest

import (
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// long appends a turn with the given number of parts and puts a passage for each. Part i
// holds the word "part" followed by its number.
func (b *bench) long(session string, parts int) (u strata.Turn, numbers []int64) {
	b.Helper()
	var said strings.Builder
	var spans []strata.Span
	for i := range parts {
		from := said.Len()
		fmt.Fprintf(&said, "part%d of what %s says. ", i, session)
		spans = append(spans, strata.Span{Start: from, End: said.Len()})
	}
	b.update(func(w store.Writer) {
		b.ok(w.OpenSession(b.ctx, strata.Session{ID: session, Scope: global}))
		u = b.turn(session, 1)
		u.Text = said.String()
		var number int64
		var err error
		u, number, err = w.AppendTurn(b.ctx, u)
		b.ok(err)
		numbers, err = w.DivideTurn(b.ctx, number, spans)
		b.ok(err)
		b.putParts(w, u, numbers, spans)
	})
	return u, numbers
}

func (b *bench) putParts(w store.Writer, u strata.Turn, numbers []int64, spans []strata.Span) {
	b.Helper()
	b.equal("numbers", len(numbers), len(spans))
	for i, n := range numbers {
		b.ok(w.PutPassage(b.ctx, store.Passage{Number: n, Kind: strata.KindTurn, Ref: u.ID, Scope: global, Parent: u.Session, Seq: u.Seq,
			Text: u.Text[spans[i].Start:spans[i].End], RecordedAt: u.RecordedAt, Model: model, Vector: vectorOf(u.Text)}))
	}
}

// matching returns the numbers of the passages that hold a word.
func (b *bench) matching(word string) (out []int64) {
	b.Helper()
	b.view(func(r store.Reader) {
		m, err := r.Match(b.ctx, global, []string{word}, store.Filter{}, store.MatchOptions{})
		b.ok(err)
		for _, p := range m.Passages {
			out = append(out, p.Number)
		}
	})
	return out
}

var dividedTests = []test{
	{"a divided turn is found by its parts, each with its span", func(b *bench) {
		u, numbers := b.long("s1", 3)
		b.equal("the passage of part1", b.matching("part1"), numbers[1:2])
		b.view(func(r store.Reader) {
			items, err := r.Items(b.ctx, global, numbers)
			b.ok(err)
			b.equal("items", len(items), 3)
			for i, it := range items {
				b.equal("place", []int64{it.Number, it.Seq}, []int64{numbers[i], u.Seq})
				b.equal("turn", it.Turn.ID, u.ID)
				if !strings.HasPrefix(it.Turn.Text[it.Span.Start:it.Span.End], fmt.Sprint("part", i, " ")) {
					b.Errorf("part %d is %v", i, it.Span)
				}
			}
			list, err := r.Sources(b.ctx, global, 0, 100)
			b.ok(err)
			b.equal("sources", len(list), 3)
			metas, err := r.PassagesAt(b.ctx, global, []store.Place{{Parent: items[0].Parent, Seq: u.Seq}}, store.Filter{})
			b.ok(err)
			b.equal("passages at its place", len(metas), 3)
			turns, err := r.Turns(b.ctx, global, "s1", store.TurnFilter{})
			b.ok(err)
			b.equal("turns", len(turns), 1)
		})
	}},
	{"a turn that is divided anew loses what it was divided into", func(b *bench) {
		u, numbers := b.long("s1", 3)
		half := len(u.Text) / 2
		spans := []strata.Span{{Start: 0, End: half}, {Start: half, End: len(u.Text)}}
		var anew []int64
		b.update(func(w store.Writer) {
			var err error
			anew, err = w.DivideTurn(b.ctx, numbers[0], spans)
			b.ok(err)
			b.putParts(w, u, anew, spans)
			again, err := w.DivideTurn(b.ctx, numbers[0], spans)
			b.ok(err)
			b.equal("divided in the same way", again, anew)
		})
		b.equal("the first keeps its number", anew[0], numbers[0])
		if anew[1] == numbers[1] || anew[1] == numbers[2] {
			b.Errorf("the number %d is used again", anew[1])
		}
		b.equal("the passage of part0", b.matching("part0"), anew[:1])
		b.equal("the passage of part2", b.matching("part2"), anew[1:])
		b.update(func(w store.Writer) {
			whole, err := w.DivideTurn(b.ctx, numbers[0], nil)
			b.ok(err)
			b.equal("whole", whole, numbers[:1])
			b.putParts(w, u, whole, []strata.Span{{Start: 0, End: len(u.Text)}})
		})
		b.equal("the passage of part2", b.matching("part2"), numbers[:1])
	}},
	{"of a divided turn that is forgotten no part remains", func(b *bench) {
		u, _ := b.long("s1", 4)
		b.long("s2", 2)
		f := b.fact(global, "The user likes parts")
		f.Sources = []string{u.ID}
		b.save(f)
		b.equal("blanked", b.forget(global, f.ID).Turns, []string{u.ID})
		for i := range 4 {
			for _, n := range b.matching(fmt.Sprint("part", i)) {
				b.view(func(r store.Reader) {
					items, err := r.Items(b.ctx, global, []int64{n})
					b.ok(err)
					b.equal("what is left", items[0].Turn.Session, "s2")
				})
			}
		}
	}},
	{"an index that is made anew has every part", func(b *bench) {
		_, numbers := b.long("s1", 3)
		b.update(func(w store.Writer) {
			list, err := w.Sources(b.ctx, global, 0, 100)
			b.ok(err)
			b.ok(w.DropIndex(b.ctx, global))
			for _, s := range list {
				p := sourcePassage(s)
				p.Text = s.Turn.Text[s.Span.Start:s.Span.End]
				b.ok(w.PutPassage(b.ctx, p))
			}
		})
		b.equal("the passage of part2", b.matching("part2"), numbers[2:])
	}},
}
