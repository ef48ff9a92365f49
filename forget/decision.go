package forget

import (
	"github.com/strata-memory/strata"
)

// BlankDecision empties what a decision holds of the subject and reports whether it
// held anything. The reason of a decision on the subject itself goes in any case:
// it may quote a part of the text. Stored reports whether a version of a fact is
// still stored; what such a version says is not this decision's to hide.
func (s Subject) BlankDecision(d *strata.Decision, stored func(factID string) (bool, error)) (changed bool, err error) {
	own := d.FactID == s.ID
	if d.Document != nil {
		changed = s.blankChange(d.Document)
		own = s.Path != "" && d.Document.Path == s.Path
	}
	for _, v := range []*strata.Fact{d.Before, d.After} {
		if v == nil {
			continue
		}
		gone := v.ID == s.ID
		own = own || gone
		if !gone && s.Text.In(append(v.Tags, v.Text, v.Entity, v.Attribute, v.Category)...) {
			// A version of another fact that is still stored is named as one that
			// remains; without it, this copy would be the only one.
			there, err := stored(v.ID)
			if err != nil {
				return false, err
			}
			gone = !there
		}
		if gone {
			v.Text, v.Category, v.Entity, v.Attribute, v.Tags = strata.ForgottenText, "", "", "", nil
			changed = true
		}
	}
	if own && (d.Reason != "" || len(d.Notes) > 0) || s.Text.In(d.Reason) || s.Text.In(d.Notes...) {
		d.Reason, d.Notes = strata.ForgottenText, nil
		changed = true
	}
	if s.Text.In(d.SetAside) {
		d.SetAside = strata.ForgottenText
		changed = true
	}
	return changed, nil
}

// blankChange takes the text out of what a decision did to a file.
func (s Subject) blankChange(c *strata.DocumentChange) (changed bool) {
	for _, d := range []*strata.Document{c.Before, c.After} {
		switch {
		case d == nil:
		case d.ID == s.ID:
			// Where it lay may be known, and its hash, by which it is told from
			// another and removed.
			*d = strata.Document{
				ID: d.ID, Scope: d.Scope, Path: d.Path, Kind: d.Kind, Content: strata.ForgottenText,
				Hash: d.Hash, Size: d.Size, Generation: d.Generation, ModifiedAt: d.ModifiedAt, RecordedAt: d.RecordedAt,
			}
			changed = true
		case s.Text.Whole(DocumentTexts(*d)...):
			*d, _ = s.Text.BlankDocument(*d, nil)
			changed = true
		}
	}
	return changed
}
