// Package upkeep declares the operations that maintain memory: categories, dreams and
// their questions, events, health, models, exports, and the extraction of facts. Package
// ops lists them among all others.
package upkeep

import "github.com/strata-memory/strata/internal/ops/operation"

// CategoryOperations are the operations that list and change categories.
func CategoryOperations() []operation.Operation {
	return []operation.Operation{categoriesList(), categoriesRename(), categoriesMerge(), categoriesPin(), categoriesUnpin()}
}

// DreamOperations are the operations that consolidate memory and show what happened in a
// dream.
func DreamOperations() []operation.Operation {
	return []operation.Operation{events(), dreamTrigger(), dreamStatus(), dreamList(), dreamShow(), dreamRetry()}
}

// HealthOperations are the operations that count, check, repair, index and move the
// content of a home.
func HealthOperations() []operation.Operation {
	return []operation.Operation{
		trust(), stats(), health(), doctor(), embedderShow(), embedderImport(), embedderRemove(), embed(), reindex(), export(), importOp(),
	}
}

// ExtractorOperations are the operations that show pending extractions, and run them.
func ExtractorOperations() []operation.Operation {
	return []operation.Operation{
		extractorStatus(), extractorPending(), extractorReplay(), extractorDrain(), extractorRetry(), extractorDrop(),
	}
}
