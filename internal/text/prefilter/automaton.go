package prefilter

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// automaton tells whether an expression may match somewhere in a text. A no is certain;
// after a yes, the expression itself must be tried. It reads each character at most once,
// and rejects most expressions that are anchored to the start of a text after a few
// characters. Package regexp takes about a hundred times as long for the same answer, and
// without the automaton a fact takes seven times as long to prepare.
//
// It is a deterministic automaton that is built while it is used, as in RE2. Three
// simplifications keep it small. Each can only let more texts pass: a counted repetition
// counts no further than one, all characters outside of ASCII are alike, and groups are
// ignored.
type automaton struct {
	prog     *syntax.Prog
	anchored bool                     // a match must begin at the start of the text
	symbols  [utf8.RuneSelf]uint8     // symbol of each ASCII character; equivalent ones share one
	member   []rune                   // one character of each symbol; the last symbol is for all characters outside of ASCII
	start    atomic.Pointer[dfaState] // state before the first character

	mu    sync.Mutex // guards known
	known map[string]*dfaState
}

// dfaState is the set of places in the program that are reachable after the text read so
// far. The transitions of a state never change, so states may be dropped at any time.
type dfaState struct {
	matched bool                       // the text read so far matches
	failed  bool                       // no continuation can match
	before  byte                       // class of the last character
	places  []uint32                   // where the program continues, in order
	next    []atomic.Pointer[dfaState] // by symbol; nil until computed
	atEnd   atomic.Pointer[bool]       // whether a text that ends here matches; nil until computed
}

// maxStates is the most states that an automaton keeps. Most automata have a few dozen.
const maxStates = 1 << 9

// The classes of characters that decide where an expression sees a boundary.
const (
	boundary  byte = iota // the start or the end of the text
	otherChar             // any other character
	wordChar              // an ASCII letter, digit or underscore
	newline
)

// automatonOf returns the automaton of an expression. It returns nil, which lets every
// text pass, for one that cannot be parsed; compiling it will report the error.
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

// loosened removes from an expression the parts that an automaton ignores.
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

// partition assigns symbols to the ASCII characters. Characters that all instructions of
// the program treat alike get the same symbol.
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

// step returns the state after one more character, and caches it.
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

// end reports whether a text that ends in a state matches, and caches the answer.
func (a *automaton) end(at *dfaState) bool {
	known := at.atEnd.Load()
	if known == nil {
		_, matched := a.follow(at, boundary)
		known = &matched
		at.atEnd.Store(known)
	}
	return *known
}

// state returns the state with the given places, and adds it if it is new.
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

// follow follows the instructions that consume no character, starting from the places of
// a state; after is the class of the next character. It returns the instructions that
// consume a character, and whether the expression has matched.
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

// emptyOps returns the zero-width assertions that hold between characters of two classes.
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

// takesOthers reports whether an instruction matches a character outside of ASCII. The
// long s and the Kelvin sign are case variants of ASCII letters.
func takesOthers(inst *syntax.Inst) bool {
	return inst.Rune[len(inst.Rune)-1] >= utf8.RuneSelf || inst.MatchRune('ſ') || inst.MatchRune('\u212a')
}
