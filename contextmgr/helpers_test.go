package contextmgr

import "github.com/strata-memory/strata"

func turn(role, text string) strata.Turn { return strata.Turn{Role: strata.Role(role), Text: text} }
