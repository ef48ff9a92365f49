package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata/store"
)

// keptDays is for how many days the use of models is kept: a little more than a
// year, so that a month can be compared with the same month of the year before.
const keptDays = 400

// ModelUse returns how much models were used on a day.
func (t *tx) ModelUse(ctx context.Context, day string) (u store.ModelUse, err error) {
	err = t.queryRow(ctx, `SELECT calls, tokens, refused FROM model_use WHERE day = ?`, day).Scan(&u.Calls, &u.Tokens, &u.Refused)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return u, wrap("read use of models", err)
}

// AddModelUse adds to how much models were used on a day.
func (t *tx) AddModelUse(ctx context.Context, day string, u store.ModelUse) error {
	_, err := t.exec(ctx, `INSERT INTO model_use (day, calls, tokens, refused) VALUES (?1, max(?2, 0), max(?3, 0), max(?4, 0))
		ON CONFLICT DO UPDATE SET calls = max(calls + ?2, 0), tokens = max(tokens + ?3, 0), refused = max(refused + ?4, 0)`,
		day, u.Calls, u.Tokens, u.Refused)
	if err == nil {
		_, err = t.exec(ctx, `DELETE FROM model_use WHERE day < (SELECT day FROM model_use ORDER BY day DESC LIMIT 1 OFFSET ?)`, keptDays)
	}
	return wrap("count use of models", err)
}

// ModelOutages lists the models that are not answering, by name.
func (t *tx) ModelOutages(ctx context.Context) ([]store.ModelOutage, error) {
	list, err := collect(ctx, t, `SELECT model, since, last, code FROM model_outage ORDER BY model`, nil, func(scan scanner) (o store.ModelOutage, err error) {
		var since, last int64
		err = scan(&o.Model, &since, &last, &o.Code)
		o.Since, o.Last = fromMicros(since), fromMicros(last)
		return o, err
	})
	return list, wrap("list models that do not answer", err)
}

// SetModelOutage records that a model is not answering or, if Since is zero, that it
// answers again.
func (t *tx) SetModelOutage(ctx context.Context, o store.ModelOutage) error {
	const op = "note that a model does not answer"
	if o.Since.IsZero() {
		_, err := t.exec(ctx, `DELETE FROM model_outage WHERE model = ?`, o.Model)
		return wrap(op, err)
	}
	_, err := t.exec(ctx, `INSERT INTO model_outage (model, since, last, code) VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT DO UPDATE SET since = ?2, last = ?3, code = ?4`, o.Model, micros(o.Since), micros(o.Last), o.Code)
	return wrap(op, err)
}
