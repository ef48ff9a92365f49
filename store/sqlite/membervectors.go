package sqlite

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/strata-memory/strata/vector"
)

// memberVectors are the vectors of one model of all passages of a parent. A writer
// looks for near-duplicates inside of small categories (see
// docs/decisions/0003-near-duplicates.md), whose vectors lie far apart in their
// table: to find one there takes ten times as long as to measure it. So those of
// parents that are searched again and again stay with the tally, which follows what
// is added to them.
type memberVectors struct {
	numbers []int64
	values  []float32 // of one vector after another
}

// maxMembers bounds the values of members' vectors that are kept: 8 MiB.
const maxMembers = 2 << 20

func (v *memberVectors) add(number int64, values []float32) {
	v.numbers = append(v.numbers, number)
	v.values = append(v.values, values...)
}

// addMember adds a vector that is stored to those of its parent at place, if these
// are kept.
func (r *remembered) addMember(place, number int64, values []float32) {
	if members := r.members[place]; members != nil {
		members.add(number, values)
		r.countMembers(len(values))
	}
}

// countMembers counts values of members' vectors, and forgets them all beyond the
// bound.
func (r *remembered) countMembers(n int) {
	if r.memberValues += n; r.memberValues > maxMembers {
		clear(r.members)
		r.memberValues = 0
	}
}

// forgetMembers forgets the vectors of the members of a parent at place.
func (r *remembered) forgetMembers(place int64) {
	if members := r.members[place]; members != nil {
		r.memberValues -= len(members.values)
	}
	delete(r.members, place)
}

// measureMembers measures the passages of some parents in memory. ok is false if
// they are to be measured where they are stored: if one of the parents was not
// searched before, or holds what cannot be measured.
func (s *search) measureMembers(ctx context.Context, parents []int64) (found distances, ok bool, err error) {
	if s.t.group == nil {
		return nil, false, nil // readers remember nothing
	}
	y := s.t.counting()
	again := true
	for _, p := range parents {
		if _, searched := y.members[s.model.place(p)]; !searched {
			y.members[s.model.place(p)], again = nil, false
		}
	}
	if !again {
		return nil, false, nil
	}
	for _, p := range parents {
		members := y.members[s.model.place(p)]
		if members == nil {
			if members, err = s.readMembers(ctx, p); err != nil || members == nil {
				return nil, false, err
			}
			y.members[s.model.place(p)] = members
			y.countMembers(len(members.values))
		}
		found = members.measure(found, s.query)
	}
	return found, true, nil
}

// storedMembers selects the vectors of the passages of a parent.
var storedMembers = fmt.Sprintf(`
	SELECT pack_rows(m.number, v.embedding)
	FROM `+membersOf+`
	CROSS JOIN vector AS v ON v.place = m.number + ?3
	WHERE m.number BETWEEN ?1 AND ?2 AND v.embedding IS NOT NULL`, `?4`)

// readMembers reads the vectors of the passages of a parent; nil if one of them is
// damaged.
func (s *search) readMembers(ctx context.Context, parent int64) (*memberVectors, error) {
	low, high := numbers(s.scopeNo)
	packed, err := s.t.lookBlob(ctx, storedMembers, low, high, s.model.shift(), packNumbers([]int64{parent}))
	if err != nil {
		return nil, err
	}
	list, err := unpackVectors(packed, s.model.dim)
	if err != nil {
		return nil, nil
	}
	members := new(memberVectors)
	for _, w := range list {
		members.add(w.number, w.v)
	}
	return members, nil
}

// measure appends the distances of the members to a vector of their length.
func (v *memberVectors) measure(found distances, query []float32) distances {
	dim := len(query)
	for at := 0; at < len(v.numbers); {
		var four [4][]float32
		n := min(len(four), len(v.numbers)-at)
		for i := range four {
			first := (at + min(i, n-1)) * dim
			four[i] = v.values[first : first+dim]
		}
		apart := distancesL2(&four, query)
		for i, number := range v.numbers[at : at+n] {
			found = binary.LittleEndian.AppendUint64(found, uint64(number))
			found = binary.LittleEndian.AppendUint64(found, math.Float64bits(apart[i]))
		}
		at += n
	}
	return found
}

// unpackVectors reads packed rows of a passage's number and its stored vector.
func unpackVectors(packed []byte, dim int) (out []numberedVector, err error) {
	for len(packed) > 0 {
		var row [2]packedValue
		packed = packed[1:] // that there are two
		for i := range row {
			if row[i], packed, err = nextValue(packed); err != nil {
				return nil, err
			}
		}
		v, err := vector.DecodeScaled(row[1].bytes, dim)
		if err != nil {
			return nil, corruptError("read vector", err.Error())
		}
		out = append(out, numberedVector{int64(row[0].bits), v})
	}
	return out, nil
}

// numberedVector is a passage's vector.
type numberedVector struct {
	number int64
	v      []float32
}
