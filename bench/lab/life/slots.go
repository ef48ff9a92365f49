package life

import "strings"

// slot is something that has one value at a time. In its lines, {v} stands for the value,
// {old} for the previous one, and {e} for an entity; each entity makes a slot of its own.
// Every list has one entry per line.
type slot struct {
	kind     Kind
	name     string
	entities string
	values   string
	tell     string
	change   string
	end      string // empty if it does not end
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

// fill replaces the placeholders in a line by the entity, the value and the previous
// value. It changes "a" to "an" before a vowel.
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

// corrections are ways to say, right after a value was told, that it was a slip.
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
