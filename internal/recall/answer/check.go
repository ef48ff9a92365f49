package answer

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// minGrounded is the least share of a sentence's words that must be in the question or in
// the evidence that the sentence cites. A reworded sentence still shares names and
// numbers; one that obeys an instruction inside a memory shares nothing.
const minGrounded = 0.3

var (
	// marks matches citations as models write them: [1], [1, 3], [1][2].
	marks = lazyregexp.New(`\[\s*(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\s*\]`)
	// sentenceEnd matches where a sentence may end, including citations after the period.
	sentenceEnd = lazyregexp.New(`(?:[.!?]+["')»”]*(?:\s*\[[\d\s,;]+\])*(?:\s+|$))|(?:[。！？]+(?:\s*\[[\d\s,;]+\])*\s*)`)
	// missingSaid matches how models begin the last line.
	missingSaid = lazyregexp.New("(?i)" + regexp.QuoteMeta(notInMemory))
	// address matches web addresses. An answer may only give ones that its evidence has.
	address = lazyregexp.New(`(?i)\b(?:https?://|www\.)\S+`)
)

// checked keeps the sentences of a model's answer that cite existing evidence and share
// words with it, up to MaxWords, and renumbers their citations. It returns false if no
// sentence is left.
func (b basis) checked(reply string) (Answer, bool) {
	body, rest := splitMissing(reply)
	missing := b.missing
	if said, ok := b.checkedMissing(rest); ok {
		missing = said
	}
	last := missingLine(missing)
	room := MaxWords - countWords(last)
	var kept []string
	var cited []int
	for _, s := range sentences(body) {
		numbers, ok := b.supports(s)
		if !ok || countWords(s) > room {
			continue
		}
		room -= countWords(s)
		kept = append(kept, s)
		cited = append(cited, numbers...)
	}
	if len(kept) == 0 {
		return Answer{}, false
	}
	slices.Sort(cited)
	cited = slices.Compact(cited)
	out := Answer{Missing: missing}
	for i, n := range cited {
		c := b.evidence[n-1]
		c.Number = i + 1
		out.Citations = append(out.Citations, c)
	}
	out.Text = renumber(strings.Join(kept, " "), cited) + "\n" + last
	return out, true
}

// supports returns the numbers that a sentence cites. It returns false unless all of them
// exist and the cited evidence has enough of its words and all of its addresses.
func (b basis) supports(sentence string) ([]int, bool) {
	numbers := citations(sentence)
	if len(numbers) == 0 {
		return nil, false
	}
	var cited []string
	for _, n := range numbers {
		if n < 1 || n > len(b.evidence) {
			return nil, false
		}
		c := b.evidence[n-1]
		cited = append(cited, c.Text, c.Speaker, day(c.At))
	}
	all := strings.Join(cited, "\n")
	plain := marks.ReplaceAllString(sentence, " ")
	for _, a := range address.FindAllString(plain, -1) {
		if !strings.Contains(all, strings.TrimRight(a, ".,;:!?)")) {
			return nil, false
		}
	}
	known := text.Vocabulary(all + "\n" + b.question)
	own := text.Vocabulary(all)
	return numbers, text.Grounding(plain, known) >= minGrounded && text.Grounding(plain, own) > 0
}

// checkedMissing returns what a model says memory lacks, if that is about the question.
// It returns false if the model said nothing useful.
func (b basis) checkedMissing(said string) ([]string, bool) {
	said = strings.TrimRight(strings.TrimSpace(marks.ReplaceAllString(fence.Line(said), "")), ".")
	switch {
	case said == "":
		return nil, false
	case strings.EqualFold(said, "nothing"):
		return nil, true
	}
	known := text.Vocabulary(b.question)
	if countWords(said) > maxMissingWords || address.MatchString(said) || text.Grounding(said, known) < minGrounded {
		return nil, false
	}
	return []string{said}, true
}

// splitMissing divides an answer at the line that says what memory does not hold.
func splitMissing(reply string) (body, missing string) {
	all := missingSaid.FindAllStringIndex(reply, -1)
	if len(all) == 0 {
		return reply, ""
	}
	at := all[len(all)-1]
	missing, _, _ = strings.Cut(strings.TrimLeft(reply[at[1]:], "*_ "), "\n")
	return strings.TrimRight(reply[:at[0]], "*_ \n"), missing
}

// sentences splits an answer into sentences of plain words, one line each. It removes the
// marks of lists, headings and bold text.
func sentences(body string) []string {
	var out []string
	for line := range strings.Lines(body) {
		line = strings.TrimLeft(strings.ReplaceAll(fence.Line(line), "**", ""), "-*#•> ")
		from := 0
		for _, end := range sentenceEnd.FindAllStringIndex(line, -1) {
			if abbreviated(line[from:end[0]]) {
				continue
			}
			if s := strings.TrimSpace(line[from:end[1]]); s != "" {
				out = append(out, s)
			}
			from = end[1]
		}
		if s := strings.TrimSpace(line[from:]); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// abbreviated reports whether a period after the given text ends an abbreviation: a
// single letter, or up to three letters without a vowel, as in "Dr." and "J. Smith".
func abbreviated(before string) bool {
	at := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) })
	word := before[at+1:]
	if word == "" {
		return false
	}
	return len([]rune(word)) == 1 || len(word) <= 3 && text.IsASCII(word) && !strings.ContainsAny(strings.ToLower(word), "aeiouy")
}

// citations returns the numbers that a text cites, in order.
func citations(s string) []int {
	var out []int
	for _, m := range marks.FindAllStringSubmatch(s, -1) {
		for _, f := range strings.FieldsFunc(m[1], func(r rune) bool { return !unicode.IsDigit(r) }) {
			n, err := strconv.Atoi(f)
			if err != nil {
				n = 0 // no evidence has that number
			}
			out = append(out, n)
		}
	}
	return out
}

// renumber replaces each cited number by its position in cited, from 1.
func renumber(s string, cited []int) string {
	return marks.ReplaceAllStringFunc(s, func(mark string) string {
		var b strings.Builder
		for _, n := range citations(mark) {
			b.WriteString("[" + strconv.Itoa(slices.Index(cited, n)+1) + "]")
		}
		return b.String()
	})
}
