package learnings

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// Recovery is a call of a tool that failed, and what was called then until one of the same
// aim worked.
type Recovery struct {
	Tool string
	// Failed are the calls that failed, the last five in order, each with what the tool
	// said.
	Failed []Call
	// Worked are the calls that went well in their order. The last is that of the same
	// aim, those before it are of the same tool and command.
	Worked []Call
	// Turns are the ids of the turns that all of this stands in, and Seq the place in the
	// session of the one in which it worked.
	Turns []string
	Seq   int64
}

// Call is one call of a tool.
type Call struct {
	// Arguments are JSON on one line where they are JSON, without those that only tell a
	// reader what the call is for; else they are as they were written.
	Arguments string
	Error     string // the line that says what was wrong; empty for a call that went well
}

// The bounds of a recovery. What needs more is a struggle of which rules cannot tell what
// helped.
const (
	maxFailedCalls = 5
	maxWorked      = 5
	maxBetween     = 4     // other calls and messages of the user between the last failure and what worked
	maxArguments   = 1_000 // bytes of the arguments of one call: a longer one is about its own content
)

// Error is what the tool said first.
func (r Recovery) Error() string { return r.Failed[0].Error }

// Cause is the general form of the error: without paths, numbers and identifiers.
func (r Recovery) Cause() string { return mask(r.Error()) }

// Key is equal for recoveries from the same failure of the same tool. It is a hash in hex.
func (r Recovery) Key() string {
	sum := sha256.Sum256([]byte(strings.ToLower(r.Tool) + "\n" + r.Cause()))
	return hex.EncodeToString(sum[:])
}

// Recoveries finds in the turns of a session, in order, calls of a tool that failed and
// others of the same aim that worked then. A call that worked when it was made again as it
// was tells nothing, nor does one after something else was changed meanwhile, nor a failure
// that passes by itself.
func Recoveries(turns []strata.Turn) []Recovery {
	var out []Recovery
	var open []*chain
	for _, a := range attempts(turns) {
		var still []*chain
		joined := false
		for _, c := range open {
			switch goesOn, done := c.take(a, &joined); {
			case done:
				out = append(out, c.recovery())
			case goesOn:
				still = append(still, c)
			}
		}
		open = still
		if a.failed && !joined && tells(a) {
			open = append(open, &chain{failed: []attempt{a}})
		}
	}
	return out
}

// attempt is a call with its result, or a message of the user, which has no tool.
type attempt struct {
	tool      string
	arguments string // see essential
	failed    bool
	said      string // the line of the result that says what was wrong
	turns     []string
	seq       int64 // of the result
}

// attempts pairs calls with their results, in the order of the results.
func attempts(turns []strata.Turn) []attempt {
	waiting := make(map[string]attempt) // by the id of the call; some models begin anew in every turn
	var out []attempt
	for _, t := range turns {
		switch {
		case t.Role == strata.RoleUser:
			out = append(out, attempt{})
		case t.Role == strata.RoleAssistant:
			for _, c := range t.Calls {
				delete(waiting, c.ID)
				if c.ID != "" && !t.Forgotten {
					waiting[c.ID] = attempt{tool: c.Name, arguments: essential(c.Arguments), turns: []string{t.ID}}
				}
			}
		case t.Role == strata.RoleTool && t.CallID != "":
			a, ok := waiting[t.CallID]
			delete(waiting, t.CallID)
			if ok && !t.Forgotten {
				a.failed, a.turns, a.seq = t.Failed, append(a.turns, t.ID), t.Seq
				if a.failed {
					a.said = gist(t.Text)
				}
				out = append(out, a)
			}
		}
	}
	return out
}

// chain is a call that failed, with what followed.
type chain struct {
	failed  []attempt
	worked  []attempt
	between int // calls and messages since the last failure that have another aim
}

