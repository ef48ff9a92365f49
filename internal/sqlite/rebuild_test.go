package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/store"
)

// A dropped index rebuilt from its sources answers as before.
func TestRebuiltIndexAnswersTheSame(t *testing.T) {
	for words, cut := range map[string]int64{"term_index_content": 1, "pending": pendingTexts} {
		t.Run(words, func(t *testing.T) { rebuiltAnswersTheSame(t, words, cut) })
	}
}

// rebuiltAnswersTheSame is that test where one table has all words of a small scope.
func rebuiltAnswersTheSame(t *testing.T, words string, cut int64) {
	b := newBed(t)
	b.db.MergePendingFrom(cut)
	list := samples(t, 1, 300)
	byText := make(map[string][]float32)
	for _, s := range list {
		byText[s.text] = s.vector
	}
	b.fill(strata.Global(), list)
	other := b.save(strata.InWorkspace("w"), "c", list[0].text, list[0].vector)
	b.update(func(ctx context.Context, x *tx) {
		for i := range 50 {
			b.ok(x.RetireFact(ctx, strata.Global(), fmt.Sprintf("fact_%026d", 3*i+1), 1, ""))
		}
		b.ok(x.OpenSession(ctx, strata.Session{ID: "s", Scope: strata.Global()}))
		for i := range 20 {
			u, number, err := x.AppendTurn(ctx, strata.Turn{ID: fmt.Sprint("turn_", i), Scope: strata.Global(), Session: "s",
				Role: strata.RoleUser, Text: list[i].text})
			b.ok(err)
			b.ok(x.PutPassage(ctx, turnPassage(number, u, list[i].vector)))
		}
	})
	questions := samples(t, 2, 20)
	answers := func() (out []string) {
		b.view(func(ctx context.Context, x *tx) {
			for _, q := range questions {
				m, err := x.Match(ctx, strata.Global(), q.query(), store.Filter{}, store.MatchOptions{})
				b.ok(err)
				out = append(out, fmt.Sprint(found(m.Passages), m.Terms, m.Total, m.Words))
				near, err := x.Nearest(ctx, strata.Global(), "test", q.vector, nil, store.Filter{}, 5)
				b.ok(err)
				out = append(out, fmt.Sprint(near))
			}
			cats, err := x.Categories(ctx, strata.Global(), large)
			b.ok(err)
			named := names(cats)
			slices.Sort(named)
			out = append(out, named...)
		})
		return out
	}
	before := answers()
	b.update(func(ctx context.Context, x *tx) { b.ok(x.DropIndex(ctx, strata.Global())) })
	b.view(func(ctx context.Context, x *tx) {
		for _, table := range []string{"passage", words, "parent", "parent_vector", "code_head"} {
			var n int
			b.ok(x.queryRow(ctx, `SELECT count(*) FROM `+table).Scan(&n))
			if n != 1 {
				t.Errorf("%s: %d rows are left, want the one of the other scope", table, n)
			}
		}
		var facts int
		b.ok(x.queryRow(ctx, `SELECT count(DISTINCT number) FROM sketch`).Scan(&facts))
		if facts != 1 {
			t.Errorf("the keys of %d facts are left, want those of the one of the other scope", facts)
		}
		m, err := x.Match(ctx, strata.InWorkspace("w"), list[0].query(), store.Filter{}, store.MatchOptions{})
		b.ok(err)
		same(t, "other scope", found(m.Passages), []int64{other})
	})
	var after int64
	pages := 0
	for done := false; !done; pages++ {
		b.update(func(ctx context.Context, x *tx) {
			page, err := x.Sources(ctx, strata.Global(), after, 100)
			b.ok(err)
			for _, s := range page {
				if s.Fact != nil {
					p := passageOf(s.Number, *s.Fact, byText[s.Fact.Text])
					b.ok(x.PutPassage(ctx, p))
				} else {
					b.ok(x.PutPassage(ctx, turnPassage(s.Number, *s.Turn, byText[s.Turn.Text])))
				}
				after = s.Number
			}
			done = len(page) == 0
		})
	}
	if pages != 5 {
		t.Errorf("%d pages, want 320 sources in 4 and an empty one", pages)
	}
	same(t, "answers", answers(), before)
	b.sound()
}

