// Package transfer writes memory as JSON lines and reads it back, into the same
// home or another. The format is described in docs/formats/export.md.
package transfer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Version is the version of the format, docs/formats/export.md.
const Version = 1

// format names the format in the first line of an export.
const format = "strata-export"

// record is one line of an export: exactly one of the fields other than Kind.
type record struct {
	Kind     string           `json:"kind"`
	Format   string           `json:"format,omitempty"`
	Version  int              `json:"version,omitempty"`
	At       *time.Time       `json:"at,omitempty"`
	Session  *strata.Session  `json:"session,omitempty"`
	Turn     *strata.Turn     `json:"turn,omitempty"`
	Category *categoryRecord  `json:"category,omitempty"`
	Fact     *strata.Fact     `json:"fact,omitempty"`
	Decision *strata.Decision `json:"decision,omitempty"`
	Document *strata.Document `json:"document,omitempty"`

	State    *stateRecord        `json:"state,omitempty"`
	Snapshot *strata.Snapshot    `json:"snapshot,omitempty"`
	Learning *strata.Learning    `json:"learning,omitempty"`
	Outcome  *strata.ToolOutcome `json:"outcome,omitempty"`

	Incomplete *incompleteRecord `json:"incomplete,omitempty"`
}

// incompleteRecord is the last line of an export from which something was left out,
// because it could not be read.
type incompleteRecord struct {
	LeftOut []store.Problem `json:"left_out"`
}

// categoryRecord is what was decided about a category: facts that the program would
// put into the one called Topic go into the one called Name, which it leaves alone.
type categoryRecord struct {
	Scope strata.Scope `json:"scope"`
	Topic string       `json:"topic"`
	Name  string       `json:"name"`
}

// stateRecord is the saved state of a session.
type stateRecord struct {
	Scope   strata.Scope `json:"scope"`
	Session string       `json:"session"`
	Data    []byte       `json:"data"` // base64
}

// Exported counts what was exported.
type Exported struct {
	Scopes    int   `json:"scopes"`
	Sessions  int64 `json:"sessions"`
	Turns     int64 `json:"turns"`
	Facts     int64 `json:"facts"` // all versions
	Decisions int64 `json:"decisions"`
	Learnings int64 `json:"learnings"` // and runs of tools
	Documents int64 `json:"documents"`
	// LeftOut is what could not be read, and is not in the export.
	LeftOut []store.Problem `json:"left_out,omitempty"`
}

// ExportOptions say what is exported. The zero value exports everything.
type ExportOptions struct {
	Scopes []strata.Scope // empty: all
	Now    time.Time      // when it is written, as its header says
	// LeftOut is what is known already not to be in the store, because it could not be
	// read.
	LeftOut []store.Problem
}

// rowPage is how many rows are read at a time, and turnPage how many turns,
// which may be large.
const rowPage, turnPage = 1000, 64

// Export writes scopes as JSON lines: a
// header, then sessions with their turns, snapshot and state, learnings, runs of
// tools, what was decided about categories, every version of every fact, documents,
// and decisions. Where something was left out, a last line names it.
// It sees one consistent state.
func Export(ctx context.Context, st store.Store, o ExportOptions, w io.Writer) (Exported, error) {
	report := Exported{LeftOut: o.LeftOut}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	err := st.View(ctx, func(r store.Reader) error {
		scopes := o.Scopes
		if len(scopes) == 0 {
			var err error
			if scopes, err = r.Scopes(ctx); err != nil {
				return err
			}
		}
		at := o.Now.UTC()
		if err := enc.Encode(record{Kind: "header", Format: format, Version: Version, At: &at}); err != nil {
			return err
		}
		for _, s := range scopes {
			if err := exportScope(ctx, r, s, enc, &report); err != nil {
				return fmt.Errorf("export scope %s: %w", s, err)
			}
			report.Scopes++
		}
		if len(report.LeftOut) == 0 {
			return nil
		}
		return enc.Encode(record{Kind: "incomplete", Incomplete: &incompleteRecord{report.LeftOut}})
	})
	return report, errors.Join(err, out.Flush())
}

func exportScope(ctx context.Context, r store.Reader, s strata.Scope, enc *json.Encoder, report *Exported) error {
	for _, part := range []func(context.Context, store.Reader, strata.Scope, *json.Encoder, *Exported) error{
		exportSessions, exportLearnings, exportCategories, exportFacts, exportDocuments, exportDecisions,
	} {
		if err := part(ctx, r, s, enc, report); err != nil {
			return err
		}
	}
	return nil
}

func exportSessions(ctx context.Context, r store.Reader, s strata.Scope, enc *json.Encoder, report *Exported) error {
	var sessions []strata.Session
	for after := ""; ; {
		page, err := r.Sessions(ctx, s, store.SessionFilter{After: after, Limit: rowPage})
		if err != nil {
			return err
		}
		sessions = append(sessions, page...)
		if len(page) < rowPage {
			break
		}
		after = page[len(page)-1].ID
	}
	slices.Reverse(sessions) // oldest first
	for _, x := range sessions {
		if err := enc.Encode(record{Kind: "session", Session: &x}); err != nil {
			return err
		}
		report.Sessions++
		n, err := exportTurns(ctx, r, x, enc)
		report.Turns += n
		if err != nil {
			return err
		}
		if err := exportStates(ctx, r, x, enc, report); err != nil {
			return err
		}
	}
	return nil
}

