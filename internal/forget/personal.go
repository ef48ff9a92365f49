package forget

import (
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// isPersonal holds the words by which users refer to themselves or are addressed, in
// several languages. It has no plurals such as "our", which as often mean a team.
var isPersonal = text.WordSet(`
i i'm i've i'd i'll me my mine myself you you're you've you'd you'll your yours yourself u ur
ich mich mir du sie mein meine meinen meinem meiner dein deine deinen deinem deiner dir dich ihr ihre ihren ihrem ihrer ihnen
je j'ai tu moi mon ma mes ton ta tes toi votre vos vous
yo tú mí mi mis tu tus tuyo su sus te contigo conmigo usted
io mio mia miei mie tuo tua tuoi tue suo sua ti
eu tu meu minha meus minhas seu sua seus suas você teu tua
ik jij mij mijn jouw jou je uw
ja ty mam masz mój moja moje mojego mojej twój twoja twoje twojego twojej pan pani
я ты вы мой моя моё мои моего моей меня мне твой твоя твоё твои твоего твоей вас ваш ваша ваше ваши вашего вашей тебя
मैं मेरा मेरी मेरे मुझे आप आपका आपकी आपके तुम्हारा तुम्हारी
أنا لي عندي أنت لك لديك
나 내 나의 저 제 저의 너 네 당신 당신의
`)

// personalUnspaced holds the same words in scripts without spaces.
var personalUnspaced = []string{"我", "你", "您", "私", "僕", "俺", "あなた", "君の", "ฉัน", "ผม", "คุณ"}

// personal reports whether a sentence is about the user or addresses the user.
func personal(said []word, sentence string) bool {
	for _, w := range said {
		if w.kind == plainWord && isPersonal[strings.ReplaceAll(w.said, "’", "'")] {
			return true
		}
	}
	if !text.HasUnspaced(sentence) {
		return false
	}
	for _, p := range personalUnspaced {
		if strings.Contains(sentence, p) {
			return true
		}
	}
	return false
}

// namingWords holds words that introduce the name of somebody or something.
var namingWords = text.WordSet(`
name names named naming called call calls nickname nicknamed titled entitled baptized christened
heißt heisst heißen heissen hieß namens genannt nennt name namen
appelle appelé appelée nommé nommée nom s'appelle
llama llamado llamada nombre
chiama chiamato chiamata nome chamado chamada chama
heet heten genaamd naam nazywa imię nazwa зовут назвали имя называется नाम اسم اسمه اسمها
`)

// naming reports whether a sentence states what something is called.
func naming(said []word) bool {
	for _, w := range said {
		if namingWords[w.said] {
			return true
		}
	}
	return false
}
