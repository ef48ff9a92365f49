package markdown

import (
	"sort"
	"strings"
	"time"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// maxHeading is the maximum number of characters of a heading in a section.
const maxHeading = 200

// Sections divides a document into the sections that retrieval ranks. A section is the
// text under one heading, up to the next. A heading with nothing under it but deeper
// headings is in the section of the first of these, and so is a thematic break. A section
// of more than [MaxWords] words is divided at paragraphs, list items and lines, into
// parts of about 30 to MaxWords words. In a document with more than [MaxParts] headings,
// consecutive short sections are joined under the headings that they share.
//
// Every line that a person wrote is in exactly one section, except for blank lines and
// lines that consist of a comment; a very long line may be split between sections. Front
// matter and generated parts are in no section. Only the learnings in learnings files
// are, since nothing else makes them searchable. A note without a body has one section,
// whose text is its description. Standard files that nobody has changed and skills that
// are not offered have no sections.
//
// Lines end in "\n" and are counted from 1, including those in no section.
func Sections(path, content string) []strata.Section {
	if isBlank(content) || IsSetAside(path, content) || content == Starter(path) || isEmptyDay(path, content) || hasRegions(path) && IsBegun(path, Human(path, content)) {
		return nil
	}
	content = strings.ToValidUTF8(content, "\uFFFD")
	front, first := frontOf(content)
	lines := linesOf(content)
	classes := classify(path, lines)
	src := masked(lines, classes, false)
	for i := range first {
		src[i] = "\n"
	}
	var out []strata.Section
	for _, r := range fewer(src, headed(src)) {
		for _, s := range divide(src, r) {
			s.Seq, s.Path, s.Headings = int64(len(out)+1), path, r.headings
			out = append(out, s)
		}
	}
	if len(out) == 0 && front.Name+front.Description != "" {
		said := front.Description
		if said == "" {
			said = front.Name
		}
		out = []strata.Section{{Path: path, Seq: 1, Line: 1, EndLine: first, Text: said}}
	}
	return out
}

// isEmptyDay reports whether nobody wrote anything into a daily log.
func isEmptyDay(path, content string) bool {
	if strata.KindOfPath(path) != strata.DocumentDaily {
		return false
	}
	day, isDay := strings.CutPrefix(strings.TrimSpace(Human(path, content)), "# ")
	_, err := time.Parse(time.DateOnly, day)
	return isDay && err == nil
}

// frontOf returns the parsable values of front matter and the number of lines that it
// takes. Front matter that is malformed or not closed counts as text and takes none.
func frontOf(content string) (Front, int) {
	if !strings.HasPrefix(strings.TrimPrefix(content, byteOrder), fenceLine) {
		return Front{}, 0
	}
	p, problem := split(content)
	if problem != nil || !p.found {
		return Front{}, 0
	}
	m, problem := parseFront(p.front)
	if problem != nil || len(m.Content) == 0 {
		return Front{}, 0
	}
	r := reader{}
	f := r.front(m)
	return f, strings.Count(p.front, "\n") + 2
}

// masked returns the lines that sections are made of, which are people's lines, with
// other lines replaced by blank ones. If all is false, learnings are kept as well.
func masked(lines []string, classes []class, all bool) []string {
	code := fenced(lines)
	out := make([]string, len(lines))
	for i, line := range lines {
		isMark := !code[i] && isComment(line)
		if isMark || classes[i] != human && (all || classes[i] != learning) || isBlank(line) {
			out[i] = "\n"
			continue
		}
		if out[i] = line; !strings.HasSuffix(line, "\n") {
			out[i] += "\n"
		}
	}
	if len(out) > 0 {
		out[0] = strings.TrimPrefix(out[0], byteOrder)
	}
	return out
}

// isComment reports whether a line consists of a single comment.
func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "<!--") && strings.HasSuffix(line, "-->") && strings.Count(line, "-->") == 1 && len(line) >= len("<!---->")
}

// block is the start of a block: of a heading if level is not 0, or else of a paragraph,
// list item, code block or the like.
type block struct {
	line  int // from 0
	level int
	title string
}

// blocks finds the top-level blocks and list items of a document.
func blocks(src []string) []block {
	var out []block
	parser := blockParser()
	size := chunkLines
	for from := 0; from < len(src); {
		to := from + size
		for to < len(src) && !isHeadingLine(src[to]) {
			to++
		}
		to = min(to, len(src))
		list, open := blocksOf(parser, src, from, to)
		if open && to < len(src) {
			size *= 2
			continue
		}
		for _, b := range list {
			if n := len(out); n == 0 || b.line > out[n-1].line {
				out = append(out, b)
			}
		}
		from, size = to, chunkLines
	}
	return out
}

// chunkLines is the approximate number of lines parsed at once. The syntax tree takes a
// hundred times the size of the text.
const chunkLines = 2000

// isHeadingLine reports whether a line at the top level of a document is a heading. A
// heading ends the block before it, unless that is code or HTML.
func isHeadingLine(line string) bool {
	rest := strings.TrimLeft(line, "#")
	level := len(line) - len(rest)
	return level >= 1 && level <= 6 && (rest == "" || strings.IndexByte(" \t\n", rest[0]) >= 0)
}

