package language

import (
	"regexp"
	"strings"

	"github.com/strata-memory/strata"
)

// topic is what a standing wish can be about, whatever it says of it.
type topic struct {
	entity, attribute string
	pattern           *regexp.Regexp
}

// maxOrder bounds an order that can be expected in the same words again, as
// [Language.length] counts.
const maxOrder = 14

// ruleSlot returns the slot that a standing wish fills, empty for one that is too
// long to be said twice in the same words.
func (l *Language) ruleSlot(low string) (entity, attribute string) {
	order, forbidden := l.plainOrder(low)
	if entity, attribute = l.topicOf(order, forbidden); entity != "" {
		return entity, attribute
	}
	for _, w := range l.wordings {
		if at := w.pattern.FindStringSubmatchIndex(order); at != nil {
			order = strings.Join(strings.Fields(string(w.pattern.ExpandString(nil, w.text, order, at))), " ")
		}
	}
	if entity, attribute = l.topicOf(order, forbidden); entity != "" {
		return entity, attribute
	}
	order = strings.NewReplacer("/", " ", `\`, " ").Replace(order)
	if n := l.length(order); n < 2 || n > maxOrder {
		return "", ""
	}
	return strata.RuleOrder, order
}

// topicOf returns the slot of the first topic whose pattern is the whole order. What
// the user shall not be called says nothing of what they shall be.
func (l *Language) topicOf(order string, forbidden bool) (entity, attribute string) {
	for _, t := range l.topics {
		if t.pattern.MatchString(order) && !(forbidden && t.attribute == strata.RuleAddress) {
			return t.entity, t.attribute
		}
	}
	return "", ""
}

// plainOrder takes out the words that bid or forbid an order, and reports whether one
// forbids it.
func (l *Language) plainOrder(low string) (order string, forbidden bool) {
	cut := strings.NewReplacer("'", "' ", "’", "' ", ",", " ", "،", " ", "、", "", "，", "", "。", "", "।", "", "!", "", "！", "", ".", "", "?", "")
	order = cut.Replace(low)
	with := ""
	if l.spaced {
		with = " "
		order = " " + strings.Join(strings.Fields(order), " ") + " "
	}
	for range 8 { // words side by side share the space between them
		before := order
		forbidden = forbidden || l.forbid.MatchString(order)
		order = l.forbid.ReplaceAllString(order, with)
		if order = l.bid.ReplaceAllString(order, with); order == before {
			break
		}
	}
	return strings.TrimSpace(order), forbidden
}

// Relation returns whom or what of the user's a statement opens with, in English:
// "sister" for "Meine Schwester wohnt in Ulm". It is empty where there is none.
func (l *Language) Relation(text string) string {
	l.prepare()
	low := lower(text)
	rest := low
	if l.spaced {
		_, rest, _ = strings.Cut(low, " ")
	}
	found, longest := "", 0
	for word, english := range l.relations {
		at := strings.Index(rest, word)
		if at < 0 || l.spaced && at > 0 || !l.spaced && at > len("我的") || len(word) <= longest {
			continue
		}
		if after := rest[len(word)+at:]; l.spaced && after != "" && !strings.ContainsAny(after[:1], " ,.") {
			continue
		}
		found, longest = english, len(word)
	}
	return found
}
