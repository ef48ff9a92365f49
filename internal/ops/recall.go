package ops

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// RecallIn is the input of recall.
type RecallIn struct {
	Query      string        `json:"query" opt:"arg,required,file" doc:"a question, or words" agents:"question or words"`
	MaxResults int           `json:"max_results,omitempty" short:"n" default:"10" range:"1-1000" doc:"most hits" agents:"1 to 1000"`
	MaxTokens  int           `json:"max_tokens,omitempty" doc:"token budget for all texts; 0 means no limit, or in a tool 1500 including what surrounds them" agents:"default 1500"`
	Cursor     string        `json:"cursor,omitempty" doc:"next_cursor of the previous answer, to get what follows it" agents:"next_cursor"`
	Category   string        `json:"category,omitempty" short:"c" values:"category" doc:"only facts of this category" agents:"facts"`
	Types      []strata.Type `json:"types,omitempty" short:"t" enum:"user,feedback,project,reference" doc:"only facts and notes of these types" agents:"facts, notes"`
	AsOf       string        `json:"as_of,omitempty" doc:"what was known then: a date, RFC 3339 time or words such as last week" agents:"as known then"`
	Seen       []string      `json:"seen,omitempty" tool:"-" doc:"ids already shown, to leave out"`
	Session    string        `json:"session,omitempty" tool:"-" values:"session" doc:"session that asks"`
	Turn       int64         `json:"turn,omitempty" tool:"-" doc:"turn of the session that asks; this turn and later ones are left out"`
	ShownFrom  int64         `json:"shown_from,omitempty" tool:"-" doc:"first turn of the session still in the conversation; this turn and later ones are left out"`
	Automatic  bool          `json:"automatic,omitempty" tool:"-" doc:"nobody asked for this recall: its hits do not count as interest"`
	All        bool          `json:"all,omitempty" doc:"include weak hits" agents:"weak hits too"`
	Prompt     bool          `json:"prompt,omitempty" tool:"-" doc:"also return the hits as one text that is safe in a prompt"`
	NoRecord   bool          `json:"no_record,omitempty" tool:"-" doc:"keep no trace and count no access"`
}

// asked returns what a cursor belongs to: only the size of pages may differ.
func (in RecallIn) asked() []string {
	asked := []string{in.Query, in.Category, in.AsOf, strconv.FormatBool(in.All)}
	for _, t := range in.Types {
		asked = append(asked, string(t))
	}
	return asked
}

// query converts the input to a query in env's view.
func (in RecallIn) query(env *operation.Env) (strata.Query, error) {
	asOf, err := env.OptionalTime("as_of", in.AsOf)
	if err != nil {
		return strata.Query{}, err
	}
	offset, err := offsetOf("recall", in.Cursor, in.asked()...)
	if err != nil {
		return strata.Query{}, err
	}
	q := strata.Query{
		View: env.View, Text: in.Query, Category: in.Category, Types: in.Types, Offset: offset, Pages: !in.Automatic || offset > 0,
		Limit: in.MaxResults, Tokens: in.MaxTokens, AsOf: asOf, Seen: in.Seen,
		Session: in.Session, Turn: in.Turn, Automatic: in.Automatic, All: in.All, Quiet: in.NoRecord,
	}
	switch {
	case in.Turn < 0 || in.ShownFrom < 0:
		return q, strata.Invalid("recall", "turns are counted from 1", "name a turn of the session that asks, or none")
	case in.Session == "" && env.Session == "" && in.ShownFrom > 0:
		return q, strata.Invalid("recall", "shown_from is a turn of a session, and no session is named", "name the session that asks")
	case in.Session == "" || in.Session == env.Session:
		q.Session, q.Shown = env.Session, env.Shown
	}
	if in.ShownFrom > 0 {
		q.Shown = append(q.Shown[:len(q.Shown):len(q.Shown)], strata.TurnRange{From: in.ShownFrom, To: math.MaxInt64})
	}
	return q, q.Validate()
}

