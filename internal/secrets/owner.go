package secrets

import (
	"strings"

	"github.com/strata-memory/strata/internal/text/grammar"
)

// owner parses "for the staging server is" or "for staging:" after the label at at, up to
// a separator, a copula, or a value that cannot be a word.
func (s *scanner) owner(g *grammar.Grammar, at, p int) link {
	text, changing := s.text, false
	for n := range maxOwnerWords {
		end := ownerWord(text, p)
		if end == p {
			return link{}
		}
		if k := separator(text, skipSpace(text, end)); k.how != unrelated {
			if n > 1 && text[skipSpace(text, end)] == '=' {
				return link{} // the value belongs to something else
			}
			return k
		}
		next := skipSpace(text, end)
		own, word := lowerWord(text, p), lowerWord(text, next)
		switch {
		case cannotBeWord(text[p:end]):
			return link{how: adjacent, from: p}
		case next == end:
			return link{}
		case (g.Now[own] || g.To[own] && (changing || s.followsChange(g, at))) && cannotBeWord(text[next:ownerWord(text, next)]):
			return link{how: changed, from: next}
		case g.Is[word]:
			return link{stated, skipNow(g, text, skipSpace(text, next+len(word))), word}
		}
		if n := next + len(word); n < len(text) && text[n] == '\'' { // c'est, it's
			if n := g.Opening(text[next:]); n > 0 {
				return link{stated, skipNow(g, text, next+n), "is"}
			}
		}
		changing = changing || g.Set[word]
		p = next
	}
	return link{}
}

// ownerWord returns the end of the word at text[p:], excluding punctuation that ends its
// clause.
func ownerWord(text string, p int) int {
	end := p
	if p < len(text) && text[p] == '\'' { // 'root'@'localhost'
		if i := strings.IndexAny(text[p+1:min(p+maxOwnerWord, len(text))], "' \n"); i >= 0 && text[p+1+i] == '\'' {
			end = p + i + 2
			if strings.HasPrefix(text[end:], "@'") {
				return ownerWord(text, end+1)
			}
			return end
		}
	}
	for end < len(text) && end-p < maxOwnerWord && strings.IndexByte(" \t\r\n:=\"'<>", text[end]) < 0 {
		if strings.IndexByte(".;!?,", text[end]) >= 0 && (end+1 == len(text) || text[end+1] <= ' ') {
			break
		}
		end++
	}
	return end
}
