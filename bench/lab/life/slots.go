package life

import "strings"

// slot is something that has one value at a time. In its lines {v} stands for the
// value, {old} for the one before, {e} for one of the entities, of whom each makes a
// slot of its own. Every list has one entry a line.
type slot struct {
	kind     Kind
	name     string
	entities string
	values   string
	tell     string
	change   string
	end      string // empty: it does not end
	ask      string
	negative bool
}

// lines splits a list into its entries.
func lines(list string) []string {
	var out []string
	for line := range strings.Lines(list) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// fill puts entity, value and the value before into a line. Before a vowel "a"
// becomes "an".
func fill(line, entity, value, old string) string {
	var pairs []string
	for place, word := range map[string]string{"{e}": entity, "{v}": value, "{old}": old} {
		if word != "" && strings.Contains("AEIOUaeiou", word[:1]) {
			pairs = append(pairs, " a "+place, " an "+word, "A "+place, "An "+word)
		}
		pairs = append(pairs, place, word)
	}
	return strings.NewReplacer(pairs...).Replace(line)
}

// corrections say that a value was a slip, right after it was told.
const corrections = `
	Sorry, I mixed that up: {v}, not {old}.
	Wait, that's wrong. It's {v}.
	I meant {v} of course, not {old}.
	Correction, {v} instead of {old}. Long day.
	Oops, scratch that, I said {old} but it's {v}.
	No hang on, {old} was nonsense. {v} is right.
	Let me fix what I just said: {v}.
	Argh, not {old}! {v}.
	My mistake, I should have written {v} where I wrote {old}.
	Actually it's {v}, I always confuse it with {old}.`

// leads go before a statement, and tails after it.
const (
	leads = `
		By the way,
		Oh, before I forget:
		Side note:
		While I'm at it,
		Just so you know,
		For context:
		Unrelated, but
		Also,
		One more thing.
		Anyway,`
	tails = `
		Anyway, back to the topic.
		Keep that in mind.
		Not that it matters for this.
		Just saying.
		Okay, next question.
		Does that change anything?
		Let's go on.
		That's all for now.`
)

// Names that many slots share.
const (
	cities = `
		Ghent
		Tallinn
		Graz
		Bergen
		Leeds
		Porto
		Aarhus
		Basel
		Lyon
		Krakow
		Utrecht
		Malaga
		Turin
		Cork
		Riga
		Bristol
		Heidelberg
		Gothenburg
		Salzburg
		Nantes`
	relatives = `
		sister
		brother
		mother
		father
		aunt
		cousin
		niece
		nephew
		grandmother
		son
		daughter`
	friends = `
		Marta
		Tobias
		Yara
		Caleb
		Noor
		Pavel
		Ilse
		Henrik
		Dana
		Felix
		Imani
		Joost
		Keiko
		Lorenzo
		Mireille
		Nadia
		Oskar
		Petra
		Quentin
		Rosa
		Sanjay
		Tilda
		Ulrich
		Vera
		Wim
		Zofia`
	jobs = `
		nurse
		carpenter
		tax advisor
		pastry chef
		train driver
		dental technician
		translator
		landscape architect
		piano teacher
		geologist
		optician
		firefighter
		illustrator
		beekeeper
		pharmacist
		sound engineer`
)
