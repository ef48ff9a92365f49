package transfer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// Options control an import. The zero value imports.
type Options struct {
	DryRun bool // read and check everything, change nothing
	// Progress is called with the number of records imported and the total, which is 0 if
	// unknown; may be nil.
	Progress func(done, total int64)
}

// Imported is the result of an import.
type Imported struct {
	Facts    int64 `json:"facts"`    // added, updated or superseding
	Known    int64 `json:"known"`    // existed already
	Rejected int64 `json:"rejected"` // facts and documents with a secret
	Turns    int64 `json:"turns"`
	// Learnings counts learnings and tool outcomes.
	Learnings int64 `json:"learnings"`
	Documents int64 `json:"documents"` // added or updated
	// Skipped counts retired versions and decisions, since history is not imported, as
	// well as forgotten records, empty documents and files of projects.
	Skipped int64 `json:"skipped"`
	// LeftOut counts what could not be read when the export was made.
	LeftOut int64 `json:"left_out,omitempty"`
}

// batch is the number of facts or turns written in one transaction.
const batch = 500

// batchBytes is the approximate number of bytes collected for one transaction. Turns may
// contain large images.
const batchBytes = 16 << 20

// Memory is the destination of an import: the write path and the sessions.
type Memory interface {
	WriteBatch(ctx context.Context, cs []strata.Candidate) ([]strata.Decision, error)
	// Preview returns the decision that a write would make now.
	Preview(ctx context.Context, c strata.Candidate) (strata.Decision, error)

	OpenSession(ctx context.Context, s strata.Session) (strata.Session, error)
	AppendTurns(ctx context.Context, scope strata.Scope, session string, kind strata.SessionKind, turns []strata.Turn) ([]strata.Turn, error)
	CloseSessionAt(ctx context.Context, scope strata.Scope, session string, at time.Time) error
	PutSnapshot(ctx context.Context, s strata.Snapshot) (strata.Snapshot, error)
	PutSessionState(ctx context.Context, scope strata.Scope, session string, data []byte) error
	Learn(ctx context.Context, scope strata.Scope, l strata.Learning) (strata.Learning, error)
	// KnowsLearning reports whether the scope of a learning has it already.
	KnowsLearning(ctx context.Context, l strata.Learning) (bool, error)
	RecordOutcome(ctx context.Context, scope strata.Scope, outcomes ...strata.ToolOutcome) error
	// ChooseCategory stores the choice of a name for a category, unless there already is
	// one for its topic.
	ChooseCategory(ctx context.Context, scope strata.Scope, topic, name string) error
}

