package prefilter

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// automaton reports whether an expression may match somewhere in a text. No is
// certain; after yes the expression itself must be asked. It reads each
// character once, and dismisses most expressions that are bound to the start of
// a text by its first characters: package regexp takes some hundred times as
// long for the same answer, and without it a fact costs seven times as much to
// prepare.
//
// It is a deterministic automaton that is built while it is used, as in RE2.
// Three simplifications keep it small; each lets more texts through, none fewer:
// a counted repetition counts no further than one, characters outside ASCII are
// all alike, and groups are ignored.
type automaton struct {
	prog     *syntax.Prog
	anchored bool                     // a match begins at the start of the text
	symbols  [utf8.RuneSelf]uint8     // of ASCII characters; those that the expression treats alike share one
	member   []rune                   // a character of each symbol; the last symbol is that of all others
	start    atomic.Pointer[dfaState] // before the first character

	mu    sync.Mutex // guards known
	known map[string]*dfaState
}

// dfaState is a set of places in the program at which the text read so far leaves
// it. What a state leads to never changes, so states may be dropped at any time.
type dfaState struct {
	matched bool                       // the expression matches what was read
	failed  bool                       // it cannot match, whatever follows
	before  byte                       // class of the last character
	places  []uint32                   // where the program continues, in order
	next    []atomic.Pointer[dfaState] // by symbol; nil while not known
	atEnd   atomic.Pointer[bool]       // whether the expression matches a text that ends here; nil while not known
}

// maxStates bounds the states that an automaton remembers. Most have some dozen.
const maxStates = 1 << 9

// The classes of characters between which an expression can tell a boundary.
const (
	boundary  byte = iota // the start or the end of the text
	otherChar             // neither of the next two
	wordChar              // a letter, a digit or an underscore, of ASCII
	newline
)

// automatonOf returns the automaton of an expression, or nil, which holds
// nothing back, for one that cannot be parsed: compiling it reports why.
func automatonOf(source string) *automaton {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil
	}
	first := tree
	for first.Op == syntax.OpConcat || first.Op == syntax.OpCapture {
		first = first.Sub[0]
	}
	a := &automaton{anchored: first.Op == syntax.OpBeginText}
	if a.prog, err = syntax.Compile(loosened(tree).Simplify()); err != nil {
		return nil
	}
	a.partition()
	a.reset()
	return a
}

// loosened removes from an expression what an automaton does not look at.
func loosened(re *syntax.Regexp) *syntax.Regexp {
	for i, sub := range re.Sub {
		re.Sub[i] = loosened(sub)
	}
	switch {
	case re.Op == syntax.OpCapture:
		return re.Sub[0]
	case re.Op == syntax.OpRepeat && re.Max != 1 && re.Min == 0:
		re.Op = syntax.OpStar
	case re.Op == syntax.OpRepeat && re.Max != 1:
		re.Op = syntax.OpPlus
	}
	return re
}

// partition gives the ASCII characters their symbols, the same to those that all
// instructions of the program treat alike.
func (a *automaton) partition() {
	var distinct []*syntax.Inst
	var key []byte
	seen := make(map[string]bool)
	for i := range a.prog.Inst {
		inst := &a.prog.Inst[i]
		key = binary.LittleEndian.AppendUint32(key[:0], inst.Arg)
		for _, r := range inst.Rune {
			key = binary.LittleEndian.AppendUint32(key, uint32(r))
		}
		if len(inst.Rune) > 0 && !seen[string(key)] {
			seen[string(key)] = true
			distinct = append(distinct, inst)
		}
	}
	symbols := make(map[string]uint8)
	for r := range rune(utf8.RuneSelf) {
		treated := []byte{classOf(r)}
		for _, inst := range distinct {
			takes := byte(0)
			if inst.MatchRune(r) {
				takes = 1
			}
			treated = append(treated, takes)
		}
		symbol, ok := symbols[string(treated)]
		if !ok {
			symbol = uint8(len(a.member))
			symbols[string(treated)] = symbol
			a.member = append(a.member, r)
		}
		a.symbols[r] = symbol
	}
	a.member = append(a.member, utf8.MaxRune)
}

// classOf returns the class of a character.
func classOf(r rune) byte {
	switch {
	case r == '\n':
		return newline
	case syntax.IsWordChar(r):
		return wordChar
	}
	return otherChar
}

