package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Forget removes every trace of a fact in its scope and leaves tombstones.
//
// What is removed or blanked lies in the fact's scope, save for what is made of
// the memory of several scopes: the queries of traces and recall events, and
// what sessions were given or saved. Turns are blanked whole: the sources of
// the fact and those that hold its text, or whose tool calls do, as words of
// their own. Of documents, the lines with the text are blanked; their files are
// not the store's. Remaining names what else holds the text: by its id or path
// in the fact's scope, by scope key, slash and id or path in another.
func (t *tx) Forget(ctx context.Context, scope strata.Scope, id string) (store.Forgotten, error) {
	const op = "forget fact"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil {
		return store.Forgotten{}, wrap(op, err)
	}
	if !ok {
		return store.Forgotten{}, strata.NotFound(op, "fact", id)
	}
	versions, err := t.FactVersions(ctx, scope, id)
	if err != nil {
		return store.Forgotten{}, err
	}
	if len(versions) == 0 {
		return store.Forgotten{}, strata.NotFound(op, "fact", id)
	}
	f := forgetting{tx: t, scopeNo: no, scope: scope, id: id}
	var normal []string
	for _, v := range versions {
		normal = append(normal, text.Normalize(v.Text))
		f.sources = append(f.sources, v.Sources...)
	}
	slices.Sort(normal)
	normal = slices.Compact(normal)
	f.wanted = newWanted(normal)
	f.shown = newWanted(append(leadsOf(versions), normal...))
	slices.Sort(f.sources)
	f.sources = slices.Compact(f.sources)

	for _, step := range []func(context.Context) error{
		f.purgeWords, f.decisions, f.versions, f.traces, f.recalls, f.turns, f.documents, f.snapshots, f.states, f.learnings, f.outcomes,
		f.transcripts, f.categories, f.remaining, f.tombstones,
	} {
		if err := step(ctx); err != nil {
			return store.Forgotten{}, wrap(op, err)
		}
	}
	return f.out, nil
}

// forgetting is one fact on its way out.
type forgetting struct {
	*tx
	scopeNo int64
	scope   strata.Scope
	id      string
	sources []string // ids of turns
	wanted  wanted   // the texts of all versions
	shown   wanted   // and how they begin where a session was shown or learnt them
	// sessions are those of the turns that were blanked.
	sessions []string
	// standing are the documents whose files hold the text.
	standing []place
	// file is the path of the document that is forgotten; empty for a fact.
	file string
	out  store.Forgotten
}

// versions removes the fact's rows, passages and counts.
func (f *forgetting) versions(ctx context.Context) error {
	rows, err := f.query(ctx, `SELECT number FROM fact WHERE scope_no = ? AND id = ?`, f.scopeNo, f.id)
	if err != nil {
		return err
	}
	list, err := collect(rows, func(scan scanner) (n int64, err error) { return n, scan(&n) })
	if err != nil {
		return err
	}
	for _, number := range list {
		if err := f.removePassage(ctx, number); err != nil {
			return err
		}
	}
	f.out.Versions = len(list)
	f.db.norms.changed = true // they are read again, should this be undone
	if _, err := f.exec(ctx, `DELETE FROM fact WHERE scope_no = ? AND id = ?`, f.scopeNo, f.id); err != nil {
		return err
	}
	_, err = f.exec(ctx, `DELETE FROM access WHERE scope_no = ? AND memory_id = ?`, f.scopeNo, f.id)
	return err
}

