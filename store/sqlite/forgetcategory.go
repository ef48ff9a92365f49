package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/concept"
	"github.com/strata-memory/strata/forget"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store/sqlite/packed"
)

// categories renames the categories that are named by words of the text and not
// by those of a member that is left.
func (f *forgetting) categories(ctx context.Context) error {
	low, high := passage.Numbers(f.scopeNo)
	for _, forgotten := range f.subject.Whole {
		rows, err := f.query(ctx, `SELECT number, name FROM parent WHERE number BETWEEN ? AND ? AND kind = ?`,
			low, high, passage.KindCode(strata.KindFact))
		if err != nil {
			return err
		}
		type category struct {
			number int64
			name   string
		}
		list, err := collect(rows, func(scan scanner) (c category, err error) { return c, scan(&c.number, &c.name) })
		if err != nil {
			return err
		}
		for _, c := range list {
			rename, named := forget.NewRename(c.name, forgotten)
			if !named || c.name == concept.Unsorted {
				continue
			}
			name, err := f.successor(ctx, c.number, c.name, rename)
			if err != nil {
				return err
			}
			if err := f.renameCategory(ctx, f.scopeNo, c.number, c.name, name); err != nil {
				return err
			}
		}
		if err := f.categoryChoices(ctx, forgotten); err != nil {
			return err
		}
	}
	return nil
}

// categoryChoices removes the choices that are named by words of a text and by no
// category: those of a category were renamed with it.
func (f *forgetting) categoryChoices(ctx context.Context, forgotten string) error {
	rows, err := f.query(ctx, `
		SELECT c.topic, c.name, p.number IS NOT NULL FROM category_choice AS c
		LEFT JOIN parent AS p ON p.scope_no = c.scope_no AND p.kind = ? AND p.name = c.name WHERE c.scope_no = ?`,
		passage.KindCode(strata.KindFact), f.scopeNo)
	if err != nil {
		return err
	}
	type choice struct {
		topic, name string
		used        bool
	}
	list, err := collect(rows, func(scan scanner) (c choice, err error) { return c, scan(&c.topic, &c.name, &c.used) })
	if err != nil {
		return err
	}
	for _, c := range list {
		_, byTopic := forget.NewRename(c.topic, forgotten)
		_, byName := forget.NewRename(c.name, forgotten)
		if byTopic && c.topic != c.name && !concept.IsTopic(c.topic) || byName && !c.used {
			if _, err := f.exec(ctx, `DELETE FROM category_choice WHERE scope_no = ? AND topic = ?`, f.scopeNo, c.topic); err != nil {
				return err
			}
		}
	}
	return nil
}

// successor returns the name a category keeps or gets.
func (f *forgetting) successor(ctx context.Context, number int64, name string, rename *forget.Rename) (string, error) {
	members, err := f.members(ctx, number)
	if err != nil {
		return "", err
	}
	rows, err := f.query(ctx, `SELECT f.text, f.tags FROM unpack(?) CROSS JOIN fact AS f ON f.number = c0`, packed.Numbers(members))
	if err != nil {
		return "", err
	}
	defer rows.Close()
	for rows.Next() {
		var s, encoded string
		if err := rows.Scan(&s, &encoded); err != nil {
			return "", wrap("read member", err)
		}
		tags, err := decodeList(encoded)
		if err != nil {
			return "", err
		}
		if rename.Member(s, tags) {
			return name, wrap("read member", rows.Close())
		}
	}
	return cmp.Or(rename.Name(), concept.Unsorted), wrap("read members", rows.Err())
}

// renameCategory gives a category a new name; where another has that name, the
// two become one. What was chosen about the old name holds for the new one.
func (t *tx) renameCategory(ctx context.Context, scopeNo, number int64, old, name string) error {
	if old == name {
		return nil
	}
	if err := t.renameInChoices(ctx, scopeNo, old, name); err != nil {
		return err
	}
	var other int64
	err := t.queryRow(ctx, `SELECT number FROM parent WHERE scope_no = ? AND kind = ? AND name = ?`,
		scopeNo, passage.KindCode(strata.KindFact), name).Scan(&other)
	if err == nil {
		return t.mergeParents(ctx, number, other, name)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	members, err := t.members(ctx, number)
	if err != nil {
		return err
	}
	if _, err := t.exec(ctx, `UPDATE parent SET name = ? WHERE number = ?`, name, number); err != nil {
		return err
	}
	if err := t.renameInFacts(ctx, members, name); err != nil {
		return err
	}
	return t.touchAll(ctx, members)
}
