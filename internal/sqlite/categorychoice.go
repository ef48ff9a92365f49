package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// CategoryChoices returns the choices of a scope, in the order of their topics.
func (t *tx) CategoryChoices(ctx context.Context, scope strata.Scope) ([]store.CategoryChoice, error) {
	const op = "read category choices"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return nil, wrap(op, err)
	}
	list, err := collect(ctx, t, `SELECT topic, name FROM category_choice WHERE scope_no = ? ORDER BY topic`, []any{no},
		func(scan scanner) (c store.CategoryChoice, err error) { return c, scan(&c.Topic, &c.Name) })
	return list, wrap(op, err)
}

// PutCategoryChoice stores a choice, replacing an earlier one for its topic.
func (t *tx) PutCategoryChoice(ctx context.Context, scope strata.Scope, c store.CategoryChoice) error {
	for _, name := range []string{c.Topic, c.Name} {
		if err := strata.ValidateName("category", name); err != nil {
			return err
		}
	}
	return t.changeChoices(ctx, scope, `
		INSERT INTO category_choice (scope_no, topic, name) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET name = excluded.name`, c.Topic, c.Name)
}

// DropCategoryChoices removes all choices of a name.
func (t *tx) DropCategoryChoices(ctx context.Context, scope strata.Scope, name string) error {
	return t.changeChoices(ctx, scope, `DELETE FROM category_choice WHERE scope_no = ? AND name = ?`, name)
}

// changeChoices runs a statement whose first argument is the number of a scope. It
// takes a change number, because caches of categories hold the choices.
func (t *tx) changeChoices(ctx context.Context, scope strata.Scope, statement string, args ...any) error {
	const op = "change category choices"
	if err := t.execScope(ctx, op, scope, statement, args...); err != nil {
		return err
	}
	_, err := t.nextChange(ctx)
	return wrap(op, err)
}

// renameInChoices replaces the old name of a category in the choices by its new one.
// If that leaves two choices for one topic, the one made for the new name wins.
func (t *tx) renameInChoices(ctx context.Context, scopeNo int64, old, name string) error {
	for _, statement := range []string{
		`UPDATE category_choice SET name = ?3 WHERE scope_no = ?1 AND name = ?2`,
		`UPDATE OR IGNORE category_choice SET topic = ?3 WHERE scope_no = ?1 AND topic = ?2`,
		`DELETE FROM category_choice WHERE scope_no = ?1 AND topic = ?2 AND ?2 <> ?3`,
	} {
		if _, err := t.exec(ctx, statement, scopeNo, old, name); err != nil {
			return err
		}
	}
	return nil
}
