package secretscan

// language is what one language says around a secret: the words that name it,
// and the grammar that joins a name and a value. Words are in lower case.
type language struct {
	name string

	// Names of secrets. Short ones are whole words, never the end of another.
	passwords, short []string
	everyday         []string // mean something else as well: "clave" is a key to anything
	keys             []string // what machines make
	pins             []string // four to eight digits
	backups          []string // codes for when the second factor is lost
	passports        []string

	is      []string // copulas: between a name and its value, or the other way around
	now     []string // words between a copula and a value: "now", "set to"
	it      []string // openings of a clause that tells the value of a secret named before
	of      []string // what begins the owner of a secret: "for the router", "that we use"
	my, the []string // what stands before a name: possessives, articles and the like
	as      []string // "use x as the password"
	use     []string // "use x to log in"
	enter   []string // "to log in": what one uses a secret for
	to      []string // "set the password to x"
	into    string   // the one of these that says neither where nor why nor by whom
	set     []string // the verbs of that, with every form they have
	and     []string // what joins the next clause to a value, or ends its own

	// bare is set of languages that have no copula in the present, follows of those
	// that put an adjective or a genitive behind the name: "mot de passe provisoire".
	bare, follows bool

	// describe lists what is said of a secret that is no secret: adjectives,
	// participles, places. endings are those of further words like them.
	describe, endings []string

	// examples have the value where "{X}" is; harmless tell none.
	examples, harmless []string
}

