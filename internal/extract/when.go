package extract

import (
	"strconv"
	"strings"
	"time"
)

// tense says on which side of the turn a date without a year lies.
type tense int

const (
	timeless tense = iota // only words that are relative by themselves
	future
	past
)

const months = `january|february|march|april|may|june|july|august|september|october|november|december`
const weekdays = `monday|tuesday|wednesday|thursday|friday|saturday|sunday`
const counts = `a|an|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few|\d{1,3}`

// dateRule rewrites one kind of date expression.
type dateRule struct {
	re    *pattern
	tense tense // 0: always; else only for statements of that tense
	write func(c calendar, m []string) string
}

// calendar resolves dates against the time something was said.
type calendar struct {
	at    time.Time
	tense tense
}

// dated is a cheap test for a word that may be part of a date expression.
var dated = expr(`(?i)\b(?:to(?:day|night|morrow)|yesterday|this|next|last|ago|in|on|by|the|` + months + `|` + weekdays + `)\b`)

var dateRules = []dateRule{
	{re(`(?:on )?the day after tomorrow`), 0, func(c calendar, _ []string) string { return "on " + day(c.at.AddDate(0, 0, 2)) }},
	{re(`tomorrow(?: (morning|afternoon|evening|night))?`), 0, func(c calendar, m []string) string { return part(m[1]) + day(c.at.AddDate(0, 0, 1)) }},
	{re(`yesterday(?: (morning|afternoon|evening))?`), 0, func(c calendar, m []string) string { return part(m[1]) + day(c.at.AddDate(0, 0, -1)) }},
	{re(`this (morning|afternoon|evening)`), 0, func(c calendar, m []string) string { return part(m[1]) + day(c.at) }},
	{re(`tonight`), 0, func(c calendar, _ []string) string { return part("evening") + day(c.at) }},
	{re(`(?:earlier )?today`), 0, func(c calendar, _ []string) string { return "on " + day(c.at) }},
	{re(`(?:on )?next (` + weekdays + `)`), 0, func(c calendar, m []string) string { return "on " + day(c.weekday(m[1], 7)) }},
	{re(`(?:on )?last (` + weekdays + `)`), 0, func(c calendar, m []string) string { return "on " + day(c.before(m[1])) }},
	{re(`(?:on )?this (?:coming )?(` + weekdays + `)`), 0, func(c calendar, m []string) string { return "on " + day(c.after(m[1])) }},
	{re(`(?:on|this|coming) (` + weekdays + `)(?: (morning|afternoon|evening|night))?`), future, func(c calendar, m []string) string { return part(m[2]) + day(c.after(m[1])) }},
	{re(`by (` + weekdays + `)`), future, func(c calendar, m []string) string { return "by " + day(c.after(m[1])) }},
	{re(`on (` + weekdays + `)`), past, func(c calendar, m []string) string { return "on " + day(c.before(m[1])) }},
	{re(`(next|last|this) week(?: of)?`), 0, func(c calendar, m []string) string {
		if strings.HasSuffix(m[0], "of") {
			return m[0]
		}
		return "in the week of " + day(monday(c.at).AddDate(0, 0, 7*step(m[1])))
	}},
	{re(`(?:at |on )?(next|last|this) weekend`), 0, func(c calendar, m []string) string {
		return "on the weekend of " + day(monday(c.at).AddDate(0, 0, 5+7*step(m[1])))
	}},
	{re(`(next|last|this) month`), 0, func(c calendar, m []string) string {
		return "in " + first(c.at).AddDate(0, step(m[1]), 0).Format("January 2006")
	}},
	{re(`(next|last|this) year`), 0, func(c calendar, m []string) string { return "in " + strconv.Itoa(c.at.Year()+step(m[1])) }},
	{re(`(next|last|this) (` + months + `)`), 0, func(c calendar, m []string) string { return "in " + c.month(m[2], m[1] == "last") }},
	{re(`(next|last|this) (spring|summer|autumn|fall|winter)`), 0, func(c calendar, m []string) string {
		return "in " + strings.ToLower(m[2]) + " " + strconv.Itoa(c.season(m[1], strings.ToLower(m[2])))
	}},
	{re(`(` + counts + `) (day|week|month|year)s? ago`), 0, func(c calendar, m []string) string { return c.away(-count(m[1]), m[2]) }},
	{re(`in (?:exactly |about |around |roughly |just )?(` + counts + `) (day|week|month|year)s?(?:' time)?`), future, func(c calendar, m []string) string { return c.away(count(m[1]), m[2]) }},
	{re(`(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)? (` + months + `)(,? (?:19|20)\d\d)?`), 0, func(c calendar, m []string) string { return c.monthDay(m[0], m[1], m[2], m[3]) }},
	{re(`(` + months + `) (?:the )?(\d{1,2})(?:st|nd|rd|th)?(,? (?:19|20)\d\d)?`), 0, func(c calendar, m []string) string { return c.monthDay(m[0], m[2], m[1], m[3]) }},
	{re(`(in|until|from|by|end of|mid) (` + months + `)( (?:of )?(?:19|20)\d\d)?`), 0, func(c calendar, m []string) string {
		if m[3] != "" || c.tense == timeless {
			return m[0]
		}
		return m[1] + " " + c.month(m[2], c.tense == past)
	}},
	{re(`on the (\d{1,2})(?:st|nd|rd|th)`), future, func(c calendar, m []string) string {
		n, _ := strconv.Atoi(m[1])
		d := first(c.at).AddDate(0, 0, n-1)
		if n < 1 || n > 28 {
			return m[0]
		}
		if d.Before(c.at) {
			d = first(c.at).AddDate(0, 1, n-1)
		}
		return "on " + day(d)
	}},
}

