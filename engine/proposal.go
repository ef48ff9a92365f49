package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/parallel"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/extract/reach"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/topics/category"
	"github.com/strata-memory/strata/store"
)

// proposal is a candidate on its way through a write, with everything known about it
// before the transaction begins.
type proposal struct {
	candidate strata.Candidate
	owners    []strata.Scope // scopes that may own the target, when none was named
	secrets   []string       // names of the rules that found a secret
	notes     []string
	said      *text.Analysis  // of the content
	vectors   store.Vectors   // of the available models
	tags      []string        // concept tags of the content
	indexed   string          // the text to index and embed
	analysis  *store.Analysis // of indexed, derived from said
	subject   category.Subject
	batch     int              // number of candidates written together
	draft     *documents.Draft // of a candidate about a document; otherwise nil

	ambiguity *Ambiguity // set when the rules alone could not decide
	advised   bool       // the adviser was asked
	advice    *Advice
}

// prepare does everything that needs no transaction: it validates, fills in what the
// caller left open, scans for secrets and threats, and embeds. found has the state of the
// file for each hand edit; it may be nil.
func (e *Engine) prepare(ctx context.Context, cs []strata.Candidate, found []documents.Found) ([]proposal, error) {
	if err := checkBatch(len(cs)); err != nil {
		return nil, err
	}
	proposals := make([]proposal, len(cs))
	errs := make([]error, len(cs))
	parallel.For(len(cs), 16, func(i int) { proposals[i], errs[i] = propose(cs[i]) })
	for i, err := range errs {
		if err != nil {
			return nil, inBatch(err, i, len(cs))
		}
		proposals[i].batch = len(cs)
		if found != nil && proposals[i].draft != nil {
			proposals[i].draft.Modified, proposals[i].draft.Origin = found[i].ModifiedAt, found[i].Origin
		}
	}
	fresh, err := e.newSections(ctx, proposals)
	if err != nil {
		return nil, err
	}
	e.embedProposals(ctx, proposals, fresh)
	return proposals, nil
}

// checkBatch reports whether n candidates can be written together.
func checkBatch(n int) error {
	switch {
	case n == 0:
		return strata.Invalid("write", "the batch is empty", "pass at least one candidate")
	case n > strata.MaxBatch:
		return &strata.Error{Code: strata.CodeTooLarge, Op: "write",
			Message: fmt.Sprintf("the batch has %d candidates, the limit is %d", n, strata.MaxBatch),
			Hint:    "write it in several batches"}
	}
	return nil
}

// propose validates a candidate, completes it and scans it.
func propose(c strata.Candidate) (proposal, error) {
	if err := c.Validate(); err != nil {
		return proposal{}, err
	}
	if err := refuseSecretNames(c); err != nil {
		return proposal{}, err
	}
	if c.Path == "" {
		return proposeFact(c)
	}
	return proposeDocument(c)
}

// proposeFact completes a valid candidate about a fact and scans it.
func proposeFact(c strata.Candidate) (proposal, error) {
	p := proposal{candidate: c, said: text.Analyze(c.Content)}
	if c.Action == strata.ActionSave {
		if err := p.fillIn(); err != nil {
			return proposal{}, err
		}
	}
	p.owners = []strata.Scope{p.candidate.Scope}
	if p.candidate.Scope.IsZero() {
		p.owners = strata.ViewOf(c.Workspace, c.Agent).Scopes
	}
	p.scan()
	if c.Action == strata.ActionSave && len(p.secrets) == 0 {
		c := p.candidate
		p.subject, p.tags = category.Describe(p.said)
		indexed := recall.FactAnalysis(p.said, strata.Fact{Text: c.Content, Entity: c.Entity, Attribute: c.Attribute, Tags: p.tags})
		p.indexed, p.analysis = indexed.Text(), store.Analyze(indexed, p.said)
	}
	return p, nil
}