// SearchIn is the input of search.
type SearchIn struct {
	Query      string        `json:"query" opt:"arg,required,file" doc:"a question, or words" agents:"question or words"`
	MaxResults int           `json:"max_results,omitempty" short:"n" default:"10" range:"1-1000" doc:"most hits of a page" agents:"1 to 1000"`
	Offset     int           `json:"offset,omitempty" doc:"hits to skip: next of the previous page" agents:"next"`
	Kinds      []strata.Kind `json:"kinds,omitempty" short:"k" enum:"fact,turn,section" doc:"what to search (default: everything)" agents:"default: all"`
	Path       string        `json:"path,omitempty" doc:"only sections of this file, or of the files below this directory" agents:"file or directory"`
	Session    string        `json:"session,omitempty" values:"session" doc:"only turns of this session" agents:"whose turns"`
	Category   string        `json:"category,omitempty" short:"c" values:"category" doc:"only facts of this category" agents:"of facts"`
	Types      []strata.Type `json:"types,omitempty" short:"t" enum:"user,feedback,project,reference" doc:"only facts and notes of these types" agents:"of facts and notes"`
	Since      string        `json:"since,omitempty" doc:"only what is from then or later: a date, RFC 3339 time or words such as last week" agents:"date or time"`
	Until      string        `json:"until,omitempty" doc:"only what is older: a date or words such as last week, to their end, or an RFC 3339 time" agents:"likewise"`
	// Not useful to agents.
	MaxTokens     int      `json:"max_tokens,omitempty" tool:"-" doc:"token budget for all texts; 0 means no limit, or in a tool 1500"`
	All           bool     `json:"all,omitempty" tool:"-" doc:"include weak hits"`
	AsOf          string   `json:"as_of,omitempty" tool:"-" doc:"as known then: a date, RFC 3339 time or words such as last week"`
	Seen          []string `json:"seen,omitempty" tool:"-" doc:"ids already shown, to leave out"`
	NoRecord      bool     `json:"no_record,omitempty" tool:"-" doc:"keep no trace"`
	Sessions      bool     `json:"sessions,omitempty" tool:"-" doc:"rank whole sessions: each hit is the best turn of a different session"`
	IncludeSystem bool     `json:"include_system,omitempty" tool:"-" doc:"include files of the system, below _system and _inbox"`
}

// query converts the input to a query in env's view.
func (in SearchIn) query(env *operation.Env) (strata.Query, error) {
	asOf, err := env.OptionalTime("as_of", in.AsOf)
	if err != nil {
		return strata.Query{}, err
	}
	since, err := env.ParseTime("since", in.Since)
	if err != nil {
		return strata.Query{}, err
	}
	until, err := env.ParseEnd("until", in.Until)
	if err != nil {
		return strata.Query{}, err
	}
	q := strata.Query{
		View: env.View, Text: in.Query, Search: true, Offset: in.Offset, Limit: in.MaxResults, Tokens: in.MaxTokens,
		Kinds: in.Kinds, Path: in.Path, InSession: in.Session, Category: in.Category, Types: in.Types, Since: since, Until: until,
		AsOf: asOf, Seen: in.Seen, Session: env.Session, Shown: env.Shown,
		All: in.All, Quiet: in.NoRecord, Sessions: in.Sessions, System: in.IncludeSystem,
	}
	return q, q.Validate()
}

// Found is the answer to recall and search.
type Found struct {
	Hits     []Hit    `json:"hits" doc:"what was found, best first"`
	Prompt   string   `json:"prompt,omitempty" tool:"-" doc:"if asked for, the hits as text for a prompt: fenced as data, with their marks"`
	Trace    string   `json:"trace,omitempty" tool:"-" doc:"the stored explanation, for trace"`
	Embedder string   `json:"embedder,omitempty" tool:"-" doc:"model whose vectors were used; left out if only words were"`
	Tokens   int      `json:"tokens,omitempty" tool:"-" doc:"how many tokens the texts of the hits cost, if a budget was set"`
	Next     int      `json:"next,omitempty" doc:"offset of the next page of a search; left out at the end"`
	Cursor   string   `json:"next_cursor,omitempty" doc:"for recall: pass it as cursor, with the same input otherwise, to get more; left out at the end"`
	Notes    []string `json:"notes,omitempty" tool:"-" doc:"what a reader should know"`
	Steps    []Step   `json:"steps,omitempty" tool:"-" doc:"how long each step took, in order"`
}

// Rows returns the hits, for output line by line.
func (f Found) Rows() []any { return operation.Rows(f.Hits) }

