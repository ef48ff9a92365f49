package decide

import (
	"strings"
	"sync"
)

// class is what a word does in a statement, as a set of bits. Zero: it names
// something.
type class uint32

// The classes, in English, Spanish, French and German. The language of a text
// is not guessed: the lists are joined, and a word that is harmless in one
// language costs at most a duplicate kept.
const (
	definite      class = 1 << iota // an article, which says nothing before a noun
	indefinite                      // an article of one among many
	filler                          // says nothing
	negation                        // reverses a statement
	strict                          // a negation of which two do not make one; Spanish and French use two ("no … nunca")
	afterNegation                   // belongs to a negation before it ("no longer", "nicht mehr")
	onlyWord                        // after a negation it affirms ("not only")
	auxiliary                       // before an English "not" that denies the whole statement
	subordinator                    // opens a part of the statement; a negation within denies that part only
	preposition                     // before a negation it ties that to one noun ("with no access")
	placing                         // may stand between "is" and a day or number
	copula                          // the singular present of "to be": holds now, and of one thing
	linking                         // ties a slot to its value
	connective                      // joins the items of a list
	limiting                        // makes a statement false when something is added to it
	adding                          // opens a part that leaves true what comes before it
	naming                          // adds a name, if what it follows is one thing ("a cat named …")
	uniqueHead                      // names what a thing has one of at a time
	uniqueMark                      // makes a subject the only one of its kind
	several                         // makes a subject one of many
	once                            // a verb that holds one value at a time, though not by form
	weekdayName                     // a value, see kind
	monthName                       // a value, see kind
	uninflected                     // ends in -s without being a plural, or means another thing without it
	withoutWord                     // one word for "not with"
	comparing                       // puts one thing before or above another
	presently                       // says that it is so now, which a statement without it says too
	further                         // says that it is so besides something else
)

func (c class) has(any class) bool { return c&any != 0 }

// classOf returns the classes of a lower-case word.
func classOf(word string) class { return lexicon()[word] }

var lexicon = sync.OnceValue(func() map[string]class {
	return newLexicon(map[class]string{
		definite:   `the el la los las le les der die das den dem`,
		indefinite: `a an un una uno une ein eine einen einem einer eines`,
		filler:     `please`,
		presently:  `now currently nowadays ahora actualmente jetzt derzeit maintenant actuellement`,
		further:    `also auch también aussi`,
		negation: `nunca jamás ningún ninguna ninguno nada nadie tampoco
		ne pas jamais aucun aucune rien`,
		negation | strict: `not no never none nobody nothing neither nor
		nicht kein keine keinen keinem keiner keines nie niemals nichts niemand`,
		afterNegation: `longer anymore mehr plus`,
		onlyWord:      `only just solo sólo solamente seulement nur`,
		withoutWord:   `without sin sans ohne`,
		auxiliary: `is are am was were be been do does did has have had
		can could will would shall should may might must need`,
		subordinator: `that which who whom whose where if when while unless because since until
		que quien cuando si porque donde qui quand où lorsque
		wenn weil dass ob falls welche welcher welches`,
		preposition: `with of in to for from by at on con de en por para avec dans pour mit von für bei`,
		placing:     `at on in by around en para à um am im bei`,
		copula:      `is es está est ist`,
		linking: `i my me user is am are es está est ist called named
		llama se mi s'appelle appelle mon ma heißt mein meine`,
		connective: `and or nor y e o u et ou und oder`,
		limiting: `only just solely exclusively all every each both either exactly
		solo sólo solamente únicamente todo todos todas cada
		seulement uniquement tout tous toutes chaque nur ausschließlich alle jeder jede jedes`,
		adding: `and because y porque et und weil`,
		naming: `named called llamado llamada nommé nommée appelé appelée namens`,
		uniqueHead: `name nickname day date time hour deadline birthday age address email mail phone number
		url link port version title color colour size limit timeout branch region timezone password host hostname
		capital boss manager husband wife spouse
		nombre día fecha hora cumpleaños edad dirección correo teléfono número puerto versión título tamaño límite rama
		nom jour heure anniversaire âge adresse téléphone numéro titre couleur taille limite branche
		tag datum uhrzeit frist geburtstag alter telefonnummer nummer titel farbe größe grenze zweig`,
		uniqueMark: `favorite favourite preferred default current primary
		favorito favorita preferido preferida actual favori préféré préférée actuel actuelle
		lieblingsfarbe lieblingsessen bevorzugte bevorzugter aktuelle aktueller`,
		several: `one another some other otro otra autre andere anderer`,
		once: `live lives reside resides work works cost costs weigh weighs expire expires start starts end ends
		vive trabaja cuesta habite travaille coûte wohnt lebt arbeitet kostet`,
		weekdayName: `monday tuesday wednesday thursday friday saturday sunday
		lunes martes miércoles jueves viernes sábado domingo lundi mardi mercredi jeudi vendredi samedi dimanche
		montag dienstag mittwoch donnerstag freitag samstag sonntag`,
		monthName: `january february march april may june july august september october november december
		enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
		janvier février mars avril mai juin juillet août septembre octobre novembre décembre
		januar februar märz juni juli oktober dezember`,
		comparing:   `before after over than first instead above vor nach antes después avant après`,
		uninflected: `news goods customs arms means glasses always lens gas perhaps series species`,
	})
})

func newLexicon(lists map[class]string) map[string]class {
	lex := make(map[string]class)
	for c, list := range lists {
		for w := range strings.FieldsSeq(list) {
			lex[w] |= c
		}
	}
	return lex
}

// withNegation spells out the words of class withoutWord.
var withNegation = map[string]string{"without": "with", "sin": "con", "sans": "avec", "ohne": "mit"}

var (
	// opposites exclude each other as verbs ...
	opposites = pairs(`like dislike, like hate, love hate, love dislike, enjoy hate, enjoy dislike, allow forbid, accept reject,
		trust distrust`)
	// ... and as states, after "is".
	oppositeStates = pairs(`enabled disabled, on off, open closed, allowed forbidden, public private, active inactive,
		true false, online offline, mandatory optional, required optional`)
)

// pairs reads "a b, c d" into a set of both orders.
func pairs(list string) map[[2]string]bool {
	s := make(map[[2]string]bool)
	for p := range strings.SplitSeq(list, ",") {
		w := strings.Fields(p)
		s[[2]string{w[0], w[1]}] = true
		s[[2]string{w[1], w[0]}] = true
	}
	return s
}