// languages, in the order of extract/language and with those that only label.
var languages = []language{
	{name: "English",
		passwords: []string{"password", "passwd", "passcode", "pass code", "pass word", "log-in code", "security answer", "secret answer"}, short: []string{"pw", "pwd", "pswd", "psw"},
		keys: []string{"api key", "access key"}, pins: []string{"pin", "pin code", "pin-code", "pincode", "pin number"},
		backups:   []string{"backup codes", "backup code", "recovery codes", "recovery code", "rescue codes", "rescue code", "scratch codes", "emergency codes", "2fa codes", "mfa codes", "one-time codes", "backup key", "recovery key"},
		passports: []string{"passport number", "passport no", "passport no.", "passport #", "passport"},
		is:        words("is was are be has becomes became remains equals reads says being"), now: words("now still currently set reset changed been to again just simply actually always called literally only"),
		it: phrases("it is, it's, its, that is, that's, thats, this is, which is, it was, now, now it is, now it's, the new one is, new one is, new one, it reads, it became, i made it, we made it, i set it to, we set it to"),
		of: words("for to of on at in by with that which we i you they he she behind under used"), my: words("my our his her their your its"), the: words("the a this that"),
		as: words("as for"), use: words("use used using try enter type with put paste typing entering"), enter: phrases("to log in, to login, to log on, to sign in, to sign on, to get in, to unlock, to authenticate, to connect as, to ssh in"),
		to: words("to"), into: "to", set: words("set sets setting change changed changes changing reset resets update updated updates updating rotated rotate made make"),
		and: words("and but so if for since because now please when by then until or while though btw thanks thx ty lol haha ok pls plz lmk fyi rn atm that"),
		describe: words(`gone weaker stronger longer shorter safer better harder simpler easier stricter newer older wrong right weak strong short long simple complex easy hard secure insecure safe unsafe good bad fine great
			terrible awful horrible ridiculous crazy stupid silly annoying important critical crucial essential mandatory necessary needed required optional fixed random unique
			different identical equal similar same generic static dynamic temporary permanent personal shared private public secret visible hidden blank empty full missing absent
			lost broken known unknown forgotten stolen stale fresh ready due old new current previous next last first final initial default custom numeric alphanumeric lowercase uppercase
			plain plaintext cleartext text local remote global internal external online offline active inactive enabled disabled on off up down out over history trash garbage crap junk rubbish nonsense
			mine yours ours theirs his hers elsewhere somewhere nowhere everywhere today tomorrow yesterday tonight soon later early late never forever monthly weekly daily yearly hourly annually
			monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december
			part proof access everything nothing something anything someone nobody everyone anyone none enough sufficient compliant valid invalid correct incorrect ok
			usable stable viable readable writable sensitive expensive restrictive excessive confidential obsolete deprecated legacy redundant ambiguous irrelevant universal special normal common typical usual unusual trivial
			prompt field box screen form page dialog label placeholder column property attribute parameter variable option flag header input textfield textbox entry item line
			expire match comply rotate renew enter confirm authenticate login logout continue proceed protect prevent avoid begin start end stop change update
			string integer boolean sticky paper fridge desk wallet drawer wiki slack email mail sms phone chat ticket notion vault keychain manager bitwarden
			overrides prompts fails works changes expires matches leaks`),
		endings: words("ed ing able ible ful less ly ous tional"),
		examples: []string{"the wifi password is «{X}»", "My admin password: «{X}»", "I changed the wifi password, it is now «{X}»", "I reset the NAS password yesterday. It's «{X}» now.", "«{X}» is the admin password", "You can use «{X}» as the password", "the password we use for the router is «{X}»",
			"new passcode for the meeting room tablet is «{X}», please note it", "I set my password to «{X}»"},
		harmless: []string{"The password is wrong", "the password is stored in the vault", "passwords must be 14 characters", "I changed the wifi password, it is now stronger", "Security is the password policy in one word", "Use Bitwarden as the password manager", "Use SSO to log in", "the password for the router is unknown", "My password has expired"}},
	{name: "German",
		passwords: []string{"passwort", "kennwort", "losungswort"}, keys: []string{"api-schlüssel", "zugangsschlüssel", "zugriffsschlüssel", "wlan-schlüssel", "lizenzschlüssel", "netzwerkschlüssel"},
		pins:      []string{"geheimzahl", "türcode", "torcode", "zugangscode", "alarmcode"},
		backups:   []string{"wiederherstellungscodes", "wiederherstellungscode", "backup-codes", "backup-code", "ersatzcodes", "notfallcodes", "sicherungscodes"},
		passports: []string{"reisepassnummer", "passnummer", "reisepass", "personalausweisnummer", "ausweisnummer"},
		is:        words("ist war lautet heißt heisst lautete wird"), now: words("jetzt nun aktuell derzeit noch immer ab sofort weiterhin nur einfach auf gesetzt"),
		it: phrases("es ist, es lautet, es heißt, das ist, jetzt, nun, jetzt ist es, jetzt lautet es, nun lautet es, das neue ist, das neue lautet, er lautet"), of: words("für fürs von vom zu zum zur auf am im in des der dem den meiner meines unserer unseres das die wir ich"),
		my: words("mein dein unser euer ihr sein meinem deinem unserem"), the: words("das ein dem der die neues neue"), as: words("als"), use: words("nutze nutzt nutzen verwende verwendet verwenden benutze benutzt benutzen mit nimm nehmt gib"),
		enter: phrases("zum einloggen, um sich einzuloggen, um dich einzuloggen, um mich einzuloggen, zum anmelden, zur anmeldung, um sich anzumelden, um dich anzumelden, zum entsperren"),
		to:    words("auf in zu"), into: "auf", set: words("geändert ändere ändern änderte gesetzt setze setzen gewechselt"), and: words("und aber denn weil damit bitte falls wenn sowie oder danke dass"),
		describe: words(`falsch richtig korrekt ungültig gültig vergessen geändert abgelaufen neu alt gespeichert sicher unsicher schwach stark lang kurz kürzer länger stärker sicherer einfach kompliziert schwierig leicht gut schlecht besser
			weg verloren bekannt unbekannt geheim öffentlich leer sichtbar versteckt nötig notwendig pflicht erforderlich optional gleich anders verschieden zufällig eindeutig fertig bereit fällig hinterlegt verschlüsselt gehasht
			heute morgen gestern bald später nie immer dort hier da drin dran dabei zurückgesetzt gesperrt vorhanden pflichtfeld unterwegs schuld egal wichtig kaputt geleakt gestohlen abgelehnt erlaubt verboten verfallen`),
		endings:  words("lich bar los iert haft isch igt ndig"),
		examples: []string{"Das Passwort vom Router ist «{X}»", "Mein Kennwort lautet «{X}».", "WLAN-Passwort: «{X}»", "Ich habe das Passwort geändert, es lautet jetzt «{X}»", "«{X}» ist das Passwort für den Server", "Nimm «{X}» als Passwort"},
		harmless: []string{"Das Passwort ist falsch.", "Das Passwort vom Router ist unbekannt", "Ich habe das Passwort geändert, es ist jetzt sicherer", "Das Kennwort liegt im Tresor", "Passwort: erforderlich", "Bitte das Passwort ändern"}},
	{name: "French", follows: true,
		passwords: []string{"mot de passe", "mots de passe", "code wifi", "clé wifi", "clef wifi", "code wi-fi", "clé wi-fi"}, short: []string{"mdp"},
		keys: []string{"clé api", "clé d'api", "clé d’api", "clé secrète", "clé d'accès"}, pins: []string{"code d'accès", "code d’accès", "digicode", "code pin", "code secret"},
		backups:   []string{"codes de secours", "code de secours", "codes de récupération", "code de récupération"},
		passports: []string{"numéro de passeport", "n° de passeport", "passeport n°", "passeport"},
		is:        words("est était devient vaut sera"), now: words("maintenant désormais toujours encore actuellement donc simplement juste"),
		it: phrases("c'est, c’est, il est, c'est maintenant, maintenant, maintenant c'est, désormais, désormais c'est, le nouveau est, le nouveau c'est, il devient, elle est"), of: words("de du d'un pour des à au aux sur que qui chez dans"),
		my: words("mon ton notre votre son"), the: words("le un ce"), as: words("comme"), use: words("utilise utilisez utiliser tape tapez entre entrez mets mettez avec prends prenez"), enter: phrases("pour se connecter, pour te connecter, pour vous connecter, pour me connecter, pour s'identifier, pour ouvrir la session, pour déverrouiller"),
		to: words("à en par pour"), set: words("changé changer change mis mettre modifié modifier remplacé"), and: words("et mais car donc si pour parce merci ou puis que"),
		describe: words(`requis requise obligatoire facultatif facultative incorrect incorrecte correct correcte oublié invalide valide nouveau nouvelle stocké enregistré faux fausse bon bonne mauvais faible fort forte long court plus trop
			secret sûr perdu inconnu connu vide visible caché expiré périmé identique différent unique simple complexe compliqué sécurisé changé ici là demain hier bientôt jamais toujours nécessaire ancien public pareil prêt mieux meilleur meilleure pire même`),
		endings:  words("é ée és ées able ible eux euse if ive"),
		examples: []string{"Le mot de passe du wifi est «{X}»", "mot de passe : «{X}»", "J'ai changé le mot de passe, c'est maintenant «{X}»", "«{X}» est le mot de passe du serveur", "Utilise «{X}» comme mot de passe", "Le mdp de la box c'est «{X}»"},
		harmless: []string{"Le mot de passe est incorrect", "Le mot de passe du wifi est affiché au salon", "Mot de passe : obligatoire", "J'ai changé le mot de passe, c'est plus sûr", "Le mot de passe est trop court"}},
	{name: "Spanish", follows: true,
		passwords: []string{"contraseña", "contrasena", "contrasen\u0303a", "palabra clave"}, everyday: []string{"clave", "contra"},
		keys: []string{"clave de api", "clave api", "clave secreta", "clave de acceso"}, pins: []string{"código pin", "código de acceso"},
		backups:   []string{"códigos de respaldo", "código de respaldo", "códigos de recuperación", "código de recuperación"},
		passports: []string{"número de pasaporte", "pasaporte n.º", "pasaporte"},
		is:        words("es era será sería"), now: words("ahora actualmente todavía sigue siendo simplemente solo"),
		it: phrases("es, ahora es, es ahora, la nueva es, ahora, y es, y ahora es, quedó en, quedó como"), of: words("de del para por en a la que al"),
		my: words("mi tu nuestra su"), the: words("la una esta"), as: words("como de"), use: words("usa use usar utiliza utilice utilizar pon ponga con escribe ingresa teclea"), enter: phrases("para entrar, para iniciar sesión, para acceder, para conectarte, para conectarse, para loguearte, para desbloquear"),
		to: words("a por"), set: words("cambié cambió cambia cambiado cambiar cambiamos puse puso puesto"), and: words("y e pero porque si para gracias o pues que"),
		describe: words(`obligatorio obligatoria requerido requerida opcional incorrecta incorrecto correcta correcto inválida válida nueva nuevo vieja débil fuerte fácil difícil larga corta segura insegura secreta pública perdida distinta igual
			mala buena aquí allí hoy mañana ayer siempre nunca pronto necesaria importante única simple compleja errónea mía tuya mejor peor mayor menor`),
		endings:  words("ado ada ados adas ido ida able ible"),
		examples: []string{"La contraseña del servidor es «{X}»", "contraseña: «{X}»", "Cambié la contraseña del wifi, ahora es «{X}»", "«{X}» es la contraseña del router", "Usa «{X}» como contraseña", "la clave del wifi es «{X}»"},
		harmless: []string{"La contraseña es obligatoria", "Contraseña: incorrecta", "Cambié la contraseña, ahora es segura", "La contraseña está en la caja fuerte", "La clave del éxito es paciencia"}},
	{name: "Italian", follows: true,
		passwords: []string{"parola d'ordine", "parola d’ordine", "parola chiave", "parola di accesso"}, keys: []string{"chiave api", "chiave di accesso", "chiave segreta"}, pins: []string{"codice pin", "codice di accesso"},
		backups: []string{"codici di backup", "codici di recupero", "codice di recupero", "codici di riserva"}, passports: []string{"numero di passaporto", "numero del passaporto", "passaporto"},
		is: words("è era sarà diventa"), now: words("ora adesso ancora sempre attualmente semplicemente"), it: phrases("è, ora è, adesso è, la nuova è, ed è, ora, adesso"),
		of: words("di del della dello dei delle da dal per al alla in su che nel"), my: words("mia tua nostra sua"), the: words("la una il"), as: words("come"), use: words("usa usate usare utilizza utilizzare inserisci metti con digita"), enter: phrases("per accedere, per entrare, per collegarti, per collegarsi, per sbloccare, per fare login"),
		to: words("in a con"), set: words("cambiato cambiata cambio cambiare impostato impostata messo messa"), and: words("e ma perché se per grazie o poi che"),
		describe: words(`obbligatoria obbligatorio errata errato sbagliata sbagliato corretta giusta valida debole forte facile difficile lunga corta sicura segreta nuova vecchia vuota uguale diversa qui oggi domani ieri sempre mai necessaria importante unica semplice visibile migliore peggiore maggiore minore`),
		endings:  words("ato ata ati ate uto uta ito ita abile ibile"),
		examples: []string{"la password del server è «{X}»", "La parola d'ordine è «{X}»", "Ho cambiato la password del wifi, ora è «{X}»", "«{X}» è la password del router", "Usa «{X}» come password"},
		harmless: []string{"La password è scaduta", "la password del server è sbagliata", "Ho cambiato la password, ora è sicura", "La password è nel caveau"}},
	{name: "Portuguese", follows: true,
		passwords: []string{"palavra-passe", "palavra passe", "palavra-chave"}, short: []string{"senha"}, keys: []string{"chave de api", "chave api", "chave secreta", "chave de acesso"}, pins: []string{"código pin", "código de acesso"},
		backups: []string{"códigos de recuperação", "código de recuperação", "códigos de backup", "códigos reserva"}, passports: []string{"número do passaporte", "passaporte"},
		is: words("é era será fica ficou"), now: words("agora ainda atualmente sempre simplesmente só"), it: phrases("é, agora é, e agora é, a nova é, ficou, agora, é agora"),
		of: words("de do da dos das para no na em que ao à pro pra"), my: words("minha tua nossa sua"), the: words("a uma o"), as: words("como"), use: words("usa use usar utilize utiliza com digite coloque insira põe"), enter: phrases("para entrar, para acessar, para aceder, para iniciar sessão, para fazer login, para logar, para desbloquear"),
		to: words("para por"), set: words("mudei mudou mudar troquei trocou trocar alterei alterou alterar defini coloquei"), and: words("e mas porque se para obrigado obrigada ou pois que"),
		describe: words(`obrigatória obrigatório inválida válida incorreta correta errada certa fraca forte fácil difícil longa curta segura insegura secreta nova velha antiga vazia igual diferente aqui hoje amanhã ontem sempre nunca necessária importante única simples minha maior menor melhor pior mais`),
		endings:  words("ado ada ido ida ável ível"),
		examples: []string{"a senha do wifi é «{X}»", "Palavra-passe: «{X}»", "Mudei a senha do roteador, agora é «{X}»", "«{X}» é a senha do servidor", "Use «{X}» como senha"},
		harmless: []string{"A senha é inválida", "a senha do wifi é difícil", "Mudei a senha, agora é segura", "A senha fica no cofre", "Senha: obrigatória"}},
	{name: "Dutch",
		passwords: []string{"wachtwoord", "toegangswoord"}, keys: []string{"api-sleutel", "toegangssleutel", "licentiesleutel"}, pins: []string{"toegangscode", "deurcode", "pincode"},
		backups: []string{"herstelcodes", "herstelcode", "back-upcodes", "reservecodes"}, passports: []string{"paspoortnummer", "paspoort"},
		is: words("is was luidt wordt werd"), now: words("nu nog momenteel steeds gewoon altijd"), it: phrases("het is, het is nu, het luidt, dat is, nu, nu is het, de nieuwe is, het nieuwe is"),
		of: words("van voor op in bij het de die dat we wij ik"), my: words("mijn jouw ons onze zijn haar"), the: words("het een de"), as: words("als"), use: words("gebruik gebruikt gebruiken met vul typ neem"), enter: phrases("om in te loggen, om aan te melden, om te ontgrendelen, om binnen te komen"),
		to: words("naar in"), into: "naar", set: words("gewijzigd wijzig veranderd verander aangepast ingesteld gezet"), and: words("en maar want als zodat dus bedankt of dat"),
		describe: words(`verplicht onjuist juist fout goed verlopen vergeten veranderd gewijzigd zwak sterk lang kort moeilijk makkelijk eenvoudig veilig onveilig veiliger sterker geheim nieuw oud leeg kwijt bekend onbekend hetzelfde anders uniek vandaag morgen gisteren hier daar altijd nooit nodig belangrijk opgeslagen versleuteld gestolen gelekt beter slechter langer korter`),
		endings:  words("baar lijk loos eerd"),
		examples: []string{"Het wachtwoord van de router is «{X}»", "wachtwoord: «{X}»", "Ik heb het wachtwoord gewijzigd, het is nu «{X}»", "«{X}» is het wachtwoord van de server", "Gebruik «{X}» als wachtwoord"},
		harmless: []string{"Het wachtwoord is verlopen", "Het wachtwoord van de router is onbekend", "Ik heb het wachtwoord gewijzigd, het is nu sterker", "Wachtwoord: verplicht"}},
	{name: "Polish", follows: true,
		passwords: []string{"hasło", "hasła", "hasłem"}, keys: []string{"klucz api", "klucz dostępu", "api-klucz"}, pins: []string{"kod pin", "kod dostępu"}, backups: []string{"kody zapasowe", "kody odzyskiwania", "kod zapasowy"}, passports: []string{"numer paszportu", "paszport"},
		is: words("to jest brzmi było będzie"), now: words("teraz obecnie nadal wciąż po prostu"), it: phrases("to, teraz to, teraz brzmi, jest to, nowe to, teraz jest"), of: words("do od dla w na z które"), my: words("moje twoje nasze jego jej ich"), the: words("to"), as: words("jako"), use: words("użyj używaj wpisz podaj użyjcie"), enter: phrases("żeby się zalogować, aby się zalogować, do logowania, do zalogowania"),
		to: words("na"), into: "na", set: words("zmieniłem zmieniłam zmień zmieniono zmienione zmieniliśmy ustawiłem ustawiłam"), and: words("i a ale bo więc jeśli oraz proszę dzięki lub że"),
		describe: words(`wymagane błędne poprawne nieprawidłowe prawidłowe złe dobre słabe silne długie krótkie trudne łatwe proste bezpieczne bezpieczniejsze silniejsze nowe stare puste tajne nieznane znane wygasło zapomniane inne takie samo dziś jutro wczoraj tutaj zawsze nigdy ważne potrzebne lepsze gorsze dłuższe krótsze`),
		endings:  words("any ana ane ony ona one iony iona ione owy owa owe"),
		examples: []string{"hasło do wifi to «{X}»", "Hasło: «{X}»", "moje hasło to «{X}»", "Zmieniłem hasło do routera, teraz to «{X}»", "«{X}» to hasło do serwera", "Użyj «{X}» jako hasła"},
		harmless: []string{"Hasło jest nieprawidłowe", "hasło do wifi jest nieznane", "Zmieniłem hasło, teraz jest bezpieczniejsze", "Hasło: wymagane"}},
	{name: "Russian", bare: true, follows: true,
		passwords: []string{"пароль", "пароля", "паролем"}, keys: []string{"ключ api", "api-ключ", "api ключ", "ключ доступа"}, pins: []string{"пин-код", "пин", "пинкод"},
		backups: []string{"резервные коды", "резервный код", "коды восстановления"}, passports: []string{"номер паспорта", "паспорт №", "паспорт"},
		is: words("это есть был теперь стал будет"), now: words("теперь сейчас пока всё ещё просто это"), it: phrases("теперь, он теперь, теперь это, это, теперь он, новый"), of: words("от для к на в у из с который"), my: words("мой твой наш ваш его её"), the: words("это"), as: words("как"), use: words("используй используйте введи введите попробуй"), enter: phrases("для входа, чтобы войти, чтобы зайти, чтобы залогиниться"),
		to: words("на"), into: "на", set: words("сменил сменила поменял поменяла изменил изменила сменили поменяли поставил установил"), and: words("и а но если потому чтобы спасибо или что"),
		describe: words(`неверный верный правильный неправильный обязателен обязательно просрочен истёк забыт изменён сложный простой слабый сильный длинный короткий новый старый надёжный надёжнее секретный пустой неизвестен известен другой такой тот сегодня завтра вчера здесь там всегда никогда нужен важен утерян утёк лучше хуже длиннее короче`),
		endings:  words("ен ён ан ена ено ый ий ой ая ое ся ть ее ей"),
		examples: []string{"пароль от роутера «{X}»", "Пароль: «{X}»", "мой пароль — «{X}»", "Я сменил пароль от вайфая, теперь он «{X}»", "«{X}» — пароль от сервера", "Используй «{X}» как пароль"},
		harmless: []string{"Пароль неверный", "Пароль: обязателен", "Я сменил пароль, теперь он надёжнее", "Пароль от роутера неизвестен"}},
	{name: "Turkish", bare: true,
		passwords: []string{"şifre", "şifresi", "şifrem", "şifremiz", "parola", "parolası", "parolam", "parolamız"}, keys: []string{"api anahtarı", "erişim anahtarı"}, pins: []string{"pin kodu", "kapı kodu"}, backups: []string{"yedek kodlar", "yedek kodları", "kurtarma kodları"}, passports: []string{"pasaport numarası", "pasaport no", "pasaport"},
		is: words("artık şudur şu"), now: words("artık şimdi şu an hâlâ"), it: phrases("artık, şimdi, yeni şifre, yenisi"), of: words("için"), my: words("benim bizim"), the: words("bu"), as: words("olarak"), use: words("kullan kullanın gir girin"), enter: phrases("giriş için, giriş yapmak için"),
		to: words("olarak"), set: words("değiştirdim değiştirdik değiştirildi ayarladım"), and: words("ve ama çünkü lütfen eğer veya"),
		describe: words(`yanlış doğru geçersiz geçerli zorunlu gerekli zayıf güçlü uzun kısa kolay zor güvenli yeni eski boş gizli aynı farklı unutuldu değişti kayıp burada bugün yarın`),
		endings:  words("li lı lu lü siz sız suz süz dir dır dur dür miş mış"),
		examples: []string{"wifi şifresi: «{X}»", "Şifre = «{X}»", "Wifi şifresini değiştirdim, şifre artık «{X}»", "parolam: «{X}»"},
		harmless: []string{"Şifre yanlış", "Şifre: zorunlu", "Parola güvenli", "şifre artık güçlü"}},
	{name: "Swedish",
		passwords: []string{"lösenord", "lösenordet"}, keys: []string{"api-nyckel", "api-nyckeln"}, pins: []string{"pinkod", "pinkoden", "portkod", "portkoden"}, backups: []string{"reservkoder", "återställningskoder"}, passports: []string{"passnummer"},
		is: words("är blir blev lyder"), now: words("nu fortfarande bara"), it: phrases("det är, det är nu, nu är det, nu, det nya är"), of: words("till för på i som vi jag"), my: words("mitt vårt ditt"), the: words("det ett"), as: words("som"), use: words("använd använda skriv"), enter: phrases("för att logga in"),
		to: words("till"), into: "till", set: words("ändrade ändrat bytte bytt satte"), and: words("och men för om tack eller"),
		describe: words(`fel rätt ogiltigt giltigt svagt starkt långt kort säkert nytt gammalt tomt hemligt okänt glömt bytt obligatoriskt samma idag här där bättre längre kortare säkrare`), endings: words("bart ligt lösat"),
		examples: []string{"lösenordet till routern är «{X}»", "Lösenord: «{X}»", "Jag bytte lösenordet, nu är det «{X}»", "Använd «{X}» som lösenord"},
		harmless: []string{"Lösenordet är fel", "Jag bytte lösenordet, nu är det säkert", "Lösenord: obligatoriskt"}},
	{name: "Chinese",
		passwords: []string{"密码", "密碼", "口令"}, keys: []string{"api密钥", "密钥", "密鑰", "访问密钥", "api 密钥", "金钥"}, pins: []string{"pin码", "门禁码", "门禁密码"}, backups: []string{"备用码", "备用验证码", "恢复码", "恢复代码", "备份码", "備用碼"}, passports: []string{"护照号", "护照号码", "護照號碼"},
		is: words("是 为 為 改成 改为 改為 设为 設為 换成 改成了 换成了 改为了 就是 成了 变成 变成了"), now: words("现在 現在 目前 了 已"), it: phrases("现在是, 現在是, 新密码是, 新的是, 改成了, 改为, 变成了, 就是, 是"), of: words("的"), my: words("我的"), the: words("的"), as: words("是 作为 作為 当 當 做 为"), use: words("用 使用 输入"), and: words("了 哦 啊 吧 呢 哈"), enter: phrases("登录, 登入, 登陆, 登錄"),
		examples: []string{"wifi密码是«{X}»", "密码：«{X}»", "路由器的密码是 «{X}»。", "我改了wifi密码，现在是«{X}»", "«{X}»是服务器的密码", "用«{X}»登录"},
		harmless: []string{"密码不能为空", "密码：不能为空", "密码是错误的", "我忘了wifi密码", "密码是什么？"}},
	{name: "Japanese",
		passwords: []string{"パスワード", "暗証番号", "合言葉", "パスコード"}, everyday: []string{"パス"}, keys: []string{"apiキー", "秘密鍵", "アクセスキー", "api キー"}, pins: []string{"pinコード"}, backups: []string{"バックアップコード", "リカバリーコード", "復旧コード", "回復コード"}, passports: []string{"パスポート番号", "旅券番号"},
		is: words("は が を も"), now: words("今 今は 現在 新しく"), it: phrases("今は, 現在は, 新しいのは, いまは, 今度は"), of: words("の"), the: words("の"), as: words("が は を"), use: words("を"), and: words("です でした だ に変更 に設定 にし ね よ になり"), enter: phrases("でログイン, でサインイン, を使ってログイン, を使って"),
		examples: []string{"パスワードは«{X}»です", "Wi-Fiのパスワード：«{X}»", "パスワードを変更しました。今は«{X}»です", "«{X}»がサーバーのパスワードです", "パスワードを «{X}» に変更しました"},
		harmless: []string{"パスワードは必須です", "パスワードを忘れました", "パスワードは安全です", "パスワードを変更しました。"}},
	{name: "Korean",
		passwords: []string{"비밀번호", "패스워드", "비번", "암호"}, keys: []string{"api 키", "api키", "액세스 키", "비밀키"}, pins: []string{"핀번호", "핀 번호", "출입 코드"}, backups: []string{"백업 코드", "복구 코드", "백업코드"}, passports: []string{"여권번호", "여권 번호"},
		is: words("는 은 가 이 를 을"), now: words("이제 지금 현재"), it: phrases("이제, 지금은, 새 비밀번호는, 이제는, 현재는"), of: words("의"), my: words("제 내 우리"), as: words("가 이 은 는 를 을"), use: words("를"), and: phrases("입니다, 이에요, 예요, 야, 이야, 임, 로 변경, 으로 변경, 로 바꿨, 으로 바꿨, 로 바꾸, 였"), enter: phrases("로 로그인, 으로 로그인, 로 접속, 으로 접속"),
		examples: []string{"비밀번호는 «{X}»입니다", "비밀번호: «{X}»", "와이파이 비번은 «{X}»", "비밀번호를 바꿨어요. 이제 «{X}»입니다", "«{X}»가 서버 비밀번호입니다"},
		harmless: []string{"비밀번호는 필수입니다", "비밀번호를 잊었어요", "비밀번호가 틀렸습니다"}},
	{name: "Hindi",
		passwords: []string{"पासवर्ड", "कूटशब्द"}, keys: []string{"api कुंजी", "एपीआई कुंजी"}, pins: []string{"पिन"}, backups: []string{"बैकअप कोड"}, passports: []string{"पासपोर्ट नंबर", "पासपोर्ट संख्या"},
		is: words("है था हैं"), now: words("अब अभी"), it: phrases("अब, अब यह, नया, यह"), of: words("का के की"), my: words("मेरा हमारा"), the: words("का"), as: words("को"), to: words("को"), and: words("और लेकिन"),
		examples: []string{"मेरा पासवर्ड «{X}» है", "पासवर्ड: «{X}»", "वाईफाई का पासवर्ड «{X}» है", "मैंने पासवर्ड बदल दिया, अब यह «{X}» है"},
		harmless: []string{"पासवर्ड गलत है", "पासवर्ड भूल गया", "पासवर्ड: अनिवार्य"}},
	{name: "Arabic", bare: true, follows: true,
		passwords: []string{"كلمة المرور", "كلمة السر", "كلمة مرور", "كلمة سر", "الرقم السري"}, keys: []string{"مفتاح api", "مفتاح الوصول"}, pins: []string{"رمز pin", "رمز الدخول"}, backups: []string{"رموز النسخ الاحتياطي", "رموز الاسترداد"}, passports: []string{"رقم جواز السفر", "رقم الجواز"},
		is: words("هي هو أصبحت صارت"), now: words("الآن حاليا"), it: phrases("الآن هي, وهي الآن, هي الآن, أصبحت, وهي, الآن"), of: words("في لـ"), the: words("هي"), as: words("هي ككلمة"), to: words("إلى"), and: words("و لكن"),
		examples: []string{"كلمة المرور هي «{X}»", "كلمة سر الواي فاي هي «{X}»", "كلمة المرور: «{X}»", "غيرت كلمة المرور، وهي الآن «{X}»"},
		harmless: []string{"كلمة المرور غير صحيحة", "كلمة المرور مطلوبة", "نسيت كلمة السر"}},
}
