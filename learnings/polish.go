package learnings

var polish = language{
	name:  "Polish",
	cues:  []string{"nie", "źle", "błąd", "błędn", "przestań", "powin", "mówiłe", "mówiła", "zamiast", "jeszcze raz", "ponownie", "przeformuł", "sformuł", "inaczej", "poprawka", "chodziło", "miałem na myśli", "miałam na myśli", "mylisz", "fałsz", "to "},
	leads: []string{`(?:hm+|och|ach|no|czekaj|przepraszam|sorry|dzięki,? ale|ok,? ale|ale|proszę),? `},
	no:    []string{`nie`},
	states: []string{
		`(?:to|jest|są|był|była|nazywa się|znajduje się|używamy|używam|pracujemy|pracuję|mieszkam|wdrażamy|mamy|chcę|chciałem|chciałam|powiedziałem|powiedziałam) `,
		`(?:my |ja |tutaj )(?:używamy|używam|wdrażamy|pracujemy) `, `(?:mój|moja|moje|nasz|nasza|nasze|jego|jej) \S+ (?:to|jest|nazywa się|musi) `, `\S+ jest (?:w|na|we) `,
		`(?:użyj|używaj|użyjcie|weź|napisz|nazwij|zmień|ustaw) `,
	},
	accepts: []string{`dzięki|dziękuję|dobrze|dobre|dobry|świetnie|świetne|super|idealnie|idealne|racja|rację|ok|okej|nic|wszystko|lubię|kocham|później|jeszcze nie|wystarczy|jasne|zabawne|moja wina|ważne|gotowe|szkodzi|podoba`},
	direct: []string{
		`(?:źle|błąd|błędnie|nieprawda)(?:$|[,:;] )`, `(?:to|odpowiedź) (?:jest )?(?:błędn[eya]|nieprawda|źle|nieprawidłowe|niepoprawne|fałsz)(?:$|[,:;] )`, `to nie (?:jest )?(?:prawda|poprawne|tak|to|prawidłowe|to, co (?:mówił|chciał)\S+)(?:$|[,:;] )`, `to nie (?:jest )?(?:mój|moja|moje|nasz|nasza) `,
		`(?:chodziło mi o|miał[ea]m na myśli) `, `nie (?:mówił[ea]m|powiedział[ea]m|prosił[ea]m) (?:tego|o|że)`,
		`(?:już )?(?:ci |wam )?(?:to )?(?:już )?(?:mówił[ea]m|powiedział[ea]m)(?: ci| już)*(?:$|[,:] )`,
		`(?:mylisz się|myli się pan|źle (?:mnie )?zrozumiał[ea]ś|pomylił[ea]ś)`,
		`spróbuj (?:jeszcze raz|ponownie|znowu),? (?:ale |tym razem )?(?:z|bez|w|na|tym razem) `, `zrób to (?:jeszcze raz|ponownie),? (?:ale |tym razem )?(?:z|bez) `,
		`(?:pozwól, że |pozwól mi )?(?:przeformułuj[ęe]|przeformułować|ujmę to inaczej|powiem inaczej|powiem to inaczej)`, `inaczej mówiąc[,:] `, `poprawka[:,] `,
		`(?:powinieneś|powinnaś|powinniście|musisz) (?:tu |raczej )?(?:użyć|używać) `,
	},
	polite: []string{`nie ma (?:problemu|sprawy|za co|pośpiechu|potrzeby)`, `nie,? (?:dzięki|dziękuję)`, `nie (?:szkodzi|martw się|trzeba|teraz|wiem|jestem pew\S+|tylko|najgorzej)`, `nieźle`, `żaden problem`},
	instead: []string{
		`nie (?:w |na |we |z |do |to )*([^,;]{1,40}?)(?:,|;| ale | lecz | tylko )`,
		`[^,;]{1,50}, (?:a )?nie (?:w |na |we |z |do )*([^,;]{1,40})$`,
		`.{0,40}?zamiast ([^,;]{1,40})`, `przestań(?:cie)? (?:już )?(?:używać |korzystać z )([^,;]{1,40})`, `nie (?:używaj|używajcie) (?:już )?([^,;]{1,40})`, `nie używamy ([^,;]{1,40}), `,
	},
	is: []string{`(?:to|jest|są) `},
	corrects: []string{"Nie, użyj pnpm.", "Źle, wdrażamy za pomocą Terraform.", "Nie staging, produkcja!", "Przestań używać npm, tutaj używamy tylko pnpm.", "Powinieneś użyć pnpm.", "To jest błędne. Klaster jest w Dublinie.", "To nieprawda. Klaster jest w Dublinie.", "Już ci mówiłem: pnpm.", "Mówiłam ci już: pnpm.",
		"Użyj pnpm zamiast npm.", "Spróbuj jeszcze raz, tym razem z pnpm.", "Nie, używamy pnpm.", "Nie, to jest w Dublinie.", "Pozwól, że przeformułuję: chcę klaster produkcyjny.", "Frankfurt? To Dublin.", "Chodziło mi o drugi klaster.", "W Dublinie, nie we Frankfurt."},
	harmless: []string{"Nie ma problemu, śmiało.", "Właściwie wygląda to świetnie!", "Co to jest Helm?", "Dzięki! Teraz napisz testy.", "Właściwie porozmawiajmy o czymś innym.", "Właściwie uwielbiam to.", "Build jest zły też na mojej maszynie.", "Nie, dziękuję.", "Nie, to jest dobre.", "Nieźle!", "Nie szkodzi.",
		"Czy to błąd?", "Mieszkam we Frankfurt, nie daleko od stacji.", "Powinieneś zobaczyć ten film."},
}