func turnPassage(number int64, u strata.Turn, v []float32) store.Passage {
	return store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: u.Scope, Parent: u.Session, Seq: u.Seq,
		Text: u.Text, RecordedAt: u.RecordedAt, Model: "test", Vector: v}
}

func TestItemsComeInTheOrderAsked(t *testing.T) {
	b := newBed(t)
	one := b.save(strata.Global(), "c", "one", nil)
	two := b.save(strata.Global(), "c", "two", nil)
	other := b.save(strata.InWorkspace("w"), "c", "other", nil)
	b.view(func(ctx context.Context, x *tx) {
		items, err := x.Items(ctx, strata.Global(), []int64{two, 5, other, one, two})
		b.ok(err)
		var got []string
		for _, i := range items {
			got = append(got, i.Fact.Text)
			if i.Words != 1 || i.Parent == 0 {
				t.Errorf("metadata is missing: %+v", i.Meta)
			}
		}
		same(t, "items", got, []string{"two", "one", "two"})
	})
}

// Each damage to the index is found, by its name.
func TestCheckFindsDamageOfTheIndex(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]string{
		"fact_without_passage":    `DELETE FROM passage WHERE number = (SELECT max(number) FROM passage)`,
		"passage_without_fact":    `DELETE FROM fact WHERE number = (SELECT max(number) FROM fact)`,
		"wrong_retirement":        `UPDATE fact SET retired_at = 5 WHERE number = (SELECT max(number) FROM fact)`,
		"section_without_passage": `DELETE FROM passage WHERE kind = 3`,
		"passage_without_parent":  `UPDATE passage SET parent = 7 WHERE number = (SELECT max(number) FROM passage)`,
		"wrong_category":          `UPDATE fact SET category = 'z' WHERE number = (SELECT max(number) FROM fact)`,
		"passage_without_words":   `UPDATE pending SET terms = NULL WHERE number = (SELECT max(number) FROM passage)`,
		"stray_words":             `INSERT INTO trigram_index (rowid, normal) VALUES (7, 'stray')`,
		"repeated_words":          `INSERT INTO trigram_index (rowid, normal) SELECT number, normal FROM pending LIMIT 1`,

		"passage_without_words, where its text should wait": `DELETE FROM pending WHERE number = (SELECT max(number) FROM passage)`,
		"stray_words that wait":                             `INSERT INTO pending VALUES (7, 'stray', NULL)`,
		"stray_words in the index of words":                 `INSERT INTO term_index (rowid, terms) VALUES (7, 'stray')`,
		"repeated_words in the index of words":              `INSERT INTO term_index (rowid, terms) SELECT number, terms FROM pending LIMIT 1`,
		"passage_without_words after all were cut":          `DELETE FROM term_index WHERE rowid = (SELECT max(number) FROM passage)`,
		"wrong_words":                    `UPDATE pending SET terms = 'one ☃' WHERE number = (SELECT max(number) FROM passage)`,
		"wrong_words that are missing":   `UPDATE pending SET terms = '' WHERE number = (SELECT max(number) FROM passage)`,
		"wrong_words, a bit of one":      `UPDATE pending SET terms = replace(terms, 'wait', 'wail') WHERE terms LIKE '%wait%'`,
		"wrong_words, a bit of the text": `UPDATE pending SET normal = replace(normal, 'waits', 'wairs') WHERE normal LIKE '%waits%'`,
		"wrong_words, a bit of a letter": `UPDATE pending SET normal = replace(normal, 'waits', 'Waits') WHERE normal LIKE '%waits%'`,
		"fact_without_keys":              `DELETE FROM sketch WHERE number = (SELECT max(number) FROM passage WHERE kind = 1)`,
		"stray_keys":                     `INSERT INTO sketch (scope_no, key, number, bits) VALUES (1, 7, 7, 1)`,
		"stray_keys, of a retired fact":  `UPDATE passage SET retired_at = 5 WHERE number = (SELECT max(number) FROM sketch)`,
		"passage_without_vector":         `DELETE FROM embedding_queue`,
		"stray_vector":                   `INSERT INTO vector VALUES (7, x'00000000', NULL)`,
		"wrong_vector":                   `UPDATE vector SET embedding = x'0000' WHERE place = (SELECT max(place) FROM vector)`,
		"stray_queue_entry":              `INSERT INTO embedding_queue (number, model) VALUES (7, 0)`,
		"wrong_parent_count":             `UPDATE parent SET words = words + 1`,
		"empty_parent":                   `INSERT INTO parent (number, scope_no, kind, name) VALUES (7, 1, 1, 'empty')`,
		"wrong_scope_count":              `UPDATE scope_stat SET passages = passages + 1`,
		"wrong_code_count":               `UPDATE code_head SET coded = coded + 1`,
		"missing_model":                  `UPDATE embedding SET target = 5`,
		"wrong_section":                  `UPDATE passage SET seq = 5 WHERE kind = 3`,
		"wrong_parent_vector":            `UPDATE parent_vector SET count = count + 1`,
		"wrong_code":                     `DELETE FROM code_block WHERE id = 1`,
		"change_behind":                  `UPDATE counter SET value = 1 WHERE name = 'change'`,
	} {
		t.Run(name, func(t *testing.T) {
			kind := strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == ',' })[0]
			b := newBed(t)
			if strings.HasSuffix(name, "were cut") {
				b.db.MergePendingFrom(1)
			}
			list := samples(t, 1, 20)
			if kind == "wrong_code" {
				list = samples(t, 1, nearest.CodeFrom)
			}
			b.fill(strata.Global(), list)
			b.update(func(ctx context.Context, x *tx) {
				d := strata.Document{ID: "doc_1", Scope: strata.Global(), Path: "_system/x.md", Kind: strata.DocumentSystem, Generation: 1, Content: "text"}
				stored, err := x.PutDocument(ctx, d, []strata.Section{{Line: 1, EndLine: 1, Text: "text"}})
				b.ok(err)
				b.ok(x.PutPassage(ctx, store.Passage{Number: stored[0].Number, Kind: strata.KindSection, Scope: d.Scope, Parent: d.Path, Seq: 1, Text: "text"}))
			})
			b.save(strata.Global(), "waiting", "waits for a vector", nil)
			b.sound()
			b.update(func(ctx context.Context, x *tx) {
				_, err := x.exec(ctx, damage)
				b.ok(err)
			})
			problems, err := b.db.Check(context.Background(), nil)
			b.ok(err)
			if !slices.ContainsFunc(problems, func(p store.Problem) bool {
				return p.Kind == kind && p.Detail != "" && p.Repair == check.RepairIndex
			}) {
				t.Errorf("found %+v, want %s", problems, kind)
			}
		})
	}
}

