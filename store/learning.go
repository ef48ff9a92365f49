package store

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/learnings"
)

// KeptOutcomes is how many runs of one tool a scope keeps, which is how many package
// learnings looks at.
const KeptOutcomes = learnings.KeptOutcomes

// LearningFilter selects learnings, last learnt first. The zero value selects 100 of any
// kind.
type LearningFilter struct {
	Kind      strata.LearningKind // empty: any
	Forgotten bool                // include learnings that were blanked
	// SessionKind leaves out corrections that were last learnt in a session of another
	// kind; empty: none. Corrections learnt outside a session pass.
	SessionKind strata.SessionKind
	Skip        int // leave out this many of the newest
	Limit       int // 0: 100; at most 10,000
}

// OutcomeFilter selects runs of tools, newest first. The zero value selects
// 100 of any tool.
type OutcomeFilter struct {
	Tool    string // empty: any
	Params  string // hash of the arguments; empty: any
	Session string // empty: any
	Skip    int    // leave out this many of the newest
	Limit   int    // 0: 100; at most 10,000
}

// LearningReader reads learnings and the runs of tools.
type LearningReader interface {
	// Learnings lists the learnings of a scope.
	Learnings(ctx context.Context, scope strata.Scope, f LearningFilter) ([]strata.Learning, error)
	// LearningByKey returns the learning with a key; else not_found.
	LearningByKey(ctx context.Context, scope strata.Scope, kind strata.LearningKind, key string) (strata.Learning, error)
	// Outcomes lists the runs of tools of a scope.
	Outcomes(ctx context.Context, scope strata.Scope, f OutcomeFilter) ([]strata.ToolOutcome, error)
}

// LearningWriter stores learnings and the runs of tools.
type LearningWriter interface {
	// PutLearning stores a learning and returns it as stored. If there is one of the same
	// kind and key, its count rises and its time span grows; it takes over the texts and
	// the session of l if l was learnt later.
	PutLearning(ctx context.Context, l strata.Learning) (strata.Learning, error)
	// PutOutcome stores a run of a tool and keeps the newest [KeptOutcomes] of each tool.
	PutOutcome(ctx context.Context, o strata.ToolOutcome) error
}
