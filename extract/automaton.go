package extract

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// automaton tells of a text which of some expressions may match somewhere in it.
// No is certain; after yes the expression itself must be asked. It reads each
// character once, at some nanoseconds for all expressions together, and most
// expressions that are bound to the start of a text are dismissed by its first
// characters: package regexp takes some hundred times as long for the same answer.
//
// It is a deterministic automaton that is built while it is used, as in RE2.
// Three simplifications keep it small; each lets more texts through, none fewer:
// a counted repetition counts no further than one, characters outside ASCII are
// all alike, and groups are ignored.
type automaton struct {
	prog    *syntax.Prog // of all expressions; the number of each is with its match
	starts  []uint32     // where a match begins that is bound to the start of the text
	again   []uint32     // where one can begin at every place
	needs   string       // stands in every text that matches, in either case; see needed
	symbols [128]uint8   // of ASCII characters: those that no expression tells apart share one
	foreign uint8        // the symbol of all others; the highest

	start  atomic.Pointer[node]
	mu     sync.Mutex // guards known
	known  map[string]*node
	member []rune // a character of each symbol
}

// family is a set of the expressions of an automaton: bit 0 is the first.
type family uint32

// maxFamily is how many expressions an automaton can have. One bit of a family is
// needed to say that it is known.
const maxFamily = 31

// node is a set of places in the program at which the text read so far leaves
// it. What a state leads to never changes, so that states may be dropped at any
// time.
type node struct {
	found  family                 // what matches with the characters read so far
	last   bool                   // nothing that follows can add to what was found
	before uint8                  // what the last character was, see context
	places []uint32               // where to go on, in order
	next   []atomic.Pointer[node] // by symbol; nil of a last one
	atEnd  atomic.Uint32          // what matches if the text ends here, above a bit that says it is known
}

// soon is how many characters an automaton reads before it looks whether the rest
// of the text is worth it.
const soon = 8

// maxStates bounds the states that an automaton keeps, for each of its
// expressions. One alone has some dozen in use, several together some hundred.
const maxStates = 1 << 9

// What stands before a place of a text, as far as an expression can ask.
const (
	beforeStart uint8 = iota
	beforeOther
	beforeWord
	beforeLine
)

// automatonOf returns the automaton of an expression, or nil, which holds nothing
// back, for one that cannot be parsed: compiling it reports why.
func automatonOf(source string) *automaton {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil
	}
	a := &automaton{prog: new(syntax.Prog), needs: needed(tree)}
	if a.add(tree) != nil {
		return nil
	}
	a.partition()
	a.reset()
	return a
}

// together returns one automaton for several expressions, which must be valid: to
// read a text once for all of them takes hardly longer than for one.
func together(sources ...string) *automaton {
	a := &automaton{prog: new(syntax.Prog)}
	for _, source := range sources {
		tree, err := syntax.Parse(source, syntax.Perl)
		if err == nil {
			err = a.add(tree)
		}
		if err != nil {
			panic("extract: " + err.Error())
		}
	}
	a.partition()
	a.reset()
	return a
}

// add puts the program of another expression behind those before it.
func (a *automaton) add(tree *syntax.Regexp) error {
	anchored := flat(tree)[0].Op == syntax.OpBeginText
	prog, err := syntax.Compile(loosened(tree).Simplify())
	if err != nil {
		return err
	}
	number, from := uint32(a.expressions()), uint32(len(a.prog.Inst))
	if number == maxFamily {
		panic("extract: too many expressions for an automaton")
	}
	for _, inst := range prog.Inst {
		inst.Out += from
		switch inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			inst.Arg += from
		case syntax.InstMatch:
			inst.Arg = number
		}
		a.prog.Inst = append(a.prog.Inst, inst)
	}
	if start := from + uint32(prog.Start); anchored {
		a.starts = append(a.starts, start)
	} else {
		a.again = append(a.again, start)
	}
	return nil
}

