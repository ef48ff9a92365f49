package lexical

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/strata-memory/strata/store"
)

// load reads the passages of the scope by an index that is empty, and compares
// them with what rows are. It returns what is to be done about blocks.
func (m *memory) load() Packing {
	m.Helper()
	x, now := newIndex(m, atOnce), m.begin()
	c := x.scope(testScope)
	todo, err := x.read(m.Context(), now, testScope, c, false)
	m.ok(err)
	p := c.passages.Load()
	if p == nil {
		m.Fatal("the scope is not held")
	}
	if p.change != now.change {
		m.Fatalf("read as of change %d, not %d", p.change, now.change)
	}
	there := 0
	for _, r := range now.passages {
		want, _ := newCached(testScope, &r.Row)
		at, ok := p.find(want.number)
		if !ok || p.list[at] != want || p.lengths[at] != want.length() {
			m.Fatalf("passage %d is %+v, want %+v", r.Number, p.list[at], want)
		}
		there++
	}
	if n := len(p.list) - int(p.deletedCount); n != there {
		m.Fatalf("%d passages, want %d", n, there)
	}
	return todo
}

// wrong is how many blocks are not what passages are.
func (m *memory) wrong() int {
	m.Helper()
	wrong, err := CheckBlocks(m.Context(), m.begin(), testScope)
	m.ok(err)
	return len(wrong)
}

// packed packs the scope, and sees to it that the next reads blocks alone.
func (m *memory) packed() {
	m.Helper()
	if todo := m.load(); todo.Wanted {
		m.ok(m.Pack(m.Context(), testScope, todo))
	}
	if todo := m.load(); todo.Wanted || len(m.now.blocks) == 0 {
		m.Fatalf("%d blocks, and still %+v", len(m.now.blocks), todo)
	}
}

// Whatever changed since blocks were written, and however far the writing of
// others came: what is read from them is what the passages are, and finds what
// entries find.
func TestBlocks_AreWhatThePassagesAre(t *testing.T) {
	for range 2 {
		m := newMemory(t, seed())
		m.fill(200)
		fresh, old := 0, 0
		for range 60 {
			for range m.rng.IntN(4) {
				m.alter()
			}
			if m.rng.IntN(4) == 0 {
				m.fill(1 + m.rng.IntN(30))
			}
			if m.rng.IntN(10) == 0 { // as compaction does
				m.update(func(now *moment) {
					now.blocks = slices.DeleteFunc(now.blocks, func(storedBlock) bool { return m.rng.IntN(4) == 0 })
				})
			}
			todo := m.load()
			switch {
			case todo.Replace:
				t.Fatalf("blocks are damaged: %+v", m.now.blocks)
			case !todo.Wanted:
				fresh++
			case todo.Before > 0:
				old++
			}
			if m.compare(newIndex(m, atOnce), m.begin()) == 0 {
				t.Error("nothing is searched in memory")
			}
			switch m.rng.IntN(4) {
			case 0: // the writing ends after a few
				for range m.rng.IntN(8) {
					m.update(func(now *moment) { m.packNext(now, todo) })
				}
			case 1:
			default:
				if todo.Wanted {
					m.ok(m.Pack(t.Context(), testScope, todo))
				}
			}
			if n := m.wrong(); n > 0 {
				t.Fatalf("%d blocks are wrong", n)
			}
		}
		if fresh < 5 || old < 5 {
			t.Errorf("%d times from blocks alone, %d times from old ones", fresh, old)
		}
	}
}

