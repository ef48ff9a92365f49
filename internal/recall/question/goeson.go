package question

import "github.com/strata-memory/strata/internal/text/lazyregexp"

// goesOn reports whether a question refers to what was said before by an assistant, or in
// a conversation with it: "the plan from last time", "what did you suggest". It knows the
// wording of English, German, French and Spanish.
func goesOn(question string) bool { return earlierTalk.MatchString(question) }

var earlierTalk = lazyregexp.New(`(?i)(?:^|[^\pL\pN])(?:` +
	// English
	`last time|you (?:said|suggested|mentioned|recommended|told|gave|proposed|listed|explained|provided|wrote|showed|advised|offered)|` +
	`(?:did|have|had) you (?:say|suggest|mention|recommend|tell|give|propose|list|explain|write|show|said|suggested|mentioned|recommended|told|given|proposed|listed)|` +
	`your (?:earlier |last |previous |first )?(?:suggestion|advice|plan|recommendation|list|answer|proposal|explanation|idea)s?|` +
	`we (?:discussed|talked|decided|agreed|worked|covered|planned|went over|came up with)|` +
	`(?:our|the) (?:last|previous|earlier) (?:\pL+ )?(?:chat|conversation|discussion|session|talk|plan|version)|` +
	`our (?:plan|chat|conversation|discussion|talk)|as discussed|regarding|` +
	// German
	`letztes mal|beim letzten mal|(?:hast|hattest) du (?:\pL+ ){0,4}(?:gesagt|empfohlen|vorgeschlagen|genannt|erklärt)|du (?:\pL+ ){0,4}(?:empfohlen|vorgeschlagen|gesagt) hast|` +
	`(?:haben|hatten) wir (?:\pL+ ){0,4}(?:besprochen|beschlossen|vereinbart)|dein(?:e|en)? (?:vorschlag|rat|empfehlung|plan|liste)|` +
	// French
	`la dernière fois|tu (?:as|avais) (?:dit|suggéré|proposé|recommandé|conseillé)|vous (?:avez|aviez) (?:dit|suggéré|proposé|recommandé|conseillé)|` +
	`(?:nous avons|on a) (?:discuté|décidé|parlé|convenu)|(?:ta|votre) (?:suggestion|recommandation|proposition|liste)|` +
	// Spanish
	`la última vez|(?:me )?(?:dijiste|sugeriste|propusiste|recomendaste|aconsejaste)|(?:discutimos|hablamos|decidimos|acordamos)|tu (?:sugerencia|recomendación|propuesta|plan|lista)` +
	`)(?:$|[^\pL\pN])`)
