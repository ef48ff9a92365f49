package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench/lab/life"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
	"github.com/strata-memory/strata/workspace"
)

// MinSessions and MaxSessions bound the sessions of a year. Fewer would leave little to
// judge; more would overlap.
const (
	MinSessions = 10
	MaxSessions = 4000
)

// Options tells which year to live, and where.
type Options struct {
	// Dir is an empty directory for the home and the projects.
	Dir      string
	Seed     uint64
	Sessions int // MinSessions to MaxSessions
	// Open opens the memory to judge in a home. workspaces holds the directories of its
	// workspaces by id, and now is the clock of the life.
	Open func(ctx context.Context, home string, workspaces map[string]string, now func() time.Time) (*engine.Engine, error)
	// Progress is called with the number of sessions played so far. It may be nil.
	Progress func(done int)
}

// Run lives a year and judges it.
func Run(ctx context.Context, o Options) (r Result, err error) {
	if o.Sessions < MinSessions || o.Sessions > MaxSessions {
		return r, strata.Invalid("live a year", fmt.Sprintf("a year of %d sessions", o.Sessions),
			fmt.Sprintf("pass -sessions %d to %d", MinSessions, MaxSessions))
	}
	p := &player{Options: o, life: life.Year(o.Seed, o.Sessions), home: filepath.Join(o.Dir, "home"), clock: new(clock)}
	p.clock.set(life.Begin)
	if err := p.open(ctx); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, p.mem.Close()) }()
	for i := range p.life.Sessions {
		if err := p.play(ctx, i); err != nil {
			return r, fmt.Errorf("session %d: %w", i+1, err)
		}
		if o.Progress != nil {
			o.Progress(i + 1)
		}
	}
	p.clock.set(life.Begin.Add(life.Length))
	if err := p.mem.Drain(ctx); err != nil {
		return r, err
	}
	return p.judge(ctx)
}

// clock is the time of the life. It is asked from several goroutines.
type clock struct{ unix atomic.Int64 }

func (c *clock) set(t time.Time) { c.unix.Store(t.UnixNano()) }

func (c *clock) now() time.Time { return time.Unix(0, c.unix.Load()).UTC() }

// player plays a life to a memory.
type player struct {
	Options
	life  life.Life
	home  string
	clock *clock
	mem   *engine.Engine
	// projects holds the ids of the workspaces; that of [life.Home] is empty.
	projects [life.Projects + 1]string
	// turns holds the turns of the life by the ids under which memory keeps them.
	turns map[string]said
	// written holds the lines that were written into MEMORY.md by hand.
	written []line
	months  [12]month
	spent   Times
}

// said is a turn of the life.
type said struct {
	session int
	turn    *life.Turn
}

// line is a line that a person wrote into the index of a project.
type line struct {
	project int
	text    string
}

// month sums the prompts of the sessions of a month: their tokens, also by part.
type month struct {
	sessions, tokens int
	parts            map[snapshot.PartKind]int
}

// begin adds the prompt with which one session begins.
func (m *month) begin(s snapshot.Snapshot) {
	if m.parts == nil {
		m.parts = make(map[snapshot.PartKind]int)
	}
	m.sessions, m.tokens = m.sessions+1, m.tokens+s.Tokens
	for _, part := range s.Parts {
		m.parts[part.Kind] += part.Tokens
	}
}

// open makes the projects and opens the memory.
func (p *player) open(ctx context.Context) error {
	p.turns = make(map[string]said)
	dirs := make(map[string]string)
	for n := 1; n <= life.Projects; n++ {
		dir := filepath.Join(p.Dir, fmt.Sprint("project", n))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		// Prompts show the ids, so the ids must be the same each time.
		made, err := workspace.Init(dir, p.home, workspace.InitOptions{ID: fmt.Sprintf("01JGWEJJ00000000000000000%d", n), Now: p.clock.now()})
		if err != nil {
			return err
		}
		p.projects[n] = made.ID
		dirs[made.ID] = dir
	}
	mem, err := p.Open(ctx, p.home, dirs, p.clock.now)
	if err != nil {
		return err
	}
	p.mem = mem
	for id := range dirs {
		if err := mem.MadeWorkspace(ctx, id); err != nil { // strata init does the same
			return err
		}
	}
	return nil
}

