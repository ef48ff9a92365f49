//go:build !cgo

package vector

func (kernel) rotate(v []float32, r *Rotation) { rotatePlain(v, r) }

func (kernel) fill(fine []byte, rotated []float32, step float64) float64 {
	return fillPlain(fine, rotated, step, 0, 0)
}

func (kernel) scale(steps []byte, rounded, v []float32, factor float32) {
	scalePlain(steps, rounded, v, factor, 0)
}

func (kernel) products(v, a, b []float32) [4]float32 { return productsPlain(v, a, b) }