func exportTurns(ctx context.Context, r store.Reader, x strata.Session, enc *json.Encoder) (n int64, err error) {
	for after := int64(0); ; {
		turns, err := r.Turns(ctx, x.Scope, x.ID, store.TurnFilter{After: after, Limit: turnPage})
		if err != nil {
			return n, err
		}
		for i := range turns {
			if err := enc.Encode(record{Kind: "turn", Turn: &turns[i]}); err != nil {
				return n, err
			}
			after = turns[i].Seq
			n++
		}
		if len(turns) < turnPage {
			return n, nil
		}
	}
}

// exportStates writes the latest snapshot and the state of a session. A state
// that is damaged is left out.
func exportStates(ctx context.Context, r store.Reader, x strata.Session, enc *json.Encoder, report *Exported) error {
	snapshot, err := r.Snapshot(ctx, x.Scope, x.ID)
	if err == nil {
		err = enc.Encode(record{Kind: "snapshot", Snapshot: &snapshot})
	}
	if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
		return err
	}
	state, err := r.SessionState(ctx, x.Scope, x.ID)
	if err == nil {
		err = enc.Encode(record{Kind: "state", State: &stateRecord{Scope: x.Scope, Session: x.ID, Data: state.Data}})
	}
	switch strata.CodeOf(err) {
	case strata.CodeNotFound:
		return nil
	case strata.CodeCorrupt:
		report.LeftOut = append(report.LeftOut, store.Problem{Kind: "damaged_state", Scope: x.Scope.Key(), Ref: x.ID,
			Detail: "the saved state of the session is not what was saved"})
		return nil
	}
	return err
}

func exportLearnings(ctx context.Context, r store.Reader, s strata.Scope, enc *json.Encoder, report *Exported) error {
	learnings, err := allPages(func(skip int) ([]strata.Learning, error) {
		return r.Learnings(ctx, s, store.LearningFilter{Skip: skip, Limit: rowPage})
	})
	if err != nil {
		return err
	}
	for i := range learnings {
		if err := enc.Encode(record{Kind: "learning", Learning: &learnings[i]}); err != nil {
			return err
		}
	}
	outcomes, err := allPages(func(skip int) ([]strata.ToolOutcome, error) {
		return r.Outcomes(ctx, s, store.OutcomeFilter{Skip: skip, Limit: rowPage})
	})
	if err != nil {
		return err
	}
	for i := range outcomes {
		if err := enc.Encode(record{Kind: "outcome", Outcome: &outcomes[i]}); err != nil {
			return err
		}
	}
	report.Learnings += int64(len(learnings) + len(outcomes))
	return nil
}

// allPages reads a list that begins with the newest to its end, and returns it
// with the oldest first.
func allPages[T any](page func(skip int) ([]T, error)) ([]T, error) {
	var out []T
	for {
		list, err := page(len(out))
		out = append(out, list...)
		if err != nil || len(list) < rowPage {
			slices.Reverse(out)
			return out, err
		}
	}
}

func exportCategories(ctx context.Context, r store.Reader, s strata.Scope, enc *json.Encoder, _ *Exported) error {
	choices, err := r.CategoryChoices(ctx, s)
	for _, c := range choices {
		if err := enc.Encode(record{Kind: "category", Category: &categoryRecord{s, c.Topic, c.Name}}); err != nil {
			return err
		}
	}
	return err
}

func exportFacts(ctx context.Context, r store.Reader, s strata.Scope, enc *json.Encoder, report *Exported) error {
	for after := int64(0); ; {
		sources, err := r.Sources(ctx, s, after, rowPage)
		if err != nil {
			return err
		}
		for _, src := range sources {
			after = src.Number
			if src.Fact == nil {
				continue
			}
			if err := enc.Encode(record{Kind: "fact", Fact: src.Fact}); err != nil {
				return err
			}
			report.Facts++
		}
		if len(sources) < rowPage {
			return nil
		}
	}
}

// documentPage is how many documents are read at a time with their content.
const documentPage = 100

func exportDocuments(ctx context.Context, r store.Reader, s strata.Scope, enc *json.Encoder, report *Exported) error {
	for after := ""; ; {
		documents, err := r.Documents(ctx, s, strata.DocumentFilter{System: true, Content: true, After: after, Limit: documentPage})
		if err != nil {
			return err
		}
		for i := range documents {
			if err := enc.Encode(record{Kind: "document", Document: &documents[i]}); err != nil {
				return err
			}
			after = documents[i].Path
		}
		report.Documents += int64(len(documents))
		if len(documents) < documentPage {
			return nil
		}
	}
}

func exportDecisions(ctx context.Context, r store.Reader, s strata.Scope, enc *json.Encoder, report *Exported) error {
	for after := ""; ; {
		decisions, err := r.Decisions(ctx, s, strata.DecisionFilter{After: after, Limit: rowPage})
		if err != nil {
			return err
		}
		for i := range decisions {
			if err := enc.Encode(record{Kind: "decision", Decision: &decisions[i]}); err != nil {
				return err
			}
			after = decisions[i].ID
		}
		report.Decisions += int64(len(decisions))
		if len(decisions) < rowPage {
			return nil
		}
	}
}
