package ops

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

// All returns every operation, in the order in which commands list them.
func All() []operation.Operation {
	return slices.Concat(
		[]operation.Operation{
			memoryContext(), save(), saveBatch(), remember(), recall(), list(), think(), search(), expand(), appendOp(),
			update(), facts(), fact(), showProfile(),
		},
		upkeep.CategoryOperations(),
		[]operation.Operation{
			noteList(), noteShow(), noteWrite(), noteDelete(), notePromote(), notePropose(), noteAccept(), noteReject(), noteAdHoc(),
			memoryTool(),
			skillList(), skillShow(), skillPromote(), skillArchive(),
			checkpoint(), history(), dailyList(), dailyShow(), dailyArchive(), dailyPurge(), dailyRestore(), heartbeat(),
			decisions(), decision(), undo(), revert(), deleteOp(), forget(),
			sessionsOp(), sessionsPrune(), sessionsArchive(), sessionsRestore(), sessionsRepair(), turns(), timeline(), ledger(), snapshotOp(), closeOp(), traces(), trace(),
			listLearnings(), learn(),
		},
		upkeep.DreamOperations(),
		upkeep.QuestionOperations(),
		[]operation.Operation{scopes(), scopeShow(), syncOp()},
		upkeep.HealthOperations(),
		upkeep.BackupOperations(),
		[]operation.Operation{ingestOp()},
		upkeep.ExtractorOperations(),
	)
}

// Find returns the named operation.
func Find(name string) (operation.Operation, bool) {
	for _, o := range All() {
		if o.About().Name == name {
			return o, true
		}
	}
	return nil, false
}

// Run runs the named operation. The input is a pointer, as for [operation.Operation].Run;
// the output is a value.
func Run(ctx context.Context, env *operation.Env, name string, in any) (any, error) {
	op, ok := Find(name)
	if !ok {
		return nil, &strata.Error{Code: strata.CodeInternal, Message: "no operation " + name}
	}
	return op.Run(ctx, env, in)
}
