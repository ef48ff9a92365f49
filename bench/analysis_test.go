package bench_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/local"
)

// statements are what is saved before the questions below are asked: of each
// language and kind what answers, beside what shares its words. Who has one cat has
// one in every language, so others tell of colleagues and friends.
var statements = map[string]string{
	"cat":       "My cat's name is Whiskerino",
	"cat-food":  "The cat eats twice a day and my dog eats once",
	"cat-vet":   "My cat goes to the vet, whose name I forgot, every May",
	"dog":       "My dog's name is Rufus",
	"whiskey":   "My neighbor collects whiskey bottles",
	"postgres":  "The billing service keeps its data in PostgreSQL",
	"redis":     "The session service keeps its data in Redis",
	"deploy":    "The deployment of the shop runs every Tuesday at noon",
	"shop":      "The shop sells blue and green lamps every Tuesday",
	"kube":      "Kubernetes schedules the containers of the crawler",
	"receive":   "Invoices that we receive go to the accounting folder",
	"mortgage":  "The mortgage is paid at the end of the month",
	"lisbon":    "Ana Figueiredo lives in Lisbon with her sister",
	"porto":     "Bento lives in Porto with his sister",
	"tag":       "Roll back with the tag deploy-v2.4.7-hotfix",
	"tag-old":   "The tag deploy-v2.4.6 was built without the hotfix",
	"version":   "Version 2.4.7 of the handbook is printed",
	"parse":     "parseHTTPHeader drops what stands after a semicolon",
	"parse-url": "parseURL accepts hosts without a dot",
	"header":    "The header of the letter is printed in blue",
	"user-id":   "The column user_id is unique in the table of orders",
	"order-id":  "The column order_id is the key of the table of orders",
	"path":      "The limits are set in internal/limits/quota.go",
	"path-2":    "The tests of the parser lie in internal/parser/quota_test.go",
	"mail":      "Write to grace.hopper@navy.example about the compiler",
	"mail-2":    "Write to ada@engine.example about the loom",
	"ticket":    "OPS-4711 is about the leaking water tank",
	"ticket-2":  "OPS-4712 is about the broken fan",
	"ai":        "Noor is wary of AI and reads about it on trains",
	"trains":    "Noor reads about old trains and their drivers",
	"mit":       "Yusuf studied chemistry at MIT",
	"study":     "Yusuf studied the chemistry of paint with a friend",

	"es-cat":  "Mi tortuga se llama Canela y duerme en la cocina",
	"es-dog":  "Mi loro se llama Bruno y duerme en el jardín",
	"es-job":  "Mi hermana trabaja en un hospital de Sevilla",
	"es-job2": "Mi primo trabaja en una panadería de Sevilla",
	"de-cat":  "Meine Ziege heißt Minka und schläft auf dem Ofen",
	"de-dog":  "Mein Esel heißt Rex und schläft auf dem Teppich",
	"de-job":  "Meine Schwester arbeitet als Zahnärztin in Köln",
	"de-key":  "Der Schlüssel für den Keller liegt unter der Matte",
	"fr-cat":  "Mon lapin s'appelle Moustache et dort sur le canapé",
	"fr-dog":  "Mon canari s'appelle Filou et dort dans le couloir",
	"fr-job":  "Ma sœur travaille dans une librairie à Lyon",
	"fr-key":  "La clé de la cave se trouve sous le paillasson",
	"it-cat":  "Il mio collega si chiama Briciola e dorme sul divano",
	"it-dog":  "Il mio amico si chiama Pippo e dorme nel corridoio",
	"it-job":  "Mia sorella lavora in una libreria di Torino",
	"it-key":  "La chiave della cantina è sotto lo zerbino",
	"pt-cat":  "O meu colega chama-se Bolinha e dorme na varanda",
	"pt-dog":  "O meu amigo chama-se Thor e dorme na garagem",
	"pt-job":  "A minha irmã trabalha numa padaria em Coimbra",
	"pt-key":  "A chave da adega fica debaixo do tapete",
	"ja-cat":  "私の同僚の名前はタマです",
	"ja-dog":  "私の友人の名前はポチです",
	"ja-job":  "姉は大阪の病院で働いています",
	"ja-job2": "兄は京都の銀行で働いています",
	"zh-cat":  "我的同事叫咪咪，喜欢睡在窗台上",
	"zh-dog":  "我的朋友叫旺财，喜欢睡在门口",
	"zh-job":  "我姐姐在上海的医院工作",
	"zh-job2": "我哥哥在北京的银行工作",
	"ko-cat":  "우리 고양이의 이름은 나비이다",
	"ko-dog":  "우리 강아지의 이름은 초코이다",
	"ar-cat":  "زميلتي اسمها لولو وتنام في المطبخ",
	"ar-dog":  "صديقي اسمه ركس وينام في الحديقة",
	"ar-job":  "أختي تعمل طبيبة في مستشفى القاهرة",
	"hi-cat":  "मेरी सहकर्मी का नाम मिन्नी है",
	"hi-dog":  "मेरे दोस्त का नाम शेरू है",
	"hi-job":  "मेरी बहन दिल्ली के अस्पताल में काम करती है",
	"ru-cat":  "Мою коллегу зовут Муся, она спит на диване",
	"ru-dog":  "Моего друга зовут Шарик, он спит во дворе",
}

