package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

func TestMatchReturnsEachTermApart(t *testing.T) {
	b := newBed(t)
	one := b.save(strata.Global(), "pets", "The cat sees the other cat", nil)
	two := b.save(strata.Global(), "pets", "A dog chases a cat", nil)
	b.save(strata.Global(), "food", "Nothing of the kind", nil)
	b.save(strata.InWorkspace("other"), "pets", "A cat of another scope", nil)

	m := b.match(strata.Global(), store.Filter{}, "dog", "cat", "absent", "cat", "")
	same(t, "passages", found(m.Passages), []int64{one, two})
	same(t, "dog", m.Terms[0], []store.TermHit{{Passage: 1, Count: 1}})
	same(t, "cat", m.Terms[1], []store.TermHit{{Passage: 0, Count: 2}, {Passage: 1, Count: 1}})
	same(t, "absent", m.Terms[2], nil)
	same(t, "cat again", m.Terms[3], m.Terms[1])
	same(t, "empty", m.Terms[4], nil)
	if m.Total != 3 {
		t.Errorf("total: got %d, want 3", m.Total)
	}
	if m.Words == 0 || m.Passages[0].Words == 0 || m.Passages[0].Parent == 0 || m.Passages[0].Kind != strata.KindFact {
		t.Errorf("metadata is missing: %+v", m)
	}
}