func re(pattern string) *pattern { return expr(`(?i)\b` + pattern + `\b`) }

// resolve replaces the relative dates of a statement by calendar dates. Without
// a time it changes nothing.
func resolve(text string, at time.Time, t tense) string {
	if bornOn.MatchString(text) && !newborn.MatchString(text) {
		t = timeless // of a birthday the year is not the last one
	}
	if at.IsZero() || !dated.MatchString(text) {
		return text
	}
	c := calendar{at: time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location()), tense: t}
	for _, rule := range dateRules {
		if rule.tense != timeless && rule.tense != t {
			continue
		}
		text = replaceAll(rule.re, text, func(m []string) string { return rule.write(c, m) })
	}
	return doubled.ReplaceAllString(text, "$1 $2")
}

var (
	bornOn  = expr(`(?i)\b(?:was|were) born (?:on|in)\b`)
	newborn = expr(`(?i)\b(?:sons?|daughters?|baby|twins|child|boy|girl|nephew|niece|grand\pL+|puppy|kitten|puppies|kittens)\b`)
)

// doubled are two prepositions where a date brought its own.
var doubled = expr(`(?i)\b(for|until|till|by|from|since|of|before|after|than|on|at|around) (?:in|on) (the |\d|spring|summer|autumn|fall|winter|` + months + `)`)

// replaceAll is ReplaceAllStringFunc with the submatches in lower case, save
// for the whole match.
func replaceAll(re *pattern, s string, f func(m []string) string) string {
	found := re.FindAllStringSubmatchIndex(s)
	if found == nil {
		return s
	}
	var b strings.Builder
	end := 0
	for _, at := range found {
		m := make([]string, len(at)/2)
		for g := range m {
			if at[2*g] >= 0 {
				m[g] = s[at[2*g]:at[2*g+1]]
				if g > 0 {
					m[g] = strings.ToLower(m[g])
				}
			}
		}
		b.WriteString(s[end:at[0]])
		b.WriteString(f(m))
		end = at[1]
	}
	return b.String() + s[end:]
}

var untilWhen = expr(`(?i)\b(?:until|till|through|ends? (?:on|in)|expires? (?:on|in)|runs until|valid until) (?:the )?(?:(end of) )?(?:(\d{1,2}) )?(` + months + `) ((?:19|20)\d\d)\b`)

// validTo returns until when a statement holds by its own words, the zero time when
// it does not say. Of a month that is its first day, or its last if it says so.
func validTo(text string) time.Time {
	m := untilWhen.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}
	}
	year, _ := strconv.Atoi(m[4])
	first := time.Date(year, monthOf(m[3]), 1, 0, 0, 0, 0, time.UTC)
	switch n, err := strconv.Atoi(m[2]); {
	case err == nil && n >= 1 && n <= 31:
		return first.AddDate(0, 0, n-1)
	case m[1] != "":
		return first.AddDate(0, 1, -1)
	}
	return first
}

var sinceWhen = expr(`(?i)\b(?:since|as of|starting|effective|from) (?:(?:the )?(\d{1,2})(?:st|nd|rd|th)? )?(?:(` + months + `) )?((?:19|20)\d\d)(-\d\d-\d\d)?\b`)

// validFrom returns since when a statement holds by its own words; the zero
// time when it does not say. A day or month that is missing counts as the first.
func validFrom(text string) time.Time {
	m := sinceWhen.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}
	}
	if m[4] != "" {
		t, _ := time.Parse(time.DateOnly, m[3]+m[4])
		return t
	}
	year, _ := strconv.Atoi(m[3])
	month, dayOf := monthOf(m[2]), 1
	if month == 0 {
		month = time.January
	} else if n, err := strconv.Atoi(m[1]); err == nil && n >= 1 && n <= 31 {
		dayOf = n
	}
	return time.Date(year, month, dayOf, 0, 0, 0, 0, time.UTC)
}
