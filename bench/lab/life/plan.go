package life

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// How often things happen. Those without another unit are probabilities.
const (
	slotsPerSession = 0.55 // slots told per session
	plansPerSession = 0.04
	hiddenPerTwenty = 1 // secrets per twenty sessions
	corrected       = 0.08
	repeated        = 0.2
	changed         = 0.4 // drawn again after every change
	ended           = 0.35
	asked           = 0.25
)

// Year returns the life of a seed in the given number of sessions, at least 10.
func Year(seed uint64, sessions int) Life {
	p := &planner{Rand: rand.New(rand.NewPCG(seed, 0)), due: make([][]event, sessions)}
	p.layOut(sessions)
	p.tellSlots(int(slotsPerSession * float64(sessions)))
	p.tellPlans(int(plansPerSession * float64(sessions)))
	for i := range p.life.Sessions {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, uint64(i)+1)), life: &p.life, session: i}
		w.write(p.due[i])
	}
	w := &writer{Rand: rand.New(rand.NewPCG(seed, uint64(sessions)+1)), life: &p.life}
	w.hideSecrets(max(2, hiddenPerTwenty*sessions/20))
	return p.life
}

// planner decides what is true when, and in which session it is said.
type planner struct {
	*rand.Rand
	life Life
	due  [][]event // events by session
}

// event is something that a session says about a truth.
type event struct {
	act   Act
	truth int
	text  string
}

// layOut spreads the sessions over the year: about three in ten at home, the rest in
// projects.
func (p *planner) layOut(sessions int) {
	gap := Length / time.Duration(sessions)
	for i := range sessions {
		project := Home
		if i > Projects && p.IntN(10) >= 3 || i > 0 && i <= Projects {
			project = 1 + (i+p.IntN(2))%Projects
		}
		late := time.Duration(p.Float64() * 0.6 * float64(gap))
		at := Begin.Add(time.Duration(i)*gap + late).Truncate(time.Minute)
		p.life.Sessions = append(p.life.Sessions, Session{Project: project, At: at})
	}
}

// instance is a slot for one entity or project.
type instance struct {
	slot
	entity  string
	project int
}

func (n instance) key() string {
	key := fill(n.name, n.entity, "", "")
	if n.project != Home {
		key = "project " + strconv.Itoa(n.project) + ", " + key
	}
	return key
}

// subject returns whom or what the slot is about. It is empty for the kinds that may be
// told without it, such as a medicine without what it is for.
func (n instance) subject() string {
	switch n.kind {
	case Family, People, Date, Place, Decision:
		return n.entity
	}
	return ""
}

// instances returns all possible slots by kind.
func instances() (kinds []Kind, all map[Kind][]instance) {
	all = make(map[Kind][]instance)
	add := func(n instance) {
		if len(all[n.kind]) == 0 {
			kinds = append(kinds, n.kind)
		}
		all[n.kind] = append(all[n.kind], n)
	}
	for _, s := range personal {
		if s.entities == "" {
			add(instance{slot: s})
		}
		for _, e := range lines(s.entities) {
			add(instance{slot: s, entity: e})
		}
	}
	addRules := func(rules []rule, project int) {
		for _, r := range rules {
			add(instance{slot: slot{kind: Rule, name: "rule: " + r.value, values: r.value, tell: orders(ruleWays, r), end: orders(rulesEnd, r), ask: r.ask}, project: project})
		}
	}
	addRules(personRules, Home)
	for project := 1; project <= Projects; project++ {
		addRules(projectRules[project], project)
		for _, s := range decisions {
			for _, e := range lines(parts[project]) {
				add(instance{slot: s, entity: e, project: project})
			}
		}
	}
	return kinds, all
}

// orders puts a rule into the ways to give it or to take it back.
func orders(ways string, r rule) string {
	small := strings.ToLower(r.order[:1]) + r.order[1:]
	return strings.NewReplacer("{v}", r.order, "{l}", small).Replace(ways)
}

// tellSlots plans n slots, of each kind in turn as long as it has some.
func (p *planner) tellSlots(n int) {
	kinds, all := instances()
	for _, k := range kinds {
		p.Shuffle(len(all[k]), func(i, j int) { all[k][i], all[k][j] = all[k][j], all[k][i] })
	}
	for left := true; left && n > 0; {
		left = false
		for _, k := range kinds {
			if len(all[k]) == 0 || n == 0 {
				continue
			}
			p.tellSlot(all[k][0])
			all[k], left, n = all[k][1:], true, n-1
		}
	}
}

