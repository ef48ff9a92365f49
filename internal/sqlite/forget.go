package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/forget"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Forgetting removes or blanks rows in the scope of the subject. It also reaches
// rows that draw on several scopes: the queries of traces and recall events, and
// what sessions were given or saved. Package forget decides what is removed from a
// value; this file and its neighbors find and write the rows.

// Forget removes every trace of a fact in its scope and leaves tombstones.
//
// Turns are blanked: the sources of the fact, and turns that repeat its text, in
// words or in tool calls. In documents, the lines with the text are blanked; the
// store does not touch the files. Remaining names what else holds the text: by id or
// path in the fact's scope, by scope key, slash and id or path in another.
func (t *tx) Forget(ctx context.Context, scope strata.Scope, id string, told *forget.Telling, within ...strata.Scope) (store.Forgotten, error) {
	const op = "forget fact"
	f, err := t.newForgetting(ctx, op, scope, "fact", id, within)
	if err != nil {
		return store.Forgotten{}, err
	}
	versions, err := t.FactVersions(ctx, scope, id)
	if err != nil {
		return store.Forgotten{}, err
	}
	if len(versions) == 0 {
		return store.Forgotten{}, strata.NotFound(op, "fact", id)
	}
	f.subject = forget.Fact(id, versions, told)
	// Decisions come first: some are found by the fact versions they refer to.
	return f.run(ctx, op, f.decisions, f.removeVersions, f.turns, f.documents, f.uses, f.transcripts, f.categories, f.remaining, f.tombstones)
}

// ForgetTurns blanks the turns of a scope that told a fact of another scope.
func (t *tx) ForgetTurns(ctx context.Context, scope strata.Scope, versions []strata.Fact, told *forget.Telling, within ...strata.Scope) (store.Forgotten, error) {
	const op = "forget turns"
	f, err := t.newForgetting(ctx, op, scope, "turns", "", within)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return store.Forgotten{}, nil // nothing was ever said there
	}
	if err != nil {
		return store.Forgotten{}, err
	}
	f.subject = forget.Fact(versions[0].ID, versions, told)
	return f.run(ctx, op, f.turns, f.uses, f.transcripts)
}

// ForgetSaid blanks turns of a scope and whatever quotes them.
func (t *tx) ForgetSaid(ctx context.Context, scope strata.Scope, id string, turns, texts []string, within ...strata.Scope) (store.Forgotten, error) {
	const op = "forget turns"
	f, err := t.newForgetting(ctx, op, scope, "turns", id, within)
	if err != nil {
		return store.Forgotten{}, err
	}
	f.subject = forget.Quoted(texts, nil, turns)
	f.subject.ID, f.subject.Wholly = id, true
	return f.run(ctx, op, f.turns, f.uses, f.transcripts, f.remaining, f.madeOf, f.tombstones)
}

// madeOf names the facts that came from the forgotten turns.
func (f *forgetting) madeOf(ctx context.Context) error {
	ids, err := collect(ctx, f.tx, `SELECT DISTINCT id FROM fact WHERE scope_no = ?1 AND sources <> '' AND EXISTS (
		SELECT 1 FROM json_each(sources) WHERE value IN (SELECT c0 FROM unpack(?2)))`,
		[]any{f.scopeNo, packed.Texts(f.subject.Sources)}, func(scan scanner) (id string, err error) {
			err = scan(&id)
			return id, err
		})
	f.out.Remaining = append(f.out.Remaining, ids...)
	slices.Sort(f.out.Remaining)
	f.out.Remaining = slices.Compact(f.out.Remaining)
	return err
}

// ForgetDocument removes every trace of a document of a scope.
func (t *tx) ForgetDocument(ctx context.Context, scope strata.Scope, d strata.Document, former []strata.Document, whole, parts []string, within ...strata.Scope) (store.Forgotten, error) {
	const op = "forget document"
	if err := strata.ValidateName("document id", d.ID); err != nil {
		return store.Forgotten{}, err
	}
	f, err := t.newForgetting(ctx, op, scope, "document", d.ID, within)
	if err != nil {
		return store.Forgotten{}, err
	}
	f.subject = forget.Document(d, former, whole, parts)
	distrust := func(ctx context.Context) error { return f.distrustFormer(ctx, former) }
	return f.run(ctx, op, f.removeFile, distrust, f.decisions, f.turns, f.documents, f.uses, f.transcripts, f.remaining, f.tombstones)
}