// hostile are texts that are syntax to SQL, to FTS5, or to something that
// reads either.
var hostile = []string{
	`"`, `""`, `'`, `"cat`, `cat"`, `cat" OR "dog`, `cat OR dog`, `NEAR(cat dog)`, `cat*`, `^cat`, `terms:cat`,
	`{terms}:cat`, `-cat`, `+cat`, `(cat`, `cat AND NOT dog`, "cat\x00", "\x00", "\xff\xfe", `'; DROP TABLE passage; --`,
	`%`, `_`, `\`, "cat\ndog", strings.Repeat("cat", 5000), "\uE000", "\u0301", "a\u0301", "🐈", "",
}

func TestTermsAreNeverSyntax(t *testing.T) {
	b := newBed(t)
	cat := b.save(strata.Global(), "pets", "cat", nil)
	for _, s := range hostile {
		m := b.match(strata.Global(), store.Filter{}, s, "cat")
		same(t, fmt.Sprintf("cat beside %q", s), found(m.Passages), []int64{cat})
		if len(m.Terms[0]) != 0 {
			t.Errorf("%q: found %v", s, m.Terms[0])
		}
		b.view(func(ctx context.Context, x *tx) {
			for _, prefix := range []bool{false, true} {
				if _, err := x.MatchPhrase(ctx, strata.Global(), []string{s, "cat"}, prefix, store.Filter{}, 5); err != nil {
					t.Errorf("phrase with %q: %v", s, err)
				}
			}
			if _, err := x.MatchSubstring(ctx, strata.Global(), s+"xyz", store.Filter{}, 5); err != nil {
				t.Errorf("substring %q: %v", s, err)
			}
		})
	}
}

func FuzzMatch(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, s)
	}
	bed := newBed(f)
	bed.save(strata.Global(), "pets", "The cat sees the other cat", nil)
	f.Fuzz(func(t *testing.T, one, two string) {
		b := bed.in(t)
		b.view(func(ctx context.Context, x *tx) {
			if _, err := x.Match(ctx, strata.Global(), []string{one, two}, store.Filter{}, store.MatchOptions{}); err != nil {
				t.Fatal(err)
			}
			for _, prefix := range []bool{false, true} {
				if _, err := x.MatchPhrase(ctx, strata.Global(), []string{one, two}, prefix, store.Filter{}, 3); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := x.MatchSubstring(ctx, strata.Global(), one+two, store.Filter{}, 3); err != nil {
				t.Fatal(err)
			}
		})
	})
}

// Whatever is indexed is found by each of its own terms and by its substrings.
func FuzzIndexedTextIsFound(f *testing.F) {
	for _, s := range append(hostile, "Ünïcode straße ΣΊΣΥΦΟΣ", "東京タワーの高さ", "v2.4.7-hotfix", "ﬁnd İstanbul", "a\x00b") {
		f.Add(s)
	}
	bed := newBed(f)
	f.Fuzz(func(t *testing.T, s string) {
		b := bed.in(t)
		if len(s) > 2000 {
			return
		}
		scope := strata.InWorkspace(fmt.Sprint(bed.facts))
		bed.facts++
		var number int64
		b.update(func(ctx context.Context, x *tx) {
			number = b.put(ctx, x, scope, "c", "a plain fact", nil)
			p := passageOf(number, strata.Fact{Scope: scope, Category: "c", RecordedAt: x.Now()}, nil)
			p.Text = s
			b.ok(x.PutPassage(ctx, p))
		})
		terms := text.Terms(s)
		m := b.match(scope, store.Filter{}, terms...)
		counts := make(map[string]int32)
		for _, term := range terms {
			counts[term]++
		}
		for i, term := range terms {
			if len(m.Terms[i]) != 1 || m.Terms[i][0].Count != counts[term] {
				t.Fatalf("term %q of %q: got %v, want %d", term, s, m.Terms[i], counts[term])
			}
		}
		b.view(func(ctx context.Context, x *tx) {
			if runes := []rune(text.Normalize(s)); len(runes) >= 3 {
				got, err := x.MatchSubstring(ctx, scope, string(runes), store.Filter{}, 1)
				b.ok(err)
				same(t, fmt.Sprintf("substring %q", string(runes)), found(got), []int64{number})
			}
		})
	})
}

// everyRune are the letters, numbers and marks that a term may hold.
func everyRune() (runes []rune) {
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '\uE000' {
			runes = append(runes, r)
		}
	}
	return runes
}

func TestEveryLetterNumberAndMarkIsOneToken(t *testing.T) {
	b := newBed(t)
	runes := everyRune()
	b.update(func(ctx context.Context, x *tx) {
		_, err := x.exec(ctx, `CREATE VIRTUAL TABLE temp.token USING fts5vocab(main, term_index, instance)`)
		b.ok(err)
		// One row with "a<rune>b" for each: every one must come out as one token.
		var s strings.Builder
		for _, r := range runes {
			fmt.Fprintf(&s, "a%cb ", r)
		}
		_, err = x.exec(ctx, `INSERT INTO term_index (rowid, terms) VALUES (1, ?)`, s.String())
		b.ok(err)
		rows, err := x.query(ctx, `SELECT term, "offset" FROM token ORDER BY "offset"`)
		b.ok(err)
		defer rows.Close()
		n := 0
		for rows.Next() {
			var term string
			var offset int
			b.ok(rows.Scan(&term, &offset))
			if offset != n || len([]rune(term)) != 3 {
				t.Fatalf("token %d: %q at %d, want one token for %q (%U)", n, term, offset, runes[n], runes[n])
			}
			n++
		}
		b.ok(rows.Err())
		if n != len(runes) {
			t.Fatalf("%d tokens for %d characters", n, len(runes))
		}
	})
}

func TestMatchTakesTenThousandTerms(t *testing.T) {
	b := newBed(t)
	var terms, words []string
	for i := range 10_000 {
		terms = append(terms, fmt.Sprintf("t%d", i))
		if i%100 == 0 {
			words = append(words, terms[i])
		}
	}
	number := b.save(strata.Global(), "c", strings.Join(words, " "), nil)
	m := b.match(strata.Global(), store.Filter{}, terms...)
	same(t, "passages", found(m.Passages), []int64{number})
	for i, hits := range m.Terms {
		if want := i%100 == 0; (len(hits) == 1) != want {
			t.Fatalf("term %d: got %v", i, hits)
		}
	}
}

func TestMatchPhraseWantsTheTermsOneAfterAnother(t *testing.T) {
	b := newBed(t)
	once := b.save(strata.Global(), "c", "we deploy the billing service on Fridays and rest on Saturdays", nil)
	twice := b.save(strata.Global(), "c", "billing service, oh billing service", nil)
	b.save(strata.Global(), "c", "the service of billing", nil)
	tokyo := b.save(strata.Global(), "c", "東京タワーの高さ", nil)
	for _, c := range []struct {
		terms  []string
		prefix bool
		want   []int64
	}{
		{text.Terms("billing service"), false, []int64{twice, once}},
		{append(text.Terms("billing"), "se"), true, []int64{twice, once}},
		{append(text.Terms("billing"), "se"), false, nil},
		{text.Terms("service the"), false, nil},
		{text.Terms("東京タワー"), false, []int64{tokyo}},
		{text.Terms("京東"), false, nil},
		{nil, true, nil},
		{[]string{""}, false, nil},
		{slices.Repeat([]string{"bill"}, 3000), false, nil},
	} {
		b.view(func(ctx context.Context, x *tx) {
			got, err := x.MatchPhrase(ctx, strata.Global(), c.terms, c.prefix, store.Filter{}, 10)
			b.ok(err)
			same(t, fmt.Sprintf("%.40v", c.terms), found(got), c.want)
			got, err = x.MatchPhrase(ctx, strata.Global(), c.terms, c.prefix, store.Filter{}, 1)
			b.ok(err)
			same(t, "at most one", found(got), c.want[:min(1, len(c.want))])
		})
	}
}

func TestMatchSubstringFindsTextInsideWords(t *testing.T) {
	b := newBed(t)
	old := b.save(strata.Global(), "c", "we run deploy-v2.4.7-hotfix on staging", nil)
	quoted := b.save(strata.Global(), "c", `he said "100% sure" and DEPLOY-V2 again`, nil)
	tokyo := b.save(strata.Global(), "c", "私は東京タワーが好きです", nil)
	b.save(strata.InWorkspace("w"), "c", "deploy-v2 elsewhere", nil)
	long := strings.Repeat("lorem ipsum ", 100) + "needle in it " + strings.Repeat("dolor sit ", 100)
	hay := b.save(strata.Global(), "c", long, nil)
	for _, c := range []struct {
		s    string
		want []int64
	}{
		{"v2.4.7-hot", []int64{old}},
		{"Deploy-V2", []int64{quoted, old}},
		{"ploy", []int64{quoted, old}},
		{`"100% s`, []int64{quoted}},
		{"100_ s", nil},
		{"東京タ", []int64{tokyo}},
		{"タワーが好きで", []int64{tokyo}},
		{"京東タ", nil},
		{"po", nil},
		{"", nil},
		{long, []int64{hay}},
		{strings.Replace(long, "needle", "noodle", 1), nil},
	} {
		b.view(func(ctx context.Context, x *tx) {
			got, err := x.MatchSubstring(ctx, strata.Global(), c.s, store.Filter{}, 10)
			b.ok(err)
			same(t, fmt.Sprintf("%.30q", c.s), found(got), c.want)
		})
	}
}