// Hit is a memory that matches a query.
type Hit struct {
	ID        string      `json:"id" doc:"id of the fact, turn, section or learning"`
	Kind      strata.Kind `json:"kind" doc:"fact, turn, section or learning"`
	Text      string      `json:"text" tool:"-" doc:"the memory itself"`
	Offset    int         `json:"offset,omitempty" tool:"-" doc:"bytes of the whole before this part"`
	Length    int         `json:"length,omitempty" tool:"-" doc:"bytes of the whole; left out if the text is complete"`
	Match     *Span       `json:"match,omitempty" tool:"-" doc:"the passage of a long text that matches best, in bytes of the whole text"`
	Score     float64     `json:"score" doc:"from 0 to 1"`
	Evidence  float64     `json:"evidence" tool:"-" doc:"how much of what was asked for the hit holds, from 0 to 1; comparable between questions"`
	Tier      int         `json:"tier" tool:"-" doc:"where it was found first: 1 near a category, 2 inside the nearest categories, 3 by flat search or words"`
	Why       Why         `json:"why" tool:"-" doc:"the parts of the score; they add up to it"`
	Scope     string      `json:"scope" doc:"who owns it"`
	Type      strata.Type `json:"type,omitempty" tool:"-" doc:"type of a fact or note"`
	Category  string      `json:"category,omitempty" tool:"-" doc:"category of a fact"`
	Session   string      `json:"session,omitempty" doc:"session of a turn"`
	Seq       int64       `json:"seq,omitempty" doc:"place of a turn in its session or of a section in its file, from 1"`
	Role      strata.Role `json:"role,omitempty" tool:"-" doc:"user, assistant, system or tool: who said a turn"`
	Speaker   string      `json:"speaker,omitempty" tool:"-" doc:"name of the speaker of a turn"`
	Section   *Section    `json:"section,omitempty" tool:"-" doc:"where a section is"`
	Where     string      `json:"where,omitempty" doc:"file and line of a section, such as notes/project_deploys.md:12"`
	At        time.Time   `json:"at" doc:"when the fact was recorded, the turn said, the file written, or the learning last learned"`
	Notes     []string    `json:"notes,omitempty" tool:"-" doc:"warnings, such as that the text reads like an instruction"`
	Foreign   bool        `json:"foreign,omitempty" tool:"-" doc:"the file came with the repository and is not trusted here"`
	OlderThan string      `json:"older_than,omitempty" tool:"-" doc:"the later hit that says nearly the same with another value"`
}

// Span is a range of a text.
type Span struct {
	Start int `json:"start" doc:"offset of its first byte"`
	End   int `json:"end" doc:"offset of the byte after it"`
}

// Section says where a section is in its file.
type Section struct {
	Path     string   `json:"path" doc:"path of the file, below the directory of its scope"`
	Line     int      `json:"line" doc:"first line of the section, from 1"`
	EndLine  int      `json:"end_line" doc:"last line of the section"`
	Headings []string `json:"headings,omitempty" doc:"headings above it, outermost first"`
	Name     string   `json:"name,omitempty" doc:"name of the note or skill"`
}

// Why explains a score by its parts.
type Why struct {
	Words    float64  `json:"words" doc:"its own words"`
	Vector   float64  `json:"vector" doc:"closeness of meaning"`
	Around   float64  `json:"around" doc:"neighboring turns"`
	Parent   float64  `json:"parent" doc:"its session, category or file as a whole"`
	Recency  float64  `json:"recency" doc:"how new it is"`
	Salience float64  `json:"salience" doc:"how often it was of use"`
	Order    float64  `json:"order,omitempty" doc:"gained from or lost to another value of nearly the same statement, or gained from a turn that it replaces"`
	Terms    []string `json:"terms,omitempty" doc:"words of the question that matched"`
}

// Step is a step of the work and the time it took.
type Step struct {
	Name string `json:"name" doc:"what was done"`
	Took int64  `json:"took_ns" doc:"in nanoseconds"`
}