// forgetting is the removal of a fact, document or set of turns.
type forgetting struct {
	*tx
	subject forget.Subject
	scopeNo int64
	scope   strata.Scope
	// within are the numbers of the scopes to search; nil means all.
	within []int64
	// turnsGone are the turns that were blanked, and sessions are their sessions.
	turnsGone []erasedTurn
	sessions  []string
	// standing are the documents whose files still hold the text.
	standing []place
	out      store.Forgotten
}

// place identifies a memory in a scope by its id, or a document by its path.
type place struct {
	scopeNo int64
	id      string
}

func (t *tx) newForgetting(ctx context.Context, op string, scope strata.Scope, what, id string, within []strata.Scope) (*forgetting, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil {
		return nil, wrap(op, err)
	}
	if !ok {
		return nil, strata.NotFound(op, what, id)
	}
	f := &forgetting{tx: t, scopeNo: no, scope: scope}
	for _, s := range within {
		no, known, err := t.scopeNo(ctx, s, false)
		if err != nil {
			return nil, wrap(op, err)
		}
		if known || f.within == nil {
			f.within = append(f.within, no) // 0 for an unknown scope, so that within means none and not all
		}
	}
	return f, nil
}

func (f *forgetting) run(ctx context.Context, op string, steps ...func(context.Context) error) (store.Forgotten, error) {
	f.forgets = true
	if err := f.purgeWords(ctx); err != nil {
		return store.Forgotten{}, wrap(op, err)
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return store.Forgotten{}, wrap(op, err)
		}
	}
	return f.out, nil
}

// removeVersions removes a fact's rows, passages and access counts.
func (f *forgetting) removeVersions(ctx context.Context) error {
	list, err := f.queryIntegers(ctx, 1, `SELECT number FROM fact WHERE scope_no = ? AND id = ?`, f.scopeNo, f.subject.ID)
	if err != nil {
		return err
	}
	for _, number := range list {
		if err := f.removePassage(ctx, number); err != nil {
			return err
		}
	}
	f.out.Versions = len(list)
	if _, err := f.exec(ctx, `DELETE FROM fact WHERE scope_no = ? AND id = ?`, f.scopeNo, f.subject.ID); err != nil {
		return err
	}
	return f.removeAccesses(ctx)
}

// removeFile removes the row of a document and its access counts.
func (f *forgetting) removeFile(ctx context.Context) error {
	row, err := f.documentAt(ctx, f.scopeNo, f.subject.Path)
	switch {
	case err == nil && row.id == f.subject.ID:
		if err := f.removeDocument(ctx, f.scope, f.subject.Path, true); err != nil {
			return err
		}
		f.out.Versions = 1
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return err
	}
	if err := f.distrustPath(ctx, f.scopeNo, f.subject.Path); err != nil {
		return err
	}
	return f.removeAccesses(ctx)
}

// distrustFormer forgets which versions of a file are trusted under its former
// paths. An empty path now belongs to another document.
func (f *forgetting) distrustFormer(ctx context.Context, former []strata.Document) error {
	for _, d := range former {
		if d.Path == "" {
			continue
		}
		if err := f.distrustPath(ctx, f.scopeNo, d.Path); err != nil {
			return err
		}
	}
	return nil
}

func (f *forgetting) removeAccesses(ctx context.Context) error {
	_, err := f.exec(ctx, `DELETE FROM access WHERE scope_no = ? AND memory_id = ?`, f.scopeNo, f.subject.ID)
	return err
}

// decisions blanks the decisions about the subject, including those of a scope that
// it was moved to or from, and other decisions that hold its text.
func (f *forgetting) decisions(ctx context.Context) error {
	low, high := passage.Numbers(f.scopeNo)
	list, err := f.tx.decisions(ctx, `WHERE d.before_fact IN (SELECT number FROM fact WHERE scope_no = ?5 AND id = ?4)
		OR d.after_fact IN (SELECT number FROM fact WHERE scope_no = ?5 AND id = ?4) OR d.number BETWEEN ?2 AND ?3 AND (
		d.fact_id = ?4 OR instr(d.before, ?4) > 0 OR instr(d.after, ?4) > 0 OR `+
		mayHold(`d.reason || d.notes || d.set_aside || d.request_id || d.session || d.before || d.after`)+`)`,
		f.subject.Patterns(), low, high, f.subject.ID, f.scopeNo)
	if err != nil {
		return err
	}
	for _, d := range list {
		scopeNo, _, err := f.tx.scopeNo(ctx, d.Scope, false)
		if err != nil {
			return err
		}
		stored := func(factID string) (there bool, err error) {
			err = f.queryRow(ctx, `SELECT EXISTS (SELECT 1 FROM fact WHERE scope_no = ? AND id = ?)`, scopeNo, factID).Scan(&there)
			return there, err
		}
		changed, err := f.subject.BlankDecision(&d, stored)
		if err != nil {
			return err
		}
		if !changed {
			continue
		}
		f.out.Decisions++
		if err := f.rewrite(ctx, scopeNo, d); err != nil {
			return err
		}
	}
	return nil
}

