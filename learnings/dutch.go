package learnings

var dutch = language{
	name:  "Dutch",
	cues:  []string{"nee", "fout", "niet", "geen", "stop", "moet", "zou", "gezegd", "plaats van", "opnieuw", "nog eens", "nog een keer", "anders", "herformul", "correctie", "bedoel", "klopt", "onjuist", "vergis", "verkeerd", "het is"},
	leads: []string{`(?:hm+|eh|oh|ah|nou|wacht|sorry|pardon|bedankt,? maar|ok,? maar|maar|alsjeblieft)\b`},
	no:    []string{`nee`, `neen`},
	states: []string{
		`(?:het|dat|hij|zij|ze|we|wij|ik) (?:is|zijn|was|heet|ligt|staat|draait|woont|werkt|gebruiken|gebruik|deployen|werken|werk|hebben|wil|wilde|bedoelde|zei|moet) `,
		`(?:mijn|onze|ons|zijn|haar|de|het) \S+ (?:is|zijn|heet|staat|ligt|draait|moet|gebruikt) `,
		`(?:gebruik|neem|schrijf|noem|zet|doe|maak) `,
	},
	accepts: []string{`bedankt|dank|dankje|goed|prima|perfect|super|leuk|mooi|gelijk|klopt|oké|ok|niets|alles|fijn|later|nog niet|genoeg|duidelijk|geweldig|graag|mijn schuld|belangrijk|klaar|hou`},
	direct: []string{
		`(?:fout|verkeerd|onjuist)(?:$|[,:;] )`, `(?:dat|dit|je antwoord) (?:is|was) (?:fout|verkeerd|onjuist|niet (?:juist|correct|waar|goed|wat ik (?:zei|bedoelde|vroeg|wilde)))(?:$|[,:;] )`, `(?:dat|dit) klopt niet(?:$|[,:;] )`, `(?:dat|dit) is niet (?:mijn|onze|de juiste|het juiste) `,
		`ik bedoel(?:de|) `, `dat (?:heb ik|zei ik|bedoelde ik|vroeg ik) niet(?:$| gezegd| gevraagd)`, `(?:dat|het) heb ik (?:je |jou )?(?:toch )?al gezegd(?:$|[,:] )`,
		`ik (?:heb|had) (?:het |dat )?(?:je |jou )?(?:het |dat )?(?:toch )?al (?:eerder )?gezegd(?:$|[,:] )`, `zoals ik al zei[,:] `,
		`je (?:vergist je|hebt (?:me|het|dat) (?:verkeerd|niet goed) begrepen|haalt .{1,30} door elkaar)`,
		`probeer (?:het )?(?:opnieuw|nog eens|nog een keer),? (?:maar |deze keer |dit keer |nu )?(?:met|zonder|in|deze keer|dit keer) `, `doe het opnieuw,? (?:maar |deze keer )?(?:met|zonder) `,
		`laat me? (?:het |dat )?(?:anders (?:zeggen|formuleren)|herformuleren)`, `anders gezegd[,:] `, `correctie[:,] `,
		`je (?:moet|zou|had moeten|zou beter) (?:hier |beter |liever |in plaats daarvan )?\S+ (?:moeten gebruiken|gebruiken)`,
	},
	polite: []string{`geen (?:probleem|zorgen|haast|idee|stress|dank)`, `nee,? (?:bedankt|dank je|dank u)`, `niet (?:slecht|erg|nodig|nu|zeker|alleen)`},
	instead: []string{
		`niet (?:in |op |de |het |met |naar )*([^,;]{1,40}?)(?:,|;| maar )`,
		`[^,;]{1,50}, (?:en )?niet (?:in |op |de |het |met |naar )*([^,;]{1,40})$`,
		`.{0,40}?in plaats van ([^,;]{1,40})`, `stop (?:met |het )([^,;]{1,40})`, `gebruik (?:geen|niet|nooit) ([^,;]{1,40})`, `(?:we|wij) gebruiken (?:hier )?geen ([^,;]{1,40}), `,
	},
	is: []string{`(?:het|dat|zij) (?:is|zijn|heet|ligt|staat) `},
	corrects: []string{"Nee, gebruik pnpm.", "Fout, we deployen met Terraform.", "Niet staging, productie!", "Stop met npm gebruiken, we gebruiken hier alleen pnpm.", "Je moet pnpm gebruiken.", "Je zou pnpm moeten gebruiken.", "Dat is onjuist. Het cluster staat in Dublin.", "Dat klopt niet. Het cluster staat in Dublin.",
		"Ik heb het je al gezegd: pnpm.", "Gebruik pnpm in plaats van npm.", "Probeer het opnieuw, deze keer met pnpm.", "Nee, we gebruiken pnpm.", "Nee, het is in Dublin.", "Laat me het anders zeggen: ik wil het productiecluster.", "Frankfurt? Het is Dublin.", "Ik bedoelde het andere cluster.", "In Dublin, niet in Frankfurt."},
	harmless: []string{"Geen probleem, ga je gang.", "Eigenlijk ziet dat er geweldig uit!", "Wat is Helm?", "Bedankt! Schrijf nu de tests.", "Laten we het over iets anders hebben.", "Eigenlijk vind ik dit geweldig.", "De build is op mijn machine ook fout.", "Nee, bedankt.", "Nee, het is goed zo.", "Niet slecht!",
		"Dat is niet erg.", "Is dat fout?", "Ik woon in Frankfurt, niet ver van het station.", "Je moet die film zien."},
}