// expressions returns how many there are.
func (a *automaton) expressions() int { return len(a.starts) + len(a.again) }

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

// partition gives the characters their symbols: those that all instructions
// treat alike get the same.
func (a *automaton) partition() {
	var line, word asciiSet
	line.add('\n')
	for r := rune(0); r < utf8.RuneSelf; r++ {
		if syntax.IsWordChar(r) {
			word.add(r)
		}
	}
	symbols := a.split(line, 1)
	symbols = a.split(word, symbols)
	done := make(map[asciiSet]bool)
	for i := range a.prog.Inst {
		if set := asciiOf(&a.prog.Inst[i]); !done[set] {
			done[set] = true
			symbols = a.split(set, symbols)
		}
	}
	a.foreign = uint8(symbols)
	a.member = make([]rune, symbols+1)
	for c, symbol := range a.symbols {
		a.member[symbol] = rune(c)
	}
}

// split gives the members of a set other symbols than those that share theirs
// outside of it, and returns how many symbols there are then.
func (a *automaton) split(set asciiSet, symbols int) int {
	var outside [128]bool // by symbol
	for c, symbol := range a.symbols {
		if !set.has(rune(c)) {
			outside[symbol] = true
		}
	}
	var renamed [128]uint8
	for c, symbol := range a.symbols {
		if !set.has(rune(c)) || !outside[symbol] {
			continue
		}
		if renamed[symbol] == 0 {
			renamed[symbol] = uint8(symbols)
			symbols++
		}
		a.symbols[c] = renamed[symbol]
	}
	return symbols
}

// asciiSet is a set of ASCII characters.
type asciiSet [2]uint64

func (s *asciiSet) add(r rune)     { s[r>>6] |= 1 << (r & 63) }
func (s asciiSet) has(r rune) bool { return s[r>>6]&(1<<(r&63)) != 0 }

// asciiOf returns which ASCII characters an instruction names.
func asciiOf(inst *syntax.Inst) asciiSet {
	var set asciiSet
	if inst.Op != syntax.InstRune && inst.Op != syntax.InstRune1 {
		return set
	}
	for i := 0; i < len(inst.Rune); i += 2 {
		last := inst.Rune[min(i+1, len(inst.Rune)-1)] // a single character is no pair
		for r := inst.Rune[i]; r <= last && r < utf8.RuneSelf; r++ {
			set.add(r)
		}
	}
	for _, r := range folds(inst) {
		if r < utf8.RuneSelf {
			set.add(r)
		}
	}
	return set
}

// folds returns the other cases of the only character that an instruction takes
// in any case.
func folds(inst *syntax.Inst) []rune {
	if len(inst.Rune) != 1 || syntax.Flags(inst.Arg)&syntax.FoldCase == 0 {
		return nil
	}
	var all []rune
	for r := unicode.SimpleFold(inst.Rune[0]); r != inst.Rune[0]; r = unicode.SimpleFold(r) {
		all = append(all, r)
	}
	return all
}

// reset forgets all states.
func (a *automaton) reset() {
	a.known = make(map[string]*node)
	a.start.Store(a.node(0, beforeStart, slices.Concat(a.starts, a.again)))
}

// may reports whether any of the expressions may match somewhere in s.
func (a *automaton) may(s string) bool { return a == nil || a.which(s) != 0 }

// which returns the expressions that may match somewhere in s. Of a single one
// no more is read than tells it.
func (a *automaton) which(s string) family {
	at, needs, found := a.start.Load(), a.needs, family(0)
	for i := 0; i < len(s); {
		// Most texts are told by their first characters. To look for a string in
		// the others takes a tenth of the time of reading them.
		if i >= soon && needs != "" {
			if !holdsFold(s, needs) {
				return 0
			}
			needs = ""
		}
		symbol, n := a.foreign, 1
		if c := s[i]; c < utf8.RuneSelf {
			symbol = a.symbols[c]
		} else {
			_, n = utf8.DecodeRuneInString(s[i:])
		}
		next := at.next[symbol].Load()
		if next == nil {
			next = a.step(at, symbol)
		}
		found |= next.found
		if next.last {
			return found
		}
		at = next
		i += n
	}
	return found | a.end(at)
}