func recall() operation.Operation {
	return operation.Op[RecallIn, Found]{
		Info: operation.Info{
			Name:    "recall",
			Summary: "Find what answers a question",
			Toolset: operation.CoreTools,
			Advice: "Finds answers in facts, notes, conversations and learnings. Call it before you answer what may depend on earlier sessions, " +
				"or ask the user again.",
			Description: "Ranks facts, the sections of notes and other files, and what was said in sessions, all together: by words, by meaning and by what " +
				"they belong to; learnings that hold most words of the question appear among them. If the question asks for everything about the " +
				"user, the answer is the facts about them. A fact takes the place of a turn that says the same; of a slot or note, the one in the " +
				"deepest scope is shown. Every hit names its scope, kind and date, and explains its score. Text without evidence that it answers the " +
				"question is left out, so a question about something unknown finds nothing. One word, a natural question or any other text will do.",
			ReadOnly: true,
			Examples: []operation.Example{
				{Doc: "ask", Input: `{"query": "what is my cat called?"}`},
				{Doc: "the three best, as of a day", Input: `{"query": "deploys", "max_results": 3, "as_of": "2026-03-01"}`},
				{Doc: "within 500 tokens", Input: `{"query": "how do I like my code reviewed?", "max_tokens": 500, "types": ["feedback"]}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in RecallIn) (Found, error) {
			q, err := in.query(env)
			if err != nil {
				return Found{}, err
			}
			out, err := answerTo(ctx, env, q)
			if out.Next > 0 {
				out.Cursor, out.Next = cursorOf(out.Next, in.asked()...), 0
			}
			if in.Prompt {
				out.Prompt = promptOf(out.Hits)
			}
			return out, err
		},
	}
}

// answerTo answers a question from everything that memory holds.
func answerTo(ctx context.Context, env *operation.Env, q strata.Query) (Found, error) {
	if asksForUser.MatchString(q.Text) && !q.Automatic {
		return recallUser(ctx, env, q)
	}
	if b := budgetFor(env, q.Tokens); b.tokens > 0 {
		q.Tokens = max(b.tokens-b.each*min(cmp.Or(q.Limit, 10), 10), b.tokens/2)
	}
	learnt, err := findLearnings(ctx, env, q)
	if err != nil {
		return Found{}, err
	}
	if q.Tokens > 0 {
		// Learnings accompany the hits and get a third of the budget.
		_, n, tokens := page(operation.Each(learnt, func(h Hit) string { return h.Text }), 0, len(learnt), budget{tokens: q.Tokens / 3})
		if learnt = learnt[:n]; tokens > q.Tokens/3 {
			learnt, tokens = nil, 0 // the only one is too long
		}
		q.Tokens -= tokens
	}
	out, err := ask(ctx, env, q)
	if err != nil {
		return Found{}, err
	}
	out.Hits = among(withoutFile(out.Hits, learnt), learnt)
	return out, nil
}

func search() operation.Operation {
	return operation.Op[SearchIn, Found]{
		Info: operation.Info{
			Name:    "search",
			Summary: "Browse facts, turns and files, page by page",
			Toolset: operation.CoreTools,
			Advice:  "Browses page by page, by kind, file, session or time. Call it to look around; to answer a question call memory_recall.",
			Description: "Ranks like recall but shows everything, including turns that a fact repeats and notes or facts hidden by a deeper scope. Filters by " +
				"kind, file or directory, session, category, type and time. The next page begins at the offset that the answer names; while memory " +
				"does not change, pages join without a gap. What a search shows does not count as used.",
			ReadOnly: true,
			Examples: []operation.Example{
				{Doc: "search everything", Input: `{"query": "kitchen renovation"}`},
				{Doc: "what was said, word for word", Input: `{"query": "the blue tiles", "kinds": ["turn"]}`},
				{Doc: "what files say", Input: `{"query": "how do we roll back", "kinds": ["section"]}`},
				{Doc: "in which sessions it came up", Input: `{"query": "kitchen renovation", "sessions": true}`},
				{Doc: "what notes of a directory say", Input: `{"query": "rollback", "path": "notes"}`},
				{Doc: "the second page of what was said in March", Input: `{"query": "kitchen", "kinds": ["turn"], "since": "2026-03-01", "until": "2026-03-31", "offset": 10}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in SearchIn) (Found, error) {
			q, err := in.query(env)
			if err != nil {
				return Found{}, err
			}
			return ask(ctx, env, q)
		},
	}
}

// ask runs a query.
func ask(ctx context.Context, env *operation.Env, q strata.Query) (Found, error) {
	if q.Tokens == 0 && env.Origin == strata.OriginTool {
		q.Tokens = answerTokens
	}
	res, err := env.Engine.Query(ctx, q)
	if err != nil {
		return Found{}, err
	}
	out := Found{Hits: operation.Each(res.Hits, hitOf), Trace: res.Trace, Embedder: res.Embedder, Tokens: res.Tokens, Next: res.Next, Notes: res.Notes}
	for _, s := range res.Steps {
		out.Steps = append(out.Steps, Step{Name: s.Name, Took: s.Took.Nanoseconds()})
	}
	return out, nil
}

// hitOf converts a hit to its output form.
func hitOf(h strata.Hit) Hit {
	out := Hit{
		ID: h.ID, Kind: h.Kind, Text: h.Text, Offset: h.Offset, Length: h.Length, Match: (*Span)(h.Match), Score: h.Score, Evidence: h.Evidence, Tier: h.Tier, Why: Why(h.Why), Scope: h.Scope.Key(),
		Type: h.Type, Category: h.Category, Session: h.Session, Seq: h.Seq, Role: h.Role, Speaker: h.Speaker,
		Section: (*Section)(h.Section), At: h.At, Notes: h.Notes, Foreign: h.Foreign, OlderThan: h.OlderThan,
	}
	if h.Length > 0 {
		part := aPart
		if h.Kind == strata.KindTurn {
			part = "only a part; expand shows the whole"
		}
		out.Notes = append(slices.Clone(out.Notes), part)
	}
	if h.Section != nil {
		out.Where = fmt.Sprintf("%s:%d", h.Section.Path, h.Section.Line)
	}
	return out
}
