package bench

// Published holds published figures of another system on LoCoMo, for a plot. A figure
// that was not published is 0.
type Published struct {
	Name   string
	Recall [len(Cutoffs)]float64 // recall of evidence turns at each of Cutoffs, in [0,1]
}

// PublishedLoCoMo returns figures for all ten conversations of LoCoMo (1,982 questions
// with evidence), by evidence turns. Nobody has published separate figures for the
// development half, which is five conversations. Sources: DRAGON+ is the best retriever
// of the LoCoMo paper (Maharana et al., 2024); the others are from the LMEB benchmark,
// where the best of 89 models is the best at each k.
func PublishedLoCoMo() []Published {
	return []Published{
		{"best of 89 models (LMEB)", [...]float64{0.703, 0.780, 0.866, 0.914}},
		{"DRAGON+ (LoCoMo paper)", [...]float64{0.567, 0.662, 0.767, 0.827}},
		{"BM25, stemmed, with speakers", [...]float64{0.584, 0.653, 0.732, 0.784}},
		{"BM25, words as they are", [...]float64{0.442, 0.516, 0.598, 0.666}},
		{"bge-m3 (LMEB)", [...]float64{0, 0.620, 0, 0}},
		{"nomic-embed-text-v1.5 (LMEB)", [...]float64{0, 0.586, 0, 0}},
		{"all-MiniLM-L6 (LMEB)", [...]float64{0, 0.438, 0, 0}},
	}
}
