// Package salience turns how often and how recently a memory was useful into one number
// in [0,1].
//
// Salience is a gentle preference: ranking adds [Bonus], at most [MaxBonus], to a
// relevance in [0,1]. It never multiplies a relevance, because then a popular memory that
// has nothing to do with a question would overtake the memory that answers it.
//
// The caller decides what counts as an access, and the rule matters: only a hit that was
// returned to somebody is an access. A candidate that ranking looked at and dropped is
// not, nor is a hit of an automatic recall; otherwise a memory that is close to many
// questions would rise by being close.
//
// The package is pure: time is passed in and nothing is stored.
package salience

import (
	"math"
	"time"
)

// MaxBonus is the most that salience may add to a relevance in [0,1]. At 0.05
// it decides between memories that match about equally well, and no number of
// accesses can close a larger gap.
const MaxBonus = 0.05

// SaturatingAccesses is the number of accesses beyond which further ones have no effect.
// The count is scaled logarithmically: the first accesses matter most, and ten show as
// clearly as a hundred that a memory is used.
const SaturatingAccesses = 10

// Signal is the known use of one memory. The zero value is a memory that was never shown
// to anybody.
type Signal struct {
	// Accesses counts how often the memory was returned to somebody. Negative
	// counts as 0.
	Accesses int
	// LastAccess is when it was last returned. Zero means unknown; Created is used
	// instead.
	LastAccess time.Time
	// Created is when the memory was made.
	Created time.Time
	// Type is the memory's type, which chooses the half-life (see [HalfLife]).
	Type string
}

// Score returns the salience of s at the time now, in [0,1]: the saturating logarithm of
// the accesses times the decay since the last one. It never falls when accesses are added
// and never rises while time passes. A memory without accesses, or without any time,
// scores 0. Times in the future count as now.
func Score(now time.Time, s Signal) float64 {
	last := s.LastAccess
	if last.IsZero() {
		last = s.Created
	}
	if s.Accesses <= 0 || last.IsZero() {
		return 0
	}
	return frequency(s.Accesses) * Recency(now, last, HalfLife(s.Type))
}

// Bonus returns what ranking adds to the relevance of a memory with the given score: at
// least 0 and at most [MaxBonus], even if the score is out of range or NaN.
func Bonus(score float64) float64 {
	if !(score > 0) { // false for NaN
		return 0
	}
	return MaxBonus * min(score, 1)
}

// frequency maps a positive number of accesses to (0,1].
func frequency(n int) float64 {
	if n >= SaturatingAccesses {
		return 1
	}
	return math.Log1p(float64(n)) / math.Log1p(SaturatingAccesses)
}
