package engine

import "github.com/strata-memory/strata/store"

// StoreOf returns the store of an engine.
func StoreOf(e *Engine) store.Store { return e.store }
