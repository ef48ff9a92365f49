package sqlite

import (
	"cmp"
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/forget"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/packed"
	"github.com/strata-memory/strata/internal/topics"
	"github.com/strata-memory/strata/store"
)

// categories renames the categories whose names consist of words of the text, unless
// a remaining member accounts for them, and removes choices about such names.
func (f *forgetting) categories(ctx context.Context) error {
	for _, forgotten := range f.subject.Whole {
		list, err := f.Parents(ctx, f.scope, strata.KindFact, nil)
		if err != nil {
			return err
		}
		for _, c := range list {
			rename, named := forget.NewRename(c.Name, forgotten)
			if !named || c.Name == topics.Unsorted {
				continue
			}
			name, err := f.successor(ctx, c.Number, c.Name, rename)
			if err != nil {
				return err
			}
			if err := f.renameCategory(ctx, f.scopeNo, c.Number, c.Name, name); err != nil {
				return err
			}
		}
		choices, err := f.CategoryChoices(ctx, f.scope)
		if err != nil {
			return err
		}
		for _, c := range choices {
			// A choice named for a category was renamed with it, and topics are not
			// words of a text.
			_, named := forget.NewRename(c.Topic, forgotten)
			if named && !topics.IsTopic(c.Topic) && c.Topic != c.Name {
				err = f.changeChoices(ctx, f.scope, `DELETE FROM category_choice WHERE scope_no = ? AND topic = ?`, c.Topic)
			}
			if _, named = forget.NewRename(c.Name, forgotten); named && err == nil &&
				!slices.ContainsFunc(list, func(p store.ParentInfo) bool { return p.Name == c.Name }) {
				err = f.DropCategoryChoices(ctx, f.scope, c.Name)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// successor returns the name that a category keeps or gets.
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
		tags, err := listOfTexts(encoded)
		if err != nil {
			return "", err
		}
		if rename.Member(s, tags) {
			return name, wrap("read member", rows.Close())
		}
	}
	return cmp.Or(rename.Name(), topics.Unsorted), wrap("read members", rows.Err())
}

// renameCategory gives a category a new name. If another category already has that
// name, the two are merged. Choices about the old name carry over to the new one.
func (t *tx) renameCategory(ctx context.Context, scopeNo, number int64, old, name string) error {
	if old == name {
		return nil
	}
	if err := t.renameInChoices(ctx, scopeNo, old, name); err != nil {
		return err
	}
	into, err := t.openParent(ctx, scopeNo, passage.KindCode(strata.KindFact), name)
	if err != nil {
		return err
	}
	return t.mergeParents(ctx, number, into, name)
}