// filterBed holds facts and turns, with filters and the passages that pass each.
func filterBed(t *testing.T) (b *bed, cases map[string]store.Filter, want map[string][]int64) {
	b = newBed(t)
	b.db.opts.Now = func() time.Time { return time.UnixMicro(1000).UTC() }
	at := func(us int64) *time.Time { tm := time.UnixMicro(us).UTC(); return &tm }
	var ns [5]int64
	var pets int64
	b.update(func(ctx context.Context, x *tx) {
		for i, typ := range []strata.Type{strata.TypeUser, strata.TypeProject, strata.TypeProject} {
			f := strata.Fact{ID: fmt.Sprintf("fact_%d", i), Scope: strata.Global(), Type: typ, Category: "pets", Text: "cat cat",
				Origin: strata.OriginAPI, Generation: 1, RecordedAt: *at(int64(100 * (i + 1)))}
			if i == 2 {
				f.Category = "old"
				f.RetiredAt = at(500)
			}
			var err error
			ns[i], err = x.PutFact(ctx, f)
			b.ok(err)
			b.ok(x.PutPassage(ctx, passageOf(ns[i], f, []float32{1, float32(i)})))
		}
		b.ok(x.OpenSession(ctx, strata.Session{ID: "s", Scope: strata.Global(), StartedAt: *at(1)}))
		for i := range 2 {
			u, n, err := x.AppendTurn(ctx, strata.Turn{ID: fmt.Sprintf("turn_%d", i), Scope: strata.Global(), Session: "s",
				Role: strata.RoleUser, Text: "cat", RecordedAt: *at(int64(600 + i))})
			b.ok(err)
			ns[3+i] = n
			b.ok(x.PutPassage(ctx, store.Passage{Number: n, Kind: strata.KindTurn, Scope: u.Scope, Parent: "s", Seq: u.Seq,
				Text: "a cat", RecordedAt: u.RecordedAt, Model: "test", Vector: []float32{1, float32(3 + i)}}))
		}
		row, err := x.passage(ctx, ns[0])
		b.ok(err)
		pets = row.parent
	})
	cases = map[string]store.Filter{
		"current":        {},
		"facts":          {Kinds: []strata.Kind{strata.KindFact}},
		"turns":          {Kinds: []strata.Kind{strata.KindTurn}},
		"both":           {Kinds: []strata.Kind{strata.KindTurn, strata.KindFact}},
		"sections":       {Kinds: []strata.Kind{strata.KindSection}},
		"project":        {Types: []strata.Type{strata.TypeProject}},
		"not user":       {NotTypes: []strata.Type{strata.TypeUser}},
		"parent":         {Parent: pets},
		"no such parent": {Parent: 1},
		"before all":     {AsOf: at(99)},
		"as of 100":      {AsOf: at(100)},
		"as of 499":      {AsOf: at(499)},
		"as of 500":      {AsOf: at(500)},
		"as of 600":      {AsOf: at(600)},
	}
	want = map[string][]int64{
		"current": {ns[0], ns[1], ns[3], ns[4]}, "facts": {ns[0], ns[1]}, "turns": {ns[3], ns[4]},
		"both": {ns[0], ns[1], ns[3], ns[4]}, "sections": nil, "project": {ns[1]}, "not user": {ns[1], ns[3], ns[4]},
		"parent": {ns[0], ns[1]}, "no such parent": nil, "before all": nil, "as of 100": {ns[0]},
		"as of 499": {ns[0], ns[1], ns[2]}, "as of 500": {ns[0], ns[1]}, "as of 600": {ns[0], ns[1], ns[3]},
	}
	return b, cases, want
}

