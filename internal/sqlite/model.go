package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

// wantedModels are the models in use, at most three: the one whose vectors serve
// searches, the one that is to follow it, and the base, which may be one of these.
// All other models in table model are stale.
type wantedModels struct {
	serving, target, base model // a model with number 0 means none
	through               int64 // the last passage that the backfill of the target has gone through
}

// list returns the wanted models without duplicates, the serving one first.
func (w *wantedModels) list() []model {
	out := make([]model, 0, 3)
	for _, m := range []model{w.serving, w.target, w.base} {
		if m.number != 0 && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// find returns the wanted model with a name and dimension.
func (w *wantedModels) find(name string, dim int) (model, bool) {
	for _, m := range [...]*model{&w.serving, &w.target, &w.base} {
		if m.number != 0 && m.name == name && m.dim == dim {
			return *m, true
		}
	}
	return model{}, false
}

// models returns the wanted models, which it reads only once.
func (t *tx) models(ctx context.Context) (*wantedModels, error) {
	if t.cached.models != nil {
		return t.cached.models, nil
	}
	var w wantedModels
	err := t.queryPackedRow(ctx, `
		SELECT pack_rows(e.serving, coalesce(s.name, ''), coalesce(s.dim, 0), coalesce(s.queue, 0),
			e.target, coalesce(g.name, ''), coalesce(g.dim, 0), coalesce(g.queue, 0),
			e.base, coalesce(b.name, ''), coalesce(b.dim, 0), coalesce(b.queue, 0), e.backfilled_through)
		FROM embedding AS e LEFT JOIN model AS s ON s.number = e.serving LEFT JOIN model AS g ON g.number = e.target
			LEFT JOIN model AS b ON b.number = e.base`, nil,
		&w.serving.number, &w.serving.name, &w.serving.dim, &w.serving.queue,
		&w.target.number, &w.target.name, &w.target.dim, &w.target.queue,
		&w.base.number, &w.base.name, &w.base.dim, &w.base.queue, &w.through)
	if errors.Is(err, sql.ErrNoRows) {
		err = database.Corrupt("read models", "the row that names the embedding models is not there")
	}
	if err != nil {
		return nil, err
	}
	t.cached.models = &w
	return &w, nil
}

// wantedModel returns the wanted model with a name and dimension. ok is false if no
// model of that name is wanted; the error is invalid if one is wanted with another
// dimension.
func (t *tx) wantedModel(ctx context.Context, name string, dim int) (m model, ok bool, err error) {
	w, err := t.models(ctx)
	if err != nil {
		return m, false, err
	}
	if m, ok = w.find(name, dim); ok {
		return m, true, nil
	}
	for _, m := range w.list() {
		if m.name == name {
			return m, false, strata.Invalid("check vector", fmt.Sprintf("a vector of length %d, but those of %s have %d", dim, name, m.dim),
				"open the home with the model as it is now: its vectors will be made anew")
		}
	}
	return m, false, nil
}

// modelFor returns the model of a vector that is to be stored. The first vector of
// all makes its model the serving one. ok is false if the model is not wanted.
func (t *tx) modelFor(ctx context.Context, name string, v []float32) (m model, ok bool, err error) {
	if err := checkVector(name, v); err != nil {
		return m, false, err
	}
	w, err := t.models(ctx)
	if err != nil {
		return m, false, err
	}
	if w.serving.number == 0 {
		if err := t.SetTargetModel(ctx, store.Model{Name: name, Dim: len(v)}); err != nil {
			return m, false, err
		}
	}
	return t.wantedModel(ctx, name, len(v))
}

// Embedding returns which models are wanted and the progress of the target's
// backfill.
func (t *tx) Embedding(ctx context.Context) (store.Embedding, error) {
	const op = "read models"
	var out store.Embedding
	w, err := t.models(ctx)
	if err != nil {
		return out, wrap(op, err)
	}
	out.Serving = store.Model{Name: w.serving.name, Dim: w.serving.dim}
	out.Target = store.Model{Name: w.target.name, Dim: w.target.dim}
	out.Base = store.Model{Name: w.base.name, Dim: w.base.dim}
	var since, lease int64
	err = t.queryPackedRow(ctx, `
		SELECT pack_rows(done, total, since, holder, lease, (SELECT count(*) FROM model WHERE stale), wide_from IS NOT NULL,
			EXISTS (SELECT 1 FROM embedding_queue WHERE model = ?1),
			target <> 0 AND EXISTS (SELECT 1 FROM embedding_queue WHERE model = ?2),
			base <> 0 AND EXISTS (SELECT 1 FROM embedding_queue WHERE model = ?3))
		FROM embedding`, []any{w.serving.queue, w.target.queue, w.base.queue},
		&out.Done, &out.Total, &since, &out.Holder, &lease, &out.Stale, &out.Earlier, &out.ServingWaits, &out.TargetWaits, &out.BaseWaits)
	if w.target.number != 0 {
		out.Since = fromMicros(since)
	}
	if out.Holder != "" {
		out.LeaseUntil = fromMicros(lease)
	}
	return out, wrap(op, err)
}

// SetTargetModel makes m the model that is to serve next.
func (t *tx) SetTargetModel(ctx context.Context, m store.Model) error {
	const op = "want model"
	if err := checkModel(op, m); err != nil {
		return err
	}
	w, err := t.models(ctx)
	if err != nil {
		return wrap(op, err)
	}
	known, wanted := w.find(m.Name, m.Dim)
	if wanted && (known == w.target || known == w.serving && w.target.number == 0) {
		return nil
	}
	if w.target.number != 0 {
		if err := t.endBackfill(ctx); err != nil {
			return wrap(op, err)
		}
		if err := t.makeStale(ctx, w.target); err != nil {
			return wrap(op, err)
		}
	}
	if wanted && known == w.serving { // keep the serving model after all
		return nil
	}
	number := known.number // of the base if known, which has most vectors already
	if !wanted {
		if number, err = t.addModel(ctx, m, w.serving.number == 0); err != nil {
			return wrap(op, err)
		}
	}
	if w.serving.number == 0 {
		_, err = t.exec(ctx, `UPDATE embedding SET serving = ?`, number)
	} else {
		_, err = t.exec(ctx, `
			UPDATE embedding SET target = ?, backfilled_through = 0, done = 0, total = (SELECT count(*) FROM passage), since = ?`,
			number, micros(t.now))
	}
	t.cached.clear()
	return wrap(op, err)
}

// addModel gives a model a number. The first model of all takes over the passages
// that already wait for a vector of any model.
func (t *tx) addModel(ctx context.Context, m store.Model, first bool) (number int64, err error) {
	taken, err := t.queryIntegers(ctx, 1, `SELECT number FROM model ORDER BY number`)
	if err != nil {
		return 0, err
	}
	number = 1
	for _, n := range taken {
		if n != number {
			break
		}
		number++
	}
	if number > maxModels {
		return 0, &strata.Error{Code: strata.CodeFull, Op: "add model", Message: "vectors of 63 models wait for their removal",
			Hint: "leave the home open with permission to write until they are gone"}
	}
	queue := number
	if first {
		queue = 0
	}
	_, err = t.exec(ctx, `INSERT INTO model (number, name, dim, queue) VALUES (?, ?, ?, ?)`, number, m.Name, m.Dim, queue)
	return number, err
}

// endBackfill clears the target and its progress.
func (t *tx) endBackfill(ctx context.Context) error {
	t.cached.clear()
	_, err := t.exec(ctx, `UPDATE embedding SET target = 0, backfilled_through = 0, done = 0, total = 0, since = 0, holder = '', lease = 0`)
	return err
}

// makeStale marks a model as no longer wanted, unless it is the base.
func (t *tx) makeStale(ctx context.Context, m model) error {
	t.cached.clear()
	_, err := t.exec(ctx, `UPDATE model SET stale = 1 WHERE number = ? AND number <> (SELECT base FROM embedding)`, m.number)
	return err
}

// KeepModel makes m the base.
func (t *tx) KeepModel(ctx context.Context, m store.Model) error {
	const op = "keep model"
	if err := checkModel(op, m); err != nil {
		return err
	}
	w, err := t.models(ctx)
	if err != nil {
		return wrap(op, err)
	}
	known, wanted := w.find(m.Name, m.Dim)
	if w.serving.number == 0 || wanted && known == w.base {
		return nil
	}
	if !wanted {
		if known.number, err = t.addModel(ctx, m, false); err != nil {
			return wrap(op, err)
		}
		_, err = t.exec(ctx, `INSERT INTO embedding_queue (number, model, attempts) SELECT number, ?, 0 FROM passage`, known.number)
		if err != nil {
			return wrap(op, err)
		}
	}
	if _, err := t.exec(ctx, `UPDATE embedding SET base = ?`, known.number); err != nil {
		return wrap(op, err)
	}
	t.cached.clear()
	if w.base.number != 0 && w.base != w.serving && w.base != w.target {
		err = t.makeStale(ctx, w.base)
	}
	return wrap(op, err)
}

// checkModel returns an error if m cannot be a model.
func checkModel(op string, m store.Model) error {
	if m.Name == "" || m.Dim < 1 || m.Dim > maxDim {
		return strata.Invalid(op, fmt.Sprintf("a model %q with vectors of length %d", m.Name, m.Dim),
			fmt.Sprintf("name a model of 1 to %d dimensions", maxDim))
	}
	return nil
}

// SwitchModel makes the target the serving model if it is complete, and reports
// whether it did.
func (t *tx) SwitchModel(ctx context.Context, m store.Model) (bool, error) {
	const op = "switch model"
	w, err := t.models(ctx)
	if err != nil {
		return false, wrap(op, err)
	}
	if !w.isTarget(m) {
		return false, nil
	}
	var missing bool
	err = t.queryRow(ctx, `
		SELECT EXISTS (SELECT 1 FROM embedding_queue WHERE model = ?1)
			OR EXISTS (SELECT 1 FROM passage AS p WHERE p.number > ?2
				AND NOT EXISTS (SELECT 1 FROM vector AS v WHERE v.place = p.number + ?3))`,
		w.target.queue, w.through, w.target.shift()).Scan(&missing)
	if err != nil || missing {
		return false, wrap(op, err)
	}
	if err := t.makeStale(ctx, w.serving); err != nil {
		return false, wrap(op, err)
	}
	if _, err := t.exec(ctx, `UPDATE embedding SET serving = target`); err != nil {
		return false, wrap(op, err)
	}
	return true, wrap(op, t.endBackfill(ctx))
}