// Import reads an export and writes its sessions, turns, learnings, documents and current
// facts through the regular write path, so that duplicates, secrets and forgotten texts
// are handled as usual. Importing the same file again changes nothing. Import reads the
// whole export before it writes anything, unless the export has version 1. Damaged lines
// are left out, and then Import returns [strata.CodeIncomplete].
//
// st must be the store of m. Import looks up in it what is already known.
func Import(ctx context.Context, st store.Store, m Memory, from io.Reader, o Options) (Imported, error) {
	im := importer{store: st, memory: m, opts: o, kinds: make(map[string]strata.SessionKind)}
	r := &Reader{lines: lineReader{r: bufio.NewReaderSize(from, 1<<16)}}
	h, err := r.lines.header()
	if err != nil {
		return im.report, err
	}
	if h.Full {
		return im.report, strata.Invalid("import", "the file is a full export, which becomes a home of its own", "strata import FILE --home NEWHOME")
	}
	if h.hasRows() {
		r.Schema = h.Schema
		return im.rows(ctx, r)
	}
	for err == nil {
		err = im.earlierLine(ctx, &r.lines)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return im.report, errors.Join(err, im.flush(ctx))
}

// rows imports an export that has rows.
func (im *importer) rows(ctx context.Context, r *Reader) (_ Imported, err error) {
	here, ok := im.store.(store.RowStore)
	if !ok {
		return im.report, noRows("import")
	}
	read := make(map[string]int64)
	from, err := here.OfRows(ctx, r.Schema, func() (store.Row, error) {
		row, err := r.Next()
		if err == nil {
			read[row.Table]++
		}
		return row, errors.Join(err, ctx.Err())
	}, r.Refuse)
	if err != nil {
		return im.report, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	wrong, unread := r.LeftOut(read, 0)
	im.report.LeftOut, im.report.Skipped = int64(len(wrong)+len(unread)), read["decision"]
	total := read["session"] + read["turn"] + read["learning"] + read["tool_outcome"] + read["fact"] + read["document"]
	err = walk(ctx, from, func(rec record) error {
		if im.done++; im.opts.Progress != nil {
			im.opts.Progress(min(im.done, total), total)
		}
		return im.read(ctx, rec)
	})
	if err = errors.Join(err, im.flush(ctx)); err == nil && len(wrong) > 0 {
		err = &strata.Error{Code: strata.CodeIncomplete, Op: "import", Message: "the export is damaged: " + wrong[0].Detail + "; the rest was imported",
			Hint: "import a whole export, too: what is known is left alone"}
	}
	return im.report, err
}

// earlierLine imports the next line of an export of version 1, which had no rows. If a
// line cannot be read, the import of the lines before it stands.
func (im *importer) earlierLine(ctx context.Context, lines *lineReader) error {
	text, fits, err := lines.next()
	if err != nil {
		return err
	}
	if im.done++; im.opts.Progress != nil {
		im.opts.Progress(im.done, 0)
	}
	if !fits {
		return &strata.Error{Code: strata.CodeTooLarge, Op: "import", Message: fmt.Sprintf("line %d is longer than %d bytes", lines.number, maxLine),
			Hint: "the lines before it are kept; no export has such a line"}
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var rec earlierRecord
	if err = dec.Decode(&rec); err != nil {
		err = strata.Invalid("import", "not a line of an export: "+err.Error(), "pass a file made by strata export")
	} else if rec.Kind != kindHeader {
		err = im.read(ctx, rec.record)
	}
	if err != nil {
		return fmt.Errorf("import line %d: %w", lines.number, err)
	}
	return nil
}

// importer collects what is written in one transaction.
type importer struct {
	store   store.Store
	memory  Memory
	opts    Options
	report  Imported
	done    int64                         // number of records read
	kinds   map[string]strata.SessionKind // by scope key and session id
	session *strata.Session               // session whose turns are being read
	turns   []strata.Turn                 // of one session
	bytes   int                           // size of the turns
	facts   []strata.Candidate            // facts and documents
	// factBytes is the size of the documents among them.
	factBytes int
}

func (im *importer) read(ctx context.Context, rec record) error {
	if rec.hasSecretName() {
		im.report.Rejected++
		return nil
	}
	switch {
	case rec.Kind == "session" && rec.Session != nil:
		if err := rec.Session.Scope.Validate(); err != nil {
			return err
		}
		return im.openSession(ctx, *rec.Session)
	case rec.Kind == "turn" && rec.Turn != nil:
		return im.addTurn(ctx, *rec.Turn)
	case rec.Kind == "snapshot" && rec.Snapshot != nil:
		return im.addSnapshot(ctx, *rec.Snapshot)
	case rec.Kind == "state" && rec.State != nil:
		return im.addState(ctx, *rec.State)
	case rec.Kind == "learning" && rec.Learning != nil:
		return im.addLearning(ctx, *rec.Learning)
	case rec.Kind == "outcome" && rec.Outcome != nil:
		return im.addOutcome(ctx, *rec.Outcome)
	case rec.Kind == "category" && rec.Category != nil:
		return im.addCategory(ctx, *rec.Category)
	case rec.Kind == "fact" && rec.Fact != nil:
		return im.addFact(ctx, *rec.Fact)
	case rec.Kind == "document" && rec.Document != nil:
		return im.addDocument(ctx, *rec.Document)
	case rec.Kind == "decision" && rec.Decision != nil:
		im.report.Skipped++
		return nil
	case rec.Kind == "incomplete" && rec.Incomplete != nil:
		im.report.LeftOut += int64(len(rec.Incomplete.LeftOut))
		return nil
	}
	return strata.Invalid("import", "unknown kind of line: "+text.Clip(rec.Kind, 40), "pass a file made by strata export")
}

func (im *importer) addTurn(ctx context.Context, t strata.Turn) error {
	if err := t.Scope.Validate(); err != nil {
		return err
	}
	if err := t.Validate(); err != nil {
		return err
	}
	if t.Forgotten {
		im.report.Skipped++
		return nil
	}
	if n := len(im.turns); n > 0 && (n == batch || im.bytes > batchBytes || im.turns[0].Session != t.Session || im.turns[0].Scope != t.Scope) {
		if err := im.flushTurns(ctx); err != nil {
			return err
		}
	}
	im.turns = append(im.turns, t)
	im.bytes += len(t.Text)
	for _, image := range t.Images {
		im.bytes += len(image.Data)
	}
	for _, call := range t.Calls {
		im.bytes += len(call.Arguments)
	}
	return nil
}

func (im *importer) addFact(ctx context.Context, f strata.Fact) error {
	if !f.Current() {
		im.report.Skipped++
		return nil
	}
	c := strata.Candidate{
		RequestID: "import:" + f.ID, Scope: f.Scope, Content: f.Text, Type: f.Type, Category: f.Category,
		Entity: f.Entity, Attribute: f.Attribute, Sources: f.Sources, Confidence: f.Confidence, Origin: strata.OriginImport,
	}
	if f.ValidFrom != nil {
		c.ValidFrom = *f.ValidFrom
	}
	if f.ValidTo != nil {
		c.ValidTo = *f.ValidTo
	}
	c.Verbatim = f.Verbatim
	return im.addCandidate(ctx, c)
}

// addDocument adds a file. It skips forgotten files and those read from a project, which
// are read from there again.
func (im *importer) addDocument(ctx context.Context, d strata.Document) error {
	if strings.HasPrefix(d.Path, strata.ProjectPrefix) || strings.TrimSpace(d.Content) == "" || strings.TrimSpace(d.Content) == strata.ForgottenText {
		im.report.Skipped++
		return nil
	}
	im.factBytes += len(d.Content)
	return im.addCandidate(ctx, strata.Candidate{
		RequestID: "import:" + d.ID + ":" + files.Hash([]byte(d.Content))[:16], Scope: d.Scope, Path: d.Path, Content: d.Content, Foreign: d.Foreign, Origin: strata.OriginImport,
	})
}

// addCandidate queues a candidate to be written.
func (im *importer) addCandidate(ctx context.Context, c strata.Candidate) error {
	if err := c.Scope.Validate(); err != nil {
		return err
	}
	if err := c.Validate(); err != nil {
		return err
	}
	im.facts = append(im.facts, c)
	if len(im.facts) == batch || im.factBytes > batchBytes {
		return im.flushFacts(ctx)
	}
	return nil
}

func (im *importer) flush(ctx context.Context) error {
	if err := im.endSession(ctx); err != nil {
		return err
	}
	return im.flushFacts(ctx)
}

// flushTurns appends the queued turns that do not exist yet.
func (im *importer) flushTurns(ctx context.Context) error {
	if len(im.turns) == 0 {
		return nil
	}
	turns := im.turns
	im.turns, im.bytes = nil, 0
	scope, session := turns[0].Scope, turns[0].Session
	var fresh []strata.Turn
	err := im.store.View(ctx, func(r store.Reader) error {
		for _, t := range turns {
			_, err := r.Turn(ctx, []strata.Scope{scope}, t.ID)
			switch strata.CodeOf(err) {
			case "":
				im.report.Known++
			case strata.CodeNotFound:
				fresh = append(fresh, t)
			default:
				return err
			}
		}
		return nil
	})
	if err != nil || len(fresh) == 0 {
		return err
	}
	im.report.Turns += int64(len(fresh))
	if im.opts.DryRun {
		return nil
	}
	_, err = im.memory.AppendTurns(ctx, scope, session, im.kinds[scope.Key()+" "+session], fresh)
	return err
}

// flushFacts writes the waiting facts and documents.
func (im *importer) flushFacts(ctx context.Context) error {
	if len(im.facts) == 0 {
		return nil
	}
	facts := im.facts
	im.facts, im.factBytes = nil, 0
	known := make([]bool, len(facts))
	err := im.store.View(ctx, func(r store.Reader) error {
		for i, c := range facts {
			_, err := r.DecisionByRequest(ctx, c.Scope, c.RequestID)
			if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
				return err
			}
			known[i] = err == nil
		}
		return nil
	})
	if err != nil {
		return err
	}
	var decisions []strata.Decision
	if im.opts.DryRun {
		for _, c := range facts {
			d, err := im.memory.Preview(ctx, c)
			if err != nil {
				return err
			}
			decisions = append(decisions, d)
		}
	} else if decisions, err = im.memory.WriteBatch(ctx, facts); err != nil {
		return err
	}
	for i, d := range decisions {
		switch {
		case known[i] || d.Op == strata.OpNoop:
			im.report.Known++
		case d.Op == strata.OpReject:
			im.report.Rejected++
		case d.Document != nil:
			im.report.Documents++
		default:
			im.report.Facts++
		}
	}
	return nil
}

// addCategory stores the choice of a name for a category.
func (im *importer) addCategory(ctx context.Context, c categoryRecord) error {
	if err := c.Scope.Validate(); err != nil {
		return err
	}
	if im.opts.DryRun {
		return nil
	}
	return im.memory.ChooseCategory(ctx, c.Scope, c.Topic, c.Name)
}
