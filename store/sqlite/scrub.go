package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// plainCategory is the name of a category that has no better one.
const plainCategory = "general"

// scrubCategory renames the categories whose name is a word of a text that was
// forgotten and of no member that is left: the name came from that text. The
// new name is a concept tag of a member.
func (t *tx) scrubCategory(ctx context.Context, scopeNo int64, forgotten string) error {
	gone := nameTerms(forgotten)
	low, high := numbers(scopeNo)
	rows, err := t.query(ctx, `SELECT number, name FROM parent WHERE number BETWEEN ? AND ? AND kind = ?`,
		low, high, kindCode(strata.KindFact))
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
		if c.name == plainCategory || !holds(gone, nameTerms(c.name)) {
			continue
		}
		name, err := t.betterName(ctx, c.number, c.name, gone)
		if err != nil {
			return err
		}
		if name == c.name {
			continue
		}
		if err := t.renameCategory(ctx, scopeNo, c.number, name); err != nil {
			return err
		}
	}
	return nil
}

// betterName returns the name a category keeps or gets.
func (t *tx) betterName(ctx context.Context, number int64, name string, gone []string) (string, error) {
	members, err := t.members(ctx, number)
	if err != nil {
		return "", err
	}
	rows, err := t.query(ctx, `SELECT f.text, f.tags FROM unpack(?) CROSS JOIN fact AS f ON f.number = c0`, packNumbers(members))
	if err != nil {
		return "", err
	}
	defer rows.Close()
	better := ""
	for rows.Next() {
		var s, encoded string
		if err := rows.Scan(&s, &encoded); err != nil {
			return "", wrap("read member", err)
		}
		if holds(nameTerms(s), nameTerms(name)) {
			return name, wrap("read member", rows.Close())
		}
		tags, err := decodeList(encoded)
		if err != nil {
			return "", err
		}
		for _, tag := range tags {
			if better == "" && strata.ValidateName("category", tag) == nil && !holds(gone, nameTerms(tag)) {
				better = tag
			}
		}
	}
	if better == "" {
		better = plainCategory
	}
	return better, wrap("read members", rows.Err())
}

// renameCategory gives a category a new name; where another has that name, the
// two become one.
func (t *tx) renameCategory(ctx context.Context, scopeNo, number int64, name string) error {
	var other int64
	err := t.queryRow(ctx, `SELECT number FROM parent WHERE scope_no = ? AND kind = ? AND name = ?`,
		scopeNo, kindCode(strata.KindFact), name).Scan(&other)
	if err == nil && other == number {
		return nil
	}
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

// nameTerms are the terms by which names and texts are compared. A tag writes
// a hyphen where a text may have an underscore.
func nameTerms(s string) []string { return text.Terms(strings.ReplaceAll(s, "_", "-")) }

// holds reports whether terms hold those of a name, one after another.
func holds(terms, name []string) bool {
	if len(name) == 0 {
		return false
	}
	for i := 0; i+len(name) <= len(terms); i++ {
		if slices.Equal(terms[i:i+len(name)], name) {
			return true
		}
	}
	return false
}
