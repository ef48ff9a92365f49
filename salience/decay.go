package salience

import (
	"math"
	"time"
)

const day = 24 * time.Hour

// The half-lives of interest, by type. They set how soon a memory that nobody asks for
// stops being preferred, not how long it stays true or is kept.
//
// Questions about a person or about where a reference is found come at long intervals, so
// a year without use only halves the interest. Feedback on how to work is either applied
// often or has become habit. Projects turn over in a quarter. All are short enough that
// 300 idle days show: at least 43 % is gone.
const (
	halfLifeUser      = 365 * day
	halfLifeReference = 365 * day
	halfLifeFeedback  = 180 * day
	halfLifeProject   = 90 * day
)

// HalfLife returns the time without access after which the salience of a memory of this
// type has halved. An unknown or empty type decays like a project, which is the default
// type of a memory.
func HalfLife(typ string) time.Duration {
	switch typ {
	case "user":
		return halfLifeUser
	case "reference":
		return halfLifeReference
	case "feedback":
		return halfLifeFeedback
	default:
		return halfLifeProject
	}
}

// Recency returns 2^(-age/halfLife), in (0,1], where age is the time from at to now. It
// is 1 if at is now or in the future, 0.5 after one half-life, and positive however old
// at is. If halfLife is not positive, Recency uses that of a project.
func Recency(now, at time.Time, halfLife time.Duration) float64 {
	if halfLife <= 0 {
		halfLife = halfLifeProject
	}
	age := now.Sub(at) // saturates at about 292 years
	if age <= 0 {
		return 1
	}
	r := math.Exp2(-float64(age) / float64(halfLife))
	return max(r, math.SmallestNonzeroFloat64)
}
