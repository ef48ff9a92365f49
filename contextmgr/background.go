package contextmgr

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/extract/prompt"
	"github.com/strata-memory/strata/internal/extract/saved"
	"github.com/strata-memory/strata/internal/text"
)

// job is the background work of the small model, one job at a time. It reads turns from
// which rules have already saved facts, and writes the summary to replace an extract. It
// works on copies and does not touch the manager, the ledger or memory. Its results may
// be read once done is closed.
type job struct {
	cancel context.CancelFunc
	done   chan struct{}
	helper *helper

	passages []passage   // to read
	from, to int64       // the turns in them; to is 0 for none
	saved    saved.Texts // by the agent's own tools in these turns
	summary  *draft      // to write; nil if none is wanted

	found   []strata.Candidate
	byModel bool    // the model has read all passages
	events  []Event // in order
	err     error   // why the summary could not be written
}

// passage is a part of a conversation that the model reads in one request.
type passage struct {
	batch
	before []strata.Turn // the turns just before it
	known  []strata.Fact // facts it may be about
}

// draft is a summary in progress. The text covers the turns up to after; the draft is
// complete when it covers all turns that the extract in the window stands for.
type draft struct {
	text  string
	after int64
	lines []verbatim // shown word for word beside it
	most  int        // maximum length of the text in tokens
	*summarizer
	turns []strata.Turn // the next to add
}

// warmRules runs the extraction rules over the user's message while the model answers,
// until a first flush has run them. The rules initialize themselves on first use, which
// together takes longer than a user should wait for the message that triggers the flush.
// The returned function waits for the run.
func (m *Manager) warmRules(said string) (wait func()) {
	if !m.opt.Background || m.opt.Memory == nil || m.extracted {
		return func() {}
	}
	var reading sync.WaitGroup
	turns := []strata.Turn{{Role: strata.RoleUser, Text: text.Head(said, maxWarming)}}
	reading.Go(func() { extract.Turns(turns) })
	return reading.Wait
}

// maxWarming is how many bytes of a message warmRules reads.
const maxWarming = 2000

// wantSummary requests a summary by the model to replace an extract about to be shown. If
// a draft is in progress, it continues from there.
func (m *Manager) wantSummary(lines []verbatim, room int) {
	next := &draft{text: m.summary, after: m.summarized, lines: lines, most: room}
	if d := m.draft; d != nil {
		next.text, next.after = d.text, d.after
	}
	m.draft = next
}

// start makes the small model work in the background, if there is work and no job is
// running: it reads the turns that rules have read and, if summary is set, writes the
// summary that is wanted. The next start retries what fails.
func (m *Manager) start(ctx context.Context, summary bool) {
	if !m.opt.Background || m.job != nil {
		return
	}
	h := m.helper()
	if h.model == nil { // the work of the rules has to suffice
		m.readTo, m.draft = m.cursor, nil
		return
	}
	j := &job{helper: h, done: make(chan struct{})}
	if err := m.planReading(ctx, j); err != nil {
		m.emit(FellBack{What: "ledger", Why: err.Error(), To: "the model reads later"})
	}
	if m.draft != nil && summary {
		if err := m.planSummary(ctx, j); err != nil {
			m.emit(FellBack{What: "ledger", Why: err.Error(), To: "the extract stays until later"})
		}
	}
	if j.to == 0 && j.summary == nil {
		return
	}
	ctx, j.cancel = context.WithCancel(context.WithoutCancel(ctx))
	m.job = j
	m.opt.spawn(func() { j.run(ctx) })
}

// planReading collects a page of turns for the model to read, with related facts.
func (m *Manager) planReading(ctx context.Context, j *job) error {
	if m.opt.Memory == nil || m.readTo >= m.cursor {
		return nil
	}
	start := max(m.readTo-lookback, 0)
	turns, err := m.opt.Ledger.Turns(ctx, start, page)
	if err != nil {
		return fmt.Errorf("read turns after %d: %w", start, err)
	}
	turns, _ = splitAt(turns, m.cursor)
	old, fresh := splitAt(turns, m.readTo)
	if len(fresh) == 0 {
		return fmt.Errorf("read turns after %d: the ledger ends before turn %d", m.readTo, m.cursor)
	}
	before := m.forExtraction(old)
	for _, b := range batches(m.forExtraction(fresh), m.chunkLimit(prompt.Instructions()), m.meter.text) {
		known, err := m.opt.Memory.RelatedFacts(ctx, b.turns, prompt.MaxFacts)
		if err != nil {
			m.emit(FellBack{What: "memory", Why: err.Error(), To: "the model reads without what memory holds"})
		}
		j.passages = append(j.passages, passage{batch: b, before: before, known: known})
		before = b.turns[max(len(b.turns)-lookback, 0):]
	}
	j.saved = m.savedByTools(turns)
	j.from, j.to = fresh[0].Seq, fresh[len(fresh)-1].Seq
	return nil
}

// planSummary collects a page of turns for the summary to cover.
func (m *Manager) planSummary(ctx context.Context, j *job) error {
	turns, err := m.turnsUpTo(ctx, m.draft.after, m.summarized)
	if err != nil {
		return err
	}
	d := *m.draft
	d.turns = turns
	d.summarizer = m.summarizer(j.helper, saidVerbatim(d.lines), d.most)
	d.emit = j.emit
	j.summary = &d
	return nil
}

