package language

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// source is a language's file as it is written, before its patterns are
// compiled.
type source struct {
	parts      map[string][]string // keyword to alternatives
	lists      [][2]string         // name and alternatives, in their order
	relations  [][2]string         // English key and alternatives
	attributes [][2]string
	dates      [][2]string // step and alternatives
	rules      [][3]string // keyword, key and pattern
	orders     [][3]string // keyword, pattern and text
	wordings   [][2]string // pattern and text
	topics     [][2]string // slot and pattern
	examples   []Example
}

// parse reads a language's file.
func parse(name, text string) (*Language, error) {
	s := &source{parts: make(map[string][]string)}
	l := &Language{Name: name, stop: ".", source: s}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		if err := s.line(l, word, rest); err != nil {
			return nil, fmt.Errorf("read %s, line %d: %w", name, n, err)
		}
	}
	if len(l.words) == 0 && l.script == "latin" {
		return nil, fmt.Errorf("read %s: no words tell the language", name)
	}
	return l, nil
}

func (s *source) line(l *Language, word, rest string) error {
	if rest == "" {
		return fmt.Errorf("%s says nothing", word)
	}
	first, after, _ := strings.Cut(rest, " ")
	switch word {
	case "script":
		l.script = rest
	case "letters":
		l.letters += rest
	case "stop":
		l.stop = rest
	case "words":
		l.words = append(l.words, strings.Fields(rest)...)
	case "list":
		s.lists = append(s.lists, [2]string{first, after})
	case "relation", "attribute", "date":
		key := strings.ReplaceAll(first, "-", " ")
		switch word {
		case "relation":
			s.relations = append(s.relations, [2]string{key, after})
		case "attribute":
			s.attributes = append(s.attributes, [2]string{key, after})
		default:
			s.dates = append(s.dates, [2]string{first, after})
		}
	case "lead", "greeting", "correct", "remember", "condition", "ask", "material", "begins", "subject", "pronoun", "joint", "report", "refuse", "passing", "past", "when", "tail", "article", "particle", "pointing", "bid", "forbid":
		s.parts[word] = append(s.parts[word], rest)
	case "feedback", "leave", "right":
		s.rules = append(s.rules, [3]string{word, "feedback", rest})
	case "fact", "gone", "plan", "greeted":
		if after == "" {
			return fmt.Errorf("%s without a pattern", word)
		}
		s.rules = append(s.rules, [3]string{word, strings.ReplaceAll(first, "-", " "), after})
	case "topic":
		if !strings.Contains(first, "/") || after == "" {
			return fmt.Errorf("topic without a slot or a pattern")
		}
		s.topics = append(s.topics, [2]string{strings.ReplaceAll(first, "-", " "), after})
	case "order", "retell", "wording":
		pattern, to, ok := strings.Cut(rest, " => ")
		if !ok {
			return fmt.Errorf("%s without =>", word)
		}
		if word == "wording" {
			s.wordings = append(s.wordings, [2]string{pattern, to})
			break
		}
		s.orders = append(s.orders, [3]string{word, pattern, to})
	case "+":
		say, facts, ok := strings.Cut(rest, " => ")
		if !ok {
			return fmt.Errorf("an example without =>")
		}
		s.examples = append(s.examples, Example{Sentence: say, Facts: strings.Split(facts, " | ")})
	case "-":
		s.examples = append(s.examples, Example{Sentence: rest})
	default:
		return fmt.Errorf("no such keyword: %s", word)
	}
	return nil
}

