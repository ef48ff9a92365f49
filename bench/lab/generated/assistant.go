package generated

import (
	"slices"

	"github.com/strata-memory/strata"
)

// telling is something that is said in a session, among other talk. write returns the id
// of the message that says it.
type telling struct {
	write func(*scope, subject) string
	then  func(id string) // called with that id; asks a question about it
}

// withAssistant writes the sessions of a person with an assistant.
func (s *scope) withAssistant() {
	plan := s.plan()
	for n := range sessions {
		s.open()
		about := subjects[s.IntN(len(subjects))]
		if (n+1)%germanEvery == 0 {
			about = germanSubjects[s.IntN(len(germanSubjects))]
		}
		s.exchange(about, s.one(about.asks))
		for _, t := range plan[n] {
			t.then(t.write(s, about))
			if s.IntN(2) == 0 {
				s.exchange(about, s.one(about.more))
			}
		}
		if n%2 == 0 {
			s.exchange(about, s.one(about.more))
		}
	}
}

// germanEvery is the interval of German sessions: every fifth one.
const germanEvery = 5

// plan spreads over the sessions what is told in the scope. It decides how much of each
// kind is told, and in which order.
func (s *scope) plan() [][]telling {
	plan := make([][]telling, sessions)
	add := func(n int, t telling) { plan[n] = append(plan[n], t) }
	anywhere := func() int { return s.IntN(sessions) }
	for _, i := range s.Perm(len(updates))[:6] {
		u := s.update(updates[i])
		at := s.Perm(sessions)[:len(u)]
		slices.Sort(at)
		for k, t := range u {
			add(at[k], t)
		}
	}
	for _, i := range s.Perm(len(preferences))[:5] {
		add(anywhere(), s.preference(preferences[i]))
	}
	for _, i := range s.Perm(len(proposals))[:5] {
		add(anywhere(), s.proposal(proposals[i]))
	}
	for i := range 5 {
		for _, t := range s.code(i) {
			add(anywhere(), t)
		}
	}
	for _, i := range s.Perm(len(outputs))[:3] {
		add(anywhere(), s.output(outputs[i]))
	}
	for _, i := range s.Perm(len(notes))[:4] {
		add(anywhere(), s.noted(notes[i]))
	}
	for _, i := range s.Perm(len(germanFacts))[:5] {
		add(germanEvery*(1+s.IntN(sessions/germanEvery))-1, s.german(germanFacts[i]))
	}
	return plan
}

// exchange adds a request and a long answer. It returns the id of the request.
func (s *scope) exchange(about subject, request string) string {
	id := s.say(strata.RoleUser, "", s.fill(request, about))
	s.say(strata.RoleAssistant, "", s.answer(about, ""))
	return id
}

// update returns tellings of a value and then of one or two values that replace it.
func (s *scope) update(f fact) []telling {
	values, order := ways(f.values), s.Perm(len(ways(f.values)))
	told := make([]string, 0, 3)
	n := 2 + s.IntN(3)/2
	out := make([]telling, n)
	for i := range out {
		text := with(f.text, values[order[i]])
		if i > 0 {
			text = with(s.one(ways(f.change)), values[order[i]])
		}
		out[i].write = func(s *scope, about subject) string { return s.exchange(about, s.amid(about, text)) }
		out[i].then = func(id string) {
			if told = append(told, id); len(told) == n {
				s.ask(KindUpdate, ways(f.ask), Question{Answer: id, Superseded: told[:n-1]})
			}
		}
	}
	return out
}

// preference returns a telling of a preference, once, within a long request.
func (s *scope) preference(f fact) telling {
	text := with(f.text, s.one(ways(f.values)))
	return telling{
		write: func(s *scope, about subject) string {
			return s.exchange(about, s.sentences(about, 3)+" "+text+" "+s.sentences(about, 2)+" "+s.one(about.asks))
		},
		then: func(id string) { s.ask(KindPreference, ways(f.ask), Question{Answer: id}) },
	}
}

// proposal returns a telling in which the assistant names something in a long answer.
func (s *scope) proposal(f fact) telling {
	item := with(f.text, s.one(ways(f.values)))
	return telling{
		write: func(s *scope, about subject) string {
			s.say(strata.RoleUser, "", f.request)
			return s.say(strata.RoleAssistant, "", s.answer(about, item))
		},
		then: func(id string) { s.ask(KindSaid, ways(f.ask), Question{Answer: id}) },
	}
}

// output returns a telling in which a tool prints something that the person asked for.
func (s *scope) output(f fact) telling {
	text := with(f.text, s.one(ways(f.values)))
	return telling{
		write: func(s *scope, about subject) string {
			s.say(strata.RoleUser, "", f.request)
			id := s.say(strata.RoleTool, "", text)
			s.say(strata.RoleAssistant, "", s.sentences(about, 3))
			return id
		},
		then: func(id string) { s.ask(KindTool, ways(f.ask), Question{Answer: id}) },
	}
}

// noted returns a telling that is kept as a note, outside of the conversation.
func (s *scope) noted(f fact) telling {
	text := with(f.text, s.one(ways(f.values)))
	return telling{
		write: func(s *scope, _ subject) string { return s.note(text) },
		then:  func(id string) { s.ask(KindNote, ways(f.ask), Question{Answer: id}) },
	}
}

// german returns a telling in German, with a question in German.
func (s *scope) german(f fact) telling {
	text := with(f.text, s.one(ways(f.values)))
	return telling{
		write: func(s *scope, about subject) string { return s.exchange(about, s.amid(about, text)) },
		then:  func(id string) { s.ask(KindGerman, ways(f.ask), Question{Answer: id}) },
	}
}

// amid returns a remark before or after a request, or alone.
func (s *scope) amid(about subject, remark string) string {
	switch s.IntN(4) {
	case 0:
		return remark
	case 1:
		return s.one(about.asks) + " " + remark
	case 2:
		return s.sentences(about, 2) + " " + remark + " " + s.one(about.more)
	default:
		return remark + " " + s.one(about.asks)
	}
}