// A block that is not what was written is not read, is named by a check, and is
// made anew.
func TestBlocks_DamagedOnesAreMadeAnew(t *testing.T) {
	// edit changes the passages of a block, and signs them as if they were right.
	edit := func(fn func(b *Block, list []cachedPassage)) func(*storedBlock) {
		return func(b *storedBlock) {
			list, _ := b.unpack(nil, b.packed)
			fn(&b.Block, list)
			b.packed = nil
			for _, p := range list {
				b.packed = p.appendTo(b.packed)
			}
			b.Sum = b.sumOf(b.packed)
		}
	}
	for name, damage := range map[string]func(b *storedBlock){
		"cut inside a passage":       func(b *storedBlock) { b.packed, b.Size = b.packed[:37], 37 },
		"cut short":                  func(b *storedBlock) { b.packed, b.Size = b.packed[:64], 64 },
		"empty":                      func(b *storedBlock) { b.packed, b.Size = nil, 0 },
		"another byte":               func(b *storedBlock) { b.packed = slices.Clone(b.packed); b.packed[14] ^= 3 },
		"a later change":             func(b *storedBlock) { b.Change++ },
		"a smaller range":            func(b *storedBlock) { b.High-- },
		"another checksum":           func(b *storedBlock) { b.Sum++ },
		"a range below none":         func(b *storedBlock) { b.High = b.Low - 1 },
		"numbers that do not rise":   edit(func(_ *Block, list []cachedPassage) { list[1].number = list[0].number }),
		"a number before its range":  edit(func(b *Block, list []cachedPassage) { list[0].number = uint32(b.Low&lowMask) - 1 }),
		"a number behind its range":  edit(func(b *Block, list []cachedPassage) { list[len(list)-1].number = uint32(b.High&lowMask) + 1 }),
		"a flag that there is not":   edit(func(_ *Block, list []cachedPassage) { list[0].words |= unusedBit }),
		"no kind":                    edit(func(_ *Block, list []cachedPassage) { list[0].words &^= kindMask }),
		"a change that is to come":   edit(func(b *Block, _ []cachedPassage) { b.Change += 1000 }),
		"the range of another block": edit(func(b *Block, _ []cachedPassage) { b.Low -= 3 }),
	} {
		t.Run(name, func(t *testing.T) {
			m := newMemory(t, 37)
			m.fill(200)
			m.packed()
			m.fill(2) // so that a later change may be
			m.update(func(now *moment) { damage(&now.blocks[2]) })
			if m.wrong() == 0 {
				t.Error("a check finds nothing")
			}
			if todo := m.load(); !todo.Replace {
				t.Errorf("not noticed: %+v", todo)
			}
			m.packed()
			if n := m.wrong(); n > 0 {
				t.Errorf("%d blocks are wrong still", n)
			}
		})
	}
}

// What only a check can see: passages that changed without a number.
func TestCheckBlocks_ComparesWithPassages(t *testing.T) {
	for name, change := range map[string]func(now *moment, i int){
		"other words":         func(now *moment, i int) { now.passages[i].Words++ },
		"gone without record": func(now *moment, i int) { now.passages = slices.Delete(now.passages, i, i+1) },
		"came without change": func(now *moment, i int) { now.passages[i].Number-- },
	} {
		m := newMemory(t, 41)
		m.fill(200)
		m.packed()
		if n := m.wrong(); n > 0 {
			t.Fatalf("%d blocks are wrong before", n)
		}
		m.update(func(now *moment) {
			i := 45
			for now.passages[i].Number-now.passages[i-1].Number < 2 {
				i++
			}
			change(now, i)
		})
		if n := m.wrong(); n != 1 {
			t.Errorf("%s: %d blocks are wrong", name, n)
		}
	}
}

// Blocks follow what changed when that is much, and are left alone before.
func TestBlocks_FollowWhatChanged(t *testing.T) {
	m := newMemory(t, 43)
	m.fill(300)
	touch := func(n int) {
		m.update(func(now *moment) {
			for i := range n {
				now.change++
				now.passages[i].change = now.change
			}
		})
	}
	ids := func() (out []Block) {
		out, _ = m.now.Blocks(context.Background(), 0)
		return out
	}
	m.packed()
	for name, do := range map[string]func(n int){"changed": touch, "new": m.fill} {
		before := ids()
		do(int(atOnce.Stale) / 2)
		m.packed()
		if !reflect.DeepEqual(ids(), before) {
			t.Errorf("blocks after a few %s: %+v, want %+v", name, ids(), before)
		}
		do(int(atOnce.Stale) + 1)
		m.packed()
		if first := ids()[0]; first.Change <= before[0].Change {
			t.Errorf("blocks are as old as before many %s", name)
		}
	}
	// All of a scope is read where nearly all changed, or all was removed.
	touch(250)
	if todo := m.load(); todo.Before == 0 {
		t.Errorf("blocks serve, older than most of the scope: %+v", todo)
	}
	m.packed()
	m.update(func(now *moment) {
		now.change++
		now.removed = append(now.removed, removal{0, now.change})
	})
	if todo := m.load(); todo.Before == 0 {
		t.Errorf("blocks serve, older than the removal of all: %+v", todo)
	}
	// The last block is there no more when its passages are not.
	m.packed()
	last := ids()[len(ids())-1]
	m.update(func(now *moment) {
		for i := len(now.passages) - 1; now.passages[i].Number >= last.Low; i-- {
			now.remove(now.passages[i].Number)
		}
	})
	m.packed()
	if got := ids(); got[len(got)-1].Low == last.Low {
		t.Errorf("%+v is still there", last)
	}
}

// ask tells whether one more search is answered in memory.
func (m *memory) ask(x *Index) bool {
	m.Helper()
	s := x.Snapshot(m.begin(), false)
	q, err := s.Query(m.Context(), testScope, []string{"w0"}, store.Filter{}, store.MatchOptions{})
	m.ok(err)
	_, ok, err := s.Postings(m.Context(), q)
	m.ok(err)
	return ok
}

