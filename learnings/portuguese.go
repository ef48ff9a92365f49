package learnings

var portuguese = language{
	name:  "Portuguese",
	cues:  []string{"não", "errado", "errada", "pare ", "para de", "deveria", "devia", "disse", "vez de", "lugar de", "tente", "tenta ", "reformul", "correção", "quis dizer", "queria dizer", "incorret", "falso", "engan", "entendeu mal", "é "},
	leads: []string{`(?:hum+|ah|oh|bem|bom|espera|espere|desculpa|desculpe|obrigad[oa],? mas|ok,? mas|mas|por favor)\b`},
	no:    []string{`não`},
	states: []string{
		`(?:é|são|era|fica|está|chama-se|se chama|usamos|uso|trabalhamos|trabalho|moro|vivo|temos|eu disse|eu pedi|disse|quero|queria) `,
		`(?:nós|a gente|aqui|eu) (?:usamos|usa|uso|trabalhamos|quero|moro) `,
		`(?:o|a|os|as|meu|minha|o meu|a minha|nosso|nossa|o nosso|a nossa|seu|sua) \S+ (?:é|são|está|fica|chama-se|se chama|deve|usa) `,
		`(?:use|usa|usem|coloque|põe|escreva|escreve|chame|mude|muda) `,
	},
	accepts: []string{`obrigad[oa]|bom|boa|bem|perfeit[oa]|ótim[oa]|legal|certo|razão|ok|nada|tudo|gosto|adoro|adorei|depois|ainda|basta|claro|engraçado|culpa minha|importa|pronto|tranquilo|problema`},
	direct: []string{
		`(?:errado|incorreto|falso)(?:$|[,:;] )`, `(?:(?:isso|isto|a resposta) )?(?:está|é|estava|era) (?:errad[oa]|incorret[oa]|fals[oa])(?:$|[,:;] )`,
		`(?:isso |isto )?não (?:está|é) (?:corret[oa]|cert[oa]|verdade|bem assim|o que eu (?:disse|pedi|queria)|assim)(?:$|[,:;] )`, `(?:isso |esse |essa )não é (?:o meu|a minha|meu|minha|nosso|nossa) `,
		`(?:eu )?(?:quis|queria) dizer `, `não (?:é|foi) (?:isso|isto) (?:o )?que eu (?:pedi|disse|queria)`, `(?:eu )?não (?:disse|pedi) (?:isso|isto|que|para|um)`, `(?:eu )?estava falando d`,
		`(?:eu )?já (?:te |lhe |vos )?(?:disse|falei)(?:-te)?(?:$|[,:] )`, `(?:eu )?já te disse(?:$|[,:] )`, `como (?:eu )?(?:já )?(?:disse|falei)[,:] `,
		`(?:você|tu|estás|está) ?(?:está |se )?(?:enganad[oa]|enganou|confundiu|entendeu mal|confundindo)`, `percebeste mal`,
		`(?:tente|tenta|tentem) (?:de novo|novamente|outra vez),? (?:mas |desta vez |dessa vez )?(?:com|sem|em|desta vez|dessa vez) `,
		`(?:deixe-me|deixa-me|deixa eu|me deixe) reformular`, `reformulando[:,] `, `correção[:,] `,
		`(?:você |tu )?(?:deveria|devia|deve|devias|deverias) (?:é )?usar `,
	},
	polite: []string{`(?:não há|sem|não tem) (?:problemas?|pressa|stress)`, `não,? obrigad[oa]`, `não (?:faz mal|importa|se preocupe|te preocupes|foi nada|precisa|ainda|agora|só|tenho certeza)`, `nada mal`},
	instead: []string{
		`não (?:em |no |na |o |a |com |é |é o )*([^,;]{1,40}?)(?:,|;| mas | e sim)`,
		`[^,;]{1,50}, (?:e )?não (?:em |no |na |o |a |com )*([^,;]{1,40})$`,
		`.{0,40}?(?:em vez de|em vez do|ao invés de|no lugar de|em lugar de) ([^,;]{1,40})`,
		`(?:pare|para|parem|deixe) de ([^,;]{1,40})`, `não (?:use|uses|usem) (?:mais )?([^,;]{1,40})`, `não usamos ([^,;]{1,40}), `,
	},
	is: []string{`(?:é|são|fica|está) `},
	corrects: []string{"Não, use pnpm em vez disso.", "Não é isso que eu pedi.", "Errado, fazemos deploy com Terraform.", "Não staging, produção!", "Pare de usar npm, aqui só usamos pnpm.", "Você deveria usar pnpm.", "Isso está incorreto. O cluster fica em Dublin.", "Isso não está certo. O cluster está em Dublin.",
		"Já te disse: pnpm.", "Use pnpm em vez de npm.", "Tente de novo, desta vez com pnpm.", "Não, usamos pnpm.", "Não, é em Dublin.", "Deixe-me reformular: quero o cluster de produção.", "Frankfurt? É Dublin.", "Eu quis dizer o outro cluster.", "Em Dublin, não em Frankfurt."},
	harmless: []string{"Sem problema, pode continuar.", "Na verdade, ficou ótimo!", "O que é Helm?", "Obrigado! Agora escreva os testes.", "Na verdade, vamos falar de outra coisa.", "Na verdade, adoro isso.", "O build está errado na minha máquina também.", "Não, obrigado.",
		"Não, está bom assim.", "Nada mal!", "Não, é perfeito.", "Está errado?", "Moro em Frankfurt, não longe da estação.", "Você deveria ver esse filme."},
}