// step returns the state after another character, and remembers it.
func (a *automaton) step(from *node, symbol uint8) *node {
	after, r := beforeOther, a.member[symbol]
	switch {
	case r == '\n':
		after = beforeLine
	case syntax.IsWordChar(r):
		after = beforeWord
	}
	open, found := a.follow(from, context(from.before, after))
	var places []uint32
	if found == 0 || a.expressions() > 1 {
		for _, pc := range open {
			inst := &a.prog.Inst[pc]
			if symbol == a.foreign && takesForeign(inst) || symbol != a.foreign && inst.MatchRune(r) {
				places = append(places, inst.Out)
			}
		}
		places = append(places, a.again...)
	}
	a.mu.Lock()
	if len(a.known) >= maxStates*a.expressions() {
		a.reset()
	}
	next := a.node(found, after, places)
	a.mu.Unlock()
	from.next[symbol].Store(next)
	return next
}

// end returns what matches where a text ends in a state, and remembers it.
func (a *automaton) end(at *node) family {
	known := at.atEnd.Load()
	if known == 0 {
		_, found := a.follow(at, context(at.before, beforeStart))
		known = uint32(found)<<1 | 1
		at.atEnd.Store(known)
	}
	return family(known >> 1)
}

// node returns the state with these places, which is reached by what was found.
func (a *automaton) node(found family, before uint8, places []uint32) *node {
	slices.Sort(places)
	places = slices.Compact(places)
	key := binary.LittleEndian.AppendUint32([]byte{before}, uint32(found))
	for _, pc := range places {
		key = append(key, byte(pc), byte(pc>>8), byte(pc>>16))
	}
	s := a.known[string(key)]
	if s == nil {
		s = &node{found: found, last: len(places) == 0, before: before, places: places}
		if !s.last {
			s.next = make([]atomic.Pointer[node], len(a.member))
		}
		a.known[string(key)] = s
	}
	return s
}

// follow goes from the places of a state as far as no character is needed, and
// returns the instructions that take one, and which expressions match.
func (a *automaton) follow(from *node, at syntax.EmptyOp) (open []uint32, found family) {
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
			found |= 1 << inst.Arg
		case syntax.InstFail:
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Out, inst.Arg)
		case syntax.InstNop, syntax.InstCapture:
			stack = append(stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^at == 0 {
				stack = append(stack, inst.Out)
			}
		default:
			open = append(open, pc)
		}
	}
	return open, found
}

// context says what holds between two characters. After the last one comes what
// was before the first.
func context(before, after uint8) syntax.EmptyOp {
	at := syntax.EmptyNoWordBoundary
	if (before == beforeWord) != (after == beforeWord) {
		at = syntax.EmptyWordBoundary
	}
	switch before {
	case beforeStart:
		at |= syntax.EmptyBeginText | syntax.EmptyBeginLine
	case beforeLine:
		at |= syntax.EmptyBeginLine
	}
	switch after {
	case beforeStart:
		at |= syntax.EmptyEndText | syntax.EmptyEndLine
	case beforeLine:
		at |= syntax.EmptyEndLine
	}
	return at
}

// takesForeign reports whether an instruction takes some character outside ASCII.
func takesForeign(inst *syntax.Inst) bool {
	switch inst.Op {
	case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	case syntax.InstRune, syntax.InstRune1:
		isForeign := func(r rune) bool { return r >= utf8.RuneSelf }
		return isForeign(inst.Rune[len(inst.Rune)-1]) || slices.ContainsFunc(folds(inst), isForeign)
	}
	return false
}
