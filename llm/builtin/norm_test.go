package builtin

import (
	"testing"

	"pgregory.net/rapid"
)

// Squares are added as integers where that is exact: the sum is the same bit for
// bit.
func TestSquareSumIsThatOfFloats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := int64(1) << rapid.IntRange(0, 40).Draw(t, "bits")
		var sum [Dimensions]int64
		want := 0.0
		for i := range sum {
			sum[i] = rapid.Int64Range(-most, most).Draw(t, "v")
			x := float64(sum[i])
			want += float64(x * x)
		}
		if got := squareSum(&sum); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
