package ops

// each converts a list item by item. An empty list becomes an empty one, which
// JSON writes as [] and not as null.
func each[T, U any](list []T, convert func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = convert(v)
	}
	return out
}

// rows returns a list as values for output line by line.
func rows[T any](list []T) []any { return each(list, func(v T) any { return v }) }
