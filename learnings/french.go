package learnings

var french = language{
	name:  "French",
	cues:  []string{"non", "faux", "pas ", "n'", "arrête", "cesse", "devrais", "dit", "lieu", "plutôt", "réessa", "recommence", "reformul", "correction", "trompe", "voulais dire", "parlais", "c'est", "incorrect", "erreur", "mal compris"},
	leads: []string{`(?:hum|euh|oh|ah|bon|alors|attends|attendez|désolée?|pardon|merci,? mais|ok,? mais|mais|s'il te plaît)\b`},
	no:    []string{`non`, `nan`},
	states: []string{
		`(?:c'est|ce sont|c'était|il est|elle est|il s'appelle|elle s'appelle|on (?:utilise|déploie|travaille|est)|nous (?:utilisons|déployons|travaillons|sommes|avons)|j'(?:utilise|habite|ai dit|ai demandé)|je (?:travaille|veux|voulais|m'appelle|parlais)) `,
		`(?:mon|ma|mes|notre|nos|le|la|les|son|sa|l') ?\S+ (?:est|sont|s'appelle|se trouve|doit|utilise) `,
		`(?:utilise|utilisez|prends|mets|mettez|écris|appelle|change|fais|emploie) `,
	},
	accepts: []string{`merci|bon|bonne|bien|parfaite?|super|génial|vrai|raison|d'accord|ok|rien|tout|pas grave|aime|adore|plaît|plus tard|encore|suffit|clair|exact|drôle|ma faute|fini|important|rassure`},
	direct: []string{
		`(?:faux|incorrect)(?:$|[,:;] )`, `(?:c'est|c'était|ceci est|cela est|ta réponse est|votre réponse est) (?:faux|fausse|incorrecte?|erronée?|inexacte?)(?:$|[,:;] )`,
		`(?:ce )?n'est pas (?:ça|correct|exact|juste|vrai|ce que j'ai (?:dit|demandé)|ce que je (?:voulais|veux))(?:$|[,:;] )`, `c'est pas (?:ça|correct|exact|juste|vrai)(?:$|[,:;] )`, `ce n'est pas (?:mon|ma|notre|le bon|la bonne) `,
		`je (?:voulais dire|parlais d)`, `je n'ai (?:pas|jamais) (?:dit|demandé) (?:ça|cela|de|que|un|le|la)`,
		`je (?:te|vous) l'ai (?:déjà )?dit(?: déjà)?(?:$|[,:] )`, `je l'ai déjà dit(?:$|[,:] )`, `comme je (?:te |vous )?l'ai (?:déjà )?dit[,:] `,
		`(?:tu te trompes|vous vous trompez|tu as (?:mal compris|confondu)|vous avez (?:mal compris|confondu)|tu confonds)`,
		`(?:réessaie|réessaye|réessayez|recommence|recommencez|essaie encore|essaye encore|refais-le),? (?:mais |cette fois |cette fois-ci )?(?:avec|sans|en|cette fois) `,
		`(?:laisse|laissez)-moi reformuler`, `je reformule`, `(?:petite )?correction[:,] `,
		`(?:tu devrais|vous devriez|tu dois|il faut) (?:plutôt )?utiliser `,
	},
	polite: []string{`pas de (?:problème|souci|soucis|quoi)`, `non,? merci`, `pas (?:mal|grave|encore|maintenant|sûr|besoin|seulement|la peine)`, `aucun (?:problème|souci)`},
	instead: []string{
		`pas (?:en |à |le |la |les |sur |au |avec |de )*([^,;]{1,40}?)(?:,|;| mais)`,
		`[^,;]{1,50}, (?:et )?(?:non )?pas (?:en |à |le |la |les |sur |au |avec )*([^,;]{1,40})$`,
		`.{0,40}?(?:au lieu|à la place) (?:de |d'|du |des |de la )+([^,;]{1,40})`, `.{0,40}? plutôt que (?:de |d')?([^,;]{1,40})`,
		`(?:arrête|arrêtez|cesse|cessez) (?:d'|de )([^,;]{1,40})`, `n'(?:utilise|utilisez) (?:pas|plus|jamais) ([^,;]{1,40})`,
		`(?:on|nous) n'(?:utilise|utilisons) pas ([^,;]{1,40}), `,
	},
	is: []string{`(?:c'est|il est|elle est|ce sont) `},
	corrects: []string{"Non, utilise plutôt pnpm.", "Faux, nous déployons avec Terraform.", "Pas staging, production !", "Arrête d'utiliser npm, ici on n'utilise que pnpm.", "Tu devrais utiliser pnpm.",
		"C'est incorrect. Le cluster est à Dublin.", "Ce n'est pas correct. Le cluster est à Dublin.", "Je te l'ai déjà dit : pnpm.", "Utilise pnpm au lieu de npm.", "Réessaie, cette fois avec pnpm.", "Non, on utilise pnpm.",
		"Non, c'est à Dublin.", "Laisse-moi reformuler : je veux le cluster de production.", "Frankfurt ? C'est Dublin.", "Je voulais dire l'autre cluster.", "À Dublin, pas à Frankfurt."},
	harmless: []string{"Pas de problème, vas-y.", "En fait, c'est génial !", "C'est quoi, Helm ?", "Merci ! Maintenant, écris les tests.", "En fait, parlons d'autre chose.", "En fait, j'adore ça.", "Le build est faux sur ma machine aussi.",
		"Non merci.", "Non, c'est bon.", "Pas mal !", "Ce n'est pas grave.", "Non, c'est parfait.", "C'est faux ?", "J'habite à Frankfurt, pas loin de la gare.", "Tu devrais voir ce film."},
}
