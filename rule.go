package strata

// A standing rule is a fact of type feedback: how the user wants the agent to work. It
// fills one of these slots, so that a newer rule on the same takes its place.
const (
	// RuleAnswers is the entity of a rule on what answers are made of. The attribute
	// says what: "language", "length", "emoji".
	RuleAnswers = "answers"
	// RuleAddress is the attribute of [RuleAnswers] for what the user is called. It
	// speaks of the user, as no other rule does.
	RuleAddress = "address"
	// RuleOrder is the entity of every other rule. The attribute is the order without
	// the words that bid or forbid it, "push to main" for "Never push to main".
	RuleOrder = "standing rule"
)