// talk is what was said in three sessions, the day counted from the first.
var talk = []struct {
	id, session string
	day         int
	speaker     string
	text        string
}{
	{"swim", "s1", 0, "Ines", "I went swimming in the lake yesterday."},
	{"swim-r", "s1", 0, "Omar", "Nice! I stayed at home with a cold."},
	{"violin", "s1", 0, "Ines", "I started to learn the violin, too."},
	{"omar-move", "s1", 0, "Omar", "We want to move to a house with a garden."},
	{"lake", "s2", 40, "Omar", "The lake was too cold, so I went to the pool."},
	{"concert", "s2", 40, "Ines", "My first concert with the orchestra was great."},
	{"wedding", "s2", 40, "Omar", "My sister's wedding was last week, in Tunis."},
	{"moved", "s3", 70, "Omar", "We moved last month, the garden is huge."},
	{"swim-2", "s3", 70, "Ines", "I went swimming in the sea this morning."},
	{"bike", "s3", 70, "Ines", "My bike was stolen at the station."},
}

// firstDay is when the first session of talk was.
var firstDay = time.Date(2025, 5, 12, 18, 0, 0, 0, time.UTC)

// TestQuestionsOfEveryKind asks as people ask: in a word, misspelt, in their
// own language, by identifiers or a part of one, by names and times, several
// things at once. within is the rank that the answer must reach; of several
// answers all must.
func TestQuestionsOfEveryKind(t *testing.T) {
	tests := []struct {
		kind, question string
		within         int
		want           []string
	}{
		{"one word", "Whiskerino", 1, []string{"cat"}},
		{"one word", "Lisbon?", 1, []string{"lisbon"}},
		{"one word", "postgres", 1, []string{"postgres"}},
		{"one word", "mortgages", 1, []string{"mortgage"}},
		{"one word", "AI", 1, []string{"ai"}},

		{"misspelt", "Whiskrino", 1, []string{"cat"}},
		{"misspelt", "who is Wiskerino?", 1, []string{"cat"}},
		{"misspelt", "deployemnt", 1, []string{"deploy"}},
		{"misspelt", "when does the deploymnet run", 1, []string{"deploy"}},
		{"misspelt", "kuberntes", 1, []string{"kube"}},
		{"misspelt", "where do invoices go that we recieve", 1, []string{"receive"}},
		{"misspelt", "which service uses Postgersql?", 1, []string{"postgres"}},
		{"misspelt", "morgage", 1, []string{"mortgage"}},
		{"misspelt", "Figeuiredo", 1, []string{"lisbon"}},
		{"misspelt", "Ana Figuereido's home", 1, []string{"lisbon"}},
		{"misspelt", "Lisbno", 1, []string{"lisbon"}},
		{"misspelt", "Rufsu", 1, []string{"dog"}},
		{"misspelt", "где спит Мусья", 1, []string{"ru-cat"}},

		{"identifier", "deploy-v2.4.7-hotfix", 1, []string{"tag"}},
		{"identifier", "what is deploy-v2.4.6?", 1, []string{"tag-old"}},
		{"identifier", "v2.4.7", 1, []string{"tag"}},
		{"identifier", "2.4.7", 2, []string{"version", "tag"}},
		{"identifier", "parseHTTPHeader", 1, []string{"parse"}},
		{"identifier", "where are HTTP headers parsed?", 1, []string{"parse"}},
		{"identifier", "parse_http_header", 1, []string{"parse"}},
		{"identifier", "user_id", 1, []string{"user-id"}},
		{"identifier", "is the user id unique", 1, []string{"user-id"}},
		{"identifier", "userId", 1, []string{"user-id"}},
		{"identifier", "internal/limits/quota.go", 1, []string{"path"}},
		{"identifier", "quota.go", 1, []string{"path"}},
		{"identifier", "quota_test.go", 1, []string{"path-2"}},
		{"identifier", "what do we set in the quota file for limits", 1, []string{"path"}},
		{"identifier", "grace.hopper@navy.example", 1, []string{"mail"}},
		{"identifier", "hopper", 1, []string{"mail"}},
		{"identifier", "who is at engine.example", 1, []string{"mail-2"}},
		{"identifier", "OPS-4711", 1, []string{"ticket"}},
		{"identifier", "ops 4712", 1, []string{"ticket-2"}},
		{"identifier", "#4711", 1, []string{"ticket"}},
		{"acronym", "What does Noor think of AI?", 1, []string{"ai"}},
		{"acronym", "Who was at MIT?", 1, []string{"mit"}},

		{"Spanish", "¿Cómo se llama mi tortuga?", 1, []string{"es-cat"}},
		{"Spanish", "¿Dónde trabaja mi hermana?", 1, []string{"es-job"}},
		{"Spanish", "¿Quién duerme en el jardin?", 1, []string{"es-dog"}},
		{"German", "Wie heißt meine Ziege?", 1, []string{"de-cat"}},
		{"German", "Wo arbeitet meine Schwester?", 1, []string{"de-job"}},
		{"German", "Wo ist der Kellerschlüssel?", 1, []string{"de-key"}},
		{"German", "Wie heisst mein Esel?", 1, []string{"de-dog"}},
		{"French", "Comment s'appelle mon lapin ?", 1, []string{"fr-cat"}},
		{"French", "Où travaille ma sœur ?", 1, []string{"fr-job"}},
		{"French", "Où est la clé de la cave ?", 1, []string{"fr-key"}},
		{"Italian", "Come si chiama il mio collega?", 1, []string{"it-cat"}},
		{"Italian", "Dove lavora mia sorella?", 1, []string{"it-job"}},
		{"Italian", "Dov'è la chiave della cantina?", 1, []string{"it-key"}},
		{"Portuguese", "Como se chama o meu colega?", 1, []string{"pt-cat"}},
		{"Portuguese", "Onde trabalha a minha irmã?", 1, []string{"pt-job"}},
		{"Portuguese", "Onde está a chave da adega?", 1, []string{"pt-key"}},
		{"Japanese", "私の同僚の名前は何ですか？", 1, []string{"ja-cat"}},
		{"Japanese", "姉はどこで働いていますか", 1, []string{"ja-job"}},
		{"Chinese", "我的同事叫什么名字？", 1, []string{"zh-cat"}},
		{"Chinese", "姐姐在哪里工作", 1, []string{"zh-job"}},
		{"Korean", "고양이 이름이 뭐예요?", 1, []string{"ko-cat"}},
		{"Arabic", "ما اسم زميلتي؟", 1, []string{"ar-cat"}},
		{"Arabic", "أين تعمل أختي؟", 1, []string{"ar-job"}},
		{"Hindi", "मेरी सहकर्मी का नाम क्या है?", 1, []string{"hi-cat"}},
		{"Hindi", "मेरी बहन कहाँ काम करती है?", 1, []string{"hi-job"}},
		{"Russian", "Как зовут моего друга?", 1, []string{"ru-dog"}},

		{"name", "What does Omar have to do with a garden?", 2, []string{"moved", "omar-move"}},
		{"name", "Ines's first concert", 1, []string{"concert"}},
		{"name", "Who lives in Porto?", 1, []string{"porto"}},
		{"name", "Where was Omar's sister's wedding?", 1, []string{"wedding"}},

		{"time", "When did Ines go swimming in May?", 1, []string{"swim"}},
		{"time", "What did Ines swim in on 11 May 2025?", 1, []string{"swim"}},
		{"time", "Where did Ines swim in July 2025?", 1, []string{"swim-2"}},
		{"time", "Where did Ines swim since July 2025?", 1, []string{"swim-2"}},
		{"time", "Where did Ines swim before June 2025?", 1, []string{"swim"}},
		{"time", "¿Dónde estuvo Ines swimming en julio de 2025?", 1, []string{"swim-2"}},
		{"time", "¿Cuándo fue Ines swimming, en mayo de 2025?", 1, []string{"swim"}},
		{"time", "Ines swimming im Juli 2025", 1, []string{"swim-2"}},

		{"parts", "What is my cat called, and where does Ana live?", 3, []string{"cat", "lisbon"}},
		{"parts", "Which service keeps data in Redis? Who studied at MIT?", 3, []string{"redis", "mit"}},
		{"parts", "What is OPS-4711 about and which column is unique?", 3, []string{"ticket", "user-id"}},
		{"parts", "Who lives in Porto and who is wary of AI?", 3, []string{"porto", "ai"}},
		{"parts", "¿Cómo se llama mi tortuga y dónde trabaja mi hermana?", 3, []string{"es-cat", "es-job"}},
		{"parts", "Wie heißt meine Ziege und wo liegt der Schlüssel?", 3, []string{"de-cat", "de-key"}},
	}
	var docs []bench.Document
	for id, s := range statements {
		docs = append(docs, bench.Document{ID: id, Text: s})
	}
	slices.SortFunc(docs, func(a, b bench.Document) int { return strings.Compare(a.ID, b.ID) })
	for _, s := range talk {
		docs = append(docs, bench.Document{ID: s.id, Text: s.text, Session: s.session, Speaker: s.speaker, At: firstDay.AddDate(0, 0, s.day)})
	}
	var queries []bench.Query
	for i, tt := range tests {
		queries = append(queries, bench.Query{ID: fmt.Sprint(i), Text: tt.question})
	}
	ctx := context.Background()
	opened, err := local.Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	t.Cleanup(func() { mem.Close() })
	names, err := bench.Ingest(ctx, mem, docs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for id := range statements {
		if !slices.ContainsFunc(docs, func(d bench.Document) bool { return d.ID == id }) || !holds(names, id) {
			t.Errorf("%s was not saved as a fact of its own", id)
		}
	}
	answers, err := bench.Ask(ctx, mem, queries, names, bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range tests {
		var first []string
		for _, r := range answers[i].Ranked[:min(tt.within, len(answers[i].Ranked))] {
			first = append(first, r.Document)
		}
		for _, want := range tt.want {
			if !slices.Contains(first, want) {
				t.Errorf("%s: %q: the first %d are %q, without %q", tt.kind, tt.question, tt.within, first, want)
			}
		}
	}
}

// holds reports whether a memory stands for a document.
func holds(names bench.Names, id string) bool {
	for _, docs := range names {
		if slices.Contains(docs, id) {
			return true
		}
	}
	return false
}
