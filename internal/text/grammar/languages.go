// Package grammar holds what languages say around a secret: the words that name one, and
// the grammar that joins a name and its value. [Languages] is the data; a [Grammar] looks
// it up.
package grammar

// Language holds what one language says around a secret: the words that name it, and the
// grammar that joins a name and a value. Words are in lower case.
type Language struct {
	Name string

	// Names of secrets. Short ones match only as whole words, not as the end of another
	// word.
	Passwords, Short []string
	Everyday         []string // names with another meaning: "clave" is also a key to anything
	Keys             []string // secrets that machines generate
	Pins             []string // four to eight digits
	Backups          []string // codes for a lost second factor
	Passports        []string

	Is      []string // copulas: between a name and its value, or the other way around
	Now     []string // words between a copula and a value: "now", "set to"
	It      []string // openings of a clause that tells the value of a secret named before
	Of      []string // words before the owner of a secret: "for the router", "that we use"
	My, The []string // words before a name: possessives, articles and the like
	As      []string // "use x as the password"
	Use     []string // "use x to log in"
	Enter   []string // "to log in": what one uses a secret for
	To      []string // "set the password to x"
	Into    string   // the word of To that means only this, not where, why or by whom
	Set     []string // the verbs used with To, in every form
	And     []string // words that join the next clause to a value, or end its own

	// Bare says that the language has no copula in the present tense, and Follows that it
	// puts an adjective or genitive after the name: "mot de passe provisoire".
	Bare, Follows bool

	// Describe lists words that describe a secret and are not secrets themselves:
	// adjectives, participles, places. Endings are the endings of more such words.
	Describe, Endings []string

	// Examples are sentences with a value at "{X}"; Harmless are sentences without a
	// value.
	Examples, Harmless []string
}

