package server

import (
	"github.com/strata-memory/strata/internal/home/access"
	"github.com/strata-memory/strata/internal/home/attach"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/page"
)

type (
	// Env is what operations work with: an engine, and what the caller may see.
	Env = operation.Env
	// OperationInfo says what an operation is.
	OperationInfo = operation.Info
	// Grants is the file of a home's named tokens.
	Grants = access.File
	// Grant is what a named token grants.
	Grant = access.Grant
	// Caller is a command in whose place a server works.
	Caller = attach.Caller
	// Door lets browsers in.
	Door = page.Door
)

// OpenGrants returns the named tokens of a home. Nothing is read before they are used.
func OpenGrants(home string) *Grants { return access.Open(home) }
