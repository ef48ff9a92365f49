package id_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/strata-memory/strata/internal/base/id"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Identifiers sort by time, and within a millisecond in the order they were made.
func TestIdentifiersAscend(t *testing.T) {
	var m id.Maker
	var list []string
	for ms := range 3 {
		for range 100 {
			list = append(list, m.New(id.Fact, noon.Add(time.Duration(ms)*time.Millisecond)))
		}
	}
	if !slices.IsSorted(list) || len(slices.Compact(list)) != 300 {
		t.Error("they are not in order, or some are equal")
	}
	for _, s := range list {
		if !id.IsWhole(id.Fact, s) {
			t.Fatalf("%s is none of a fact", s)
		}
	}
	if u := ulid.MustParse(strings.TrimPrefix(list[0], "fact_")); !ulid.Time(u.Time()).Equal(noon) {
		t.Errorf("%s tells the time %v", list[0], ulid.Time(u.Time()))
	}
}

// A clock that goes back, and times that an identifier cannot tell, give identifiers all
// the same.
func TestAnyTimeGivesAnIdentifier(t *testing.T) {
	var m id.Maker
	seen := make(map[string]bool)
	for _, at := range []time.Time{noon, noon.Add(-time.Hour), noon, {}, time.Unix(-1, 0), time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)} {
		s := m.New("", at)
		if _, err := ulid.ParseStrict(s); err != nil || seen[s] {
			t.Errorf("at %v: %s, %v", at, s, err)
		}
		seen[s] = true
	}
}

func TestIdentifiersMadeAtOnceDiffer(t *testing.T) {
	var m id.Maker
	lists := make([][]string, 4)
	var all sync.WaitGroup
	for i := range lists {
		all.Go(func() {
			for range 500 {
				lists[i] = append(lists[i], m.New(id.Turn, noon))
			}
		})
	}
	all.Wait()
	list := slices.Concat(lists...)
	slices.Sort(list)
	if n := len(slices.Compact(list)); n != 2000 {
		t.Errorf("%d of 2000 are distinct", n)
	}
}

// The same parts have one identifier, and no others have it, however they are parted.
func TestAnIdentifierFollowsFromItsParts(t *testing.T) {
	seen := make(map[string]bool)
	for _, parts := range [][]string{nil, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"", "ab"}, {"ab", ""}, {"b", "a"}} {
		s := id.Of(id.Turn, parts...)
		if s != id.Of(id.Turn, parts...) || seen[s] || !id.IsWhole(id.Turn, s) {
			t.Errorf("%q has %s", parts, s)
		}
		seen[s] = true
	}
	// It is kept: turns that were taken in are known again by it.
	if got := id.Of(id.Turn, "session", "id", "message"); got != "turn_7F5VRC51CWNXRWZF9YWQHB67B0" {
		t.Errorf("the identifier of a message became %s", got)
	}
}

func TestShortIdentifiers(t *testing.T) {
	const whole = "fact_01JNB3Z0000123456789ABCDEF"
	for s, want := range map[string]string{whole: "fact_9ABCDEF", "fact_9ABCDEF": "fact_9ABCDEF", "01JNB3Z0000123456789ABCDEF": "01JNB3Z0000123456789ABCDEF", "": ""} {
		if got := id.Short(s); got != want {
			t.Errorf("%q is shown as %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]bool{whole: true, whole[1:]: false, whole[:len(whole)-1]: false, whole + "0": false, "dec" + whole[4:]: false} {
		if id.IsWhole(id.Fact, s) != want {
			t.Errorf("%q is whole: %v", s, !want)
		}
	}
	for s, want := range map[string]string{
		"fact_9abcdef": "9ABCDEF", "9abcdef": "9ABCDEF", "fact_f": "F", whole: whole[5:], "cdef": "CDEF",
		"def": "", "fact_": "", "": "", "fact_9abcdeu": "", "fact_9abc-ef": "", "dec_9abcdef": "", whole + "0": "",
	} {
		got, ok := id.Letters(id.Fact, s)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q has the letters %q, %v; want %q", s, got, ok, want)
		}
	}
}