// take takes what was called next. It reports whether the chain goes on, and whether the
// call is the one that worked. A failure of the same aim joins it.
func (c *chain) take(a attempt, joined *bool) (goesOn, done bool) {
	last := c.failed[len(c.failed)-1]
	same := strings.EqualFold(a.tool, last.tool)
	switch {
	case same && a.failed && !*joined && (a.arguments == last.arguments || sameAim(last, a)):
		*joined = true
		if isPassing(a.said) {
			return false, false
		}
		if a.arguments != last.arguments {
			c.failed = append(c.failed, a)
		}
		c.worked, c.between = nil, 0
		return true, false
	case same && !a.failed && slices.ContainsFunc(c.failed, func(f attempt) bool { return f.arguments == a.arguments }):
		return false, false // it works as it was
	case same && !a.failed && slices.ContainsFunc(c.failed, func(f attempt) bool { return sameAim(f, a) }):
		c.worked = append(c.worked, a)
		return false, len(a.arguments) <= maxArguments
	case !a.failed && changes(a.tool):
		return false, false
	}
	if same && !a.failed && len(a.arguments) <= maxArguments && sameCommand(last.arguments, a.arguments) {
		c.worked = append(c.worked, a)
	}
	c.between++
	return c.between <= maxBetween && len(c.worked) < maxWorked, false
}

// recovery is what a chain tells.
func (c *chain) recovery() Recovery {
	first := c.failed[0]
	r := Recovery{Tool: first.tool, Seq: c.worked[len(c.worked)-1].seq}
	kept := append([]attempt{first}, c.failed[max(1, len(c.failed)-maxFailedCalls+1):]...)
	for _, a := range kept {
		r.Failed = append(r.Failed, Call{Arguments: a.arguments, Error: a.said})
		r.Turns = append(r.Turns, a.turns...)
	}
	for _, a := range c.worked {
		r.Worked = append(r.Worked, Call{Arguments: a.arguments})
		r.Turns = append(r.Turns, a.turns...)
	}
	slices.Sort(r.Turns)
	r.Turns = slices.Compact(r.Turns)
	return r
}

// maxGist is how much of the line that says what was wrong is kept, in characters.
const maxGist = 200

// gist is the line of an error that says what was wrong: the first with words of its own,
// of a traceback the last.
func gist(said string) string {
	var lines []string
	for line := range strings.Lines(errorTag.ReplaceAllString(text.Head(said, 16<<10), "")) {
		if line = fence.Line(line); line != "" {
			lines = append(lines, line)
		}
	}
	if slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "Traceback (") }) {
		slices.Reverse(lines)
	}
	for _, line := range lines {
		if saysMore(line) {
			return fence.Cut(line, maxGist)
		}
	}
	return ""
}

// errorTag matches what agents put around an error.
var errorTag = lazyregexp.New(`</?[a-z_]*error>`)

// hollow are words of an error that say no more than that there is one.
var hollow = text.WordSet(`error err exit code status failed failure fail command fatal exception warning line stderr stdout n id path url time`)

// saysMore reports whether a line has two words that say what was wrong.
func saysMore(line string) bool {
	words := 0
	for t := range text.Tokens(mask(line)) {
		if !t.Stop && !hollow[t.Word] && !text.IsNumber(t.Word) {
			words++
		}
	}
	return words >= 2
}

// tells reports whether a failure is one of which something can be learned.
func tells(a attempt) bool {
	return a.said != "" && !isPassing(a.said) && len(a.arguments) <= maxArguments
}

// passing matches failures that have their cause elsewhere than in the call: they pass, or
// somebody did not want it.
var passing = lazyregexp.New(`(?i)\b(?:timed? ?out|timeouts?|deadline exceeded|connection (?:refused|reset|closed|aborted)|network is unreachable|temporar(?:y|ily)|try again|rate.?limit\w*|too many requests|overloaded|unavailable|bad gateway|429|50[0234]|interrupted|cancell?ed|aborted|killed|out of memory|no space left|not run|doesn't want|rejected by|declined|denied by the user)\b`)

func isPassing(said string) bool { return passing.MatchString(said) }

// changing matches names of tools after which what failed may work as it was.
var changing = lazyregexp.New(`(?i)(?:^|[^a-z])(?:edit|write|patch|create|update|delete|remove|insert|replace|move|rename|save|set)|(?-i:Edit|Write|Patch|Create|Update|Delete|Insert|Replace)`)

func changes(tool string) bool { return changing.MatchString(tool) }
