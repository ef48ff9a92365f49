package learnings

var italian = language{
	name:  "Italian",
	cues:  []string{"no", "sbagliat", "smetti", "smettila", "dovresti", "detto", "invece", "posto", "riprova", "riformul", "correzione", "intendevo", "volevo dire", "scorrett", "falso", "sbagli", "capito male", "è "},
	leads: []string{`(?:mmh?|ehm|oh|ah|allora|aspetta|scusa|scusi|grazie,? ma|ok,? ma|ma|per favore)\b`},
	no:    []string{`no`},
	states: []string{
		`(?:è|sono|era|si chiama|si trova|usiamo|uso|lavoriamo|lavoro|vivo|abito|distribuiamo|abbiamo|ho detto|ho chiesto|volevo|voglio|intendevo) `,
		`(?:noi |io |qui )(?:usiamo|uso|lavoriamo|lavoro) `,
		`(?:il|la|lo|i|le|mio|mia|il mio|la mia|il nostro|la nostra|nostro|nostra|suo|sua) \S+ (?:è|sono|si chiama|si trova|deve|usa) `,
		`(?:usa|usate|metti|scrivi|chiamal[oa]|cambia|prendi|mettil[oa]) `,
	},
	accepts: []string{`grazie|bene|va bene|perfetto|perfetta|ottimo|ottima|bello|bella|giusto|ragione|ok|niente|nulla|tutto|piace|adoro|dopo|ancora|basta|chiaro|divertente|colpa mia|importa|finito|tranquill[oa]`},
	direct: []string{
		`(?:sbagliato|falso|scorretto)(?:$|[,:;] )`, `(?:(?:questo|ciò|quello|la risposta) )?(?:è|era) (?:sbagliat[oa]|scorrett[oa]|errat[oa]|fals[oa])(?:$|[,:;] )`,
		`(?:questo |ciò |così )?non è (?:corretto|giusto|vero|esatto|quello che (?:ho (?:detto|chiesto)|volevo|intendevo)|così)(?:$|[,:;] )`, `non è (?:il mio|la mia|il nostro|la nostra) `,
		`(?:io )?(?:intendevo|volevo dire) `, `non ho (?:mai )?(?:detto|chiesto) (?:questo|quello|di|che|un)`,
		`te l'ho (?:già )?detto(?: già)?(?:$|[,:] )`, `l'ho già detto(?:$|[,:] )`, `come (?:ti )?ho (?:già )?detto[,:] `,
		`(?:ti sbagli|si sbaglia|hai (?:capito male|frainteso|confuso)|ti confondi)`,
		`(?:riprova|riprovate|prova di nuovo|prova ancora|rifallo),? (?:ma |questa volta |stavolta )?(?:con|senza|in|questa volta|stavolta) `,
		`(?:lasciami|fammi|permettimi di) riformulare`, `riformulo`, `correzione[:,] `,
		`(?:dovresti|devi|dovreste) (?:invece )?usare `,
	},
	polite: []string{`nessun (?:problema|disturbo)`, `no,? grazie`, `non (?:male|importa|preoccuparti|fa niente|ancora|adesso|sono sicur[oa]|solo|c'è (?:problema|fretta))`, `niente`},
	instead: []string{
		`non (?:in |a |il |la |lo |su |con |su )*([^,;]{1,40}?)(?:,|;| ma | bensì)`,
		`[^,;]{1,50}, (?:e )?non (?:in |a |il |la |lo |su |con )*([^,;]{1,40})$`,
		`.{0,40}?(?:invece di|al posto di|anziché|invece che) ([^,;]{1,40})`,
		`smetti(?:la)? di ([^,;]{1,40})`, `non usare (?:più |mai )?([^,;]{1,40})`, `(?:noi )?non usiamo ([^,;]{1,40}), `,
	},
	is: []string{`(?:è|sono|si chiama|si trova) `},
	corrects: []string{"No, usa invece pnpm.", "Sbagliato, distribuiamo con Terraform.", "Non staging, produzione!", "Smetti di usare npm, qui usiamo solo pnpm.", "Dovresti usare pnpm.", "È sbagliato. Il cluster è a Dublino.",
		"Questo non è corretto. Il cluster è a Dublino.", "Te l'ho già detto: pnpm.", "Usa pnpm invece di npm.", "Riprova, questa volta con pnpm.", "No, usiamo pnpm.", "No, è a Dublino.", "Lasciami riformulare: voglio il cluster di produzione.", "Frankfurt? È Dublino.", "Intendevo l'altro cluster.", "A Dublino, non a Frankfurt."},
	harmless: []string{"Nessun problema, vai avanti.", "In realtà sembra ottimo!", "Che cos'è Helm?", "Grazie! Ora scrivi i test.", "In realtà, parliamo d'altro.", "In realtà lo adoro.", "La build è sbagliata anche sulla mia macchina.", "No, grazie.", "No, va bene così.",
		"Non male!", "No, è perfetto.", "È sbagliato?", "Abito a Frankfurt, non lontano dalla stazione.", "Dovresti vedere questo film."},
}
