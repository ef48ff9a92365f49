package recall

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// memory is an index in memory, written as plainly as possible: every method
// looks at every passage. What ranking does not ask for is not there.
type memory struct {
	store.Reader
	passages []stored // ascending by number
	parents  map[string]int64
	groups   map[string]bool // sessions that are group sessions
	next     int64
	pages    []strata.Document
	used     map[string]int // accesses, by id of a document
}

type stored struct {
	scope  strata.Scope
	item   store.Item
	parent string
	text   string
	terms  []string
	vector []float32
}

const fakeModel = "fake"

func (m *memory) put(scope strata.Scope, kind strata.Kind, parent, indexed string, seq int64, v []float32) *stored {
	if m.parents == nil {
		m.parents = make(map[string]int64)
	}
	key := scope.Key() + "\x00" + string(kind) + "\x00" + parent
	if m.parents[key] == 0 {
		m.parents[key] = int64(1000 + len(m.parents))
	}
	m.next++
	words := int32(0)
	var terms []string
	for t := range text.Tokens(indexed) {
		terms = append(terms, t.Term)
		if !t.Stop {
			words++
		}
	}
	meta := store.Meta{Number: m.next, Parent: m.parents[key], Seq: seq, Words: words, Kind: kind}
	m.passages = append(m.passages, stored{scope, store.Item{Meta: meta}, parent, indexed, terms, v})
	return &m.passages[len(m.passages)-1]
}

func (m *memory) fact(f strata.Fact, v []float32) {
	if f.ID == "" {
		f.ID = fmt.Sprintf("fact_%d", m.next+1)
	}
	m.put(f.Scope, strata.KindFact, f.Category, FactText(f), 0, v).item.Fact = &f
}

func (m *memory) turn(t strata.Turn, v []float32) {
	if t.ID == "" {
		t.ID = fmt.Sprintf("turn_%d", m.next+1)
	}
	p := m.put(t.Scope, strata.KindTurn, t.Session, TurnText(t), t.Seq, v)
	p.item.Turn = &t
	if t.Role != "" { // others are among people
		p.item.Speech = store.SpeechOf(t)
	}
}

// page puts a document and its sections of these texts, with vectors made of
// them.
func (m *memory) page(t testing.TB, d strata.Document, texts ...string) {
	m.document(d, texts, func(s string) []float32 { return embed(t, s) })
}

// document puts a document and its sections of these texts.
func (m *memory) document(d strata.Document, texts []string, vector func(string) []float32) {
	if d.ID == "" {
		d.ID = fmt.Sprintf("doc_%d", m.next+1)
	}
	d.Kind = strata.KindOfPath(d.Path)
	for i, s := range texts {
		sec := strata.Section{Document: d.ID, Path: d.Path, Seq: int64(i + 1), Line: 3*i + 1, EndLine: 3*i + 3, Text: s}
		p := m.put(d.Scope, strata.KindSection, d.Path, SectionText(d, sec), sec.Seq, vector(SectionText(d, sec)))
		p.item.Section, p.item.Document = &sec, &d
		p.item.Accesses, p.item.LastAccess = m.used[d.ID], noon
	}
	m.pages = append(m.pages, d)
}

func (m *memory) SameIdentity(_ context.Context, scope strata.Scope, identity string) ([]strata.Document, error) {
	var out []strata.Document
	for _, d := range m.pages {
		if d.Scope == scope && d.Identity() == identity {
			out = append(out, d)
		}
	}
	return out, nil
}

// in returns the passages of a scope that pass a filter.
func (m *memory) in(scope strata.Scope, f store.Filter) []*stored {
	var out []*stored
	for i := range m.passages {
		if p := &m.passages[i]; p.scope == scope && passes(p, f) && m.said(p, f.SessionKind) {
			out = append(out, p)
		}
	}
	return out
}

// said reports whether a passage is no turn, or one of a session of a kind.
func (m *memory) said(p *stored, kind strata.SessionKind) bool {
	return kind == "" || p.item.Kind != strata.KindTurn || m.groups[p.parent] == (kind == strata.SessionGroup)
}