// blocksOf finds the blocks in src[from:to]. open means that the last one may continue
// after to, which cannot be told from the following lines alone.
func blocksOf(p parser.Parser, src []string, from, to int) (out []block, open bool) {
	starts := make([]int, to-from)
	var source []byte
	for i, line := range src[from:to] {
		if isDeep(line) {
			line = "x\n" // treat it as text
		}
		starts[i] = len(source)
		source = append(source, line...)
	}
	lineOf := func(offset int) int {
		return from + max(sort.Search(len(starts), func(i int) bool { return starts[i] > offset })-1, 0)
	}
	doc := p.Parse(text.NewReader(source))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		b := block{line: lineOf(n.Pos())}
		open = false
		switch n := n.(type) {
		case *ast.Heading:
			b.level, b.title = n.Level, titleOf(n, source)
		case *ast.FencedCodeBlock, *ast.HTMLBlock:
			open = true
		case *ast.CodeBlock:
			// Their lines contain no other blocks.
		case *ast.List:
			for it := n.FirstChild(); it != nil; it = it.NextSibling() {
				out = append(out, block{line: lineOf(it.Pos())})
			}
			continue
		}
		out = append(out, b)
	}
	return out, open
}

// maxDepth is the maximum depth of quotations and lists opened on one line. The time to
// parse them grows at least with its square.
const maxDepth = 20

// isDeep reports whether a line opens more quotations and items than anybody
// writes.
func isDeep(line string) bool {
	n := 0
	for i := 0; i < len(line) && strings.IndexByte(" \t>-+*0123456789.)", line[i]) >= 0; i++ {
		if strings.IndexByte(">-+*.)", line[i]) >= 0 {
			if n++; n > maxDepth {
				return strings.ContainsAny(line[:i], "> \t")
			}
		}
	}
	return false
}

// blockParser returns a CommonMark parser for blocks that does not parse inline content.
func blockParser() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	))
}

// titleOf returns the words of a heading on one line.
func titleOf(h *ast.Heading, source []byte) string {
	var words []string
	for i := range h.Lines().Len() {
		s := h.Lines().At(i)
		words = append(words, string(s.Value(source)))
	}
	return fence.Cut(oneLine(strings.Join(words, " ")), maxHeading)
}

// part is the text under a heading: the lines from from to before to, and the blocks in
// them.
type part struct {
	from, to int
	blocks   []int // lines at which it can be divided
	headings []string
}

// MaxParts is the maximum number of headings in a document that have sections of their
// own. Each takes a row, index entries and a vector, and nobody writes that many by hand.
const MaxParts = 5000

// fewer joins consecutive short parts if there are more than MaxParts. Any two neighbors
// then have more than meanWords words, so that the number of words bounds that of parts.
func fewer(src []string, parts []part) []part {
	if len(parts) <= MaxParts {
		return parts
	}
	var out []part
	words := 0 // words in the last part of out
	for _, p := range parts {
		n := 0
		for _, line := range src[p.from:p.to] {
			n += countWords(line)
		}
		if len(out) == 0 || words+n > meanWords {
			out, words = append(out, p), n
			continue
		}
		last := &out[len(out)-1]
		last.to, words = p.to, words+n
		last.blocks = append(append(last.blocks, p.from), p.blocks...)
		shared := 0
		for shared < min(len(last.headings), len(p.headings)) && last.headings[shared] == p.headings[shared] {
			shared++
		}
		last.headings = last.headings[:shared:shared]
	}
	return out
}

// isWordless reports whether a line contains only punctuation, such as a thematic break.
func isWordless(line string) bool {
	return !strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsPunct(r) })
}

// headed divides a document at its headings.
func headed(src []string) []part {
	var out []part
	var path []block // headings above the current line
	cur := part{}
	headOnly := false // cur contains only headings
	words := 0        // the lines of cur before this one contain only punctuation
	wordless := func(line int) bool {
		for words = max(words, cur.from); words < line && isWordless(src[words]); words++ {
		}
		return words >= line
	}
	end := func(line int) {
		cur.to = line
		for cur.from < cur.to && isBlank(src[cur.from]) {
			cur.from++
		}
		for cur.to > cur.from && isBlank(src[cur.to-1]) {
			cur.to--
		}
		if cur.from < cur.to {
			out = append(out, cur)
		}
	}
	for _, b := range blocks(src) {
		if b.level == 0 {
			cur.blocks = append(cur.blocks, b.line)
			headOnly = false
			continue
		}
		deeper := headOnly && b.level > path[len(path)-1].level
		for len(path) > 0 && path[len(path)-1].level >= b.level {
			path = path[:len(path)-1]
		}
		path = append(path, b)
		if !deeper && !wordless(b.line) {
			end(b.line)
			cur = part{from: b.line}
		}
		headOnly = true
		cur.headings = nil
		for _, h := range path {
			if h.title != "" {
				cur.headings = append(cur.headings, h.title)
			}
		}
	}
	end(len(src))
	return out
}
