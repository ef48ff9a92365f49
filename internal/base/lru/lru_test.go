package lru

import (
	"maps"
	"slices"
	"testing"
)

func TestCache_DropsWhatWasNotUsedForLongest(t *testing.T) {
	var c Cache[string]
	const most = 300
	kept := func(want ...int64) {
		t.Helper()
		if got := slices.Sorted(maps.Keys(c.entries)); !slices.Equal(got, want) {
			t.Errorf("kept: %v, want %v", got, want)
		}
	}
	for number := range int64(3) {
		c.Count(number+1, c.Get(number+1), most/3, most)
	}
	c.Get(1) // used again
	c.Count(4, c.Get(4), most/3, most)
	kept(1, 3, 4)
	dropped := c.Get(1)
	c.Count(5, c.Get(5), 2*most, most)
	kept()
	c.Get(1)
	c.Count(1, dropped, most/3, most)
	if c.Bytes() != 0 {
		t.Errorf("%d bytes are counted of what was dropped", c.Bytes())
	}
	c.Count(1, c.Get(1), most/3, most)
	if c.Bytes() != most/3 {
		t.Errorf("%d bytes are counted, want %d", c.Bytes(), most/3)
	}
}
