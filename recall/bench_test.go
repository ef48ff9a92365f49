package recall

import "testing"

func BenchmarkAnalyze(b *testing.B) {
	for b.Loop() {
		Analyze("Which database did Caroline choose for the billing service in May 2023?", noon)
	}
}
