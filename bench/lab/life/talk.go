package life

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata"
)

// writer writes the turns of a session.
type writer struct {
	*rand.Rand
	life    *Life
	session int
}

// write writes the turns that say what is due, among other talk.
func (w *writer) write(due []event) {
	w.exchange(w.other(SmallTalk, Task))
	for _, e := range due {
		t := w.life.Truths[e.truth]
		if (e.act == Repeat || e.act == Asked) && !t.To.IsZero() && !w.now().Before(t.To) {
			continue // it is no longer so
		}
		if e.act != Correct && w.IntN(3) == 0 {
			w.exchange(w.other(Task, Code, Log, Quote, Hypothetical, Passing, Question))
		}
		about := []Mention{{e.truth, e.act}}
		switch e.act {
		case Asked:
			w.add(Turn{Role: strata.RoleUser, Text: e.text, About: about, Noise: Question, Asks: true})
			w.add(Turn{Role: strata.RoleAssistant, Text: w.with(answers, t.Value), About: about})
		default:
			text, noise := w.dress(e)
			w.add(Turn{Role: strata.RoleUser, Text: text, About: about, Noise: noise})
			w.add(Turn{Role: strata.RoleAssistant, Text: w.with(acks, t.Value), About: about})
		}
	}
	for range 1 + w.IntN(2) {
		w.exchange(w.other(Task, Code, Log, Quote, Hypothetical, Passing, Question, SmallTalk))
	}
}

// now returns the time of the next turn.
func (w *writer) now() time.Time {
	s := w.life.Sessions[w.session]
	return s.At.Add(time.Duration(len(s.Turns)) * time.Minute)
}

func (w *writer) add(t Turn) {
	t.At = w.now()
	s := &w.life.Sessions[w.session]
	s.Turns = append(s.Turns, t)
}

// exchange adds a message that tells nothing, and an answer.
func (w *writer) exchange(kind Kind) {
	w.add(Turn{Role: strata.RoleUser, Text: w.noise(kind), Noise: kind})
	w.add(Turn{Role: strata.RoleAssistant, Text: w.noise(Explanation), Noise: Explanation})
}

// other draws one of the kinds.
func (w *writer) other(kinds ...Kind) Kind { return kinds[w.IntN(len(kinds))] }

// noise returns a message of a kind that memory should not keep.
func (w *writer) noise(kind Kind) string {
	return strings.NewReplacer(
		"{n}", strconv.Itoa(4+w.IntN(900)), "{w}", one(w.Rand, names), "{c}", one(w.Rand, towns), "{f}", one(w.Rand, files), "¶", "\n",
	).Replace(one(w.Rand, noises[kind]))
}

func (w *writer) with(list, value string) string {
	return capital(fill(one(w.Rand, list), "", value, ""))
}

// dress surrounds what an event says with other words. A correction stands alone, because
// it refers back.
func (w *writer) dress(e event) (text string, noise Kind) {
	text = capital(e.text)
	if e.act == Correct {
		return text, ""
	}
	switch w.IntN(10) {
	case 0, 1, 2:
		lead := one(w.Rand, leads)
		if !strings.HasSuffix(lead, ".") {
			text = small(text)
		}
		text = lead + " " + text
	case 3:
		noise = w.other(Task, Passing, Question)
		text = w.noise(noise) + " " + text
	}
	if w.IntN(6) == 0 {
		text += " " + one(w.Rand, tails)
	}
	return text, noise
}

// capital returns s with its first letter in upper case.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// small prepares s to continue a sentence: it puts the first word in lower case, if it is
// one of the listed words that are not names.
func small(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if strings.Contains(" My We Our The For When If On In At Had Have You You'll Every Careful Please Nothing Nope No There's There Breakfast Mornings Data "+
		"Reviews Releases Requests Tests Ask Decision Port Being As Appointment Turns Officially They Their From Going New Could Standing Give ", " "+first+" ") {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// hideSecrets adds n secrets to random sessions: in what the person says, what a tool
// prints, or what the assistant says.
func (w *writer) hideSecrets(n int) {
	first := w.IntN(len(secretForms))
	for i := range n {
		form := secretForms[(first+i)%len(secretForms)]
		hidden, text := secret(w.Rand, form)
		w.session = w.IntN(len(w.life.Sessions))
		turn := Turn{Role: strata.RoleUser, Text: text, Noise: Secret}
		switch w.IntN(8) {
		case 0:
			turn.Role = strata.RoleAssistant
		case 1:
			turn.Role, turn.Tool = strata.RoleTool, "shell"
		}
		w.add(turn)
		w.life.Secrets = append(w.life.Secrets, Hidden{Form: form.name, Text: hidden, Session: w.session})
	}
}
