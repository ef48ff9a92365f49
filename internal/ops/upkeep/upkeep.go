// Package upkeep declares the operations that look after memory: categories, dreams and
// what they ask, events, health, models, exports, and the extraction of facts. Package ops lists them
// among all others.
package upkeep

import "github.com/strata-memory/strata/internal/ops/operation"

// CategoryOperations list categories and change them.
func CategoryOperations() []operation.Operation {
	return []operation.Operation{categoriesList(), categoriesRename(), categoriesMerge(), categoriesPin(), categoriesUnpin()}
}

// DreamOperations consolidate memory, and show what happened in it.
func DreamOperations() []operation.Operation {
	return []operation.Operation{events(), dreamTrigger(), dreamStatus(), dreamList(), dreamShow(), dreamRetry()}
}

// HealthOperations count, check, repair, index and move what a home holds.
func HealthOperations() []operation.Operation {
	return []operation.Operation{
		trust(), stats(), health(), doctor(), embedderShow(), embedderImport(), embedderRemove(), embed(), reindex(), export(), importOp(),
	}
}

// ExtractorOperations show what waits for its facts, and read it.
func ExtractorOperations() []operation.Operation {
	return []operation.Operation{
		extractorStatus(), extractorPending(), extractorReplay(), extractorDrain(), extractorRetry(), extractorDrop(),
	}
}
