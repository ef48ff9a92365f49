package main

import (
	"time"

	"github.com/strata-memory/strata/bench/lab/life"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
)

// Result is what a year came to.
type Result struct {
	Seed     uint64  `json:"seed"`
	Sessions int     `json:"sessions"`
	Figures  Figures `json:"figures"`
	Times    Times   `json:"times"`
	// Failures are examples of what went wrong, at most [examples] of each kind.
	Failures []Failure `json:"failures"`
}

// Figures are the same for the same seed and size.
type Figures struct {
	Turns int `json:"turns"`
	// Kinds say for each kind of truth how much was told and what became of it.
	Kinds map[life.Kind]*Kept `json:"kinds"`
	// Holding is of the truths that were kept and hold at the end.
	Holding Found `json:"holding"`
	// Misfiled counts those that lie where a session that asks for them does not look.
	Misfiled int  `json:"misfiled"`
	Changes  Past `json:"changes"`
	// Plans counts the plans that were kept and whose day has passed, and those of them
	// that memory does not see to have passed.
	Plans      int `json:"plans"`
	PlansStale int `json:"plans_stale"`
	// Stored counts the facts that are current at the end, Noise those of them that say
	// nothing that was to be kept, by the kind of what they come from.
	Stored int               `json:"stored"`
	Noise  map[life.Kind]int `json:"noise"`
	// Secrets counts those that were said, SecretsLeaked those that are on the disk.
	Secrets       int `json:"secrets"`
	SecretsLeaked int `json:"secrets_leaked"`
	// OfProjects counts what was kept of a project, Crossed what of it a session in the
	// other one sees.
	OfProjects int `json:"of_projects"`
	Crossed    int `json:"crossed"`
	// Index is of every MEMORY.md.
	Index Index `json:"index"`
	// Archive is of the sessions that were put away.
	Archive Archive `json:"archive"`
	// Tokens are what a session begins with, on average, by month.
	Tokens [12]int `json:"tokens"`
	// Prompt says which parts these tokens are of, but for what stands around the parts.
	Prompt map[snapshot.PartKind]*[12]int `json:"prompt"`
}

// Kept counts truths of a kind.
type Kept struct {
	Told    int `json:"told"`
	Kept    int `json:"kept"`
	Holding int `json:"holding"` // of the kept, those that hold at the end
	Found   int `json:"found"`   // of these, those recalled among the first five
}

// Found counts truths that were asked for.
type Found struct {
	Asked int `json:"asked"`
	Found int `json:"found"` // among the first five
}

// Share is the part that was found; 1 where nothing was asked for.
func (f Found) Share() float64 { return share(f.Found, f.Asked) }

// Past is what became of truths that were kept and ended.
type Past struct {
	Ended int `json:"ended"`
	// Missed counts those that are still current because nothing was extracted from what
	// told their end, Beside those because it was kept as a statement that fills no slot.
	Missed int `json:"missed"`
	Beside int `json:"beside"`
	// Understood counts the others, Current those of them that are given as current.
	Understood int `json:"understood"`
	Current    int `json:"current"`
	// Shown counts those that are among the first five of who asks for what took their
	// place, Unmarked those of them that do not say that they are older.
	Shown    int `json:"shown"`
	Unmarked int `json:"unmarked"`
	// First counts those that rank before what took their place.
	First int `json:"first"`
	// AsOf is of those that held for an hour at least, asked for as of the middle of
	// that time.
	AsOf Found `json:"as_of"`
}

// Index is what became of the files that people and memory share.
type Index struct {
	// Bytes and Lines are those of the largest. A last line that is empty is none.
	Bytes int `json:"bytes"`
	Lines int `json:"lines"`
	// Written counts the lines that were written by hand, Intact those that are there.
	Written int `json:"written"`
	Intact  int `json:"intact"`
}

// Archive is what became of sessions that ended long ago.
type Archive struct {
	Sessions int `json:"sessions"` // that were archived
	// Restored counts those that were brought back to be looked at, Whole those of them
	// that say what was said.
	Restored int `json:"restored"`
	Whole    int `json:"whole"`
}

// What of a MEMORY.md reaches a prompt: it should hold no more.
const (
	MaxLines = markdown.PromptLines
	MaxBytes = markdown.PromptBytes
)

func (x Index) fits() bool { return x.Lines <= MaxLines && x.Bytes <= MaxBytes }

// NoiseShare is the part of the stored facts that are noise.
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

// KeptShare is the part of what was told that was kept.
func (f Figures) KeptShare() float64 {
	var told, kept int
	for _, k := range f.Kinds {
		told, kept = told+k.Told, kept+k.Kept
	}
	return share(kept, told)
}

// TokenGrowth is by how much the prompt of the costliest month after the second
// is above that of the second: 0.1 is a tenth. It is 0 where it is not above.
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

// share is a part of all, 1 if there is nothing.
func share(part, all int) float64 {
	if all == 0 {
		return 1
	}
	return float64(part) / float64(all)
}

// Times are what the year took on this machine.
type Times struct {
	Turns     int           `json:"turns"`
	Questions int           `json:"questions"`
	Turn      time.Duration `json:"turn_ns"`    // to append one, on average
	Extract   time.Duration `json:"extract_ns"` // to extract from one, on average
	Ask       time.Duration `json:"ask_ns"`     // to answer a question, on average

	append, extract, ask time.Duration
}

// averages fills in what one of each took.
func (t *Times) averages() {
	t.Turn = t.append / time.Duration(max(t.Turns, 1))
	t.Extract = t.extract / time.Duration(max(t.Turns, 1))
	t.Ask = t.ask / time.Duration(max(t.Questions, 1))
}

// The kinds of failure.
const (
	FailMissed   = "missed"           // told, not kept
	FailUnseen   = "change missed"    // its end told, nothing extracted
	FailBeside   = "kept beside"      // its end kept as a statement of its own
	FailCurrent  = "past as current"  // ended, seen to end, still current
	FailFirst    = "past first"       // a turn of the past ranks first
	FailThen     = "not found then"   // not found as of its time
	FailUnfound  = "not found"        // kept, holds, not among the first five
	FailMisfiled = "misfiled"         // kept where nobody looks
	FailPlan     = "stale plan"       // its day has passed
	FailNoise    = "noise"            // kept, nothing in it was to be
	FailSecret   = "secret"           // on the disk
	FailCrossed  = "of the other one" // of one project, found in the other
	FailLine     = "line lost"        // written by hand
	FailArchive  = "archive"          // brought back, not as it was said
)

// examples is how many failures of a kind are listed.
const examples = 40

// Failure is something that went wrong.
type Failure struct {
	Kind string    `json:"kind"`
	Of   life.Kind `json:"of,omitempty"` // of what was told
	// Said is what was said, Want what memory should make of it, Got what it has.
	Said string `json:"said"`
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
}