// decisions blanks the decisions on the fact, and others that hold its text.
func (f *forgetting) decisions(ctx context.Context) error {
	low, high := numbers(f.scopeNo)
	list, err := f.tx.decisions(ctx, `WHERE d.number BETWEEN ?2 AND ?3 AND (
		d.fact_id = ?4 OR instr(d.before, ?4) > 0 OR instr(d.after, ?4) > 0
		OR d.before_fact IN (SELECT number FROM fact WHERE scope_no = ?5 AND id = ?4)
		OR d.after_fact IN (SELECT number FROM fact WHERE scope_no = ?5 AND id = ?4) OR `+
		maybe(`d.reason || d.notes || d.set_aside || d.before || d.after`)+`)`,
		f.wanted.pattern, low, high, f.id, f.scopeNo)
	if err != nil {
		return err
	}
	for _, d := range list {
		changed, err := f.blank(ctx, &d)
		if err != nil {
			return err
		}
		if !changed {
			continue
		}
		f.out.Decisions++
		if err := f.rewrite(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// blank empties what a decision holds of the fact. The reason of a decision on
// the fact itself goes in any case: it may quote a part of the text.
func (f *forgetting) blank(ctx context.Context, d *strata.Decision) (changed bool, err error) {
	own := d.FactID == f.id
	if d.Document != nil {
		changed = f.blankChange(d.Document)
		own = f.file != "" && d.Document.Path == f.file
	}
	for _, v := range []*strata.Fact{d.Before, d.After} {
		if v == nil {
			continue
		}
		gone := v.ID == f.id
		own = own || gone
		if !gone && f.wanted.in(append(v.Tags, v.Text, v.Entity, v.Attribute, v.Category)...) {
			// A version of another fact that is still stored is named by
			// remaining; without it, this copy would be the only one.
			if gone, err = f.lacks(ctx, v); err != nil {
				return false, err
			}
		}
		if gone {
			*v = withoutContent(*v)
			changed = true
		}
	}
	if own && (d.Reason != "" || len(d.Notes) > 0) || f.wanted.in(d.Reason) || f.wanted.in(d.Notes...) {
		d.Reason, d.Notes = strata.ForgottenText, nil
		changed = true
	}
	if f.wanted.in(d.SetAside) {
		d.SetAside = strata.ForgottenText
		changed = true
	}
	return changed, nil
}

// lacks reports whether no version of a fact is stored.
func (f *forgetting) lacks(ctx context.Context, v *strata.Fact) (bool, error) {
	var there int
	err := f.queryRow(ctx, `SELECT 1 FROM fact WHERE scope_no = ? AND id = ? LIMIT 1`, f.scopeNo, v.ID).Scan(&there)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	return false, err
}

// withoutContent returns what may be known of a forgotten fact.
func withoutContent(v strata.Fact) strata.Fact {
	v.Text, v.Category, v.Entity, v.Attribute, v.Tags = strata.ForgottenText, "", "", "", nil
	return v
}

func (f *forgetting) rewrite(ctx context.Context, d strata.Decision) error {
	notes, err := encodeList(d.Notes)
	if err != nil {
		return err
	}
	c, err := f.changeOf(ctx, f.scopeNo, d)
	if err != nil {
		return err
	}
	_, err = f.exec(ctx, `
		UPDATE decision SET reason = ?, notes = ?, set_aside = ?, before_fact = ?, after_fact = ?, before = ?, after = ?
		WHERE scope_no = ? AND id = ?`,
		d.Reason, notes, d.SetAside, c.before.number, c.after.number, c.before.json, c.after.json, f.scopeNo, d.ID)
	return err
}

// traces blanks the traces of queries that hold the text, in every scope.
func (f *forgetting) traces(ctx context.Context) error {
	list, err := f.holding(ctx, f.wanted, `SELECT number, query FROM trace WHERE `+maybe(`query`))
	if err != nil {
		return err
	}
	for _, number := range list {
		// The terms of the hits are words of the query.
		_, err := f.exec(ctx, `
			UPDATE trace SET query = ?, hits = (
				SELECT json_group_array(json_remove(value, '$.why.terms')) FROM json_each(hits))
			WHERE number = ?`, strata.ForgottenText, number)
		if err != nil {
			return err
		}
	}
	f.out.Traces += len(list)
	return nil
}

// recalls removes the fact's recall events and blanks others whose query holds
// the text, in every scope.
func (f *forgetting) recalls(ctx context.Context) error {
	res, err := f.exec(ctx, `DELETE FROM recall_event WHERE scope_no = ? AND memory_id = ?`, f.scopeNo, f.id)
	if err != nil {
		return err
	}
	removed, err := res.RowsAffected()
	if err != nil {
		return err
	}
	list, err := f.holding(ctx, f.wanted, `SELECT number, query FROM recall_event WHERE `+maybe(`query`))
	if err != nil {
		return err
	}
	for _, number := range list {
		if _, err := f.exec(ctx, `UPDATE recall_event SET query = ? WHERE number = ?`, strata.ForgottenText, number); err != nil {
			return err
		}
	}
	f.out.Traces += int(removed) + len(list)
	return nil
}

// holding returns the numbers of the rows of (number, text) whose text holds
// one of the wanted.
func (f *forgetting) holding(ctx context.Context, w wanted, query string) ([]int64, error) {
	rows, err := f.query(ctx, query, w.pattern)
	if err != nil {
		return nil, err
	}
	return numbersIn(rows, w, 1)
}

// numbersIn returns the numbers of the rows of (number, text, …) of which one
// of the texts holds one of the wanted.
func numbersIn(rows *sql.Rows, w wanted, texts int) ([]int64, error) {
	list, err := collect(rows, func(scan scanner) (int64, error) {
		var number int64
		found := make([]string, texts)
		dest := []any{&number}
		for i := range found {
			dest = append(dest, &found[i])
		}
		if err := scan(dest...); err != nil || !w.in(found...) {
			return 0, err
		}
		return number, nil
	})
	return slices.DeleteFunc(list, func(n int64) bool { return n == 0 }), err
}

// categories sees to categories that are named by words of the text alone.
func (f *forgetting) categories(ctx context.Context) error {
	for _, s := range f.wanted.normal {
		if err := f.scrubCategory(ctx, f.scopeNo, s); err != nil {
			return err
		}
	}
	return nil
}

func (f *forgetting) tombstones(ctx context.Context) error {
	for _, s := range f.wanted.normal {
		if err := f.putTombstone(ctx, f.scopeNo, s, f.id); err != nil {
			return err
		}
	}
	return nil
}
