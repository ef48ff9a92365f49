package main

import (
	"time"

	"github.com/strata-memory/strata/bench/lab/life"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
)

// Result is the result of a year.
type Result struct {
	Seed     uint64  `json:"seed"`
	Sessions int     `json:"sessions"`
	Figures  Figures `json:"figures"`
	Times    Times   `json:"times"`
	// Failures holds examples of what went wrong, at most [examples] of each kind.
	Failures []Failure `json:"failures"`
}

// Figures holds the figures that are the same for the same seed and size.
type Figures struct {
	Turns int `json:"turns"`
	// Kinds holds, for each kind of truth, how much was told and what became of it.
	Kinds map[life.Kind]*Kept `json:"kinds"`
	// Holding is for the truths that were kept and hold at the end.
	Holding Found `json:"holding"`
	// Misfiled counts the truths that are stored where a session that asks for them does
	// not look.
	Misfiled int  `json:"misfiled"`
	Changes  Past `json:"changes"`
	// Plans counts the plans that were kept and whose day has passed, and PlansStale
	// those that memory does not know to have passed.
	Plans      int `json:"plans"`
	PlansStale int `json:"plans_stale"`
	// Stored counts the facts that are current at the end. Noise counts those of them
	// that say nothing that should be kept, by the kind of their source.
	Stored int               `json:"stored"`
	Noise  map[life.Kind]int `json:"noise"`
	// Secrets counts the secrets that were said, and SecretsLeaked those found on the
	// disk.
	Secrets       int `json:"secrets"`
	SecretsLeaked int `json:"secrets_leaked"`
	// OfProjects counts the kept truths of projects, and Crossed those that a session in
	// the other project sees.
	OfProjects int `json:"of_projects"`
	Crossed    int `json:"crossed"`
	// Index is for all MEMORY.md files.
	Index Index `json:"index"`
	// Archive is for the archived sessions.
	Archive Archive `json:"archive"`
	// Tokens is how many tokens a session begins with on average, by month.
	Tokens [12]int `json:"tokens"`
	// Prompt splits these tokens by part of the prompt, without what surrounds the parts.
	Prompt map[snapshot.PartKind]*[12]int `json:"prompt"`
}

// Kept counts the truths of one kind.
type Kept struct {
	Told    int `json:"told"`
	Kept    int `json:"kept"`
	Holding int `json:"holding"` // kept truths that hold at the end
	Found   int `json:"found"`   // holding truths that were among the first five hits
}

// Found counts truths that were asked for.
type Found struct {
	Asked int `json:"asked"`
	Found int `json:"found"` // truths found among the first five hits
}

// Share returns the fraction that was found; 1 if nothing was asked for.
func (f Found) Share() float64 { return share(f.Found, f.Asked) }

// Past tells what became of truths that were kept and then ended.
type Past struct {
	Ended int `json:"ended"`
	// Missed counts those that are still current because nothing was extracted from the
	// turn that told their end. Beside counts those whose end was kept only as a
	// statement that fills no slot.
	Missed int `json:"missed"`
	Beside int `json:"beside"`
	// Understood counts the others, and Current those of them that are still given as
	// current.
	Understood int `json:"understood"`
	Current    int `json:"current"`
	// Shown counts those that are among the first five hits of a query for their
	// successor, and Unmarked those of them that are not marked as older.
	Shown    int `json:"shown"`
	Unmarked int `json:"unmarked"`
	// First counts those that rank before their successor.
	First int `json:"first"`
	// AsOf is for those that held for at least an hour, asked for as of the middle of
	// that time.
	AsOf Found `json:"as_of"`
}

// Index tells what became of the files that people and memory share.
type Index struct {
	// Bytes and Lines are the maximum over all files. An empty last line does not count.
	Bytes int `json:"bytes"`
	Lines int `json:"lines"`
	// Written counts the lines written by hand, and Intact those that are still there.
	Written int `json:"written"`
	Intact  int `json:"intact"`
}

// Archive tells what became of sessions that ended long ago.
type Archive struct {
	Sessions int `json:"sessions"` // sessions that were archived
	// Restored counts the sessions that were restored for a check, and Whole those of
	// them that are unchanged.
	Restored int `json:"restored"`
	Whole    int `json:"whole"`
}

// MaxLines and MaxBytes are how much of a MEMORY.md reaches a prompt. The file should not
// be larger.
const (
	MaxLines = markdown.PromptLines
	MaxBytes = markdown.PromptBytes
)

func (x Index) fits() bool { return x.Lines <= MaxLines && x.Bytes <= MaxBytes }

// NoiseShare returns the fraction of the stored facts that are noise.
func (f Figures) NoiseShare() float64 {
	n := 0
	for _, of := range f.Noise {
		n += of
	}
	if f.Stored == 0 {
		return 0
	}
	return float64(n) / float64(f.Stored)
}

// KeptShare returns the fraction of what was told that was kept.
func (f Figures) KeptShare() float64 {
	var told, kept int
	for _, k := range f.Kinds {
		told, kept = told+k.Told, kept+k.Kept
	}
	return share(kept, told)
}

// TokenGrowth returns how much the prompt grew from the second month to the largest month
// after it, as a fraction: 0.1 is a tenth. It is never below 0.
func (f Figures) TokenGrowth() float64 {
	second := f.Tokens[1]
	if second == 0 {
		return 0
	}
	most := second
	for _, n := range f.Tokens[2:] {
		most = max(most, n)
	}
	return float64(most)/float64(second) - 1
}

// share returns part divided by all, or 1 if all is 0.
func share(part, all int) float64 {
	if all == 0 {
		return 1
	}
	return float64(part) / float64(all)
}

// Times holds how long parts of the year took on this machine.
type Times struct {
	Turns     int           `json:"turns"`
	Questions int           `json:"questions"`
	Turn      time.Duration `json:"turn_ns"`    // to append one, on average
	Extract   time.Duration `json:"extract_ns"` // to extract from one, on average
	Ask       time.Duration `json:"ask_ns"`     // to answer a question, on average

	append, extract, ask time.Duration
}

// averages sets the average times.
func (t *Times) averages() {
	t.Turn = t.append / time.Duration(max(t.Turns, 1))
	t.Extract = t.extract / time.Duration(max(t.Turns, 1))
	t.Ask = t.ask / time.Duration(max(t.Questions, 1))
}

// The kinds of failures.
const (
	FailMissed   = "missed"           // told but not kept
	FailUnseen   = "change missed"    // its end was told but nothing was extracted
	FailBeside   = "kept beside"      // its end was kept as a separate statement
	FailCurrent  = "past as current"  // its end was understood but it is still current
	FailFirst    = "past first"       // a replaced value ranks before its successor
	FailThen     = "not found then"   // not found as of its time
	FailUnfound  = "not found"        // kept and still true but not among the first five
	FailMisfiled = "misfiled"         // stored where nobody looks
	FailPlan     = "stale plan"       // its day has passed but memory does not know
	FailNoise    = "noise"            // kept although nothing in it should be
	FailSecret   = "secret"           // found on the disk
	FailCrossed  = "of the other one" // of one project but visible in the other
	FailLine     = "line lost"        // a line written by hand is gone
	FailArchive  = "archive"          // restored but changed
)

// examples is the most failures of each kind that are listed.
const examples = 40

// Failure is an example of something that went wrong.
type Failure struct {
	Kind string    `json:"kind"`
	Of   life.Kind `json:"of,omitempty"` // kind of what was told
	// Said is what was said, Want what memory should make of it, Got what it has.
	Said string `json:"said"`
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
}
