package extract

// germanRules are the commonest statements in German, in the person's own words.
func germanRules() []rule {
	own := func(name, heads, pattern string, reads func([]string) (reading, bool)) rule {
		return rule{name: name + " (de)", heads: heads, pattern: pattern, reads: reads, verbatim: true}
	}
	return []rule{
		own("own name", "ich mein", `(?:ich heiße|ich heisse|mein name ist) (.+)`, foreignName("name")),
		own("name of one's own", "mein meine unser unsere", `(?:meine?|unsere?) (katze|kater|hund|hündin|frau|ehefrau|mann|ehemann|partnerin|partner|freundin|freund|mutter|vater|schwester|bruder|tochter|sohn|oma|opa|chef|chefin|kollegin|kollege) heißt (.+)`, foreignRelation),
		own("home", "ich", `ich (?:wohne|lebe) (?:jetzt |seit \d{4} )?in (.+)`, foreignPlace("city")),
		own("move", "ich wir", `(?:ich bin|wir sind) (?:\pL+ )?nach (\p{Lu}\pL+) (?:um)?gezogen`, foreignPlace("city")),
		own("origin", "ich", `ich komme (?:ursprünglich )?aus (.+)`, foreignPlace("hometown")),
		own("employer", "ich", `ich arbeite (?:jetzt |seit \d{4} )?(?:bei|für) (?:der |dem |die )?(.+)`, foreignPlace("employer")),
		own("job", "ich", `ich (?:arbeite als|bin) (?:ein |eine )?((?:ingenieur|entwickler|programmierer|lehrer|ärztin|arzt|krankenschwester|pfleger|anwalt|anwältin|designer|student|architekt|koch|köchin|journalist|übersetzer|softwareentwickler|informatiker)(?:in)?(?: .*)?)$`, nil),
		own("taste", "ich", `ich (?:mag|liebe|hasse|bevorzuge) (?:sehr |kein |keine |keinen |gerne )?(.+)`, foreignObject),
		own("habit", "ich", `ich (?:esse|trinke|spiele|lese|koche) (?:kein|keine|keinen|gern|gerne|immer|nie|jeden|am liebsten) .+`, nil),
		own("allergy", "ich", `ich (?:bin allergisch gegen|habe eine .*allergie|vertrage kein\pL*) ?.*`, nil),
		own("diet", "ich", `ich bin (?:vegetarier(?:in)?|veganer(?:in)?|diabetiker(?:in)?|verheiratet|geschieden|ledig)(?: .*)?$`, nil),
		own("birthday", "ich mein", `(?:ich habe am (.+) geburtstag|mein geburtstag ist (?:am )?.+)`, nil),
		own("possession", "ich", `ich habe (?:einen?|zwei|drei|vier) (?:katze|hund|kind|tochter|töchter|sohn|söhne|bruder|brüder|schwester|auto|fahrrad|garten)\pL*(?: .*)?$`, nil),
		{name: "standing rule (de)", heads: "immer nie antworte antworten bitte ab in verwende benutze keine", kind: "feedback", verbatim: true, deictic: true,
			pattern: `(?:(?:bitte )?(?:immer|niemals|nie|ab jetzt|ab sofort|in zukunft) .{6,}|(?:bitte )?antworte(?:n sie)?(?: mir)? (?:immer |bitte |ab jetzt )*auf (?:{language})\b.*|(?:bitte )?(?:verwende|benutze) (?:keine|nie) emojis\b.*|keine emojis\b.*)`},
		{name: "project fact (de)", heads: "wir", kind: "project", verbatim: true,
			pattern: `wir (?:benutzen|verwenden|nutzen|deployen|haben (?:uns )?(?:entschieden|beschlossen)|setzen auf) .{4,}`},
	}
}
