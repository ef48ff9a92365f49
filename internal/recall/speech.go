package recall

import (
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// The store knows of each turn alone who speaks: a person who is named speaks among
// people. In a session in which an assistant takes part, that person speaks to the
// assistant, and is read and weighed like anybody who does. Otherwise the turns of one
// session would have different weights, and their scores could not be compared.

// inferSpeech notes in which sessions an assistant takes part, as some turns tell, and
// corrects to whom the people in these speak. The candidates that it corrects are
// scored anew.
func (f *finder) inferSpeech(p *pool, turns []store.Meta) {
	known := len(p.assisted)
	for i := range turns {
		if m := &turns[i]; m.Speech != store.SpeechPeople {
			p.assisted[m.Parent] = true
		}
	}
	wrong := func(m store.Meta) bool { return p.withSpeech(m) != m }
	if len(p.assisted) == known {
		return
	}
	if slices.ContainsFunc(p.passages, wrong) {
		p.passages = slices.Clone(p.passages) // they may be the store's
		for i, m := range p.passages {
			p.passages[i] = p.withSpeech(m)
		}
	}
	for _, c := range f.cands {
		if c.pool == p && wrong(c.meta) {
			c.meta = p.withSpeech(c.meta)
			c.own, c.around, c.aroundReply, c.previous, c.eventMatch = 0, 0, 0, 0, 0
			f.scoreWords(c)
		}
	}
}

// withSpeech returns a passage with its speech as far as the session is known.
func (p *pool) withSpeech(m store.Meta) store.Meta {
	if m.Kind == strata.KindTurn && m.Speech == store.SpeechPeople && p.assisted[m.Parent] {
		m.Speech = store.SpeechUser
	}
	return m
}
