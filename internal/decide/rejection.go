package decide

import (
	"slices"

	"github.com/strata-memory/strata"
)

// Rejection is the error that tells of a decision to reject: rejected_secret, or
// denied for what only the system may write.
func Rejection(d strata.Decision) error {
	err := &strata.Error{
		Code: strata.CodeRejectedSecret, Op: "write", Message: d.Reason,
		Hint:    "save the statement without the secret; name where it is kept instead",
		Details: map[string]string{"decision": d.ID},
	}
	if slices.Contains(d.Rules, RuleSystem) {
		err.Code, err.Hint = strata.CodeDenied, "write a note, or an ad-hoc note, instead"
	}
	return err
}