func (m *memory) asks(x *Index, n int) (held []bool) {
	for range n {
		m.asking.Lock() // what a search begins serves the next one
		held = append(held, m.ask(x))
		m.asking.Unlock()
		m.works.Wait()
	}
	return held
}

func TestLimits_SayWhatIsHeldAndWhen(t *testing.T) {
	m := newMemory(t, 6)
	m.fill(300)
	for _, c := range []struct {
		what   string
		limits Limits
		want   []bool
	}{
		{"a scope that is asked again", Limits{Passages: 100, Asked: 4, Background: 1 << 40}, []bool{false, false, false, false, true, true}},
		{"a small scope", Limits{Passages: 1000, Background: 1 << 40}, make([]bool, 6)},
		{"a large scope without blocks", Limits{Background: 1}, []bool{false, false, false, true}},
	} {
		if got := m.asks(newIndex(m, c.limits), len(c.want)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
	m.packed()
	large := Limits{Background: 1, Stale: 12, Anew: 40}
	if got := m.asks(newIndex(m, large), 2); !got[0] {
		t.Errorf("a large scope in blocks: %v", got)
	}
	m.fill(20) // more than are read without blocks
	if got := m.asks(newIndex(m, large), 2); got[0] {
		t.Errorf("a large scope of which blocks lack much: %v", got)
	}
}

// The lists of common terms are there before they are asked for, hold what changed
// while they were read, and blocks are written.
func TestBackground_ReadsCommonTerms(t *testing.T) {
	m := newMemory(t, seed())
	m.fill(3000)
	m.update(func(now *moment) { now.passages[7].say(now.passages[7].terms + " once") })
	limits := Limits{Background: 1, Stale: 12, Anew: 40}
	for round := range 3 {
		quiet := newIndex(m, limits)
		m.asks(quiet, backgroundAfter+1)
		lists := quiet.scope(testScope).passages.Load().lists
		for term, want := range map[string]bool{"w1": true, "w2": true, "once": false} {
			if got := lists.get(term) != nil; got != want {
				t.Errorf("round %d: the list of %s is in memory: %t, want %t", round, term, got, want)
			}
		}

		x := newIndex(m, limits)
		for range backgroundAfter + 1 {
			m.ask(x)
		}
		for range 8 {
			m.alter()
			m.compare(x, m.begin())
		}
		m.works.Wait()
		if n := m.compare(x, m.begin()); n == 0 {
			t.Error("nothing is answered in memory")
		}
		if len(m.begin().blocks) == 0 || m.wrong() > 0 {
			t.Errorf("%d blocks, %d of them wrong", len(m.begin().blocks), m.wrong())
		}
	}
}

// What is in memory is not read again while nothing changes, what was removed is
// in no list, and nothing is left after Drop.
func TestIndex_KeepsAndForgets(t *testing.T) {
	m := newMemory(t, 5)
	m.fill(200)
	m.update(func(now *moment) {
		m.next++
		m.put(now, m.next)
		p := &now.passages[len(now.passages)-1]
		p.say("xylophonist w1")
		p.pending, p.Type = true, 1
	})
	x := newIndex(m, atOnce)
	match := func() (store.Matches, int) {
		now := m.begin()
		got, held := m.search(x, now, false, []string{"xylophonist", "w1"}, store.Filter{}, store.MatchOptions{})
		if !held {
			t.Error("not answered in memory")
		}
		return got, now.entries
	}
	got, _ := match()
	if len(got.Terms[0]) != 1 {
		t.Errorf("before: %+v", got.Terms[0])
	}
	if _, n := match(); n != 2 { // by the other way
		t.Errorf("entries are read %d times again", n)
	}
	pending := x.scope(testScope).pending.Load()
	match()
	if x.scope(testScope).pending.Load() != pending {
		t.Error("pending terms are read again")
	}
	m.update(func(now *moment) { now.remove(now.passages[len(now.passages)-1].Number) })
	s := x.Snapshot(m.begin(), false)
	q, err := s.Query(context.Background(), testScope, []string{"w1"}, store.Filter{}, store.MatchOptions{})
	m.ok(err)
	if _, ok, err := s.Postings(context.Background(), q); !ok || err != nil {
		t.Errorf("after a removal not in memory: %v", err)
	}
	if x.scope(testScope).passages.Load().lists.get("xylophonist") != nil {
		t.Error("the list of a term that nothing holds is kept")
	}
	if x.Bytes() == 0 {
		t.Error("nothing is counted")
	}
	if x.Drop(); x.Bytes() != 0 || len(x.scopes) != 0 {
		t.Error("something is kept after Drop")
	}
	for i := range maxScopes + 5 {
		x.scope(int64(i))
	}
	if n := len(x.scopes); n > maxScopes {
		t.Errorf("%d scopes are known", n)
	}
}
