package profile

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// kinds lists the kinds of group in the order in which they are shown.
var kinds = []string{"you", "person", "pet", "home", "work", "health", "tastes", "things", "plans", "more"}

// groupOf maps each attribute of the user to the kind of its group.
var groupOf = map[string]string{
	"name": "you", "nickname": "you", "surname": "you", "middle name": "you", "maiden name": "you", "age": "you", "birthday": "you", "birthplace": "you",
	"hometown": "you", "pronouns": "you", "nationality": "you", "native language": "you", "marital status": "you", "phone number": "you", "email": "you",
	"username": "you", "star sign": "you", "zodiac sign": "you", "religion": "you", "height": "you", "weight": "you", "shoe size": "you", "ring size": "you", "shirt size": "you",
	"time zone": "home", "city": "home", "address": "home", "postcode": "home", "zip code": "home", "country": "home",
	"employer": "work", "job": "work", "office": "work", "desk": "work", "working hours": "work", "commute": "work", "start date": "work", "editor": "things", "shell": "things",
	"diet": "tastes", "blood type": "health", "car": "things", "bike": "things", "laptop": "things", "phone model": "things", "keyboard": "things", "operating system": "things",
	"browser": "things", "terminal": "things", "keyboard layout": "things", "bank": "things", "license plate": "things",
}

// groupWords picks the group of a statement about the user whose attribute is not in
// [groupOf]. The first match wins; a statement that matches none goes to "more".
var groupWords = []struct {
	kind  string
	words *lazyregexp.Regexp
}{
	{"plans", lazyregexp.New(`(?i)\b(?:appointment|booked|book|flying|flight|signed up|registered for|getting married|plans? to|is going to|are going to|will be|wedding|deadline|interview|(?:is|are|we're|i'm) (?:moving|starting|visiting|running|having|taking|going|travell?ing|leaving|retiring)|coming over)\b`)},
	{"health", lazyregexp.New(`(?i)\b(?:allergic|allerg\pL+|intoleran\pL+|asthma|diabet\pL+|migraines?|epilep\pL+|arthritis|adhd|autis\pL+|dyslex\pL+|celiac|coeliac|pregnant|doctor|gp|prescribed|physio\pL*|therap\pL+|surgery|operation|tablets?|medication|pills?|insulin|blood|blood pressure|shoulder|knee|back pain|broke|injur\pL+|scared of|afraid of|phobia|anxi\pL+|depress\pL+|glasses|hearing|blind|deaf|smok\pL+|alcohol|sober|quit|vaccinat\pL+|alérgic\pL+|allergisch|allergique|intolérant\pL*)\b`)},
	{"work", lazyregexp.New(`(?i)\b(?:works?|working|job|jobs|team|company|career|engineer|developer|manager|boss|promoted|employer|office|colleagues?|studies|studying|studied|degree|university|teaches|freelance|retired|on call|arbeite|trabajo|travaille|lavoro|werk|pracuję|работаю)\b`)},
	{"tastes", lazyregexp.New(`(?i)\b(?:likes?|loves?|enjoys?|hates?|dislikes?|can't stand|cannot stand|prefers?|favou?rite|fan of|into|vegetarian|vegan|eats?|drinks?|drinking|coffee|tea|bakes?|cooks?|reads?|listens?|watches|plays?|taste|collects?|swims?|cycles?|climbs?|gusta|encanta|mag|liebe|aime|adore|piace|gosto|lubię|люблю)\b`)},
	{"home", lazyregexp.New(`(?i)\b(?:lives?|living|moved|house|flat|apartment|lease|rents?|mortgage|garden|neighbou?rs?|balcony|cottage|home|wohne|vivo|habite|abito|moro|woon|mieszkam|живу)\b`)},
	{"things", lazyregexp.New(`(?i)\b(?:has|have|owns?|drives?|rides?|uses?|bought|keyboard|laptop|car|bike|phone|desk|piano|guitar|dotfiles|hosts|tengo|habe|besitze)\b`)},
}

// builder sorts facts into groups.
type builder struct {
	names   map[string]string // name of a person, pet or thing to its relation to the user
	turns   map[string]strata.Turn
	current map[string]bool // ids of facts that have a current version
}

