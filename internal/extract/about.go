package extract

import (
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// aboutLife reports whether a statement that no rule reads is about the life of the
// user rather than about the work at hand: by the words of people, animals, homes,
// bodies, meals and leisure in it and those of work, where whom or what it is about
// counts most.
func aboutLife(statement *text.Analysis) bool {
	who := readClaim(statement.Text()).who
	if and := andMe.MatchString(who); and || title.MatchString(who) {
		return true
	}
	score := subjectWeight * lifeScore(text.Analyze(who))
	score += lifeScore(statement)
	return score > 0
}

// subjectWeight is what a word of the subject counts more than another.
const subjectWeight = 2

var (
	andMe = expr(`(?i)^\p{L}+ and (?:i|me)$`)
	// title is a person by what the family calls them.
	title = expr(`(?i)^(?:mum|mom|mama|dad|papa|gran|granny|grandma|grandpa|grandad|granddad|nana|auntie?|uncle)(?: \pL+)?(?:'s .+)?$`)
)

// lifeScore is how many words of life a text has more than words of work.
func lifeScore(a *text.Analysis) int {
	n := 0
	for _, t := range a.Tokens() {
		switch {
		case lifeTerms()[t.Term]:
			n++
		case workTerms()[t.Term]:
			n--
		}
	}
	return n
}

// stems are the index terms of words, made at their first use: few commands need them.
func stems(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		out := make(map[string]bool)
		for _, t := range text.Terms(words) {
			out[t] = true
		}
		return out
	})
}

var lifeTerms = stems(`mother father parents mum mom dad daughter son child kids kid baby toddler twins sister brother sibling wife husband spouse partner fiance fiancee
	girlfriend boyfriend aunt uncle cousin niece nephew grandma grandpa grandmother grandfather grandson granddaughter grandchildren godson goddaughter family
	friend neighbor neighbour landlord landlady tenant roommate flatmate babysitter nanny childminder
	cat dog hamster rabbit parrot tortoise turtle goldfish horse pony kitten puppy budgie canary gecko chicken hen guinea vet
	home house flat apartment cottage garage garden allotment balcony kitchen bathroom bedroom attic cellar boiler heating fridge freezer oven dishwasher sofa bed
	mattress curtain carpet rent mortgage lawn hedge shed greenhouse bin rubbish trash plumber electrician handyman gardener cleaner chimney radiator
	car bike bicycle scooter motorbike caravan boat passport visa flight holiday vacation honeymoon cruise beach coast camping hike
	knee hip ankle wrist shoulder elbow tooth teeth skin stomach blood pressure cholesterol diabetes diabetic asthma allergy allergic intolerant intolerance pill
	medicine medication inhaler insulin doctor dentist physio physiotherapist therapist optician surgeon surgery hospital clinic pharmacy vaccine pregnant pregnancy
	vegetarian vegan gluten lactose walnut peanut hazelnut shellfish diet migraine headache asleep awake sleep snore glasses hearing
	yoga pilates gym swim choir guitar piano violin cello flute drum tennis football soccer badminton chess climb knit paint pottery dance ballet judo karate
	wedding birthday anniversary christmas easter ramadan thanksgiving funeral dinner breakfast lunch supper coffee tea wine beer cake bread recipe cook bake
	shoe shoes dress shirt jacket size church mosque synagogue school kindergarten nursery grandparents seat`)

var workTerms = stems(`code server service api build deploy deployment release branch repo repository database schema migration test tests cluster frontend backend
	endpoint library package module feature flag config configuration log logs queue cache container docker kubernetes registry pipeline sprint ticket backlog
	customer client vendor supplier team standup retro deadline milestone budget invoice product app application version parser compiler script cron worker
	gateway proxy token cookie session metric dashboard alert incident outage merge commit review pull request staging production prod license warehouse thesis
	chapter paper experiment dataset lab microscope report template spec design mockup stakeholder contract project`)

// typeByWords is the type of a statement whose wording tells none: by what it is about.
func typeByWords(statement *text.Analysis) strata.Type {
	if aboutLife(statement) {
		return strata.TypeUser
	}
	return strata.TypeProject
}
