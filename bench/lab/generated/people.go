package generated

// withPerson writes the sessions of two people, who take turns.
func (s *scope) withPerson() {
	names := ways("Marta|Ilse|Tobias|Henrik|Yara|Caleb|Noor|Pavel")
	order := s.Perm(len(names))
	pair := [2]string{names[order[0]], names[order[1]]}
	plan := make([][]func(), sessions)
	for who := range pair {
		for _, i := range s.Perm(len(lives))[:10] {
			n := s.IntN(sessions)
			plan[n] = append(plan[n], func() { s.life(lives[i], pair, who) })
		}
	}
	for n := range sessions {
		s.open()
		s.chat(pair, 2+s.IntN(2))
		for _, tell := range plan[n] {
			tell()
			s.chat(pair, 1+s.IntN(2))
		}
		s.chat(pair, 1)
	}
}

// life has one of the pair tell something, sometimes after the other one asked for it.
func (s *scope) life(f fact, pair [2]string, who int) {
	if s.IntN(2) == 0 {
		s.say("", pair[1-who], f.request)
	}
	value := s.one(ways(f.values))
	id := s.say("", pair[who], with(f.text, value))
	s.say("", pair[1-who], s.one(replies))
	var asks []string
	for _, way := range ways(f.ask) {
		asks = append(asks, with(way, pair[who]))
	}
	s.ask(KindPeople, asks, Question{Answer: id})
}

// chat adds n turns of each person about nothing that is asked for.
func (s *scope) chat(pair [2]string, n int) {
	first := s.IntN(2)
	for range n {
		s.say("", pair[first], s.one(smallTalk))
		s.say("", pair[1-first], s.one(replies))
	}
}
