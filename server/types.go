package server

import (
	"github.com/strata-memory/strata/internal/home/access"
	"github.com/strata-memory/strata/internal/home/attach"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/page"
)

type (
	// Env is the environment of operations: an engine, and what the caller may see.
	Env = operation.Env
	// OperationInfo describes an operation.
	OperationInfo = operation.Info
	// Grants is the file of a home's named tokens.
	Grants = access.File
	// Grant is what a named token grants.
	Grant = access.Grant
	// Caller is a command whose work a server does.
	Caller = attach.Caller
	// Door lets browsers in.
	Door = page.Door
)

// OpenGrants returns the named tokens of a home. It reads the file only on first use.
func OpenGrants(home string) *Grants { return access.Open(home) }
