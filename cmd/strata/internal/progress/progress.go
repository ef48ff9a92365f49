// Package progress shows the progress of long work: a bar on a terminal, plain lines in a
// pipe.
package progress

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

const (
	// showAfter is how long work runs before anything is shown: something that only
	// flashes by would disturb.
	showAfter = 300 * time.Millisecond
	// plainStep is how many items there are between two plain lines if the total is
	// unknown; if it is known, there is a line for each tenth.
	plainStep = 10_000
)

// A Progress shows the progress of one task. It must be used by one goroutine only.
type Progress struct {
	label string
	w     io.Writer // nil: show nothing
	bar   bool      // draw a bar; otherwise write lines
	since time.Time
	drawn *progressbar.ProgressBar // nil until the bar appears
	bytes bool                     // items are bytes, shown as KiB, MiB or GiB
	next  int64                    // number of items at which to write the next plain line

	done, total int64 // as reported last
}

// New starts to time the named task. Once that has run for a moment it draws a bar
// on a terminal and writes plain lines to anything else; a nil writer shows nothing.
func New(label string, w io.Writer) *Progress {
	return &Progress{label: label, w: w, bar: terminal.Is(w), since: time.Now()}
}

// NewBytes is [New] for a task whose items are bytes.
func NewBytes(label string, w io.Writer) *Progress {
	p := New(label, w)
	p.bytes = true
	return p
}

// Report says that done of total items are done; total is 0 when unknown.
func (p *Progress) Report(done, total int64) {
	p.done, p.total = done, total
	switch {
	case p.w == nil || time.Since(p.since) < showAfter:
	case p.bar:
		p.draw(done, total)
	default:
		p.line(done, total)
	}
}

// Far formats the progress: "501 of 2000", or "501" if the total is unknown. It is empty
// before anything is done.
func (p *Progress) Far() string {
	switch {
	case p.done == 0:
		return ""
	case p.total == 0:
		return p.amount(p.done)
	}
	return p.amount(p.done) + " of " + p.amount(p.total)
}

// amount formats a number of items or bytes.
func (p *Progress) amount(n int64) string {
	if p.bytes {
		return terminal.Bytes(n)
	}
	return strconv.FormatInt(n, 10)
}

// draw draws or updates the bar.
func (p *Progress) draw(done, total int64) {
	if p.drawn == nil {
		size := total
		if size == 0 {
			size = -1 // a spinner
		}
		p.drawn = progressbar.NewOptions64(size,
			progressbar.OptionSetWriter(p.w),
			progressbar.OptionSetDescription(p.label),
			progressbar.OptionShowBytes(p.bytes),
			progressbar.OptionUseIECUnits(p.bytes),
			progressbar.OptionThrottle(65*time.Millisecond),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionFullWidth(),
		)
		if total > 0 {
			progressbar.OptionShowCount()(p.drawn)
		}
	}
	if total == 0 {
		p.drawn.Describe(p.label + " " + p.Far()) // a count without a known total
	}
	_ = p.drawn.Set64(done) // a bar that cannot be drawn must not stop the work
}

// line writes a plain line at each step.
func (p *Progress) line(done, total int64) {
	if done < p.next || done == 0 {
		return
	}
	if total == 0 {
		if p.next > 0 {
			fmt.Fprintf(p.w, "%s: %s\n", p.label, p.Far())
		}
		p.next = done - done%plainStep + plainStep
		return
	}
	fmt.Fprintf(p.w, "%s: %s\n", p.label, p.Far())
	p.next = min(done+max(total/10, 1), total)
	if done >= total {
		p.next = total + 1
	}
}

// Finish removes the bar.
func (p *Progress) Finish() {
	if p.drawn != nil {
		_ = p.drawn.Finish()
	}
}