// Languages lists the languages in the order of internal/extract/language, followed by
// the ones that only label.
var Languages = []Language{
	{Name: "English",
		Passwords: []string{"password", "passwd", "passcode", "pass code", "pass word", "log-in code", "security answer", "secret answer"}, Short: []string{"pw", "pwd", "pswd", "psw"},
		Keys: []string{"api key", "access key"}, Pins: []string{"pin", "pin code", "pin-code", "pincode", "pin number"},
		Backups:   []string{"backup codes", "backup code", "recovery codes", "recovery code", "rescue codes", "rescue code", "scratch codes", "emergency codes", "2fa codes", "mfa codes", "one-time codes", "backup key", "recovery key"},
		Passports: []string{"passport number", "passport no", "passport no.", "passport #", "passport"},
		Is:        words("is was are be has becomes became remains equals reads says being"), Now: words("now still currently set reset changed been to again just simply actually always called literally only"),
		It: phrases("it is, it's, its, that is, that's, thats, this is, which is, it was, now, now it is, now it's, the new one is, new one is, new one, it reads, it became, i made it, we made it, i set it to, we set it to"),
		Of: words("for to of on at in by with that which we i you they he she behind under used"), My: words("my our his her their your its"), The: words("the a this that"),
		As: words("as for"), Use: words("use used using try enter type with put paste typing entering"), Enter: phrases("to log in, to login, to log on, to sign in, to sign on, to get in, to unlock, to authenticate, to connect as, to ssh in"),
		To: words("to"), Into: "to", Set: words("set sets setting change changed changes changing reset resets update updated updates updating rotated rotate made make"),
		And: words("and but so if for since because now please when by then until or while though btw thanks thx ty lol haha ok pls plz lmk fyi rn atm that"),
		Describe: words(`gone weaker stronger longer shorter safer better harder simpler easier stricter newer older wrong right weak strong short long simple complex easy hard secure insecure safe unsafe good bad fine great
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
		Endings: words("ed ing able ible ful less ly ous tional"),
		Examples: []string{"the wifi password is «{X}»", "My admin password: «{X}»", "I changed the wifi password, it is now «{X}»", "I reset the NAS password yesterday. It's «{X}» now.", "«{X}» is the admin password", "You can use «{X}» as the password", "the password we use for the router is «{X}»",
			"new passcode for the meeting room tablet is «{X}», please note it", "I set my password to «{X}»"},
		Harmless: []string{"The password is wrong", "the password is stored in the vault", "passwords must be 14 characters", "I changed the wifi password, it is now stronger", "Security is the password policy in one word", "Use Bitwarden as the password manager", "Use SSO to log in", "the password for the router is unknown", "My password has expired"}},
	{Name: "German",
		Passwords: []string{"passwort", "kennwort", "losungswort"}, Keys: []string{"api-schlüssel", "zugangsschlüssel", "zugriffsschlüssel", "wlan-schlüssel", "lizenzschlüssel", "netzwerkschlüssel"},
		Pins:      []string{"geheimzahl", "türcode", "torcode", "zugangscode", "alarmcode"},
		Backups:   []string{"wiederherstellungscodes", "wiederherstellungscode", "backup-codes", "backup-code", "ersatzcodes", "notfallcodes", "sicherungscodes"},
		Passports: []string{"reisepassnummer", "passnummer", "reisepass", "personalausweisnummer", "ausweisnummer"},
		Is:        words("ist war lautet heißt heisst lautete wird"), Now: words("jetzt nun aktuell derzeit noch immer ab sofort weiterhin nur einfach auf gesetzt"),
		It: phrases("es ist, es lautet, es heißt, das ist, jetzt, nun, jetzt ist es, jetzt lautet es, nun lautet es, das neue ist, das neue lautet, er lautet"), Of: words("für fürs von vom zu zum zur auf am im in des der dem den meiner meines unserer unseres das die wir ich"),
		My: words("mein dein unser euer ihr sein meinem deinem unserem"), The: words("das ein dem der die neues neue"), As: words("als"), Use: words("nutze nutzt nutzen verwende verwendet verwenden benutze benutzt benutzen mit nimm nehmt gib"),
		Enter: phrases("zum einloggen, um sich einzuloggen, um dich einzuloggen, um mich einzuloggen, zum anmelden, zur anmeldung, um sich anzumelden, um dich anzumelden, zum entsperren"),
		To:    words("auf in zu"), Into: "auf", Set: words("geändert ändere ändern änderte gesetzt setze setzen gewechselt"), And: words("und aber denn weil damit bitte falls wenn sowie oder danke dass"),
		Describe: words(`falsch richtig korrekt ungültig gültig vergessen geändert abgelaufen neu alt gespeichert sicher unsicher schwach stark lang kurz kürzer länger stärker sicherer einfach kompliziert schwierig leicht gut schlecht besser
			weg verloren bekannt unbekannt geheim öffentlich leer sichtbar versteckt nötig notwendig pflicht erforderlich optional gleich anders verschieden zufällig eindeutig fertig bereit fällig hinterlegt verschlüsselt gehasht
			heute morgen gestern bald später nie immer dort hier da drin dran dabei zurückgesetzt gesperrt vorhanden pflichtfeld unterwegs schuld egal wichtig kaputt geleakt gestohlen abgelehnt erlaubt verboten verfallen`),
		Endings:  words("lich bar los iert haft isch igt ndig"),
		Examples: []string{"Das Passwort vom Router ist «{X}»", "Mein Kennwort lautet «{X}».", "WLAN-Passwort: «{X}»", "Ich habe das Passwort geändert, es lautet jetzt «{X}»", "«{X}» ist das Passwort für den Server", "Nimm «{X}» als Passwort"},
		Harmless: []string{"Das Passwort ist falsch.", "Das Passwort vom Router ist unbekannt", "Ich habe das Passwort geändert, es ist jetzt sicherer", "Das Kennwort liegt im Tresor", "Passwort: erforderlich", "Bitte das Passwort ändern"}},
	{Name: "French", Follows: true,
		Passwords: []string{"mot de passe", "mots de passe", "code wifi", "clé wifi", "clef wifi", "code wi-fi", "clé wi-fi"}, Short: []string{"mdp"},
		Keys: []string{"clé api", "clé d'api", "clé d’api", "clé secrète", "clé d'accès"}, Pins: []string{"code d'accès", "code d’accès", "digicode", "code pin", "code secret"},
		Backups:   []string{"codes de secours", "code de secours", "codes de récupération", "code de récupération"},
		Passports: []string{"numéro de passeport", "n° de passeport", "passeport n°", "passeport"},
		Is:        words("est était devient vaut sera"), Now: words("maintenant désormais toujours encore actuellement donc simplement juste"),
		It: phrases("c'est, c’est, il est, c'est maintenant, maintenant, maintenant c'est, désormais, désormais c'est, le nouveau est, le nouveau c'est, il devient, elle est"), Of: words("de du d'un pour des à au aux sur que qui chez dans"),
		My: words("mon ton notre votre son"), The: words("le un ce"), As: words("comme"), Use: words("utilise utilisez utiliser tape tapez entre entrez mets mettez avec prends prenez"), Enter: phrases("pour se connecter, pour te connecter, pour vous connecter, pour me connecter, pour s'identifier, pour ouvrir la session, pour déverrouiller"),
		To: words("à en par pour"), Set: words("changé changer change mis mettre modifié modifier remplacé"), And: words("et mais car donc si pour parce merci ou puis que"),
		Describe: words(`requis requise obligatoire facultatif facultative incorrect incorrecte correct correcte oublié invalide valide nouveau nouvelle stocké enregistré faux fausse bon bonne mauvais faible fort forte long court plus trop
			secret sûr perdu inconnu connu vide visible caché expiré périmé identique différent unique simple complexe compliqué sécurisé changé ici là demain hier bientôt jamais toujours nécessaire ancien public pareil prêt mieux meilleur meilleure pire même`),
		Endings:  words("é ée és ées able ible eux euse if ive"),
		Examples: []string{"Le mot de passe du wifi est «{X}»", "mot de passe : «{X}»", "J'ai changé le mot de passe, c'est maintenant «{X}»", "«{X}» est le mot de passe du serveur", "Utilise «{X}» comme mot de passe", "Le mdp de la box c'est «{X}»"},
		Harmless: []string{"Le mot de passe est incorrect", "Le mot de passe du wifi est affiché au salon", "Mot de passe : obligatoire", "J'ai changé le mot de passe, c'est plus sûr", "Le mot de passe est trop court"}},
	{Name: "Spanish", Follows: true,
		Passwords: []string{"contraseña", "contrasena", "contrasen\u0303a", "palabra clave"}, Everyday: []string{"clave", "contra"},
		Keys: []string{"clave de api", "clave api", "clave secreta", "clave de acceso"}, Pins: []string{"código pin", "código de acceso"},
		Backups:   []string{"códigos de respaldo", "código de respaldo", "códigos de recuperación", "código de recuperación"},
		Passports: []string{"número de pasaporte", "pasaporte n.º", "pasaporte"},
		Is:        words("es era será sería"), Now: words("ahora actualmente todavía sigue siendo simplemente solo"),
		It: phrases("es, ahora es, es ahora, la nueva es, ahora, y es, y ahora es, quedó en, quedó como"), Of: words("de del para por en a la que al"),
		My: words("mi tu nuestra su"), The: words("la una esta"), As: words("como de"), Use: words("usa use usar utiliza utilice utilizar pon ponga con escribe ingresa teclea"), Enter: phrases("para entrar, para iniciar sesión, para acceder, para conectarte, para conectarse, para loguearte, para desbloquear"),
		To: words("a por"), Set: words("cambié cambió cambia cambiado cambiar cambiamos puse puso puesto"), And: words("y e pero porque si para gracias o pues que"),
		Describe: words(`obligatorio obligatoria requerido requerida opcional incorrecta incorrecto correcta correcto inválida válida nueva nuevo vieja débil fuerte fácil difícil larga corta segura insegura secreta pública perdida distinta igual
			mala buena aquí allí hoy mañana ayer siempre nunca pronto necesaria importante única simple compleja errónea mía tuya mejor peor mayor menor`),
		Endings:  words("ado ada ados adas ido ida able ible"),
		Examples: []string{"La contraseña del servidor es «{X}»", "contraseña: «{X}»", "Cambié la contraseña del wifi, ahora es «{X}»", "«{X}» es la contraseña del router", "Usa «{X}» como contraseña", "la clave del wifi es «{X}»"},
		Harmless: []string{"La contraseña es obligatoria", "Contraseña: incorrecta", "Cambié la contraseña, ahora es segura", "La contraseña está en la caja fuerte", "La clave del éxito es paciencia"}},
	{Name: "Italian", Follows: true,
		Passwords: []string{"parola d'ordine", "parola d’ordine", "parola chiave", "parola di accesso"}, Keys: []string{"chiave api", "chiave di accesso", "chiave segreta"}, Pins: []string{"codice pin", "codice di accesso"},
		Backups: []string{"codici di backup", "codici di recupero", "codice di recupero", "codici di riserva"}, Passports: []string{"numero di passaporto", "numero del passaporto", "passaporto"},
		Is: words("è era sarà diventa"), Now: words("ora adesso ancora sempre attualmente semplicemente"), It: phrases("è, ora è, adesso è, la nuova è, ed è, ora, adesso"),
		Of: words("di del della dello dei delle da dal per al alla in su che nel"), My: words("mia tua nostra sua"), The: words("la una il"), As: words("come"), Use: words("usa usate usare utilizza utilizzare inserisci metti con digita"), Enter: phrases("per accedere, per entrare, per collegarti, per collegarsi, per sbloccare, per fare login"),
		To: words("in a con"), Set: words("cambiato cambiata cambio cambiare impostato impostata messo messa"), And: words("e ma perché se per grazie o poi che"),
		Describe: words(`obbligatoria obbligatorio errata errato sbagliata sbagliato corretta giusta valida debole forte facile difficile lunga corta sicura segreta nuova vecchia vuota uguale diversa qui oggi domani ieri sempre mai necessaria importante unica semplice visibile migliore peggiore maggiore minore`),
		Endings:  words("ato ata ati ate uto uta ito ita abile ibile"),
		Examples: []string{"la password del server è «{X}»", "La parola d'ordine è «{X}»", "Ho cambiato la password del wifi, ora è «{X}»", "«{X}» è la password del router", "Usa «{X}» come password"},
		Harmless: []string{"La password è scaduta", "la password del server è sbagliata", "Ho cambiato la password, ora è sicura", "La password è nel caveau"}},
	{Name: "Portuguese", Follows: true,
		Passwords: []string{"palavra-passe", "palavra passe", "palavra-chave"}, Short: []string{"senha"}, Keys: []string{"chave de api", "chave api", "chave secreta", "chave de acesso"}, Pins: []string{"código pin", "código de acesso"},
		Backups: []string{"códigos de recuperação", "código de recuperação", "códigos de backup", "códigos reserva"}, Passports: []string{"número do passaporte", "passaporte"},
		Is: words("é era será fica ficou"), Now: words("agora ainda atualmente sempre simplesmente só"), It: phrases("é, agora é, e agora é, a nova é, ficou, agora, é agora"),
		Of: words("de do da dos das para no na em que ao à pro pra"), My: words("minha tua nossa sua"), The: words("a uma o"), As: words("como"), Use: words("usa use usar utilize utiliza com digite coloque insira põe"), Enter: phrases("para entrar, para acessar, para aceder, para iniciar sessão, para fazer login, para logar, para desbloquear"),
		To: words("para por"), Set: words("mudei mudou mudar troquei trocou trocar alterei alterou alterar defini coloquei"), And: words("e mas porque se para obrigado obrigada ou pois que"),
		Describe: words(`obrigatória obrigatório inválida válida incorreta correta errada certa fraca forte fácil difícil longa curta segura insegura secreta nova velha antiga vazia igual diferente aqui hoje amanhã ontem sempre nunca necessária importante única simples minha maior menor melhor pior mais`),
		Endings:  words("ado ada ido ida ável ível"),
		Examples: []string{"a senha do wifi é «{X}»", "Palavra-passe: «{X}»", "Mudei a senha do roteador, agora é «{X}»", "«{X}» é a senha do servidor", "Use «{X}» como senha"},
		Harmless: []string{"A senha é inválida", "a senha do wifi é difícil", "Mudei a senha, agora é segura", "A senha fica no cofre", "Senha: obrigatória"}},
	{Name: "Dutch",
		Passwords: []string{"wachtwoord", "toegangswoord"}, Keys: []string{"api-sleutel", "toegangssleutel", "licentiesleutel"}, Pins: []string{"toegangscode", "deurcode", "pincode"},
		Backups: []string{"herstelcodes", "herstelcode", "back-upcodes", "reservecodes"}, Passports: []string{"paspoortnummer", "paspoort"},
		Is: words("is was luidt wordt werd"), Now: words("nu nog momenteel steeds gewoon altijd"), It: phrases("het is, het is nu, het luidt, dat is, nu, nu is het, de nieuwe is, het nieuwe is"),
		Of: words("van voor op in bij het de die dat we wij ik"), My: words("mijn jouw ons onze zijn haar"), The: words("het een de"), As: words("als"), Use: words("gebruik gebruikt gebruiken met vul typ neem"), Enter: phrases("om in te loggen, om aan te melden, om te ontgrendelen, om binnen te komen"),
		To: words("naar in"), Into: "naar", Set: words("gewijzigd wijzig veranderd verander aangepast ingesteld gezet"), And: words("en maar want als zodat dus bedankt of dat"),
		Describe: words(`verplicht onjuist juist fout goed verlopen vergeten veranderd gewijzigd zwak sterk lang kort moeilijk makkelijk eenvoudig veilig onveilig veiliger sterker geheim nieuw oud leeg kwijt bekend onbekend hetzelfde anders uniek vandaag morgen gisteren hier daar altijd nooit nodig belangrijk opgeslagen versleuteld gestolen gelekt beter slechter langer korter`),
		Endings:  words("baar lijk loos eerd"),
		Examples: []string{"Het wachtwoord van de router is «{X}»", "wachtwoord: «{X}»", "Ik heb het wachtwoord gewijzigd, het is nu «{X}»", "«{X}» is het wachtwoord van de server", "Gebruik «{X}» als wachtwoord"},
		Harmless: []string{"Het wachtwoord is verlopen", "Het wachtwoord van de router is onbekend", "Ik heb het wachtwoord gewijzigd, het is nu sterker", "Wachtwoord: verplicht"}},
	{Name: "Polish", Follows: true,
		Passwords: []string{"hasło", "hasła", "hasłem"}, Keys: []string{"klucz api", "klucz dostępu", "api-klucz"}, Pins: []string{"kod pin", "kod dostępu"}, Backups: []string{"kody zapasowe", "kody odzyskiwania", "kod zapasowy"}, Passports: []string{"numer paszportu", "paszport"},
		Is: words("to jest brzmi było będzie"), Now: words("teraz obecnie nadal wciąż po prostu"), It: phrases("to, teraz to, teraz brzmi, jest to, nowe to, teraz jest"), Of: words("do od dla w na z które"), My: words("moje twoje nasze jego jej ich"), The: words("to"), As: words("jako"), Use: words("użyj używaj wpisz podaj użyjcie"), Enter: phrases("żeby się zalogować, aby się zalogować, do logowania, do zalogowania"),
		To: words("na"), Into: "na", Set: words("zmieniłem zmieniłam zmień zmieniono zmienione zmieniliśmy ustawiłem ustawiłam"), And: words("i a ale bo więc jeśli oraz proszę dzięki lub że"),
		Describe: words(`wymagane błędne poprawne nieprawidłowe prawidłowe złe dobre słabe silne długie krótkie trudne łatwe proste bezpieczne bezpieczniejsze silniejsze nowe stare puste tajne nieznane znane wygasło zapomniane inne takie samo dziś jutro wczoraj tutaj zawsze nigdy ważne potrzebne lepsze gorsze dłuższe krótsze`),
		Endings:  words("any ana ane ony ona one iony iona ione owy owa owe"),
		Examples: []string{"hasło do wifi to «{X}»", "Hasło: «{X}»", "moje hasło to «{X}»", "Zmieniłem hasło do routera, teraz to «{X}»", "«{X}» to hasło do serwera", "Użyj «{X}» jako hasła"},
		Harmless: []string{"Hasło jest nieprawidłowe", "hasło do wifi jest nieznane", "Zmieniłem hasło, teraz jest bezpieczniejsze", "Hasło: wymagane"}},
	{Name: "Russian", Bare: true, Follows: true,
		Passwords: []string{"пароль", "пароля", "паролем"}, Keys: []string{"ключ api", "api-ключ", "api ключ", "ключ доступа"}, Pins: []string{"пин-код", "пин", "пинкод"},
		Backups: []string{"резервные коды", "резервный код", "коды восстановления"}, Passports: []string{"номер паспорта", "паспорт №", "паспорт"},
		Is: words("это есть был теперь стал будет"), Now: words("теперь сейчас пока всё ещё просто это"), It: phrases("теперь, он теперь, теперь это, это, теперь он, новый"), Of: words("от для к на в у из с который"), My: words("мой твой наш ваш его её"), The: words("это"), As: words("как"), Use: words("используй используйте введи введите попробуй"), Enter: phrases("для входа, чтобы войти, чтобы зайти, чтобы залогиниться"),
		To: words("на"), Into: "на", Set: words("сменил сменила поменял поменяла изменил изменила сменили поменяли поставил установил"), And: words("и а но если потому чтобы спасибо или что"),
		Describe: words(`неверный верный правильный неправильный обязателен обязательно просрочен истёк забыт изменён сложный простой слабый сильный длинный короткий новый старый надёжный надёжнее секретный пустой неизвестен известен другой такой тот сегодня завтра вчера здесь там всегда никогда нужен важен утерян утёк лучше хуже длиннее короче`),
		Endings:  words("ен ён ан ена ено ый ий ой ая ое ся ть ее ей"),
		Examples: []string{"пароль от роутера «{X}»", "Пароль: «{X}»", "мой пароль — «{X}»", "Я сменил пароль от вайфая, теперь он «{X}»", "«{X}» — пароль от сервера", "Используй «{X}» как пароль"},
		Harmless: []string{"Пароль неверный", "Пароль: обязателен", "Я сменил пароль, теперь он надёжнее", "Пароль от роутера неизвестен"}},
	{Name: "Turkish", Bare: true,
		Passwords: []string{"şifre", "şifresi", "şifrem", "şifremiz", "parola", "parolası", "parolam", "parolamız"}, Keys: []string{"api anahtarı", "erişim anahtarı"}, Pins: []string{"pin kodu", "kapı kodu"}, Backups: []string{"yedek kodlar", "yedek kodları", "kurtarma kodları"}, Passports: []string{"pasaport numarası", "pasaport no", "pasaport"},
		Is: words("artık şudur şu"), Now: words("artık şimdi şu an hâlâ"), It: phrases("artık, şimdi, yeni şifre, yenisi"), Of: words("için"), My: words("benim bizim"), The: words("bu"), As: words("olarak"), Use: words("kullan kullanın gir girin"), Enter: phrases("giriş için, giriş yapmak için"),
		To: words("olarak"), Set: words("değiştirdim değiştirdik değiştirildi ayarladım"), And: words("ve ama çünkü lütfen eğer veya"),
		Describe: words(`yanlış doğru geçersiz geçerli zorunlu gerekli zayıf güçlü uzun kısa kolay zor güvenli yeni eski boş gizli aynı farklı unutuldu değişti kayıp burada bugün yarın`),
		Endings:  words("li lı lu lü siz sız suz süz dir dır dur dür miş mış"),
		Examples: []string{"wifi şifresi: «{X}»", "Şifre = «{X}»", "Wifi şifresini değiştirdim, şifre artık «{X}»", "parolam: «{X}»"},
		Harmless: []string{"Şifre yanlış", "Şifre: zorunlu", "Parola güvenli", "şifre artık güçlü"}},
	{Name: "Swedish",
		Passwords: []string{"lösenord", "lösenordet"}, Keys: []string{"api-nyckel", "api-nyckeln"}, Pins: []string{"pinkod", "pinkoden", "portkod", "portkoden"}, Backups: []string{"reservkoder", "återställningskoder"}, Passports: []string{"passnummer"},
		Is: words("är blir blev lyder"), Now: words("nu fortfarande bara"), It: phrases("det är, det är nu, nu är det, nu, det nya är"), Of: words("till för på i som vi jag"), My: words("mitt vårt ditt"), The: words("det ett"), As: words("som"), Use: words("använd använda skriv"), Enter: phrases("för att logga in"),
		To: words("till"), Into: "till", Set: words("ändrade ändrat bytte bytt satte"), And: words("och men för om tack eller"),
		Describe: words(`fel rätt ogiltigt giltigt svagt starkt långt kort säkert nytt gammalt tomt hemligt okänt glömt bytt obligatoriskt samma idag här där bättre längre kortare säkrare`), Endings: words("bart ligt lösat"),
		Examples: []string{"lösenordet till routern är «{X}»", "Lösenord: «{X}»", "Jag bytte lösenordet, nu är det «{X}»", "Använd «{X}» som lösenord"},
		Harmless: []string{"Lösenordet är fel", "Jag bytte lösenordet, nu är det säkert", "Lösenord: obligatoriskt"}},
	{Name: "Chinese",
		Passwords: []string{"密码", "密碼", "口令"}, Keys: []string{"api密钥", "密钥", "密鑰", "访问密钥", "api 密钥", "金钥"}, Pins: []string{"pin码", "门禁码", "门禁密码"}, Backups: []string{"备用码", "备用验证码", "恢复码", "恢复代码", "备份码", "備用碼"}, Passports: []string{"护照号", "护照号码", "護照號碼"},
		Is: words("是 为 為 改成 改为 改為 设为 設為 换成 改成了 换成了 改为了 就是 成了 变成 变成了"), Now: words("现在 現在 目前 了 已"), It: phrases("现在是, 現在是, 新密码是, 新的是, 改成了, 改为, 变成了, 就是, 是"), Of: words("的"), My: words("我的"), The: words("的"), As: words("是 作为 作為 当 當 做 为"), Use: words("用 使用 输入"), And: words("了 哦 啊 吧 呢 哈"), Enter: phrases("登录, 登入, 登陆, 登錄"),
		Examples: []string{"wifi密码是«{X}»", "密码：«{X}»", "路由器的密码是 «{X}»。", "我改了wifi密码，现在是«{X}»", "«{X}»是服务器的密码", "用«{X}»登录"},
		Harmless: []string{"密码不能为空", "密码：不能为空", "密码是错误的", "我忘了wifi密码", "密码是什么？"}},
	{Name: "Japanese",
		Passwords: []string{"パスワード", "暗証番号", "合言葉", "パスコード"}, Everyday: []string{"パス"}, Keys: []string{"apiキー", "秘密鍵", "アクセスキー", "api キー"}, Pins: []string{"pinコード"}, Backups: []string{"バックアップコード", "リカバリーコード", "復旧コード", "回復コード"}, Passports: []string{"パスポート番号", "旅券番号"},
		Is: words("は が を も"), Now: words("今 今は 現在 新しく"), It: phrases("今は, 現在は, 新しいのは, いまは, 今度は"), Of: words("の"), The: words("の"), As: words("が は を"), Use: words("を"), And: words("です でした だ に変更 に設定 にし ね よ になり"), Enter: phrases("でログイン, でサインイン, を使ってログイン, を使って"),
		Examples: []string{"パスワードは«{X}»です", "Wi-Fiのパスワード：«{X}»", "パスワードを変更しました。今は«{X}»です", "«{X}»がサーバーのパスワードです", "パスワードを «{X}» に変更しました"},
		Harmless: []string{"パスワードは必須です", "パスワードを忘れました", "パスワードは安全です", "パスワードを変更しました。"}},
	{Name: "Korean",
		Passwords: []string{"비밀번호", "패스워드", "비번", "암호"}, Keys: []string{"api 키", "api키", "액세스 키", "비밀키"}, Pins: []string{"핀번호", "핀 번호", "출입 코드"}, Backups: []string{"백업 코드", "복구 코드", "백업코드"}, Passports: []string{"여권번호", "여권 번호"},
		Is: words("는 은 가 이 를 을"), Now: words("이제 지금 현재"), It: phrases("이제, 지금은, 새 비밀번호는, 이제는, 현재는"), Of: words("의"), My: words("제 내 우리"), As: words("가 이 은 는 를 을"), Use: words("를"), And: phrases("입니다, 이에요, 예요, 야, 이야, 임, 로 변경, 으로 변경, 로 바꿨, 으로 바꿨, 로 바꾸, 였"), Enter: phrases("로 로그인, 으로 로그인, 로 접속, 으로 접속"),
		Examples: []string{"비밀번호는 «{X}»입니다", "비밀번호: «{X}»", "와이파이 비번은 «{X}»", "비밀번호를 바꿨어요. 이제 «{X}»입니다", "«{X}»가 서버 비밀번호입니다"},
		Harmless: []string{"비밀번호는 필수입니다", "비밀번호를 잊었어요", "비밀번호가 틀렸습니다"}},
	{Name: "Hindi",
		Passwords: []string{"पासवर्ड", "कूटशब्द"}, Keys: []string{"api कुंजी", "एपीआई कुंजी"}, Pins: []string{"पिन"}, Backups: []string{"बैकअप कोड"}, Passports: []string{"पासपोर्ट नंबर", "पासपोर्ट संख्या"},
		Is: words("है था हैं"), Now: words("अब अभी"), It: phrases("अब, अब यह, नया, यह"), Of: words("का के की"), My: words("मेरा हमारा"), The: words("का"), As: words("को"), To: words("को"), And: words("और लेकिन"),
		Examples: []string{"मेरा पासवर्ड «{X}» है", "पासवर्ड: «{X}»", "वाईफाई का पासवर्ड «{X}» है", "मैंने पासवर्ड बदल दिया, अब यह «{X}» है"},
		Harmless: []string{"पासवर्ड गलत है", "पासवर्ड भूल गया", "पासवर्ड: अनिवार्य"}},
	{Name: "Arabic", Bare: true, Follows: true,
		Passwords: []string{"كلمة المرور", "كلمة السر", "كلمة مرور", "كلمة سر", "الرقم السري"}, Keys: []string{"مفتاح api", "مفتاح الوصول"}, Pins: []string{"رمز pin", "رمز الدخول"}, Backups: []string{"رموز النسخ الاحتياطي", "رموز الاسترداد"}, Passports: []string{"رقم جواز السفر", "رقم الجواز"},
		Is: words("هي هو أصبحت صارت"), Now: words("الآن حاليا"), It: phrases("الآن هي, وهي الآن, هي الآن, أصبحت, وهي, الآن"), Of: words("في لـ"), The: words("هي"), As: words("هي ككلمة"), To: words("إلى"), And: words("و لكن"),
		Examples: []string{"كلمة المرور هي «{X}»", "كلمة سر الواي فاي هي «{X}»", "كلمة المرور: «{X}»", "غيرت كلمة المرور، وهي الآن «{X}»"},
		Harmless: []string{"كلمة المرور غير صحيحة", "كلمة المرور مطلوبة", "نسيت كلمة السر"}},
}
