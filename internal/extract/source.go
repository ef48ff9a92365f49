package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxParagraph is the longest paragraph, in bytes, that is read: what follows in
// a longer one is data that somebody pasted.
const maxParagraph = 256 << 10

var (
	// blockTag opens a block that tools and memory systems put around what they
	// add to a prompt. Its content was not said by the person.
	blockTag = expr(`(?i)^<\s*([a-z_-]*(?:memor|recall|context|system|instruction|tool|document|retriev|snapshot)[a-z_-]*)\b[^>]*>`)
	// blockTitle is a heading such as "Relevant memories:" over a list of
	// recalled items.
	blockTitle = expr(`(?i)^[#*\[\s]*(?:(?:recalled|relevant|retrieved|saved|stored|extracted|long-term|user|project|my|your|the)\s+)*(?:memor(?:y|ies)|memory\.md|agents\.md|claude\.md|soul\.md|user\.md|recalled facts|context from memory)\b[^.!?]{0,40}[:\])*#]*$`)
	// material introduces text to work on rather than statements.
	material = expr(`(?i)\b(?:translate|proofread|summari[sz]e|rewrite|rephrase|paraphrase|shorten|correct|edit|review|polish|parse|format|reply to|e-?mail|letter|message|error|log|output|trace|text|story|poem|lyrics|article|snippet|code|paragraph|draft|transcript|prompt|example|wrote|says|said|reads|testimonial|dialogue|script|sample|quote)\b[^:]{0,60}:\s*$`)
	// materialInline is the same with the material on the same line.
	materialInline = expr(`(?i)^(?:please |can you |could you |help me (?:to )?|now |then )*(?:(?:draft|write|compose|send|prepare|make|create|post|publish|tweet|finish|continue|improve|fix|check) (?:me |up |us )?(?:an?|the|my|this|our|some) (?:\pL+ ){0,3}?(?:e-?mail|letter|message|post|bio|ad|advert|review|speech|toast|tweet|caption|cv|resume|r[eé]sum[eé]|note|text|reply|statement|profile|monologue|confession|story|dialogue|scene|chapter|article|paragraph|essay|poem|song|testimonial|announcement|invitation|card|script|prompt|quote)s?\b|translate|proofread|summari[sz]e|rewrite|rephrase|paraphrase|shorten|correct|edit|review|polish|parse|format|classify|explain|read)\b[^:]{0,60}:|^(?:the|this|that|his|her|their|an?) (?:\pL+ ){0,2}?(?:e-?mail|letter|message|post|bio|ad|advert|review|speech|tweet|caption|cv|resume|note|text|reply|statement|profile|article|paragraph|sign|ticket|comment|readme|page|subject line)(?: from \p{Lu}\pL+)? (?:reads?|says?|said|goes|went|begins|starts|opens|ends|states)(?: like this| as follows)?:`)
	// fiction opens a passage that is not about the person.
	fiction      = expr(`(?i)^(?:ok(?:ay)?,? |so,? |now,? |please |can you |could you |let'?s )*(?:imagine|pretend|suppose|supposing|role[- ]?play|act as|hypothetically|let'?s (?:say|pretend|imagine|suppose)|say i(?:'m| am| have| live| work)?\b|once upon|in this story|in a world|write (?:me )?(?:a|an|some|the) .*\b(?:story|poem|song|scene|dialogue|novel|chapter|role|character)\b|(?:for|in) (?:my|the|our|a|this) (?:\pL+ )?(?:novel|story|book|screenplay|play|game|campaign|comic|film|movie|fanfic|scenario|exercise|role[- ]?play)\b[^.]{0,30}[:,]|(?:my|the|our) (?:main )?(?:character|protagonist|narrator|villain|hero|heroine)(?:'s)?\b|stell dir vor|angenommen|imagina|supongamos|imagine que)`)
	fictionSigns = [...]string{"novel", "story", "book", "screenplay", "game", "campaign", "comic", "film", "movie", "scenario", "exercise", "fanfic", "character", "protagonist", "narrator", "imagin", "pretend", "suppos", "play", "act as", "hypothetic", "say", "upon", "story", "world", "write", "stell", "angenommen"}
	// takeover tries to override the agent's instructions.
	takeover = expr(`(?i)\b(?:(?:ignore|disregard|forget|override|bypass|drop)\s+(?:\w+\s+){0,4}(?:instructions?|prompts?|guardrails|guidelines|safety rules)|(?:ignore|disregard) (?:everything|anything|all) (?:above|before|you)|you are (?:now|no longer) (?:a |an |in |bound )|developer mode|jailbreak|do anything now|(?:reveal|print|show|leak|repeat) (?:me )?(?:your|the) (?:system|hidden|secret) prompt|(?:do not|don't|never) tell the user|new (?:system )?instructions:|ignora (?:todas )?las instrucciones|ignorier\w* (?:alle )?(?:vorherigen )?anweisungen|ignore(?:z)? (?:toutes )?les instructions)`)
	listMark = expr(`^(?:[-*+•]|\d{1,2}[.)])\s+`)
)

// sentences returns the sentences of a turn that its speaker vouches for. It
// returns nothing when the turn tries to take the agent over.
func sentences(text string) []sentence {
	if takeover.MatchString(head(text, 64<<10)) {
		return nil
	}
	r := reader{}
	for line := range strings.Lines(text) {
		r.line(strings.TrimSpace(line))
	}
	r.flush()
	return r.out
}