func TestFiltersApplyToEverySearch(t *testing.T) {
	b, cases, wants := filterBed(t)
	sorted := func(list []int64) []int64 { slices.Sort(list); return list }
	for name, f := range cases {
		t.Run(name, func(t *testing.T) {
			want := wants[name]
			b.view(func(ctx context.Context, x *tx) {
				m, err := x.Match(ctx, strata.Global(), []string{"cat"}, f, store.MatchOptions{})
				b.ok(err)
				same(t, "match", found(m.Passages), want)
				if f.Parent == 0 && len(f.Types) == 0 && len(f.NotTypes) == 0 && m.Total != int64(len(want)) {
					t.Errorf("total: got %d, want %d", m.Total, len(want))
				}
				p, err := x.MatchPhrase(ctx, strata.Global(), []string{"cat"}, true, f, 10)
				b.ok(err)
				same(t, "phrase", sorted(found(p)), want)
				p, err = x.MatchSubstring(ctx, strata.Global(), "cat", f, 10)
				b.ok(err)
				same(t, "substring", sorted(found(p)), want)
				near, err := x.Nearest(ctx, strata.Global(), "test", []float32{1, 0}, nil, f, 10)
				b.ok(err)
				var got []int64
				for _, n := range near {
					got = append(got, n.Number)
				}
				same(t, "nearest", sorted(got), want)
				all, err := x.Parents(ctx, strata.Global(), strata.KindTurn, nil)
				b.ok(err)
				at, err := x.PassagesAt(ctx, strata.Global(), []store.Place{{Parent: all[0].Number, Seq: 1}, {Parent: all[0].Number, Seq: 9}}, f)
				b.ok(err)
				if len(want) > 0 && slices.Contains(want, wants["turns"][0]) != (len(at) == 1) {
					t.Errorf("place: got %v", at)
				}
			})
		})
	}
}
