package language

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// englishWords are evidence against every other language: function words, common
// verbs, and names of tools and their work, which other languages borrow.
const englishWords = `i i'm i've i'll i'd my we we're our the a an is are was were be been and or but not of to for with at by from this that these those it it's he
	she they you your his her their me us them have has had do does did don't doesn't didn't can can't could will won't would should must may there here what which who when where how
	why all any some no yes please thanks thank name live lives work works like likes love loves hate use used always never call calls called as if so on in out up just now
	then than also only very really actually sorry wait need want prefer know think said says one two three new old good day time date year years month week today tomorrow last next
	about after before because into over get got go going make made take run runs set add see more most every other own am here's that's what's let let's dog cat son wife favourite favorite
	test tests build builds api app server servers code backend frontend release releases commit commits push merge deploy pipeline cluster staging repo log logs sprint
	monorepo she's they're they've they'll you're you've you'll we've we'll she'll he'll who's there's where's isn't aren't wasn't weren't haven't hasn't hadn't wouldn't couldn't shouldn't
	sister brother mother father mum mom dad daughter husband friend friends kids parents due born moved married drink drinks eat eats coffee tea black white house car school job months january
	february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday correction port number server typo sorry update ci web site docs branch data script file files team manager designer email emails error bug down`

// table holds the words that tell languages apart, as bits by language; the last is
// English.
var table = sync.OnceValue(func() map[string]uint32 {
	out := make(map[string]uint32)
	for i, l := range all() {
		for _, w := range l.words {
			out[w] |= 1 << i
		}
	}
	for w := range strings.FieldsSeq(englishWords) {
		out[w] |= 1 << len(all())
	}
	patterns := make(map[string]uint32)
	for i, l := range all() {
		for _, w := range l.source.patternWords() {
			patterns[w] |= 1 << i
		}
	}
	for w, set := range patterns {
		if out[w] == 0 && bits.OnesCount32(set) <= 3 {
			out[w] = set // names of tools stand in the patterns of more
		}
	}
	return out
})

var (
	patternWord = lazyregexp.New(`\{[\p{L}]+\}|\\[a-zA-Z]|\?P<\pL+>|(\pL[\pL']*)(?:\[(\pL+)\])?`)
	minWord     = 3 // letters; shorter ones are ends of words
)

// patternWords are the words that stand whole in the patterns of a language.
func (s *source) patternWords() []string {
	var out []string
	patterns := slices.Concat(s.parts["refuse"], s.parts["passing"], s.parts["past"], s.parts["report"])
	for _, r := range s.rules {
		patterns = append(patterns, r[2])
	}
	for _, l := range slices.Concat(s.lists, s.relations, s.attributes, s.dates) {
		patterns = append(patterns, l[1])
	}
	for _, p := range patterns {
		for _, m := range patternWord.FindAllStringSubmatch(p, -1) {
			switch {
			case m[2] != "":
				for _, end := range m[2] {
					out = append(out, m[1]+string(end))
				}
			case utf8.RuneCountInString(m[1]) >= minWord:
				out = append(out, m[1])
			}
		}
	}
	return out
}

// Of returns the language of a sentence, nil for English and where nothing
// tells. before is the language that its speaker used just before, nil for none: it
// decides where the words leave it open.
func Of(sentence string, before *Language) *Language {
	script, foreign, latin := scriptOf(sentence)
	var hits [33]uint16 // evidence by language
	english := len(all())
	if latin > len(sentence)/2 && !text.IsASCII(sentence) {
		for i, l := range all() {
			if l.letters != "" && strings.ContainsAny(sentence, l.letters) {
				hits[i]++
			}
		}
	}
	countWords(sentence, func(w []byte) {
		set := table()[string(w)]
		weight := uint16(1)
		if bits.OnesCount32(set) == 1 {
			weight = 3 // no other language has it
		}
		for ; set != 0; set &= set - 1 {
			hits[bits.TrailingZeros32(set)] += weight
		}
	})
	if script != "" {
		if first, _ := utf8.DecodeRuneInString(sentence); hits[english] > 0 && foreign <= latin && first < 0x250 {
			return nil // "My name is 太郎"
		}
		for _, l := range all() {
			if l.script == script {
				return l.prepare()
			}
		}
		return nil
	}
	most := slices.Max(hits[:english])
	switch {
	case most == 0 && hits[english] == 0 && before != nil && before.script == "latin":
		return before
	case most <= hits[english]:
		return nil
	}
	var alike []*Language
	for i, l := range all() {
		if hits[i] == most {
			alike = append(alike, l)
		}
	}
	if len(alike) > 1 {
		for _, l := range alike {
			if l == before || l.prepare().knows(sentence) {
				return l.prepare()
			}
		}
	}
	return alike[0].prepare()
}

// knows reports whether a rule of the language knows a part of a sentence. It
// decides between languages whose words a sentence has alike.
func (l *Language) knows(sentence string) bool {
	for _, p := range l.parts(sentence) {
		if l.known(l.open(sentence[p.from:p.to])) {
			return true
		}
	}
	return false
}

// scriptOf returns the script of a text other than the Latin one, empty for none,
// with how many letters are of it and how many are Latin.
func scriptOf(s string) (script string, foreign, latin int) {
	kana, han := 0, 0
	counts := [3]int{}
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c|0x20 >= 'a' && c|0x20 <= 'z' {
				latin++
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r < 0x250:
			latin++
		case unicode.Is(unicode.Cyrillic, r):
			counts[0]++
		case unicode.Is(unicode.Devanagari, r):
			counts[1]++
		case unicode.Is(unicode.Arabic, r):
			counts[2]++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Han, r):
			han++
		}
	}
	names := [3]string{"cyrillic", "devanagari", "arabic"}
	for i, n := range counts {
		if n > foreign {
			script, foreign = names[i], n
		}
	}
	if kana+han > foreign {
		script, foreign = "han", kana+han
		if kana > 0 {
			script = "kana"
		}
	}
	return script, foreign, latin
}

// countWords calls f with every word of a text in lower case. The bytes are
// only good until f returns.
func countWords(s string, f func([]byte)) {
	var buf [64]byte
	word := buf[:0]
	for _, r := range s {
		if unicode.IsLetter(r) || r == '\'' && len(word) > 0 {
			if len(word) < len(buf)-utf8.UTFMax {
				word = utf8.AppendRune(word, unicode.ToLower(r))
			}
			continue
		}
		if len(word) > 0 {
			f(word)
			word = buf[:0]
		}
	}
	if len(word) > 0 {
		f(word)
	}
}