// head returns at most n bytes of s.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n]
}

// The tests below look for a cheap sign before they run a pattern: a turn can
// have a million lines.

func openTag(line string) []string {
	if line == "" || line[0] != '<' {
		return nil
	}
	return blockTag.FindStringSubmatch(head(line, 200))
}

func isBlockTitle(line string) bool {
	if len(line) > 120 {
		return false
	}
	low := strings.ToLower(line)
	return (strings.Contains(low, "memor") || strings.Contains(low, ".md") || strings.Contains(low, "recalled")) && blockTitle.MatchString(line)
}

func opensMaterial(line string) bool {
	return len(line) < 400 && strings.Contains(line, ":") && (material.MatchString(line) || materialInline.MatchString(line))
}

func opensFiction(s string) bool {
	low := strings.ToLower(head(s, 60))
	for _, sign := range fictionSigns {
		if strings.Contains(low, sign) {
			return fiction.MatchString(head(s, 200))
		}
	}
	return false
}

const prose = `texts?|reviews?|letters?|e-?mails?|messages?|articles?|paragraphs?|passages?|posts?|essays?|stor(?:y|ies)|bios?|statements?|testimonials?|notes?|comments?|sentences?|speech|transcripts?|cover letter|poem|lyrics|chapter|abstract|feedback`

// passage is a place before, in or after a text that the user wants worked on.
type passage int

const (
	outside   passage = iota
	announced         // it begins with the next line
	within
	behind // an empty line after it, where a question is the user's again
)

// asksForText asks for work on a text that follows, without a mark before it.
var asksForText = expr(`(?i)^(?:(?:please|can you|could you|would you|kindly|hi|hey|hello|ok|okay|now|then|and|help me|i need you to|i'd like you to)[, ]+)*(?:translate|proofread|summari[sz]e|rewrite|rephrase|paraphrase|shorten|correct|edit|review|polish|improve|analy[sz]e|condense|simplify|format|classify|spell-?check|check) (?:for me )?(?:(?:the )?following\b|(?:the|my) (?:\pL+ )?(?:` + prose + `) below\b|(?:this|these) (?:[\pL-]+ ){0,2}?(?:` + prose + `)(?:$|[,;]| (?:for|to|into|in|and|so|from|please|as|with|by|below|briefly)\b))`)

// reader walks over the lines of a turn and keeps what is prose.
type reader struct {
	out   []sentence
	held  strings.Builder // lines of the current paragraph
	fence bool            // inside a code fence
	tag   string          // name of the block tag we are inside
	list  bool            // inside a list of recalled items
	done  bool            // the rest of the turn is material
	text  passage         // where in a text to work on the line is
}

func (r *reader) line(line string) {
	if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		r.flush()
		r.fence = !r.fence
		return
	}
	if r.done || r.fence || len(r.out) >= maxClauses {
		return
	}
	if r.tag != "" {
		if strings.Contains(strings.ToLower(line), "</"+r.tag) {
			r.tag = ""
		}
		return
	}
	if m := openTag(line); m != nil {
		r.flush()
		if tag := strings.ToLower(m[1]); !strings.Contains(strings.ToLower(line), "</"+tag) {
			r.tag = tag
		}
		return
	}
	if line == "" {
		r.flush()
		r.list = false
		if r.text == within {
			r.text = behind
		}
		return
	}
	if r.text == behind && cutSentences(line)[0].question {
		r.text = outside
	}
	if r.text != outside {
		r.text = within
		return
	}
	bullet := listMark.FindString(line)
	if r.list || strings.HasPrefix(line, ">") || strings.HasPrefix(line, "|") {
		r.flush()
		return
	}
	if isBlockTitle(line) {
		r.flush()
		r.list = true
		return
	}
	if strings.HasPrefix(line, "#") {
		r.flush()
		return
	}
	if opensMaterial(line) || opensFiction(line) {
		// What precedes the material in the same paragraph still counts.
		r.flush()
		r.done = true
		return
	}
	line = line[len(bullet):]
	if r.held.Len() > 0 {
		if bullet == "" && continues(r.held.String(), line) {
			r.held.WriteByte(' ')
			r.held.WriteString(line)
			return
		}
		if r.flush(); r.text != outside {
			r.text = within
			return
		}
	}
	r.held.WriteString(head(line, maxParagraph))
}

// continues reports whether line continues with a sentence that was wrapped.
func continues(before, line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	return len(before) < maxSentence && unicode.IsLower(first) && !strings.ContainsAny(before[len(before)-1:], ".!?:;")
}

// flush cuts the current paragraph into sentences.
func (r *reader) flush() {
	text := r.held.String()
	r.held.Reset()
	if text == "" || r.done {
		return
	}
	said := cutSentences(maskQuotes(strings.ReplaceAll(text, "’", "'")))
	for i, s := range said {
		if asksForText.MatchString(s.text) {
			if r.text = announced; i < len(said)-1 {
				r.text = within
			}
			return
		}
		if opensFiction(s.text) {
			r.done = true
			return
		}
		r.out = append(r.out, s)
	}
}