// Whatever is wrong with words that wait, a new index mends it.
func TestRebuild_MendsWordsThatWait(t *testing.T) {
	for kind, damage := range map[string]string{
		"passage_without_words": `UPDATE pending SET terms = NULL WHERE number % 3 = 0`,
		"repeated_words":        `INSERT INTO term_index (rowid, terms) SELECT number, terms FROM pending WHERE number % 3 = 0`,
		"stray_words":           `INSERT INTO term_index (rowid, terms) VALUES ((1 << 40) + 99999, 'stray')`,
		"wrong_words":           `UPDATE pending SET terms = 'stray' WHERE number % 3 = 0`,
	} {
		t.Run(kind, func(t *testing.T) {
			ctx := context.Background()
			b := newFactBed(t, 5)
			b.update(func(ctx context.Context, w *tx) error {
				_, err := w.exec(ctx, damage)
				return err
			})
			problems, err := b.dbs[0].Check(ctx, nil)
			if err != nil || !slices.ContainsFunc(problems, func(p store.Problem) bool { return p.Kind == kind }) {
				t.Fatalf("found %+v, %v, want %s", problems, err, kind)
			}
			b.reindex()
			problems, err = b.dbs[0].Check(ctx, nil)
			if err != nil || slices.ContainsFunc(problems, func(p store.Problem) bool { return strings.HasSuffix(p.Kind, "_words") }) {
				t.Errorf("found %+v, %v after indexing anew", problems, err)
			}
		})
	}
}
