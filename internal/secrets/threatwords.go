package secrets

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed threatwords.txt
var threatWords string

// wordClass is what a word does in a sentence. threatwords.txt explains the names and
// lists the words of each class.
type wordClass uint64

const (
	ignores wordClass = 1 << iota
	void
	instructions
	ruleWord
	reach
	all
	user
	authority
	approve
	act
	confirmation
	off
	not
	send
	secret
	address
	run
	destroy
	valued
	tell
	show
	ownPrompt
	covertly
	machine
	servant
	calls
	yours
	speaker
	asks
	answers
	obey
	occasion
	become
	unbound
	mode
	lure
	given
	everything
	nothing
	orders
	shell
	pipe
	hide
	must
	may
	defies
	herald
	personal
	granted
	border
	urges
)

var wordClasses = map[string]wordClass{
	"ignore": ignores, "void": void, "instructions": instructions, "rules": ruleWord, "reach": reach, "all": all, "user": user,
	"authority": authority, "approve": approve, "act": act, "confirmation": confirmation, "off": off, "not": not, "send": send,
	"secret": secret, "address": address, "run": run, "destroy": destroy, "valued": valued, "tell": tell, "show": show,
	"ownprompt": ownPrompt, "covertly": covertly, "machine": machine, "servant": servant, "call": calls, "yours": yours,
	"speaker": speaker, "asks": asks, "answers": answers, "obey": obey, "occasion": occasion, "become": become, "unbound": unbound, "mode": mode, "lure": lure,
	"given": given, "everything": everything, "nothing": nothing, "orders": orders, "shell": shell, "pipe": pipe,
	"hide": hide, "must": must, "may": may, "defies": defies, "herald": herald,
	"personal": personal, "granted": granted, "border": border, "urges": urges,
}

// lexeme is an occurrence of an entry of threatwords.txt in a text.
type lexeme struct {
	class      wordClass
	start, end int
}

// entry is an entry of threatwords.txt, folded.
type entry struct {
	class wordClass
	first string // its first word
	rest  string // the others, separated by single spaces
	stem  bool   // more letters may follow
	joins bool   // its script does not separate words
}

func newEntry(class wordClass, word string) entry {
	words, stem := strings.CutSuffix(word, "*")
	e := entry{class: class, stem: stem}
	e.first, e.rest, _ = strings.Cut(lowerASCII(fold(words).text), " ")
	e.joins = isJoined(e.first)
	return e
}

// isJoined reports whether a text begins in a script that does not separate words by
// spaces.
func isJoined(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x600 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Arabic)
}

// lexicon maps the beginning of first words to entries.
type lexicon map[[4]byte][]entry

// threatLexicon holds the entries of threatwords.txt. It is built once and then only
// read.
var threatLexicon = sync.OnceValue(func() lexicon {
	out := make(lexicon)
	for line := range strings.Lines(threatWords) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.SplitSeq(list, ",") {
			e := newEntry(wordClasses[name], strings.TrimSpace(word))
			key := keyAt(e.first, 0)
			out[key] = append(out[key], e)
		}
	}
	return out
})

// keyAt returns the lexicon key for text[at:]: up to four bytes of the first word; the
// first letter in a script that joins words; or a sign.
func keyAt(text string, at int) (key [4]byte) {
	c := text[at]
	if c < utf8.RuneSelf && !isAlnum(c) {
		return [4]byte{c}
	}
	n := len(key)
	if c >= 0xe0 {
		n = 3
	}
	for i := 0; i < n && at+i < len(text); i++ {
		c := text[at+i]
		if c < utf8.RuneSelf && !isAlnum(c) {
			break
		}
		key[i] = lower(c)
	}
	return key
}

// scan returns the entries that occur in a text, by position.
func (l lexicon) scan(text string) (words []lexeme) {
	for i := 0; i < len(text); {
		if isSpace(text[i]) {
			i++
			continue
		}
		for _, e := range l[keyAt(text, i)] {
			if !hasPrefix(text[i:], e.first, true) {
				continue
			}
			if end, ok := e.endIn(text, i+len(e.first)); ok {
				words = append(words, lexeme{e.class, i, end})
			}
		}
		i = next(text, i)
	}
	return words
}

// next returns where the next entry may begin: after the word at at, or after its letter
// in a script that joins words.
func next(text string, at int) int {
	if text[at] < utf8.RuneSelf && !isAlnum(text[at]) {
		return at + 1
	}
	_, n := utf8.DecodeRuneInString(text[at:])
	if isJoined(text[at:]) {
		return at + n
	}
	for at += n; isWordAt(text, at) && !isJoined(text[at:]); at += n {
		_, n = utf8.DecodeRuneInString(text[at:])
	}
	return at
}

// endIn returns the end of an occurrence of an entry whose first word ends at end, if
// there is one.
func (e entry) endIn(text string, end int) (int, bool) {
	rest := e.rest
	for rest != "" {
		var next string
		next, rest, _ = strings.Cut(rest, " ")
		begin := end
		for end < len(text) && isSpace(text[end]) {
			end++
		}
		if end == begin || !hasPrefix(text[end:], next, true) {
			return 0, false
		}
		end += len(next)
	}
	if e.joins || !isWordAt(text, end-1) {
		return end, true
	}
	if !e.stem {
		return end, !isWordAt(text, end)
	}
	for isWordAt(text, end) {
		end++
	}
	return end, true
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// isWordAt reports whether a letter or digit, or part of one, is at at.
func isWordAt(text string, at int) bool {
	if at >= len(text) {
		return false
	}
	c := text[at]
	if c < utf8.RuneSelf {
		return isAlnum(c)
	}
	if !utf8.RuneStart(c) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.IsLetter(r) || unicode.IsMark(r)
}
