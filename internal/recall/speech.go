package recall

import (
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// The store decides who speaks turn by turn, and takes a named person to speak among
// people. In a session with an assistant, that person speaks to the assistant, so the
// turn must be read and weighted like that of any user. Otherwise the turns of one
// session would have different weights, and their scores would not be comparable.

// inferSpeech records the sessions in which the given turns show an assistant, and
// corrects the speech of the people in them. It scores the corrected candidates again.
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
		p.passages = slices.Clone(p.passages) // the slice may belong to the store
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

// withSpeech returns a passage with its speech corrected by what is known of its session.
func (p *pool) withSpeech(m store.Meta) store.Meta {
	if m.Kind == strata.KindTurn && m.Speech == store.SpeechPeople && p.assisted[m.Parent] {
		m.Speech = store.SpeechUser
	}
	return m
}
