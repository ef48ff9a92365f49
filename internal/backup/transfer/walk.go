package transfer

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// rowPage is the number of rows read at a time, and turnPage that of turns, which may be
// large.
const rowPage, turnPage = 1000, 64

// walk calls visit with the records of a store, scope by scope: sessions with their
// turns, snapshot and state, learnings, tool outcomes, category choices, all versions of
// facts, and documents.
func walk(ctx context.Context, st store.Store, visit func(record) error) error {
	return st.View(ctx, func(r store.Reader) error {
		scopes, err := r.Scopes(ctx)
		if err != nil {
			return err
		}
		for _, s := range scopes {
			for _, part := range []func(context.Context, store.Reader, strata.Scope, func(record) error) error{
				walkSessions, walkLearnings, walkCategories, walkFacts, walkDocuments,
			} {
				if err := part(ctx, r, s, visit); err != nil {
					return fmt.Errorf("read scope %s: %w", s, err)
				}
			}
		}
		return nil
	})
}

func walkSessions(ctx context.Context, r store.Reader, s strata.Scope, visit func(record) error) error {
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
		if err := visit(record{Kind: "session", Session: &x}); err != nil {
			return err
		}
		if err := walkTurns(ctx, r, x, visit); err != nil {
			return err
		}
		if err := walkStates(ctx, r, x, visit); err != nil {
			return err
		}
	}
	return nil
}

func walkTurns(ctx context.Context, r store.Reader, x strata.Session, visit func(record) error) error {
	for after := int64(0); ; {
		turns, err := r.Turns(ctx, x.Scope, x.ID, store.TurnFilter{After: after, Limit: turnPage})
		if err != nil {
			return err
		}
		for i := range turns {
			if err := visit(record{Kind: "turn", Turn: &turns[i]}); err != nil {
				return err
			}
			after = turns[i].Seq
		}
		if len(turns) < turnPage {
			return nil
		}
	}
}

// walkStates visits the latest snapshot and the state of a session. It skips a damaged
// state.
func walkStates(ctx context.Context, r store.Reader, x strata.Session, visit func(record) error) error {
	snapshot, err := r.Snapshot(ctx, x.Scope, x.ID)
	if err == nil {
		if err := visit(record{Kind: "snapshot", Snapshot: &snapshot}); err != nil {
			return err
		}
	} else if strata.CodeOf(err) != strata.CodeNotFound {
		return err
	}
	state, err := r.SessionState(ctx, x.Scope, x.ID)
	switch strata.CodeOf(err) {
	case "":
		return visit(record{Kind: "state", State: &stateRecord{Scope: x.Scope, Session: x.ID, Data: state.Data}})
	case strata.CodeNotFound, strata.CodeCorrupt:
		return nil
	}
	return err
}

func walkLearnings(ctx context.Context, r store.Reader, s strata.Scope, visit func(record) error) error {
	learnings, err := allPages(func(skip int) ([]strata.Learning, error) {
		return r.Learnings(ctx, s, store.LearningFilter{Skip: skip, Limit: rowPage})
	})
	if err != nil {
		return err
	}
	for i := range learnings {
		if err := visit(record{Kind: "learning", Learning: &learnings[i]}); err != nil {
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
		if err := visit(record{Kind: "outcome", Outcome: &outcomes[i]}); err != nil {
			return err
		}
	}
	return nil
}

// allPages reads all pages of a list that is sorted newest first, and returns it sorted
// oldest first.
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

func walkCategories(ctx context.Context, r store.Reader, s strata.Scope, visit func(record) error) error {
	choices, err := r.CategoryChoices(ctx, s)
	for _, c := range choices {
		if err := visit(record{Kind: "category", Category: &categoryRecord{s, c.Topic, c.Name}}); err != nil {
			return err
		}
	}
	return err
}

func walkFacts(ctx context.Context, r store.Reader, s strata.Scope, visit func(record) error) error {
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
			if err := visit(record{Kind: "fact", Fact: src.Fact}); err != nil {
				return err
			}
		}
		if len(sources) < rowPage {
			return nil
		}
	}
}

// documentPage is the number of documents, with content, read at a time.
const documentPage = 100

func walkDocuments(ctx context.Context, r store.Reader, s strata.Scope, visit func(record) error) error {
	for after := ""; ; {
		documents, err := r.Documents(ctx, s, strata.DocumentFilter{System: true, Content: true, After: after, Limit: documentPage})
		if err != nil {
			return err
		}
		for i := range documents {
			if err := visit(record{Kind: "document", Document: &documents[i]}); err != nil {
				return err
			}
			after = documents[i].Path
		}
		if len(documents) < documentPage {
			return nil
		}
	}
}