func passes(p *stored, f store.Filter) bool {
	if len(f.Kinds) > 0 && !slices.Contains(f.Kinds, p.item.Kind) || f.Parent != 0 && f.Parent != p.item.Parent {
		return false
	}
	fact := p.item.Fact
	if d := p.item.Document; d != nil {
		if d.Kind == strata.DocumentSystem && !f.System || f.NotPrivate && d.Private() {
			return false
		}
		return (len(f.Types) == 0 || slices.Contains(f.Types, d.Type)) && (f.AsOf == nil || !d.RecordedAt.After(*f.AsOf))
	}
	if fact == nil {
		return f.AsOf == nil || !p.item.Turn.RecordedAt.After(*f.AsOf)
	}
	if f.NotPrivate && fact.Type == strata.TypeUser {
		return false
	}
	if len(f.Types) > 0 && !slices.Contains(f.Types, fact.Type) || slices.Contains(f.NotTypes, fact.Type) {
		return false
	}
	if f.AsOf == nil {
		return fact.RetiredAt == nil
	}
	return !fact.RecordedAt.After(*f.AsOf) && (fact.RetiredAt == nil || fact.RetiredAt.After(*f.AsOf))
}

func (m *memory) Match(_ context.Context, scope strata.Scope, terms []string, f store.Filter, _ store.MatchOptions) (store.Matches, error) {
	out := store.Matches{Terms: make([][]store.TermHit, len(terms)), Frequency: make([]int64, len(terms))}
	for _, p := range m.in(scope, store.Filter{Kinds: f.Kinds, System: true}) {
		out.Total++
		out.Words += int64(p.item.Words)
	}
	at := make(map[string]int, len(terms))
	for i, t := range terms {
		at[t] = i
	}
	for _, p := range m.in(scope, f) {
		counts := make(map[int]int32)
		for _, have := range p.terms {
			if i, ok := at[have]; ok {
				counts[i]++
			}
		}
		if len(counts) == 0 {
			continue
		}
		for i, n := range counts {
			out.Terms[i] = append(out.Terms[i], store.TermHit{Passage: int32(len(out.Passages)), Count: n})
		}
		out.Passages = append(out.Passages, p.item.Meta)
	}
	for i, hits := range out.Terms {
		out.Frequency[i] = int64(len(hits))
	}
	return out, nil
}

func (m *memory) MatchPhrase(_ context.Context, scope strata.Scope, terms []string, prefix bool, f store.Filter, limit int) ([]store.Meta, error) {
	var out []store.Meta
	for _, p := range m.in(scope, f) {
		for i := 0; i+len(terms) <= len(p.terms); i++ {
			last := len(terms) - 1
			if slices.Equal(p.terms[i:i+last], terms[:last]) && (p.terms[i+last] == terms[last] || prefix && strings.HasPrefix(p.terms[i+last], terms[last])) {
				out = append(out, p.item.Meta)
				break
			}
		}
	}
	return out[:min(limit, len(out))], nil
}

func (m *memory) MatchSubstring(_ context.Context, scope strata.Scope, s string, f store.Filter, limit int) ([]store.Meta, error) {
	var out []store.Meta
	for _, p := range m.in(scope, f) {
		if strings.Contains(strings.ToLower(p.text), strings.ToLower(s)) {
			out = append(out, p.item.Meta)
		}
	}
	slices.Reverse(out)
	return out[:min(limit, len(out))], nil
}

func (m *memory) Nearest(_ context.Context, scope strata.Scope, model string, v []float32, parents []int64, f store.Filter, k int) ([]store.Near, error) {
	var out []store.Near
	for _, p := range m.in(scope, f) {
		if p.vector != nil && model == fakeModel && (len(parents) == 0 || slices.Contains(parents, p.item.Parent)) {
			out = append(out, store.Near{Number: p.item.Number, Similarity: cosine(v, p.vector)})
		}
	}
	return nearest(out, k), nil
}

func (m *memory) NearestParents(_ context.Context, scope strata.Scope, _ string, v []float32, kind strata.Kind, f store.Filter, k int) ([]store.Near, error) {
	sums := make(map[int64][]float32)
	for _, p := range m.in(scope, store.Filter{Kinds: []strata.Kind{kind}, SessionKind: f.SessionKind, NotPrivate: f.NotPrivate, System: f.System}) {
		if p.vector == nil {
			continue
		}
		if sums[p.item.Parent] == nil {
			sums[p.item.Parent] = make([]float32, len(p.vector))
		}
		for i, x := range p.vector {
			sums[p.item.Parent][i] += x
		}
	}
	var out []store.Near
	for number, sum := range sums {
		out = append(out, store.Near{Number: number, Similarity: cosine(v, sum)})
	}
	return nearest(out, k), nil
}

func nearest(all []store.Near, k int) []store.Near {
	slices.SortFunc(all, func(a, b store.Near) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Number, b.Number))
	})
	return all[:min(k, len(all))]
}