// reset drops all states.
func (a *automaton) reset() {
	a.known = make(map[string]*dfaState)
	a.start.Store(a.state(false, boundary, []uint32{uint32(a.prog.Start)}))
}

// may reports whether the expression may match somewhere in s.
func (a *automaton) may(s string) bool {
	if a == nil {
		return true
	}
	at, others := a.start.Load(), len(a.member)-1
	for i := 0; i < len(s); {
		symbol, n := others, 1
		if c := s[i]; c < utf8.RuneSelf {
			symbol = int(a.symbols[c])
		} else {
			_, n = utf8.DecodeRuneInString(s[i:])
		}
		next := at.next[symbol].Load()
		if next == nil {
			next = a.step(at, symbol)
		}
		if next.matched || next.failed {
			return next.matched
		}
		at = next
		i += n
	}
	return a.end(at)
}

// step returns the state after another character, and remembers it.
func (a *automaton) step(from *dfaState, symbol int) *dfaState {
	r := a.member[symbol]
	after := classOf(r)
	open, matched := a.follow(from, after)
	var places []uint32
	if !matched {
		for _, pc := range open {
			inst := &a.prog.Inst[pc]
			if r < utf8.RuneSelf && inst.MatchRune(r) || r >= utf8.RuneSelf && takesOthers(inst) {
				places = append(places, inst.Out)
			}
		}
		if !a.anchored {
			places = append(places, uint32(a.prog.Start))
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) >= maxStates {
		a.reset()
	}
	next := a.state(matched, after, places)
	from.next[symbol].Store(next)
	return next
}

// end reports whether the expression matches a text that ends in a state, and
// remembers it.
func (a *automaton) end(at *dfaState) bool {
	known := at.atEnd.Load()
	if known == nil {
		_, matched := a.follow(at, boundary)
		known = &matched
		at.atEnd.Store(known)
	}
	return *known
}

// state returns the state with these places.
func (a *automaton) state(matched bool, before byte, places []uint32) *dfaState {
	slices.Sort(places)
	places = slices.Compact(places)
	key := []byte{before, 0}
	if matched {
		key[1] = 1
	}
	for _, pc := range places {
		key = binary.LittleEndian.AppendUint32(key, pc)
	}
	s := a.known[string(key)]
	if s == nil {
		s = &dfaState{matched: matched, failed: !matched && len(places) == 0, before: before, places: places}
		if len(places) > 0 {
			s.next = make([]atomic.Pointer[dfaState], len(a.member))
		}
		a.known[string(key)] = s
	}
	return s
}

// follow goes from the places of a state as far as no character is needed, where
// the next one is of class after. It returns the instructions that take one, and
// whether the expression matches already.
func (a *automaton) follow(from *dfaState, after byte) (open []uint32, matched bool) {
	holds := emptyOps(from.before, after)
	seen := make([]bool, len(a.prog.Inst))
	stack := slices.Clone(from.places)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		inst := &a.prog.Inst[pc]
		switch inst.Op {
		case syntax.InstMatch:
			return nil, true
		case syntax.InstFail:
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Out, inst.Arg)
		case syntax.InstNop, syntax.InstCapture:
			stack = append(stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^holds == 0 {
				stack = append(stack, inst.Out)
			}
		default:
			open = append(open, pc)
		}
	}
	return open, false
}

// emptyOps returns what holds between characters of two classes.
func emptyOps(before, after byte) syntax.EmptyOp {
	holds := syntax.EmptyNoWordBoundary
	if (before == wordChar) != (after == wordChar) {
		holds = syntax.EmptyWordBoundary
	}
	switch before {
	case boundary:
		holds |= syntax.EmptyBeginText | syntax.EmptyBeginLine
	case newline:
		holds |= syntax.EmptyBeginLine
	}
	switch after {
	case boundary:
		holds |= syntax.EmptyEndText | syntax.EmptyEndLine
	case newline:
		holds |= syntax.EmptyEndLine
	}
	return holds
}

// takesOthers reports whether an instruction takes some character outside ASCII.
// A long s and the sign of Kelvin are other cases of letters inside.
func takesOthers(inst *syntax.Inst) bool {
	return inst.Rune[len(inst.Rune)-1] >= utf8.RuneSelf || inst.MatchRune('ſ') || inst.MatchRune('\u212a')
}
