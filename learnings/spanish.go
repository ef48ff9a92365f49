package learnings

// spanish has what phrases.go has not.
var spanish = language{
	name:    "Spanish",
	cues:    []string{"no ", "mal", "deja", "deberías", "debes", "dije", "dicho", "lugar de", "vez de", "otra vez", "de nuevo", "reformul", "para de", "es ", "falso", "incorrecto", "está", "equivocad", "intenta", "prueba"},
	leads:   []string{`(?:eh|ah|bueno|espera|perdona|perdón|disculpa|(?:gracias|ok|vale|bien),? pero|pero|por favor),? `},
	no:      []string{`no`},
	states:  []string{`(?:usa|usad|use|utiliza|utilice|usamos|utilizamos|desplegamos|está en|es en) `},
	accepts: []string{`mejor|bonit[oa]|gracias|bien|perfecto|perfecta|genial|bueno|buena|vale|nada|todo|gusta|encanta|verdad|problema|broma`},
	direct: []string{
		`(?:mal|falso|incorrecto|equivocado)[,:] `, `(?:ya )?te lo (?:he dicho|dije)(?: ya| antes)?(?:$|[,:] )`, `ya te (?:lo )?(?:he dicho|dije)(?:$|[,:] )`, `como (?:ya )?(?:te )?(?:dije|he dicho)[,:] `,
		`(?:inténtalo|intenta|intente|prueba|hazlo) (?:otra vez|de nuevo|nuevamente),? (?:pero |esta vez )?(?:con|sin|en|usando|esta vez) `, `(?:déjame|deja que lo|permíteme) (?:reformular|reformule)`, `reformulo[:,] `, `(?:deberías|debes|tienes que|debería) (?:usar|utilizar) [\w.-]+$`,
	},
	polite: []string{`no (?:hay|pasa|te preocupes|importa|está mal|sé|hace falta)`, `ningún problema`},
	instead: []string{
		`no (?:en |el |la |los |a |con )*([^,;]{1,30}?)[,;] (?:en |el |la |a )?\S+(?: \S+)?$`, `.{0,40}?(?:en lugar de|en vez de) ([^,;]{1,40})`, `(?:deja|dejad|deje|para) de (?:usar|utilizar|hacer|escribir) ([^,;]{1,40})`, `no (?:uses|use|utilices) (?:más )?([^,;]{1,40}), `,
	},
	is: []string{`(?:es|son|está|se llama) `},
	corrects: []string{"No, usa pnpm en su lugar.", "Mal, desplegamos con Terraform.", "¡No staging, producción!", "Deja de usar npm, aquí solo usamos pnpm.", "Deberías usar pnpm.", "Eso es incorrecto. El clúster está en Dublín.", "Ya te lo he dicho: pnpm.", "Ya te lo dije: pnpm.", "Usa pnpm en lugar de npm.", "Inténtalo de nuevo, esta vez con pnpm.", "No, usamos pnpm.", "No, es en Dublín.",
		"Déjame reformular: quiero el clúster de producción.", "¿Frankfurt? Es Dublín."},
	harmless: []string{"No hay problema, adelante.", "En realidad se ve genial.", "¿Qué es Helm?", "¡Gracias! Ahora escribe las pruebas.", "En realidad, hablemos de otra cosa.", "En realidad me encanta.", "La compilación está mal en mi máquina también.", "Vivo en Frankfurt, no lejos de la estación.", "¿Frankfurt? Es genial.", "Ya te lo dije, eres el mejor.", "Deberías ver esa película."},
}
