package salience

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var types = []string{"user", "feedback", "project", "reference", "", "unheard of"}

func TestScore(t *testing.T) {
	tests := []struct {
		name   string
		signal Signal
		want   float64
	}{
		{"zero value", Signal{}, 0},
		{"never returned", Signal{Created: noon, Type: "user"}, 0},
		{"no time known", Signal{Accesses: 5}, 0},
		{"saturated now", Signal{Accesses: SaturatingAccesses, LastAccess: noon}, 1},
		{"more changes nothing", Signal{Accesses: 1 << 40, LastAccess: noon}, 1},
		{"negative count", Signal{Accesses: -3, LastAccess: noon}, 0},
		{"one half-life", Signal{Accesses: 10, LastAccess: noon.Add(-90 * day), Type: "project"}, 0.5},
		{"user halves in a year", Signal{Accesses: 10, LastAccess: noon.Add(-365 * day), Type: "user"}, 0.5},
		{"future counts as now", Signal{Accesses: 10, LastAccess: noon.Add(1000 * day)}, 1},
		{"creation stands in", Signal{Accesses: 10, Created: noon.Add(-180 * day), Type: "feedback"}, 0.5},
		{"first access", Signal{Accesses: 1, LastAccess: noon}, math.Log(2) / math.Log(11)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Score(noon, tt.signal); math.Abs(got-tt.want) > 1e-12 {
				t.Errorf("Score = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestRecency(t *testing.T) {
	tests := []struct {
		name     string
		at       time.Time
		halfLife time.Duration
		want     float64
	}{
		{"now", noon, day, 1},
		{"one half-life", noon.Add(-day), day, 0.5},
		{"three half-lives", noon.Add(-3 * day), day, 0.125},
		{"future", noon.Add(day), day, 1},
		{"no half-life means that of a project", noon.Add(-90 * day), 0, 0.5},
		{"negative half-life means that of a project", noon.Add(-90 * day), -day, 0.5},
		{"the year 1 is old, not nothing", time.Time{}, time.Hour, math.SmallestNonzeroFloat64},
		{"other time zone", noon.Add(-day).In(time.FixedZone("", 5*3600)), day, 0.5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Recency(noon, tt.at, tt.halfLife); math.Abs(got-tt.want) > 1e-12 || got <= 0 {
				t.Errorf("Recency = %v, want %v", got, tt.want)
			}
		})
	}
}

// A memory that nobody has asked for in 300 days must differ from one that was
// asked for today, whatever its type.
func TestRecencyDecays(t *testing.T) {
	for _, typ := range types {
		today := Score(noon, Signal{Accesses: 12, LastAccess: noon, Type: typ})
		idle := Score(noon, Signal{Accesses: 12, LastAccess: noon.Add(-300 * day), Type: typ})
		if idle > 0.6*today || idle <= 0 {
			t.Errorf("type %q: today %.3f, after 300 idle days %.3f", typ, today, idle)
		}
	}
}

// However popular a memory is, it does not overtake one that matches better by
// more than the bound of the bonus.
func TestSalienceNeverOvertakesAClearlyBetterMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		popular, fresh := signal(t, "popular"), signal(t, "fresh")
		worse := rapid.Float64Range(0, 1-MaxBonus).Draw(t, "worse")
		better := rapid.Float64Range(worse+MaxBonus+1e-9, 1.0001).Draw(t, "better")
		b := Bonus(Score(noon, popular))
		if b < 0 || b > MaxBonus {
			t.Fatalf("bonus %v is outside [0, %v]", b, MaxBonus)
		}
		if worse+b >= better+Bonus(Score(noon, fresh)) {
			t.Fatalf("%v with bonus %v overtakes %v", worse, b, better)
		}
	})
}

func TestElevenAccessesDoNotLiftAnOrthogonalFact(t *testing.T) {
	orthogonal := 0.29 + Bonus(Score(noon, Signal{Accesses: 11, LastAccess: noon}))
	if exact := 1.0; orthogonal >= exact {
		t.Errorf("orthogonal fact %v beats the exact match %v", orthogonal, exact)
	}
}

// Computing a score changes no signal, so what is looked at but not returned does
// not grow.
func TestScoringIsNotAnAccess(t *testing.T) {
	s := Signal{Accesses: 2, LastAccess: noon.Add(-day), Created: noon.Add(-9 * day)}
	first := Score(noon, s)
	for range 100 {
		Score(noon, s)
	}
	if again := Score(noon, s); again != first {
		t.Errorf("score moved from %v to %v by being computed", first, again)
	}
	s.Accesses, s.LastAccess = s.Accesses+1, noon
	if returned := Score(noon, s); returned <= first {
		t.Errorf("a returned hit did not raise the score: %v to %v", first, returned)
	}
}

func TestBonusOfStrangeScores(t *testing.T) {
	for score, want := range map[float64]float64{
		0: 0, -1: 0, 1: MaxBonus, 7: MaxBonus, 0.5: MaxBonus / 2,
		math.Inf(1): MaxBonus, math.Inf(-1): 0,
	} {
		if got := Bonus(score); got != want {
			t.Errorf("Bonus(%v) = %v, want %v", score, got, want)
		}
	}
	if got := Bonus(math.NaN()); got != 0 {
		t.Errorf("Bonus(NaN) = %v, want 0", got)
	}
}

func TestScoreProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := instant(t, "now")
		s := signal(t, "signal")
		score := Score(now, s)
		if !(score >= 0 && score <= 1) {
			t.Fatalf("score %v is outside [0,1]", score)
		}
		more := s
		more.Accesses += rapid.IntRange(0, 1000).Draw(t, "more")
		if Score(now, more) < score {
			t.Fatalf("score falls from %v with more accesses %d", score, more.Accesses)
		}
		later := now.Add(time.Duration(rapid.Int64Range(0, int64(4000*day)).Draw(t, "wait")))
		if Score(later, s) > score {
			t.Fatalf("score rises from %v by waiting", score)
		}
	})
}

func TestRecencyProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		half := time.Duration(rapid.Int64().Draw(t, "halfLife"))
		r := Recency(instant(t, "now"), instant(t, "at"), half)
		if !(r > 0 && r <= 1) {
			t.Fatalf("recency %v is outside (0,1]", r)
		}
	})
}

func signal(t *rapid.T, label string) Signal {
	return Signal{
		Accesses:   rapid.IntRange(-5, 1<<50).Draw(t, label+" accesses"),
		LastAccess: instant(t, label+" last"),
		Created:    instant(t, label+" created"),
		Type:       rapid.SampledFrom(types).Draw(t, label+" type"),
	}
}

// instant draws the zero time, times near noon, and times of any year.
func instant(t *rapid.T, label string) time.Time {
	switch rapid.IntRange(0, 3).Draw(t, label+" kind") {
	case 0:
		return time.Time{}
	case 1:
		return time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, label), 0)
	default:
		return noon.Add(time.Duration(rapid.Int64Range(-int64(4000*day), int64(4000*day)).Draw(t, label)))
	}
}

func BenchmarkScore(b *testing.B) {
	s := Signal{Accesses: 3, LastAccess: noon.Add(-40 * day), Type: "user"}
	for b.Loop() {
		Score(noon, s)
	}
}
