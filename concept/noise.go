package concept

import (
	"strings"
	"sync"
)

// isNoise reports whether a lower-case word says nothing as a tag, though it is
// no stop word: parts of paths and addresses, and words of mere conversation.
func isNoise(word string) bool {
	_, ok := noise()[word]
	return ok
}

var noise = sync.OnceValue(func() map[string]struct{} {
	return wordSet(`
		src lib bin docs doc index main test tests tmp temp dist build file files folder path readme http https www com org net html htm txt md pdf usr etc var
		the's dont don't doesn't didn't isn't aren't wasn't can't won't couldn't wouldn't shouldn't i'm i've i'll i'd gonna wanna gotta
		thing things stuff something anything everything nothing someone anyone everyone lot lots bit kind sort way ways
		just really quite actually maybe perhaps probably definitely totally pretty well much many even still already yet again etc
		yeah yep yup nope wow haha hmm okay sure
	`)
})

// isGeneral reports whether a lower-case word is too general to name a category:
// words of time and number, of liking and doing, of talk, and English words
// whose ending says that they describe or happen rather than name.
func isGeneral(word string) bool {
	if _, ok := general()[word]; ok {
		return true
	}
	for _, ending := range []string{"ing", "ed", "ly", "est", "ful", "ous"} {
		if len(word) > len(ending)+2 && strings.HasSuffix(word, ending) {
			return true
		}
	}
	return false
}

var general = sync.OnceValue(func() map[string]struct{} {
	return wordSet(`
		today tonight tomorrow yesterday now later soon recently lately ago day days week weeks weekend month months year years hour hours minute minutes time times
		morning afternoon evening night monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun am pm
		january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
		first second third last next previous one two three four five six seven eight nine ten hundred thousand million couple
		like likes liked love loves loved enjoy enjoys enjoyed want wants wanted need needs needed prefer prefers hope hopes wish try tries tried trying
		think thinks thought guess believe feel feels felt see sees saw seen look looks looked looking hear heard know
		go goes going went gone come comes came coming make makes made making take takes took taken taking give gives gave given put puts
		keep keeps kept let lets start starts started stop stopped use uses used using work works worked working live lives lived
		help helps helped find finds found show shows showed shown ask asks asked talk talks talked talking call calls called mean means meant
		good great nice awesome amazing cool best better bad worse worst big small new old long short high low able important special different same right wrong
		happy glad sorry thank glad sounds sound point part place people person guy guys man woman everyone
		never always often sometimes usually every each another little away back
		absolutely exactly around forward idea ideas life advice pic bet bye catch rough wait forget consistency appreciate chill gorgeous stunning impressions
		fun interesting lovely beautiful pretty excited fantastic incredible perfect wonderful easy hard sure true false full half top
		check checking set got hold hit turn turned change changed changes care congrats problem happened happen chat cheers since offer surely stay luck hand moment moments mark suggestion suggestions bring brought follow left leave leaving share shared sharing remember pass run
		not real lost strange difference difficult easier far fast half higher impressive honest lucky necessary powerful priceless invaluable helpful heavenly awkward reward
		event news question questions answer reason detail details tip tips recommendation response agree decide continue count owe lend reach reckon reply push
		whoa gotcha stoked awestruck blast vibe vibes gut guts bon kudos compliment congratulations congratulation victory battle anytime whenever whatever
		user assistant system human speaker
		hoy ayer mañana siempre nunca gusta gustan tengo tiene quiero hace hacer
		aujourd'hui hier demain toujours jamais aime veux fait faire
		heute gestern morgen immer nie mag habe hat will machen
	`)
})

func wordSet(list string) map[string]struct{} {
	set := map[string]struct{}{}
	for w := range strings.FieldsSeq(list) {
		set[w] = struct{}{}
	}
	return set
}
