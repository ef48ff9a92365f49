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

// write makes the turns in which what is due is said, among other talk.
func (w *writer) write(due []event) {
	w.exchange(w.other(SmallTalk, Task))
	for _, e := range due {
		t := w.life.Truths[e.truth]
		if (e.act == Repeat || e.act == Asked) && !t.To.IsZero() && !w.now().Before(t.To) {
			continue // it is not so any more
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

// now is when the next turn is said.
func (w *writer) now() time.Time {
	s := w.life.Sessions[w.session]
	return s.At.Add(time.Duration(len(s.Turns)) * time.Minute)
}

func (w *writer) add(t Turn) {
	t.At = w.now()
	s := &w.life.Sessions[w.session]
	s.Turns = append(s.Turns, t)
}

// exchange is a message that tells nothing, and an answer.
func (w *writer) exchange(kind Kind) {
	w.add(Turn{Role: strata.RoleUser, Text: w.noise(kind), Noise: kind})
	w.add(Turn{Role: strata.RoleAssistant, Text: w.noise(Explanation), Noise: Explanation})
}

// other draws a kind.
func (w *writer) other(kinds ...Kind) Kind { return kinds[w.IntN(len(kinds))] }

// noise makes a message of a kind that is not to be kept.
func (w *writer) noise(kind Kind) string {
	return strings.NewReplacer(
		"{n}", strconv.Itoa(4+w.IntN(900)), "{w}", one(w.Rand, names), "{c}", one(w.Rand, towns), "{f}", one(w.Rand, files), "¶", "\n",
	).Replace(one(w.Rand, noises[kind]))
}

func (w *writer) with(list, value string) string {
	return capital(fill(one(w.Rand, list), "", value, ""))
}

// dress puts what is said among other words. A correction stands alone, for it
// points back.
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

// capital begins a sentence with a capital letter.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// small continues a sentence with the first word of another: words that are no names
// begin small.
func small(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if strings.Contains(" My We Our The For When If On In At Had Have You You'll Every Careful Please Nothing Nope No There's There Breakfast Mornings Data "+
		"Reviews Releases Requests Tests Ask Decision Port Being As Appointment Turns Officially They Their From Going New Could Standing Give ", " "+first+" ") {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// hideSecrets puts n secrets into sessions: what the person says, what a tool
// printed, what the assistant repeats.
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
