package text

import "strings"

// IsStop reports whether a lower-case word is a stop word of English, Spanish, French,
// German, Italian or Portuguese: one that carries grammar rather than a subject.
// Negations are not stop words, because they change what a statement says; nor are words
// that one language uses for grammar and another for a subject (Spanish "son", German
// "die", French "ai", the month May).
func IsStop(word string) bool {
	return stopWords[strings.ReplaceAll(word, "’", "'")]
}

var stopWords = WordSet(`
a an the this that these those there here
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves one's
who whom whose which what when where why how
am is are was were be been being do does did doing done have has had having
will would shall should can could might must ought
and or but if then else so because as until while although though than
of at by for with about against between into through during before after above below to from up down in out on off over under again further once
all any both each few more most other some such only own same too very just also ever
i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd they'd i'll you'll he'll she'll we'll they'll
what's who's where's when's how's why's that's there's here's let's
s t d ll m re ve
yes yeah ok okay oh hey hi hello wow please thanks thank
get got getting tell told say says said know known like really
el la los las un una unos unas y o u e de del al en con por para sobre entre que qué quien quién cual cuál como cómo cuando cuándo donde dónde
es era eran fue fueron ser estar está están estoy soy yo tú él ella nosotros ellos ellas mi mis tu tus su sus se le les lo me te nos
ha han he hay muy más menos también pero si sí ya
le les une des du au aux et ou où qui quoi dont ce cet cette ces je il elle nous vous ils elles mon ma mes ta tes sa ses notre votre leur leurs
est sont était étaient être avoir as avons avez ont dans sur avec par chez très
der das den dem ein eine einen einem einer und oder aber ist sind waren bist sein haben hatte ich du er sie wir ihr mein meine dein deine
di da dei della dello delle degli nel nelle gli il è sono hai hanno mio miei mie tuo tua questo questa quale quali anche
dov'è cos'è c'è
um uma ao aos pela pelo meu meus minha minhas seu sua isso onde quem quando qual quais são você tem
von zu zum zur im am mit für auf aus bei nach über wie wer wann wo warum
`)
