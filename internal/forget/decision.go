package forget

import (
	"cmp"
	"time"

	"github.com/strata-memory/strata"
)

// Decision returns the record of a request to forget something in a scope. reason may be
// empty; it must not repeat the forgotten text.
func Decision(id string, scope strata.Scope, origin strata.Origin, reason string, at time.Time) strata.Decision {
	d := strata.Decision{
		ID: id, Scope: scope, Op: strata.OpForget, Reason: "forgotten on request", Rules: []string{"forget"}, Confidence: 1,
		Origin: cmp.Or(origin, strata.OriginAPI), DecidedAt: at,
	}
	if reason != "" {
		d.Notes = []string{"asked for because: " + reason}
	}
	return d
}

// BlankDecision removes from a decision everything that it says about the subject, and
// reports whether it changed. The reason of a decision about the subject itself is always
// removed, since it may quote part of the text. stored reports whether the store still
// has a version of a fact; the copy of such a version in the decision is kept.
func (s Subject) BlankDecision(d *strata.Decision, stored func(factID string) (bool, error)) (changed bool, err error) {
	own := d.FactID == s.ID
	if d.Document != nil {
		changed = s.blankChange(d.Document)
		own = s.Path != "" && d.Document.Path == s.Path || s.isOf(d.Document)
	}
	for _, v := range []*strata.Fact{d.Before, d.After} {
		if v == nil {
			continue
		}
		gone := v.ID == s.ID
		own = own || gone
		if !gone && s.Text.In(append(v.Tags, v.Text, v.Entity, v.Attribute, v.Category)...) {
			// While the store still has that version, the request to forget lists it as
			// one that remains. Otherwise this copy would be the last one.
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
	if own && (d.Reason != "" || len(d.Notes) > 0) || s.Mentions(append(d.Notes, d.Reason)...) {
		d.Reason, d.Notes = strata.ForgottenText, nil
		changed = true
	}
	if s.Mentions(d.SetAside) {
		d.SetAside = strata.ForgottenText
		changed = true
	}
	for _, name := range []*string{&d.RequestID, &d.Session} { // people name them after their subject
		if *name != "" && s.Mentions(*name) {
			*name, changed = "", true
		}
	}
	return changed, nil
}

// BlankPath replaces the path in a decision about a forgotten document, and reports
// whether the decision was about it.
func BlankPath(d *strata.Decision, documentID string) (changed bool) {
	if d.Document == nil {
		return false
	}
	for _, v := range []*strata.Document{d.Document.Before, d.Document.After} {
		if v != nil && v.ID == documentID {
			v.Path, d.Document.Path = Path(documentID), Path(documentID)
			changed = true
		}
	}
	return changed
}

// isOf reports whether a change was made to the subject, regardless of its path.
func (s Subject) isOf(c *strata.DocumentChange) bool {
	return c.Before != nil && c.Before.ID == s.ID || c.After != nil && c.After.ID == s.ID
}

// blankChange removes the forgotten text from the versions of a document in a decision.
func (s Subject) blankChange(c *strata.DocumentChange) (changed bool) {
	for _, d := range []*strata.Document{c.Before, c.After} {
		switch {
		case d == nil:
		case d.ID == s.ID:
			// The path may stay, and so may the hash, which tells whether the file found
			// there is the one to remove.
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
