package strata

// A standing rule is a fact of type feedback that says how the user wants the agent to
// work. It fills one of these slots, so that a newer rule about the same replaces it.
const (
	// RuleAnswers is the entity of a rule about the style of answers. The attribute says
	// which part: "language", "length", "emoji".
	RuleAnswers = "answers"
	// RuleAddress is the attribute of [RuleAnswers] for how to address the user. It is
	// the only rule that is about the user.
	RuleAddress = "address"
	// RuleOrder is the entity of every other rule. The attribute is the order without the
	// words that demand or forbid it: "push to main" for "Never push to main".
	RuleOrder = "standing rule"
)