// tellSlot plans the history of a slot over the year.
func (p *planner) tellSlot(n instance) {
	values := lines(n.values)
	p.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	at, ok := p.pick(n.project, -1)
	if !ok {
		return
	}
	value := fill(values[0], n.entity, "", "")
	now := p.begin(n, value, at, Tell, fill(p.one(n.tell), n.entity, value, ""))
	for i := 1; i < len(values); i++ {
		if i == 1 && n.kind != Rule && p.Float64() < corrected {
			p.life.Truths[now].Slip = true
			now = p.replace(n, now, values[i], at, Correct, corrections)
			continue
		}
		p.between(n, now, at)
		if n.change == "" || p.Float64() >= changed {
			break
		}
		next, ok := p.pick(n.project, at)
		if !ok {
			return
		}
		at = next
		now = p.replace(n, now, values[i], at, Change, n.change)
	}
	if len(values) == 1 {
		p.between(n, now, at)
	}
	if n.end == "" || p.Float64() >= ended {
		return
	}
	if at, ok = p.pick(n.project, at); ok {
		p.life.Truths[now].To = p.life.Sessions[at].At
		p.say(at, event{End, now, fill(p.one(n.end), n.entity, "", p.life.Truths[now].Value)})
	}
}

// begin adds a truth that is told in a session, and returns its ID.
func (p *planner) begin(n instance, value string, at int, act Act, text string) int {
	t := Truth{
		ID: len(p.life.Truths), Kind: n.kind, Slot: n.key(), Value: value, Negative: n.negative, Project: n.project,
		Subject: n.subject(), From: p.life.Sessions[at].At, Next: -1, Question: fill(p.one(n.ask), n.entity, value, ""),
	}
	p.life.Truths = append(p.life.Truths, t)
	p.say(at, event{act, t.ID, text})
	return t.ID
}

// replace ends a truth in a session and begins the one that replaces it.
func (p *planner) replace(n instance, now int, value string, at int, act Act, ways string) int {
	old := p.life.Truths[now].Value
	next := p.begin(n, value, at, act, fill(p.one(ways), n.entity, value, old))
	p.life.Truths[now].To, p.life.Truths[now].Next = p.life.Sessions[at].At, next
	return next
}

// between sometimes has a truth repeated or asked for soon after a session. The writer
// skips what would come after the truth has ended.
func (p *planner) between(n instance, now, after int) {
	for _, may := range []struct {
		act  Act
		odds float64
	}{{Repeat, repeated}, {Asked, asked}} {
		if p.Float64() >= may.odds {
			continue
		}
		at, ok := p.pick(n.project, after)
		if !ok {
			continue
		}
		t := p.life.Truths[now]
		text := t.Question
		if may.act == Repeat {
			text = fill(p.one(n.tell), n.entity, t.Value, "")
		}
		p.say(at, event{may.act, now, text})
	}
}

// tellPlans plans n appointments, each with a friend, two days to six weeks ahead.
func (p *planner) tellPlans(n int) {
	what, with := lines(planValues), lines(friends)
	for i := range n {
		at, ok := p.pick(Home, -1)
		if !ok {
			return
		}
		said := p.life.Sessions[at].At
		day := said.AddDate(0, 0, 2+p.IntN(40))
		value := what[i%len(what)] + " with " + with[(i*7+i/len(what))%len(with)]
		text := strings.NewReplacer("{v}", value, "{d}", p.name(day, said)).Replace(p.one(planTell))
		plan := instance{slot: slot{kind: Plan, name: "plan: " + value, ask: planAsk}}
		id := p.begin(plan, value, at, Tell, text)
		if over := day.Truncate(24*time.Hour).AddDate(0, 0, 1); over.Before(Begin.Add(Length)) {
			p.life.Truths[id].To = over
		}
	}
}

// name returns what somebody would call a day at the time now.
func (p *planner) name(day, now time.Time) string {
	days := int(day.Sub(now).Hours() / 24)
	switch {
	case p.IntN(2) == 0:
		return day.Format("on January 2")
	case days < 7:
		return day.Format("this coming Monday")
	case days < 14:
		return day.Format("on Monday next week")
	}
	return "in " + []string{"two", "three", "four", "five", "six"}[min(days/7-2, 4)] + " weeks"
}

// pick draws a session that may mention a project, after the given session and at most a
// third of the year later; -1 stands for before the first. Things about the person may be
// mentioned anywhere.
func (p *planner) pick(project, after int) (int, bool) {
	all := p.life.Sessions
	last := min(after+1+max(len(all)/3, 4), len(all))
	if after < 0 {
		last = len(all) * 17 / 20
	}
	var fit []int
	for i := after + 1; i < last; i++ {
		if project == Home || all[i].Project == project {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		return 0, false
	}
	return fit[p.IntN(len(fit))], true
}

func (p *planner) say(session int, e event) { p.due[session] = append(p.due[session], e) }

func (p *planner) one(list string) string { return one(p.Rand, list) }

// one draws an entry of a list.
func one(r *rand.Rand, list string) string {
	all := lines(list)
	return all[r.IntN(len(all))]
}
