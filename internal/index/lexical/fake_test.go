package lexical

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// testScope is the only scope of a [memory].
const testScope = 3

// memory is a store in memory, and its own [Host].
type memory struct {
	testing.TB
	rng       *rand.Rand
	zipf      *rand.Zipf
	next      int64 // the lower part of the next number
	blockSize int64
	works     sync.WaitGroup // in the background
	asking    sync.RWMutex   // held by who asks for nothing to run in the background meanwhile

	mu  sync.Mutex // guards now
	now *moment
}

// moment is what a transaction sees. Nothing in it changes once it is seen.
type moment struct {
	change   int64
	passages []stored  // by number
	removed  []removal // by change
	blocks   []storedBlock
	sessions map[strata.SessionKind][]int64

	entries int // how often some were read
}

type stored struct {
	passage.Row
	terms   string
	counts  map[string]int64 // of terms, by their folded form
	change  int64
	pending bool
}

// say gives a passage its terms.
func (p *stored) say(terms string) {
	p.terms, p.counts = terms, make(map[string]int64)
	for t := range passage.Terms(terms) {
		p.counts[Fold(t)]++
	}
}

type removal struct{ number, change int64 }

type storedBlock struct {
	Block
	packed []byte
}

func newMemory(tb testing.TB, seed uint64) *memory {
	tb.Logf("seed %d", seed)
	m := &memory{TB: tb, rng: rand.New(rand.NewPCG(seed, 3)), next: 100, blockSize: 20, now: new(moment)}
	m.zipf = rand.NewZipf(m.rng, 1.1, 2, 400)
	m.now.sessions = map[strata.SessionKind][]int64{strata.SessionMain: {number(1), number(3)}, strata.SessionGroup: {number(2)}}
	tb.Cleanup(m.works.Wait)
	return m
}

func seed() uint64 { return uint64(time.Now().UnixNano()) }

func number(low int64) int64 { return testScope<<passage.ScopeBits | low }

func (m *memory) ok(err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
}

// update changes what later transactions see.
func (m *memory) update(fn func(*moment)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := *m.now
	next.passages, next.removed, next.blocks = slices.Clone(next.passages), slices.Clone(next.removed), slices.Clone(next.blocks)
	fn(&next)
	m.now = &next
}

// begin is a transaction.
func (m *memory) begin() *moment {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := *m.now
	return &now
}

// words are some of which few are common and many rare.
func (m *memory) words(n int) string {
	out := make([]string, n)
	for i := range out {
		if out[i] = fmt.Sprint("w", m.zipf.Uint64()); m.rng.IntN(60) == 0 {
			out[i] = []string{"λόγος", "λόγοσ", "会議"}[m.rng.IntN(3)]
		}
	}
	return strings.Join(out, " ")
}

// put stores a passage of a number with some words.
func (m *memory) put(now *moment, low int64) {
	now.change++
	n := m.rng.IntN(12)
	p := stored{change: now.change, pending: m.rng.IntN(3) == 0}
	p.say(m.words(n))
	kind := []strata.Kind{strata.KindFact, strata.KindFact, strata.KindTurn, strata.KindSection}[m.rng.IntN(4)]
	p.Meta = store.Meta{Number: number(low), Parent: number(1 + m.rng.Int64N(6)), Seq: m.rng.Int64N(99), Words: int32(n), Kind: kind}
	p.Type, p.Recorded = 1+m.rng.Int64N(4), now.change
	if kind != strata.KindFact {
		p.Type = []int64{0, 0, TypePrivate, TypeSystem}[m.rng.IntN(4)]
	}
	i, there := now.find(p.Number)
	if !there {
		now.passages = slices.Insert(now.passages, i, p)
	}
	now.passages[i] = p
}

const (
	TypePrivate = passage.TypePrivate
	TypeSystem  = passage.TypeSystem
)

func (now *moment) find(n int64) (int, bool) {
	return slices.BinarySearchFunc(now.passages, n, func(p stored, n int64) int { return cmp.Compare(p.Number, n) })
}

// fill adds passages.
func (m *memory) fill(n int) {
	m.update(func(now *moment) {
		for range n {
			m.next += 1 + m.rng.Int64N(2)*m.rng.Int64N(2)
			m.put(now, m.next)
		}
	})
}