// fillIn completes a request to save with origin, type, slot and scope. Its error is that
// of [strata.DefaultScope].
func (p *proposal) fillIn() error {
	c := &p.candidate
	c.Content = strings.TrimSpace(c.Content)
	p.said = text.Analyze(c.Content)
	if c.Origin == "" {
		c.Origin = strata.OriginAPI
	}
	if c.Confidence == 0 {
		c.Confidence = 0.9 // the confidence that sources give a statement nobody rated
	}
	inferred := c.Type == "" || c.Origin == strata.OriginExtractor
	if c.Target == "" && (c.Type == "" || c.Entity == "") {
		kind, entity, attribute := extract.Classify(p.said)
		if c.Type == "" {
			c.Type = kind
		}
		if c.Entity == "" {
			c.Entity, c.Attribute = entity, attribute
		}
	}
	if !c.Scope.IsZero() || c.Target != "" {
		return nil
	}
	if inferred && c.Type.OfProject() && c.Workspace == "" {
		c.Type = strata.TypeUser // no project it could be about
	}
	if c.Origin == strata.OriginExtractor && c.Workspace != "" && reach.OfProject(*c) {
		c.Scope = strata.InWorkspace(c.Workspace)
		if c.Type == strata.TypeUser {
			c.Type = strata.TypeProject
		}
		return nil
	}
	var err error
	c.Scope, err = strata.DefaultScope(c.Type, c.Workspace)
	return err
}

// refuseSecretNames returns an error if a name in a candidate holds a secret. No decision
// is recorded, since it would keep the name. A delete may name such a target or path, so
// that it can be removed.
func refuseSecretNames(c strata.Candidate) error {
	names := []secrets.Name{
		{Field: "request id", Text: c.RequestID}, {Field: "session", Text: c.Session}, {Field: "agent", Text: c.Agent},
		{Field: "workspace", Text: c.Workspace}, {Field: "scope", Text: c.Scope.Key()},
	}
	if c.Action == strata.ActionSave {
		names = append(names, secrets.Name{Field: "target", Text: c.Target}, secrets.Name{Field: "path", Text: c.Path})
		for _, s := range c.Sources {
			names = append(names, secrets.Name{Field: "source", Text: s})
		}
	}
	return secrets.Refuse("write", names...)
}

// scan looks for secrets, and for phrases that read like injected instructions, in all
// parts of the candidate that would be stored.
func (p *proposal) scan() {
	c := p.candidate
	for _, part := range []string{c.Content, c.Entity, c.Attribute, c.Category, c.Reason} {
		for _, f := range secrets.Scan(part) {
			if !slices.Contains(p.secrets, f.Rule) {
				p.secrets = append(p.secrets, f.Rule)
			}
		}
	}
	for _, t := range secrets.Threats(c.Content) {
		note := "reads like an instruction to the agent: " + t.Rule
		if !slices.Contains(p.notes, note) {
			p.notes = append(p.notes, note)
		}
	}
}

// locate finds the scope of a proposal that names none: that of its target or of a fact
// with its text. If no scope has it, locate picks the last owner, and the controller
// reports that the target is missing.
func (p *proposal) locate(ctx context.Context, r store.Reader) error {
	c := &p.candidate
	if !c.Scope.IsZero() {
		return nil
	}
	if c.Path != "" {
		return p.locateDocument(ctx, r)
	}
	if c.Target != "" {
		f, err := r.Fact(ctx, p.owners, c.Target)
		if err == nil {
			c.Scope = f.Scope
			return nil
		}
		if strata.CodeOf(err) != strata.CodeNotFound {
			return err
		}
	} else {
		for _, s := range p.owners {
			same, err := r.FactsByText(ctx, s, p.said)
			if err != nil {
				return err
			}
			if len(same) > 0 {
				c.Scope = s
				return nil
			}
		}
	}
	c.Scope = p.owners[len(p.owners)-1]
	return nil
}
