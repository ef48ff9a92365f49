package token

// Estimate estimates tokens from the look of a text.
type Estimate struct{}

// Exact is false.
func (Estimate) Exact() bool { return false }

// Count returns the raw estimate of the tokens of s.
func (Estimate) Count(s string) int {
	if s == "" {
		return 0
	}
	return max(1, (len(s)*2+6)/7)
}