// rewrite stores a decision that was partly blanked.
func (t *tx) rewrite(ctx context.Context, scopeNo int64, d strata.Decision) error {
	notes, err := encodeList(d.Notes)
	if err != nil {
		return err
	}
	c, err := t.changeOf(ctx, d)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `
		UPDATE decision SET reason = ?, notes = ?, set_aside = ?, request_id = ?, session = ?, before_fact = ?, after_fact = ?, before = ?, after = ?, path = ?
		WHERE scope_no = ? AND id = ?`,
		d.Reason, notes, d.SetAside, d.RequestID, d.Session, c.before.number, c.after.number, c.before.json, c.after.json, c.path, scopeNo, d.ID)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, check.Decision.Write+`scope_no = ? AND id = ?`, scopeNo, d.ID)
	return err
}

// remaining names the facts, turns, learnings and documents of the searched scopes
// that still hold the text or a value of it, and turns of other scopes that the fact
// came from.
func (f *forgetting) remaining(ctx context.Context) error {
	found := make(map[place]bool)
	for _, p := range f.standing {
		found[p] = true
	}
	err := f.eachRow(ctx, `
		SELECT scope_no, id, text, '', '', 0 FROM fact WHERE `+mayHold(`text`)+`
		UNION ALL
		SELECT scope_no, id, text || ' ' || context, '', '', 0 FROM learning WHERE `+mayHold(`text || ' ' || context`)+`
		UNION ALL
		SELECT scope_no, id, text, calls, session, 0 FROM turn WHERE NOT forgotten AND (`+mayHold(`text`)+` OR `+maybeCalls+`)
		UNION ALL
		SELECT scope_no, id, '', '', session, 1 FROM turn WHERE id IN (SELECT c0 FROM unpack(?2)) AND NOT forgotten`,
		[]any{f.subject.Patterns(), packed.Texts(f.subject.Sources)}, func(scan scanner) error {
			var p place
			var u strata.Turn
			var encoded string
			var source bool
			if err := scan(&p.scopeNo, &p.id, &u.Text, &encoded, &u.Session, &source); err != nil {
				return err
			}
			var err error
			if u.Calls, err = decodeList[strata.ToolCall](encoded); err != nil {
				return err
			}
			if source && p.scopeNo != f.scopeNo || f.subject.Remains(u) {
				found[p] = true
			}
			return nil
		})
	if err != nil {
		return err
	}
	for p := range found {
		if f.within != nil && !slices.Contains(f.within, p.scopeNo) {
			continue
		}
		name := p.id
		if p.scopeNo != f.scopeNo {
			scope, err := f.scopeByNo(ctx, p.scopeNo)
			if err != nil {
				return err
			}
			name = scope.Key() + "/" + p.id
		}
		f.out.Remaining = append(f.out.Remaining, name)
	}
	slices.Sort(f.out.Remaining)
	return nil
}

// tombstones marks what must not come back without somebody asking: the texts, the
// turns that said them, which may be in another scope and be extracted in other
// words, and the names of a document, by which it may be requested later.
func (f *forgetting) tombstones(ctx context.Context) error {
	for _, s := range slices.Concat(f.subject.Whole, f.subject.Sources, f.out.Turns, f.subject.Names) {
		if err := f.putTombstone(ctx, f.scopeNo, text.Normalize(s), f.subject.ID); err != nil {
			return err
		}
	}
	return nil
}

// ForgetPath removes the path of a forgotten document from the decisions of a scope.
func (t *tx) ForgetPath(ctx context.Context, scope strata.Scope, id string) error {
	const op = "forget path"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return wrap(op, err)
	}
	low, high := passage.Numbers(no)
	list, err := t.decisions(ctx, `WHERE d.number BETWEEN ?2 AND ?3 AND d.path <> '' AND (instr(d.before, ?1) > 0 OR instr(d.after, ?1) > 0)`, id, low, high)
	for i := 0; err == nil && i < len(list); i++ {
		if forget.BlankPath(&list[i], id) {
			err = t.rewrite(ctx, no, list[i])
		}
	}
	t.forgets = true
	return wrap(op, err)
}
