package sqlite

// A build that lacks the tag or the header says what to do.
import _ "github.com/strata-memory/strata/internal/buildcheck"
