package extract

// frenchRules are the commonest statements in French, in the person's own words.
func frenchRules() []rule {
	own := func(name, heads, pattern string, reads func([]string) (reading, bool)) rule {
		return rule{name: name + " (fr)", heads: heads, pattern: pattern, reads: reads, verbatim: true}
	}
	return []rule{
		own("own name", "je mon", `(?:je m'appelle|mon nom est|mon prénom est) (.+)`, foreignName("name")),
		own("name of one's own", "mon ma", `(?:mon|ma) (chat|chatte|chien|chienne|femme|mari|compagne|compagnon|copine|copain|mère|père|sœur|soeur|frère|fille|fils|grand-mère|grand-père|chef|cheffe|ami|amie) s'appelle (.+)`, foreignRelation),
		own("home", "j'habite je", `(?:j'habite|je vis|je réside) (?:maintenant )?(?:à|en|au|aux|dans) (.+)`, foreignPlace("city")),
		own("origin", "je", `je viens (?:de|du|d')\s?(.+)`, foreignPlace("hometown")),
		own("employer", "je", `je travaille (?:chez|pour) (.+)`, foreignPlace("employer")),
		own("job", "je", `je (?:travaille comme|suis) ((?:ingénieure?|développeu|professeur|enseignant|médecin|infirmi|avocat|designer|étudiant|architecte|cuisini|journaliste|traduct|programmeu)\pL*(?: .*)?)`, nil),
		own("taste", "j'aime j'adore je", `(?:j'aime(?: pas)?|j'adore|je (?:déteste|n'aime pas|préfère)) (?:bien |beaucoup |vraiment )?(.+)`, foreignObject),
		own("allergy", "je", `je suis (?:très )?(?:allergique|intolérante?) (?:à|au|aux) .+`, nil),
		own("diet", "je", `je suis (?:végétarien(?:ne)?|végane?|diabétique|cœliaque|mariée?|célibataire)(?: .*)?$`, nil),
		own("birthday", "mon", `mon anniversaire (?:est|c'est) (?:le )?(.+)`, foreignSlot("birthday")),
		own("possession", "j'ai", `j'ai (?:une?|deux|trois|quatre) (?:chat|chien|enfant|fille|fils|frère|sœur|voiture|vélo)\pL*(?: .*)?$`, nil),
		{name: "standing rule (fr)", heads: "toujours réponds répondez ne n'utilise n'utilisez à dorénavant désormais jamais", kind: "feedback", verbatim: true, deictic: true,
			pattern: `(?:(?:toujours|à partir de maintenant,?|dorénavant,?|désormais,?) .{6,}|(?:réponds|répondez)(?:-moi)? (?:toujours )?en (?:{language})\b.*|n'utilise[sz]? (?:pas|jamais) (?:d'emojis?|d'émojis?)\b.*)`},
		{name: "project fact (fr)", heads: "nous on", kind: "project", verbatim: true,
			pattern: `(?:nous|on) (?:utilise|utilisons|déploie|déployons|a décidé|avons décidé) .{4,}`},
	}
}
