package snapshot

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
)

// content is everything that a snapshot may hold, prepared but not yet cut.
type content struct {
	guidance string
	foreign  string // line about files that are not trusted
	files    []source
	rules    []string // lines, newest used first
	rulePart Part
	// distinctRules counts the rules that are neither repeated nor hidden.
	distinctRules int
	indexes       []source
	facts         []string // lines, best first
	factPart      Part
	skills        []source
	learnings     []source
	summaries     []source
	hidden        []section // parts that may not be shown
}

// gather prepares the content: it selects, redacts secrets and defuses markup.
func gather(p Parts, l Limits, now time.Time) content {
	c := content{guidance: strings.TrimSpace(strings.ToValidUTF8(p.Guidance, "\uFFFD"))}
	if c.guidance == "" {
		c.guidance = Guidance()
	}
	if c.foreign = markdown.ForeignLine(p.Foreign); c.foreign != "" {
		c.hidden = append(c.hidden, section{part: Part{Kind: PartFile, Name: markdown.ForeignFiles(p.Foreign), Total: len(p.Foreign), Why: whyForeign}})
	}
	group := others(p.Kind)
	for _, f := range p.Files {
		name := fence.Cut(fence.Line(f.Name), 80)
		if group && isPrivate(f.Name) {
			c.hide(PartFile, name)
			continue
		}
		title := name
		if of := fence.Cut(fence.Line(f.Of), 120); of != "" {
			title += " of " + of
		}
		m := newSource(PartFile, name, title, f.Text)
		m.limit.chars = fileCap(f.Name)
		c.files = append(c.files, m.withNeed())
	}

	facts, rules := split(p.Facts)
	rules, private := showableRules(rules, p.Kind, now)
	shown := c.chooseRules(rules, l, now)
	if private > 0 {
		c.hidden = append(c.hidden, section{part: Part{Kind: PartRules, Name: string(strata.TypeUser), Total: private, Why: whyPrivate}})
	}
	facts, private = showable(facts, p.Kind)
	maps.Copy(shown, c.chooseFacts(facts, l, now))
	if private > 0 {
		c.hidden = append(c.hidden, section{part: Part{Kind: PartFacts, Name: string(strata.TypeUser), Total: private, Why: whyPrivate}})
	}
	for _, d := range byScope(p.Indexes) {
		c.addIndex(d, facts, shown, group, l, now)
	}
	c.limitGenerated(l.GeneratedChars)
	for i, m := range c.indexes {
		c.indexes[i] = m.withNeed()
	}
	c.addSkills(p.Skills)
	for _, f := range p.Learnings {
		name := fence.Cut(fence.Line(f.Name), 80)
		m := newSource(PartLearning, name, "Lessons: "+name, f.Text)
		m.newest, m.limit.lines = true, max(l.LearningLines, 0)
		c.learnings = append(c.learnings, m.withNeed())
	}
	for _, d := range byScope(p.Summaries) {
		name := fence.Line(d.Scope.Key())
		if group {
			c.hide(PartSummary, name)
			continue
		}
		m := newSource(PartSummary, name, "Summary of "+name, d.Text)
		m.noteAge(banner(now, d.At, l.StaleDays))
		c.summaries = append(c.summaries, m.withNeed())
	}
	return c
}

// chooseFacts sets the lines of the top facts and returns their texts in the normal form
// of package internal/text.
func (c *content) chooseFacts(facts []strata.Fact, l Limits, now time.Time) map[string]bool {
	shown := make(map[string]bool)
	c.factPart = Part{Kind: PartFacts, Total: len(facts)}
	n := l.Facts
	if l.FactChars < 0 {
		n = 0
	}
	for _, f := range topFacts(facts, n, now) {
		line, redacted, threats := factLine(f, l, now)
		c.facts = append(c.facts, line)
		c.factPart.note(redacted, threats)
		shown[text.Normalize(f.Text)] = true
	}
	return shown
}

// addIndex prepares the index of one scope: its MEMORY.md, or an index made from its
// facts if there is no MEMORY.md or it may not be shown. It leaves out texts that are in
// shown, which has normal forms.
func (c *content) addIndex(d Document, facts []strata.Fact, shown map[string]bool, group bool, l Limits, now time.Time) {
	name := fence.Line(d.Scope.Key())
	doc, at := d.Text, d.At
	if group && strings.TrimSpace(doc) != "" {
		c.hide(PartIndex, name)
		doc = ""
	}
	title := "Index of " + name
	if strings.TrimSpace(doc) == "" {
		var own []strata.Fact
		for _, f := range facts {
			if f.Scope == d.Scope {
				own = append(own, f)
			}
		}
		categories := d.Categories
		if group {
			categories = nil
		}
		doc, at, title = digest(own, categories, shown), time.Time{}, fmt.Sprintf("Index of %s, made of its facts", name)
	}
	m := newSource(PartIndex, name, title, doc)
	m.divide()
	m.leaveOut(shown)
	m.noteAge(banner(now, at, l.StaleDays))
	m.limit.lines, m.limit.bytes = max(l.IndexLines, 0), max(l.IndexBytes, 0)
	c.indexes = append(c.indexes, m)
}

// maxSkillLine is the longest description of a skill, in characters.
const maxSkillLine = 200

// howSkills tells a model what to do with skills.
const howSkills = "(procedures that worked before; read one before you do what it is for: memory://root/skills/NAME/SKILL.md, or memory_search in the path skills/NAME)"

// addSkills adds a line for each skill that is offered.
func (c *content) addSkills(skills []Skill) {
	var lines []string
	taken := make(map[string]bool)
	for _, s := range skills {
		if !taken[s.Name] && !s.Withheld {
			lines = append(lines, "- "+fence.Line(s.Name)+": "+fence.Cut(fence.Line(s.Description), maxSkillLine))
		}
		taken[s.Name] = true
	}
	if len(lines) == 0 {
		return
	}
	m := newSource(PartSkills, "", "Skills", strings.Join(lines, "\n"))
	m.notes = append([]string{howSkills}, m.notes...)
	c.skills = append(c.skills, m.withNeed())
}

// noteAge adds a note about the age of a document.
func (m *source) noteAge(banner string) {
	if banner != "" {
		m.notes = append([]string{"(" + banner + ")"}, m.notes...)
	}
}

func (c *content) hide(kind PartKind, name string) {
	c.hidden = append(c.hidden, section{part: Part{Kind: kind, Name: name, Why: whyPrivate}})
}