func (m *memory) Similarities(_ context.Context, scope strata.Scope, _ string, v []float32, numbers []int64) ([]float32, error) {
	out := make([]float32, len(numbers))
	for i, n := range numbers {
		if p := m.at(scope, n); p != nil && p.vector != nil {
			out[i] = cosine(v, p.vector)
		}
	}
	return out, nil
}

func (m *memory) PassagesAt(_ context.Context, scope strata.Scope, places []store.Place, f store.Filter) ([]store.Meta, error) {
	var out []store.Meta
	for _, p := range m.in(scope, f) {
		if p.item.Seq > 0 && slices.Contains(places, store.Place{Parent: p.item.Parent, Seq: p.item.Seq}) {
			out = append(out, p.item.Meta)
		}
	}
	return out, nil
}

func (m *memory) Items(_ context.Context, scope strata.Scope, numbers []int64) ([]store.Item, error) {
	var out []store.Item
	for _, n := range numbers {
		if p := m.at(scope, n); p != nil {
			out = append(out, p.item)
		}
	}
	return out, nil
}

func (m *memory) FactsBySlot(_ context.Context, scope strata.Scope, entity, attribute string) ([]strata.Fact, error) {
	var out []strata.Fact
	for _, p := range m.in(scope, store.Filter{Kinds: []strata.Kind{strata.KindFact}}) {
		if f := p.item.Fact; strings.EqualFold(f.Entity, entity) && strings.EqualFold(f.Attribute, attribute) {
			out = append(out, *f)
		}
	}
	return out, nil
}

func (m *memory) Fact(_ context.Context, scopes []strata.Scope, id string) (strata.Fact, error) {
	for _, p := range slices.Backward(m.passages) {
		if f := p.item.Fact; f != nil && f.ID == id && slices.Contains(scopes, p.scope) {
			return *f, nil
		}
	}
	return strata.Fact{}, strata.NotFound("read fact", "fact", id)
}

func (m *memory) Session(_ context.Context, scope strata.Scope, id string) (strata.Session, error) {
	for _, p := range m.passages {
		if t := p.item.Turn; p.scope == scope && t != nil && t.Session == id {
			s := strata.Session{ID: id, Scope: scope, Kind: strata.SessionMain}
			if m.groups[id] {
				s.Kind = strata.SessionGroup
			}
			return s, nil
		}
	}
	return strata.Session{}, strata.NotFound("find session", "session", id)
}

func (m *memory) ParentNumber(_ context.Context, scope strata.Scope, kind strata.Kind, name string) (int64, error) {
	for _, p := range m.in(scope, store.Filter{Kinds: []strata.Kind{kind}, System: true}) {
		if p.parent == name {
			return p.item.Parent, nil
		}
	}
	return 0, nil
}

func (m *memory) Parents(_ context.Context, scope strata.Scope, kind strata.Kind, numbers []int64) ([]store.ParentInfo, error) {
	infos := make(map[int64]*store.ParentInfo)
	for _, p := range m.in(scope, store.Filter{Kinds: []strata.Kind{kind}, System: true}) {
		if len(numbers) > 0 && !slices.Contains(numbers, p.item.Parent) {
			continue
		}
		if infos[p.item.Parent] == nil {
			infos[p.item.Parent] = &store.ParentInfo{Number: p.item.Parent, Kind: kind, Name: p.parent}
		}
		infos[p.item.Parent].Passages++
		infos[p.item.Parent].Words += int64(p.item.Words)
	}
	var out []store.ParentInfo
	for _, info := range infos {
		out = append(out, *info)
	}
	slices.SortFunc(out, func(a, b store.ParentInfo) int { return cmp.Compare(a.Number, b.Number) })
	return out, nil
}

func (m *memory) at(scope strata.Scope, number int64) *stored {
	i, ok := slices.BinarySearchFunc(m.passages, number, func(p stored, n int64) int { return cmp.Compare(p.item.Number, n) })
	if !ok || m.passages[i].scope != scope {
		return nil
	}
	return &m.passages[i]
}

func cosine(a, b []float32) float32 {
	var dot, aa, bb float64
	for i := range min(len(a), len(b)) {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return float32(dot / math.Sqrt(aa*bb))
}

// noon is a Wednesday.
var noon = time.Date(2026, 3, 18, 12, 0, 0, 0, time.UTC)

// analyze reads a question that is asked at noon.
func analyze(s string) question.Analysis { return question.Analyze(s, noon) }
