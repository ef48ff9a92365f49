package llm

// Roles are the models a program works with. Work that a cheap model does as
// well (extraction, summaries) asks for the small one.
type Roles struct {
	// Default answers the user. It may be nil: then there is no model.
	Default Chat
	// Small is a cheaper model; nil means that Default does its work too.
	Small Chat
}

// ForSmallWork is Small, or Default where there is no small model. It is nil
// when there is neither.
func (r Roles) ForSmallWork() Chat {
	if r.Small != nil {
		return r.Small
	}
	return r.Default
}