// scope returns the scope of a project.
func (p *player) scope(project int) strata.Scope {
	if project == life.Home {
		return strata.Global()
	}
	return strata.InWorkspace(p.projects[project])
}

// view returns what a session of a project sees.
func (p *player) view(project int) strata.View { return strata.ViewOf(p.projects[project], "") }

// monthOf returns the twelfth of the year in which a time lies, from 0.
func monthOf(at time.Time) int { return min(int(12*at.Sub(life.Begin)/life.Length), 11) }

// play plays one session: it opens the session, appends its turns and asks its questions,
// has facts extracted, and closes it.
func (p *player) play(ctx context.Context, n int) error {
	s := p.life.Sessions[n]
	p.clock.set(s.At)
	if err := p.writeByHand(ctx, n); err != nil {
		return err
	}
	talk, err := p.mem.Talk(ctx, sessions.Options{Session: sessionName(n), Workspace: p.projects[s.Project]})
	if err != nil {
		return err
	}
	p.months[monthOf(s.At)].begin(talk.Snapshot())
	for i := range s.Turns {
		if err := p.say(ctx, talk, said{n, &s.Turns[i]}); err != nil {
			return err
		}
	}
	p.clock.set(s.End())
	begin := time.Now()
	_, err = p.mem.Extract(ctx, talk.Session().Scope, talk.ID())
	p.spent.extract += time.Since(begin)
	if err != nil {
		return err
	}
	if err := talk.Close(ctx); err != nil {
		return err
	}
	return p.mem.Drain(ctx) // recalls affect the next session
}

// say appends a turn, and queries memory if the turn asks.
func (p *player) say(ctx context.Context, talk *engine.Conversation, t said) error {
	p.clock.set(t.turn.At)
	begin := time.Now()
	kept, err := talk.Append(ctx, []strata.Turn{{Role: t.turn.Role, Text: t.turn.Text, Tool: t.turn.Tool, At: t.turn.At}})
	if err != nil {
		return err
	}
	p.spent.Turns, p.spent.append = p.spent.Turns+1, p.spent.append+time.Since(begin)
	p.turns[kept[0].ID] = t
	if !t.turn.Asks {
		return nil
	}
	begin = time.Now()
	_, err = p.mem.Query(ctx, strata.Query{View: talk.View(), Text: t.turn.Text, Limit: asked, Session: talk.ID(), Turn: kept[0].Seq})
	p.spent.Questions, p.spent.ask = p.spent.Questions+1, p.spent.ask+time.Since(begin)
	return err
}

// writeByHand appends a line to the MEMORY.md of each project and of the home, as a
// person would, eight times over the year.
func (p *player) writeByHand(ctx context.Context, session int) error {
	const times = 8
	if session%max(p.Sessions/times, 1) != 0 {
		return nil
	}
	for project := range p.projects {
		dir, ok := p.mem.Directory(p.scope(project))
		if !ok {
			return fmt.Errorf("project %d has no directory", project)
		}
		l := line{project, fmt.Sprintf("- By hand before session %d: the plumber's number hangs on the board, page %d.", session+1, session*7+project)}
		if err := appendLine(filepath.Join(dir, index), l.text); err != nil {
			return err
		}
		p.written = append(p.written, l)
	}
	for project := 1; project <= life.Projects; project++ {
		if _, err := p.mem.Sync(ctx, p.view(project)); err != nil {
			return err
		}
	}
	return nil
}

// index is the name of the file that people and memory share.
const index = "MEMORY.md"

func appendLine(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString("\n" + text + "\n")
	return errors.Join(err, f.Close())
}