func (j *job) emit(e Event) { j.events = append(j.events, e) }

// run does the work. The summary comes first, because the window waits for it.
func (j *job) run(ctx context.Context) {
	defer close(j.done)
	if d := j.summary; d != nil {
		d.text, j.err = d.add(ctx, d.text, d.turns)
		d.after = d.turns[len(d.turns)-1].Seq
	}
	j.byModel = len(j.passages) > 0
	for _, p := range j.passages {
		if err := j.helper.ready(); err != nil {
			j.fellBack(p, err)
			continue
		}
		found, dropped, err := j.helper.facts(ctx, p.batch, p.before, p.known, nil)
		j.found = append(j.found, found...)
		switch {
		case err != nil:
			j.fellBack(p, err)
		case len(dropped) > 0:
			j.emit(Dropped{Model: j.helper.model.Model(), Why: dropped})
		}
	}
	for i := range j.found {
		j.found[i].RequestID = extract.RequestID(j.found[i])
	}
}

func (j *job) fellBack(p passage, err error) {
	j.byModel = false
	j.emit(FellBack{What: "extraction", Why: err.Error(), To: fmt.Sprintf("rules for the turns %d to %d", p.turns[0].Seq, p.last())})
}

// adopt takes over the results of the background job if it is done. It does not wait.
func (m *Manager) adopt(ctx context.Context) {
	j := m.job
	if j == nil {
		return
	}
	select {
	case <-j.done:
	default:
		return
	}
	j.cancel()
	for _, e := range j.events {
		m.emit(e)
	}
	j.events = nil
	if j.summary != nil {
		m.adoptSummary(ctx, j)
		j.summary = nil
	}
	if j.to > 0 && !m.adoptFacts(ctx, j) {
		return // memory can take them at a later request
	}
	m.job = nil
	m.reportRest()
}

// adoptFacts saves the facts that the model found. It reports whether they are safe.
func (m *Manager) adoptFacts(ctx context.Context, j *job) bool {
	var done []strata.Decision
	if m.savePending(ctx, &done) != nil {
		return false
	}
	was := m.readTo
	m.readTo = max(m.readTo, j.to)
	err := m.commit(ctx, j.saved.Without(j.found), m.cursor, &done)
	if err != nil && len(m.pending) == 0 && len(j.found) > 0 { // not even the saved state has them
		m.readTo = was
		return false
	}
	if ledger, ok := m.opt.Ledger.(Extracting); ok && err == nil && j.byModel {
		_ = ledger.Extracted(ctx, m.readTo, true) // on failure they are read twice, which is harmless
	}
	m.emit(Read{From: j.from, To: j.to, Decisions: done, Err: err})
	return true
}

// adoptSummary replaces the extract by the model's summary once that covers as much. If
// the model wrote none of it, the extract stays.
func (m *Manager) adoptSummary(ctx context.Context, j *job) {
	made := j.summary
	if m.draft == nil || j.err != nil {
		return
	}
	if !made.byModel {
		m.draft = nil
		return
	}
	m.draft.text, m.draft.after = made.text, made.after
	if m.draft.after < m.summarized {
		return // the next job goes on
	}
	d := m.draft
	m.draft = nil
	m.summary = trimTo(d.text, d.most, m.meter.text)
	m.showSummary(d.lines)
	_ = m.save(ctx) // an event reports a failure; the older state has the extract
}

// worthShowing is how many tokens must remain until the next compaction for a late
// summary to be shown before it, because showing it costs the model its cache of the
// whole history.
const worthShowing = 1024

// showSummary replaces the extract by the summary, if that is worthwhile.
func (m *Manager) showSummary(lines []verbatim) {
	i := slices.IndexFunc(m.win.items, func(it *item) bool { return it.kind == kindSummary && it.to == m.summarized })
	if i < 0 {
		return
	}
	extract := m.win.items[i]
	it := &item{kind: kindSummary, from: extract.from, to: extract.to, text: m.summaryText(lines, m.summary, extract.from, extract.to)}
	it.measure(m.meter)
	if m.below(m.opt.Thresholds.Compact)-(m.win.cost+it.cost-extract.cost) < worthShowing {
		return
	}
	before := m.total()
	m.win.replace(i, i+1, it)
	m.calibration.Rebase()
	m.emit(Summarized{To: it.to, Before: before, After: m.total()})
}

// settle runs background jobs and takes over their results until the model has read all
// turns that rules have read and, if summary is set, has written the summary that is
// wanted. Its error is that of ctx.
func (m *Manager) settle(ctx context.Context, summary bool) error {
	for {
		m.start(ctx, summary)
		if m.job == nil {
			return nil
		}
		select {
		case <-m.job.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := m.forget(ctx); err != nil {
			return err
		}
		m.adopt(ctx)
		if m.job != nil {
			return nil // memory accepts no facts now
		}
	}
}

// drop cancels the background work and discards its results.
func (m *Manager) drop() {
	if m.job != nil {
		m.job.cancel()
	}
	m.job, m.draft = nil, nil
}