// alter does one thing that changes what is found.
func (m *memory) alter() {
	m.update(func(now *moment) {
		if len(now.passages) == 0 {
			return
		}
		p := &now.passages[m.rng.IntN(len(now.passages))]
		switch m.rng.IntN(9) {
		case 0: // another text
			m.put(now, p.Number&lowMask)
		case 1: // the same in every respect but its words
			now.change++
			p.say(m.words(int(p.Words)))
			p.change = now.change
		case 2, 3:
			now.remove(p.Number)
		case 4: // removed, and there again
			n := p.Number
			now.remove(n)
			m.put(now, n&lowMask)
		case 5:
			now.change++
			p.Retired, p.change = now.change, now.change
		case 6: // one that comes late
			if m.next > 150 {
				m.put(now, m.next-m.rng.Int64N(40))
			}
		case 7: // what is pending is merged when something new comes
			for i := range now.passages {
				now.passages[i].pending = false
			}
			m.next++
			m.put(now, m.next)
		case 8: // a term that an index takes for several
			if m.rng.IntN(4) == 0 {
				now.change++
				p.say(p.terms + " カ‿キ")
				p.change, p.pending = now.change, false
			}
		}
	})
}

func (now *moment) remove(n int64) {
	now.change++
	i, _ := now.find(n)
	now.passages = slices.Delete(now.passages, i, i+1)
	now.removed = append(now.removed, removal{n, now.change})
}

func (now *moment) Scope(context.Context, int64) (s Scope, err error) {
	s.Change = now.change
	for i := range now.passages {
		p := &now.passages[i]
		s.Pending = s.Pending || p.pending
		if p.Retired == 0 {
			t := &s.Totals[passage.KindCode(p.Kind)]
			t.Passages, t.Words = t.Passages+1, t.Words+int64(p.Words)
		}
	}
	return s, nil
}

func (now *moment) SessionNumbers(_ context.Context, _ int64, kind strata.SessionKind) ([]int64, error) {
	return now.sessions[kind], nil
}

func (now *moment) Entries(_ context.Context, _ int64, term string, fn func([]Entry) error) error {
	now.entries++
	var out []Entry
	for i := range now.passages {
		if p := &now.passages[i]; !p.pending {
			if n := p.counts[term]; n > 0 {
				out = append(out, NewEntry(p.Number, n))
			}
		}
	}
	return fn(out)
}

func (now *moment) Pending(_ context.Context, _ int64, fn func(int64, string) error) error {
	for i := range now.passages {
		if p := &now.passages[i]; p.pending {
			if err := fn(p.Number, p.terms); err != nil {
				return err
			}
		}
	}
	return nil
}