// compile makes the grammar of a source.
func (s *source) compile(script string) (*grammar, error) {
	g := &grammar{spaced: script != "han" && script != "kana", relations: make(map[string]string), attributes: make(map[string]string)}
	names := placeholders()
	names = append(names, "{relation}", alternatives(s.relations, "relation", g.relations), "{attribute}", alternatives(s.attributes, "attribute", g.attributes))
	var dates []string
	for _, d := range s.dates {
		dates = append(dates, d[1])
	}
	names = append(names, "{date}", "(?:"+strings.Join(dates, "|")+")")
	expand := func(p string) string { return strings.NewReplacer(names...).Replace(p) }
	for _, l := range s.lists {
		names = append(names, "{"+l[0]+"}", "(?:"+expand(l[1])+")")
	}
	var failed error
	for _, l := range s.lists {
		if l[0] == "day" || l[0] == "weekday" {
			re, err := regexp.Compile(expand("{" + l[0] + "}"))
			if err != nil {
				return nil, err
			}
			g.calendar = append(g.calendar, re)
		}
	}
	compile := func(p string) *regexp.Regexp {
		re, err := regexp.Compile(expand(p))
		if err != nil {
			failed = err
		}
		return re
	}
	part := func(name, before, after string) *regexp.Regexp {
		alternatives := s.parts[name]
		if len(alternatives) == 0 {
			return never.Get()
		}
		return compile(strings.ReplaceAll(expand(before+"(?:"+strings.Join(alternatives, "|")+")"+after), "(?P<relation>", "(?:"))
	}
	pronounEnd := ` `
	if script == "han" || script == "kana" {
		pronounEnd = ``
	}
	after, before, around, behind := `(?:[ ,:;.!،]+|$)`, `(?:^|[ ,،]+)`, `(?:^|[ ,،(])`, `(?:$|[ ,،.:;)])`
	if !g.spaced {
		after, before, around, behind = `[ ,:;.!，、：]*`, `[ ，、]*`, ``, ``
	}
	for name, to := range map[string]**regexp.Regexp{"lead": &g.lead, "greeting": &g.greeting, "correct": &g.correct, "remember": &g.remember, "condition": &g.condition, "ask": &g.ask,
		"material": &g.material, "begins": &g.begins} {
		*to = part(name, `^`, after)
	}
	for name, to := range map[string]**regexp.Regexp{"report": &g.report, "refuse": &g.refuse, "passing": &g.passing, "past": &g.past, "when": &g.when} {
		*to = part(name, around, behind)
	}
	g.subject, g.pronoun = part("subject", `^`, ``), part("pronoun", `^`, pronounEnd)
	g.joint = joint.Get()
	if more := s.parts["joint"]; more != nil {
		g.joint = compile(joint.Get().String() + "|" + strings.Join(more, "|"))
	}
	g.tail, g.article = part("tail", before, `$`), part("article", `^`, ``)
	g.pointing = part("pointing", `^`, pronounEnd)
	g.particle = part("particle", `^`, `$`)
	edge := ``
	if g.spaced {
		edge = ` `
	}
	g.bid, g.forbid = part("bid", edge, edge), part("forbid", edge, edge)
	for _, r := range s.rules {
		c := rule{kind: r[0], key: r[1], pattern: compile(`^(?:` + r[2] + `)$`)}
		c.needs = needs(expand(r[2]))
		switch c.kind {
		case "feedback":
			g.feedback = append(g.feedback, c)
		case "right":
			g.right = append(g.right, c)
		case "leave":
			g.leave = append(g.leave, c)
		default:
			g.rules = append(g.rules, c)
		}
	}
	for _, o := range s.orders {
		g.orders = append(g.orders, order{pattern: compile(`^(?:` + o[1] + `)$`), text: o[2], retold: o[0] == "retell"})
	}
	for _, o := range s.wordings {
		g.wordings = append(g.wordings, order{pattern: compile(`^(?:` + o[0] + `)$`), text: o[1]})
	}
	for _, t := range s.topics {
		entity, attribute, _ := strings.Cut(t[0], "/")
		g.topics = append(g.topics, topic{entity, attribute, compile(`^(?:` + t[1] + `)$`)})
	}
	for _, d := range s.dates {
		step, err := parseStep(d[0])
		if err != nil {
			return nil, err
		}
		step.pattern = compile(around + `(` + d[1] + `)` + behind)
		step.needs = needs(expand(d[1]))
		g.dates = append(g.dates, step)
	}
	return g, failed
}

var (
	never = lazyregexp.New(`[^\x00-\x{10FFFF}]`)
	joint = lazyregexp.New(`[,;] |[，；、،؛]\s*| [–—-] `)
)

// placeholders are the names that patterns capture a value by.
func placeholders() []string {
	var out []string
	for _, name := range []string{"name", "place", "proper", "thing", "value", "wrong"} {
		out = append(out, "{"+name+"}", "(?P<"+name+">.+?)")
	}
	return out
}

// alternatives is the group of all words of a list, the longest first. It notes
// what they are in English.
func alternatives(list [][2]string, group string, english map[string]string) string {
	var words []string
	for _, l := range list {
		for w := range strings.SplitSeq(l[1], "|") {
			english[w] = l[0]
			words = append(words, w)
		}
	}
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	if len(words) == 0 {
		return "(?:x{0})"
	}
	return "(?P<" + group + ">" + strings.Join(words, "|") + ")"
}

// maxNeeds bounds the words that are looked for before a pattern is tried.
const maxNeeds = 24

// needs returns what is looked for in a text before an expression is tried on it.
func needs(expression string) []string {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil // whoever compiles it says so
	}
	return required(tree.Simplify())
}

// required returns texts of which every match of an expression holds one, nil
// where there are none or too many.
func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if found := required(sub); found != nil && shortest(found) > shortest(best) {
				best = found
			}
		}
		return best
	case syntax.OpAlternate:
		var union []string
		for _, sub := range re.Sub {
			found := required(sub)
			if found == nil || len(union)+len(found) > maxNeeds {
				return nil
			}
			union = append(union, found...)
		}
		return union
	}
	return nil
}

// shortest is the length of the shortest text, in bytes; 0 for none.
func shortest(texts []string) int {
	n := 0
	for i, t := range texts {
		if i == 0 || len(t) < n {
			n = len(t)
		}
	}
	return n
}