// Of builds a profile from facts, which may include versions that are no longer current.
// turns holds the turns from which the facts were learned, by id; those that are missing
// are shown by their ids alone.
func Of(facts []strata.Fact, turns map[string]strata.Turn) Profile {
	b := builder{names: namesIn(facts), turns: turns, current: make(map[string]bool)}
	for _, f := range facts {
		b.current[f.ID] = b.current[f.ID] || f.Current()
	}
	return b.build(facts)
}

func (b *builder) build(list []strata.Fact) Profile {
	out := Profile{Groups: []Group{}, Rules: []Entry{}}
	heads, earlier := b.chains(list)
	groups := make(map[string]*Group) // by kind and subject
	for _, f := range heads {
		e := b.entry(f, earlier)
		if f.Type == strata.TypeFeedback {
			out.Rules = append(out.Rules, e)
			continue
		}
		if f.Current() {
			out.Facts++
		}
		kind, subject := b.place(f)
		g, ok := groups[kind+" "+subject]
		if !ok {
			g = &Group{Kind: kind, Subject: subject}
			groups[kind+" "+subject] = g
		}
		g.Entries = append(g.Entries, e)
		switch {
		case !f.Current():
		case f.Entity == "user" && f.Attribute == "name":
			out.Name = e.Value
		case subject != "" && (g.Name == "" || f.Attribute == "name"):
			g.Name = cmp.Or(nameIn(f), extract.SubjectOf(f.Text, "").Name, g.Name)
		}
	}
	for _, g := range groups {
		sortEntries(g.Entries)
		out.Groups = append(out.Groups, *g)
	}
	slices.SortFunc(out.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
			cmp.Compare(len(b.Entries), len(a.Entries)), cmp.Compare(a.Subject, b.Subject))
	})
	slices.SortStableFunc(out.Rules, func(a, b Entry) int {
		return cmp.Or(boolOrder(a.Ended, b.Ended), b.RecordedAt.Compare(a.RecordedAt), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// chains separates the versions that stand on their own from those that were replaced.
// earlier maps the id of each head to what it replaced, latest first.
func (b *builder) chains(list []strata.Fact) (heads []strata.Fact, earlier map[string][]strata.Fact) {
	earlier = make(map[string][]strata.Fact)
	before := make(map[string][]strata.Fact) // replaced versions, by the id of the fact that replaced them
	for _, f := range list {
		switch {
		case f.Current():
			heads = append(heads, f)
		case b.current[f.ID]:
			before[f.ID] = append(before[f.ID], f) // updated
		case f.SupersededBy != "":
			before[f.SupersededBy] = append(before[f.SupersededBy], f)
		default:
			heads = append(heads, f)
		}
	}
	for _, h := range heads {
		seen := map[string]bool{}
		for ids := []string{h.ID}; len(ids) > 0; ids = ids[1:] {
			if seen[ids[0]] {
				continue
			}
			seen[ids[0]] = true
			for _, f := range before[ids[0]] {
				earlier[h.ID] = append(earlier[h.ID], f)
				ids = append(ids, f.ID)
			}
		}
		slices.SortFunc(earlier[h.ID], func(a, b strata.Fact) int { return b.RecordedAt.Compare(a.RecordedAt) })
	}
	return heads, earlier
}

// entry returns the entry of a fact with the versions that it replaced.
func (b *builder) entry(f strata.Fact, earlier map[string][]strata.Fact) Entry {
	e := Entry{
		ID: f.ID, Entity: f.Entity, Attribute: f.Attribute, Value: valueIn(f), Text: f.Text, Scope: f.Scope.Key(), Until: f.ValidTo,
		RecordedAt: f.RecordedAt, Sources: []Source{}, Confidence: f.Confidence, Verbatim: f.Verbatim, Ended: !f.Current(),
	}
	for _, id := range f.Sources {
		s := Source{ID: id}
		if t, ok := b.turns[id]; ok {
			s.Session, s.Seq = t.Session, t.Seq
			if !t.At.IsZero() {
				at := t.At
				s.At = &at
				if e.Since == nil || at.Before(*e.Since) {
					e.Since = &at
				}
			}
		}
		e.Sources = append(e.Sources, s)
	}
	if f.ValidFrom != nil {
		e.Since = f.ValidFrom
	}
	if !f.Current() && e.Until == nil {
		e.Until = f.RetiredAt
	}
	next := since(e)
	for _, old := range earlier[f.ID] {
		o := b.entry(old, nil)
		until := next
		if old.ValidTo != nil {
			until = *old.ValidTo
		}
		next = since(o)
		e.Earlier = append(e.Earlier, Before{
			ID: o.ID, Value: o.Value, Text: o.Text, Since: o.Since, Until: &until, RecordedAt: o.RecordedAt, Sources: o.Sources, Confidence: o.Confidence,
		})
	}
	return e
}

// place returns the kind of the group that a fact belongs to and, for a person or a pet,
// the relation to the user.
func (b *builder) place(f strata.Fact) (kind, subject string) {
	s := extract.SubjectOf(f.Text, f.Entity)
	if first, _, _ := strings.Cut(strings.TrimRight(f.Text, "."), " "); s.Relation == "" && b.names[strings.TrimSuffix(first, "'s")] != "" {
		s = extract.SubjectOf("", "user's "+b.names[strings.TrimSuffix(first, "'s")])
	}
	switch {
	case s.Pet:
		return "pet", s.Relation
	case s.Person:
		return "person", s.Relation
	case s.Relation != "":
		return "things", ""
	}
	if f.Entity == "user" {
		switch g, ok := groupOf[f.Attribute]; {
		case ok:
			return g, ""
		case strings.HasPrefix(f.Attribute, "taste for "), strings.HasPrefix(f.Attribute, "preference of "), strings.HasPrefix(f.Attribute, "favorite "):
			return "tastes", ""
		}
	}
	for _, w := range groupWords {
		if w.words.MatchString(f.Text) {
			return w.kind, ""
		}
	}
	return "more", ""
}

// sortEntries sorts current entries before ended ones, and entries that were put into
// words by memory before verbatim ones. Within those, the name comes first, then the
// facts that fill a slot, then the rest; each in the order in which they were said.
func sortEntries(list []Entry) {
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Or(boolOrder(a.Ended, b.Ended), boolOrder(a.Verbatim, b.Verbatim), boolOrder(a.Attribute != "name", b.Attribute != "name"),
			boolOrder(a.Attribute == "", b.Attribute == ""), since(a).Compare(since(b)), cmp.Compare(a.Text, b.Text))
	})
}

// since returns when an entry was said or, if that is unknown, when it was recorded.
func since(e Entry) time.Time {
	if e.Since != nil {
		return *e.Since
	}
	return e.RecordedAt
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

var (
	oneValue   = lazyregexp.New(`^[Tt]he user's .{2,60}? (?:is|are) (?:now )?(?:named |called )?(.+?)\.?$`)
	isName     = lazyregexp.New(` is (?:now )?(\p{Lu}[\p{L}'’. -]*)`)
	calledName = lazyregexp.New(`(?:named|called|name is|heißt|se llama|s'appelle|si chiama|se chama|heet|nazywa się|ma na imię|зовут|叫|は) ?(\p{Lu}[\p{L}'’. -]*|[\p{Han}\p{Hiragana}\p{Katakana}]+)`)
)

// valueIn returns the value of a fact's slot if the text states only that, or "".
func valueIn(f strata.Fact) string {
	if m := oneValue.FindStringSubmatch(f.Text); m != nil && f.Attribute != "" {
		return m[1]
	}
	return ""
}

// nameIn returns the name that a fact states: the leading capitalized words, or the word
// if its script has no case.
func nameIn(f strata.Fact) string {
	m := calledName.FindStringSubmatch(f.Text)
	if m == nil && f.Attribute == "name" {
		m = isName.FindStringSubmatch(f.Text)
	}
	if m == nil {
		return ""
	}
	var out []string
	for w := range strings.FieldsSeq(strings.TrimRight(m[1], ".")) {
		if r := []rune(w)[0]; unicode.IsLower(r) {
			break
		}
		out = append(out, strings.TrimRight(w, "."))
	}
	return strings.Join(out, " ")
}

// namesIn maps the names in facts to relations to the user, such as "Clara" to "sister".
func namesIn(facts []strata.Fact) map[string]string {
	names := make(map[string]string)
	for _, f := range facts {
		s := extract.SubjectOf(f.Text, f.Entity)
		if s.Name == "" && f.Current() {
			s.Name = nameIn(f)
		}
		if s.Name != "" && s.Relation != "" {
			names[s.Name] = s.Relation
		}
	}
	return names
}