func (now *moment) RowsAt(_ context.Context, numbers []int64, fn func(*passage.Row) error) error {
	for _, n := range numbers {
		if i, ok := now.find(n); ok {
			r := now.passages[i].Row
			if err := fn(&r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (now *moment) RowsBetween(_ context.Context, low, high int64, fn func(*passage.Row) error) error {
	for i, _ := now.find(low); i < len(now.passages) && now.passages[i].Number <= high; i++ {
		r := now.passages[i].Row
		if err := fn(&r); err != nil {
			return err
		}
	}
	return nil
}

func (now *moment) Changed(_ context.Context, _, after, limit int64, terms bool, fn func(*passage.Row, string) error) error {
	list := slices.DeleteFunc(slices.Clone(now.passages), func(p stored) bool { return p.change <= after })
	slices.SortFunc(list, func(a, b stored) int { return cmp.Compare(a.change, b.change) })
	for _, p := range list[:min(int64(len(list)), limit)] {
		if !terms {
			p.terms = ""
		}
		if err := fn(&p.Row, p.terms); err != nil {
			return err
		}
	}
	return nil
}

func (now *moment) Removed(_ context.Context, _, after, limit int64) (out []int64, err error) {
	for _, r := range now.removed {
		if r.change > after && int64(len(out)) < limit {
			out = append(out, r.number)
		}
	}
	return out, nil
}

func (now *moment) Sample(_ context.Context, _ int64, n int, fn func(string) error) error {
	for i := range n {
		if err := fn(now.passages[len(now.passages)*i/n].terms); err != nil {
			return err
		}
	}
	return nil
}

func (now *moment) Blocks(context.Context, int64) (out []Block, err error) {
	for _, b := range now.blocks {
		out = append(out, b.Block)
	}
	return out, nil
}

func (now *moment) BlockPassages(_ context.Context, low int64) ([]byte, error) {
	for _, b := range now.blocks {
		if b.Low == low {
			return b.packed, nil
		}
	}
	return nil, nil
}

func (m *memory) Go(fn func(context.Context)) bool {
	m.works.Go(func() {
		m.asking.RLock()
		defer m.asking.RUnlock()
		fn(context.Background())
	})
	return true
}

func (m *memory) View(_ context.Context, fn func(Source) error) error { return fn(m.begin()) }

func (m *memory) GiveWay(context.Context, time.Duration) error { return nil }

func (m *memory) Pack(_ context.Context, _ int64, p Packing) error {
	for done := false; !done; p.Replace = false {
		m.update(func(now *moment) { done = m.packNext(now, p) })
	}
	return nil
}

// packNext makes one block, and reports whether it was the last.
func (m *memory) packNext(now *moment, p Packing) bool {
	if p.Replace {
		now.blocks = nil
	}
	blocks, _ := now.Blocks(context.Background(), 0)
	low, high := NextBlock(blocks, testScope, min(p.Before, now.change), m.blockSize)
	var rows []passage.Row
	m.ok(now.RowsBetween(context.Background(), low, high, func(r *passage.Row) error { rows = append(rows, *r); return nil }))
	rows = rows[:min(len(rows), int(m.blockSize))]
	_, last := passage.Numbers(testScope)
	now.blocks = slices.DeleteFunc(now.blocks, func(b storedBlock) bool { return b.Low == low })
	done := high == last && int64(len(rows)) < m.blockSize
	switch {
	case int64(len(rows)) == m.blockSize || high == last && len(rows) > 0:
		high = rows[len(rows)-1].Number
	case high == last:
		return true
	}
	b, packed, ok := NewBlock(low, high, now.change, rows)
	if !ok {
		m.Fatal("rows do not fit")
	}
	now.blocks = append(now.blocks, storedBlock{b, packed})
	slices.SortFunc(now.blocks, func(a, b storedBlock) int { return cmp.Compare(a.Low, b.Low) })
	return done
}

// naive answers a query by looking at every passage. It leaves nothing out.
func (now *moment) naive(terms []string, f store.Filter) store.Matches {
	out := store.Matches{Terms: make([][]store.TermHit, len(terms)), Frequency: make([]int64, len(terms))}
	passes := passage.NewFilter(f, now.sessions[f.SessionKind])
	kinds := passage.NewFilter(store.Filter{Kinds: f.Kinds, AsOf: f.AsOf, System: f.AsOf == nil}, nil)
	for i := range now.passages {
		p := &now.passages[i]
		if kinds.Passes(&p.Row) {
			out.Total, out.Words = out.Total+1, out.Words+int64(p.Words)
		}
		if !passes.Passes(&p.Row) {
			continue
		}
		found := false
		for t, term := range terms {
			if n := p.counts[Fold(term)]; n > 0 {
				found = true
				out.Terms[t] = append(out.Terms[t], store.TermHit{Passage: int32(len(out.Passages)), Count: int32(n)})
				out.Frequency[t]++
			}
		}
		if found {
			out.Passages = append(out.Passages, p.Meta)
		}
	}
	return out
}

// terms are some to ask for.
func (m *memory) terms() []string {
	seen := make(map[string]bool)
	for range 1 + m.rng.IntN(6) {
		seen[m.words(1)] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// filters are some of each kind.
func (m *memory) filters(now *moment) []store.Filter {
	at := time.UnixMicro(1 + m.rng.Int64N(now.change+1)).UTC()
	return []store.Filter{
		{}, {Kinds: []strata.Kind{strata.KindFact}}, {Kinds: []strata.Kind{strata.KindTurn, strata.KindSection}},
		{Types: strata.Types()[:2]}, {NotTypes: strata.Types()[1:3]}, {NotPrivate: true}, {System: true},
		{Parent: number(1 + m.rng.Int64N(7))}, {Parent: 5},
		{SessionKind: strata.SessionMain}, {SessionKind: strata.SessionGroup, NotPrivate: true},
		{AsOf: &at}, {AsOf: &at, SessionKind: strata.SessionGroup}, {AsOf: &at, Parent: number(2), System: true},
	}
}

// atOnce are limits by which every scope is held in memory from the first search.
var atOnce = Limits{Background: 1 << 40, Stale: 12, Anew: 40}

func newIndex(m *memory, limits Limits) *Index {
	x := NewIndex(m)
	x.Limits = limits
	return x
}
