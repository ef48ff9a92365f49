package vector

import (
	"fmt"
	"math"
)

// GroupCodes is the number of codes in a group. The codes of a group are scanned
// together.
const GroupCodes = 32

// GroupBytes returns the number of bytes in a group of codes of vectors with dims values.
func GroupBytes(dims int) int { return GroupCodes * CodeBytes(dims) }

// Interleave arranges codes, which are stored one after another, in groups: byte 0 of 32
// codes, then byte 1 of the same codes, and so on. groups must be as long as codes, and
// codes must be a whole number of groups; otherwise Interleave returns an error that
// wraps [ErrLength].
func Interleave(groups, codes []byte, dims int) error {
	if dims < 1 || len(groups) != len(codes) || len(codes)%GroupBytes(dims) != 0 {
		return fmt.Errorf("interleave %d bytes of codes as %d: %w", len(codes), len(groups), ErrLength)
	}
	bestKernel().interleave(groups, codes, CodeBytes(dims))
	return nil
}

// maxScore is the highest score of a code.
const maxScore = math.MaxUint16

// Probe is a query prepared for scanning codes. It uses only integers, so that scores are
// the same on every processor. It is immutable and safe for concurrent use.
type Probe struct {
	kernel kernel
	dims   int
	// table holds what the four signs of each half byte of a code contribute to the inner
	// product with the rotated query, as a multiple of one step above the least
	// contribution.
	table []byte
}

// Probe returns the probe for a query. Its errors are those of [Check].
func (c *Coder) Probe(query []float32) (*Probe, error) {
	dims := c.rotation.dims
	if err := Check(query, dims); err != nil {
		return nil, fmt.Errorf("probe of query: %w", err)
	}
	rotated := make([]float32, 8*CodeBytes(dims)) // zeros where a code has unused bits
	if err := c.rotation.Apply(rotated[:dims], query); err != nil {
		return nil, err
	}
	p := &Probe{kernel: bestKernel(), dims: dims}
	p.fillTable(rotated)
	return p, nil
}

// fillTable fills the table. It need not center the query: the inner product with the
// center is the same for every code and cannot change their order.
func (p *Probe) fillTable(rotated []float32) {
	var widest float64 // widest range of four values
	for at := 0; at < len(rotated); at += 4 {
		widest = max(widest, 2*magnitude(rotated[at:at+4]))
	}
	p.table = make([]byte, 4*len(rotated))
	// The sum over all half bytes fits in 16 bits, and the sum over a byte in 8. One is
	// added to each score, because 0 stands for codes that do not count.
	most := float64(min(127, (maxScore-1)/(len(rotated)/4)))
	scale := 0.0
	if widest > 0 {
		scale = (most - 1) / widest
	}
	for at := 0; at < len(rotated); at += 4 {
		four := rotated[at : at+4]
		least := magnitude(four)
		for v := range 16 {
			contribution := least
			for i, x := range four {
				if v>>i&1 != 0 {
					contribution += float64(x)
				} else {
					contribution -= float64(x)
				}
			}
			p.table[4*at+v] = byte(math.Floor(contribution*scale + 0.5))
			if at == 0 {
				p.table[v]++
			}
		}
	}
}

// magnitude returns the sum of the absolute values.
func magnitude(v []float32) (sum float64) {
	for _, x := range v {
		sum += math.Abs(float64(x))
	}
	return sum
}

// Scan writes the score of each code of the groups to scores, in order. A higher score
// means more similar; scores are never 0. Scores can be compared only for one query and
// one center. If the lengths do not match, Scan returns an error that wraps [ErrLength].
func (p *Probe) Scan(scores []uint16, groups []byte) error {
	if len(scores)%GroupCodes != 0 || len(groups) != len(scores)*CodeBytes(p.dims) {
		return fmt.Errorf("scan %d bytes as %d codes: %w", len(groups), len(scores), ErrLength)
	}
	if len(scores) > 0 {
		p.kernel.scan(scores, groups, p.table, CodeBytes(p.dims))
	}
	return nil
}
