package handedit

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/secrets"
)

// Report is what [Intake.Sync] found in the files of a view.
type Report struct {
	Scopes  int   `json:"scopes"` // number of scopes that have a directory
	Added   int64 `json:"added"`
	Updated int64 `json:"updated"`
	Deleted int64 `json:"deleted"`
	// Changes are the hand edits since the last scan.
	Changes []Change `json:"changes,omitempty"`
	// Skipped are files that cannot be documents, with the reasons.
	Skipped []documents.File `json:"skipped,omitempty"`
	// Away are directories that cannot be read, or in which all files are missing at
	// once, with the reasons. Their files do not count as deleted.
	Away []documents.File `json:"away,omitempty"`
}

// Change is a recorded hand edit.
type Change struct {
	documents.File
	// RenamedFrom is the path of a renamed file before the rename; otherwise empty.
	RenamedFrom string    `json:"renamed_from,omitempty"`
	Op          strata.Op `json:"decision"`
	Decision    string    `json:"decision_id"`
}

// skip adds the files of a scan that cannot be documents.
func (r *Report) skip(found look) {
	for _, s := range found.Skipped {
		path := s.Path
		if (secrets.Name{Text: path}).HasSecret() {
			path = "a file" // its name must not be repeated
		}
		r.Skipped = append(r.Skipped, documents.File{Scope: found.scope, Path: path, Reason: s.Reason})
	}
}

// count adds decisions to the report.
func (r *Report) count(taken []strata.Decision) {
	for _, d := range taken {
		change := Change{File: documents.File{Scope: d.Scope, Path: d.Document.Path}, RenamedFrom: d.Document.RenamedFrom(), Op: d.Op, Decision: d.ID}
		switch d.Op {
		case strata.OpAdd:
			r.Added++
		case strata.OpUpdate:
			r.Updated++
		case strata.OpDelete:
			r.Deleted++
		}
		if d.Document.After != nil {
			change.Reason = d.Document.After.Problem
		}
		r.Changes = append(r.Changes, change)
	}
}
