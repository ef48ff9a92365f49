package ops

import (
	"context"

	"github.com/strata-memory/strata"
)

// All returns every operation, in the order they are listed to people.
func All() []Operation {
	return []Operation{
		save(), saveBatch(), remember(), recall(), think(), search(), expand(), appendOp(),
		facts(), fact(), showProfile(),
		categoriesList(), categoriesRename(), categoriesMerge(), categoriesPin(), categoriesUnpin(),
		noteList(), noteShow(), noteWrite(), noteDelete(), notePromote(), notePropose(), noteAccept(), noteReject(), noteAdHoc(),
		checkpoint(), history(), dailyList(), dailyShow(), dailyArchive(), dailyPurge(), dailyRestore(), heartbeat(),
		decisions(), decision(), undo(), revert(), deleteOp(), forget(),
		sessions(), sessionsPrune(), turns(), ledger(), snapshot(), closeOp(), traces(), trace(), events(),
		listLearnings(), learn(),
		dreamTrigger(), dreamStatus(), dreamList(), dreamShow(),
		scopes(), scopeShow(), syncOp(), stats(), doctor(), embedderShow(), embedderImport(), embedderRemove(), embed(), reindex(), export(), importOp(),
		ingestOp(), extractorStatus(), extractorPending(), extractorReplay(), extractorDrain(), extractorRetry(), extractorDrop(),
	}
}

// Core returns the operations that agents get as tools, in the order of All.
func Core() []Operation {
	var core []Operation
	for _, o := range All() {
		if o.About().Core {
			core = append(core, o)
		}
	}
	return core
}

// Find returns the named operation.
func Find(name string) (Operation, bool) {
	for _, o := range All() {
		if o.About().Name == name {
			return o, true
		}
	}
	return nil, false
}

// Run runs the named operation. The input is a pointer, as [Operation].Run wants
// it; the output is a value.
func Run(ctx context.Context, env *Env, name string, in any) (any, error) {
	op, ok := Find(name)
	if !ok {
		return nil, &strata.Error{Code: strata.CodeInternal, Message: "no operation " + name}
	}
	return op.Run(ctx, env, in)
}
