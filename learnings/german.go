package learnings

var german = language{
	name:  "German",
	cues:  []string{"nein", "nee", "nö", "falsch", "nicht", "kein", "statt", "hör", "soll", "gesagt", "noch mal", "nochmal", "noch einmal", "erneut", "anders", "umformul", "korrektur", "gemeint", "meinte", "irrst", "verwechsel", "missverst", "stimmt", "es ist", "lieber", "sondern"},
	leads: []string{`(?:hm+|äh|oh|ach|also|moment|sorry|entschuldigung|warte|danke,? aber|ok,? aber|gut,? aber|aber|bitte)\b`},
	no:    []string{`nein`, `nee`, `nö`, `ne`},
	states: []string{
		`(?:es|das|er|sie|wir|ich|die|der) (?:ist|sind|war|heißt|heißen|liegt|läuft|wohnt|arbeitet|benutzen?|benutze|verwenden?|verwende|nutzen?|nutze|nehmen|brauchen?|haben|hat|deployen|arbeiten|meinte|wollte|will|möchte|soll|muss) `,
		`(?:mein|meine|unser|unsere|ihr|sein|seine|der|die|das) \S+ (?:ist|sind|heißt|liegt|läuft|wohnt|hat|muss|soll) `,
		`(?:benutze?|verwende?|nutze?|nimm|nehmt|schreib|mach|nenn|stell|leg|ruf|bitte) `,
	},
	accepts: []string{`weiter|ruhig|erst ?mal|danke|gut|gerne?|perfekt|super|toll|prima|schön|richtig|recht|fertig|alles|egal|okay|ok|passt|kein problem|mag|liebe|später|schuld|spaß|müde|nett|klar|reicht|genug|nichts|unwichtig|wichtig|noch nicht|gefällt`},
	direct: []string{
		`falsch(?:$|[,:;] )`, `stimmt nicht(?:$|[,:;] )`,
		`(?:das|dies|die antwort|deine antwort) (?:ist|war|stimmt)(?: so| leider| aber)? (?:falsch|nicht|inkorrekt|verkehrt)(?: richtig| korrekt| wahr| ganz richtig| so)?(?:$|[,:;] )`,
		`(?:das|so) (?:habe? ich|hatte ich|wollte ich|meinte ich) (?:so |doch )?(?:nicht|nie)(?:$| gesagt| gemeint| gewollt| verlangt|[,:;])`,
		`ich (?:meinte|habe? (?:doch )?\S+ gemeint)(?:$| |,)`, `gemeint war `,
		`(?:das )?(?:habe? )?ich (?:habe? |hatte )?(?:es |das )?(?:dir |ihnen |euch )?(?:doch )?(?:schon|bereits)(?: einmal| mehrmals)? gesagt(?:$|[,:] )`,
		`du (?:irrst dich|verwechselst|hast (?:mich|das|es|da was|etwas) (?:falsch verstanden|missverstanden|verwechselt))`,
		`(?:versuch(?:e|s)?|probier(?:e|s)?|mach(?:e|s)?)(?: es| das)? (?:bitte )?(?:noch ?mal|noch einmal|erneut|neu),? (?:aber |diesmal |dieses mal |und zwar )?(?:mit|ohne|in|auf|diesmal|dieses mal) `,
		`(?:lass|lasst) (?:es )?mich (?:das |es )?(?:anders|noch mal anders|neu|um)\s?(?:formulieren|sagen|ausdrücken)`, `anders (?:gesagt|formuliert)[,:] `, `korrektur: `,
		`du (?:solltest|sollst|musst) (?:hier |doch |lieber |stattdessen |besser )?\S+ (?:benutzen|verwenden|nutzen)`,
	},
	polite: []string{`kein problem`, `keine? (?:sorge|eile|ahnung|ursache|stress|zweifel)`, `nein,? danke`, `nicht (?:schlecht|schlimm|nötig|jetzt|sicher|dass|nur|mehr nötig)`},
	instead: []string{
		`nicht (?:in |auf |am |das |die |der |den |im |mit )*([^,;]{1,40}?)(?:,|;| sondern)`,
		`[^,;]{1,50}, (?:und )?nicht (?:in |auf |am |das |die |der |den |im |mit )*([^,;]{1,40})$`,
		`.{0,40}?(?:an)?statt (?:von |mit |das |der |des |die )*([^,;]{1,40})`,
		`hör(?:t)? (?:bitte )?auf,? (?:mit )?(.{1,40})`, `(?:benutz|verwend|nutz|nimm)e? (?:bitte )?(?:kein|nicht|nie)\S* (?:mehr )?([^,;]{1,40})`,
		`(?:wir|ich) (?:benutzen?|verwenden?|nutzen?) (?:hier )?(?:kein|nicht)\S* ([^,;]{1,40}), `,
	},
	is: []string{`(?:es|das|sie|er) (?:ist|sind|heißt|liegt|läuft) `},
	corrects: []string{"Nein, benutze stattdessen pnpm.", "Falsch, wir deployen mit Terraform.", "Nicht Staging, Produktion!", "Hör auf, npm zu benutzen, wir nutzen hier nur pnpm.", "Du solltest pnpm benutzen.",
		"Das ist falsch. Der Cluster ist in Dublin.", "Das stimmt nicht. Der Cluster steht in Dublin.", "Ich habe es dir schon gesagt: pnpm.", "Benutze pnpm statt npm.", "Versuch es noch mal, diesmal mit pnpm.", "Nein, wir benutzen pnpm.",
		"Nein, es ist in Dublin.", "Lass es mich anders sagen: ich will den Produktionscluster.", "Frankfurt? Es ist Dublin.", "Nein. Wir verwenden Terraform.", "In Dublin, nicht in Frankfurt.", "Ich meinte den anderen Cluster."},
	harmless: []string{"Kein Problem, mach weiter.", "Eigentlich sieht das super aus!", "Was ist Helm?", "Danke! Schreib jetzt die Tests.", "Reden wir lieber über etwas anderes.", "Eigentlich liebe ich das.", "Der Build ist auf meinem Rechner auch falsch.",
		"Nein, danke.", "Nein, mach ruhig weiter.", "Nein, das ist gut so.", "Nicht schlecht!", "Das ist nicht schlimm.", "Nein, es ist alles klar.", "Ist das falsch?", "Ich wohne in Frankfurt, nicht weit vom Bahnhof.", "Du solltest mal Urlaub machen."},
}
