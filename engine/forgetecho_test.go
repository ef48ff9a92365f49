package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// secretKind is something that a user tells and then wants to be forgotten.
type secretKind struct {
	name   string
	said   string // by the user
	fact   string // as it is kept
	your   string // "your …", as an assistant echoes it
	value  string // what identifies it
	passes string // a mention of the user's in passing
	other  string // the same in another language or order of words
	asked  string // a question that recalls it
	bytes  []string
}

var secretKinds = []secretKind{
	{"a pet's name", "My cat is called Whiskerino", "The user's cat is named Whiskerino", "your cat is called Whiskerino", "Whiskerino", "I still have to feed Whiskerino before we start", "Whiskerino ist der Name deiner Katze", "what is my cat called?", []string{"whiskerino"}},
	{"a person's name", "My therapist is Dr. Halvorsen-Quint", "The user's therapist is Dr. Halvorsen-Quint", "your therapist is Dr. Halvorsen-Quint", "Halvorsen-Quint", "I was late for Halvorsen-Quint again", "Halvorsen-Quint is who you see for therapy", "who is my therapist?", []string{"halvorsen", "quint"}},
	{"a number", "My locker number is 4711", "The user's locker number is 4711", "your locker number is 4711", "4711", "I typed 4711 twice and it was refused", "4711 steht auf deinem Schrank", "what is my locker number?", []string{"4711"}},
	{"a date", "I was born on 14 March 1987", "The user was born on 14 March 1987", "your birthday is March 14th, 1987", "14 March 1987", "I always take 14 March off", "1987-03-14: your date of birth", "when was I born?", []string{"14 march", "march 14", "1987-03"}},
	{"an illness", "I have epilepsy", "The user has epilepsy", "you have epilepsy", "epilepsy", "I can't drive because of the epilepsy", "Du hast Epilepsie", "what illness do I have?", []string{"epileps"}},
	{"an address", "I live at 17 Quillfeather Lane", "The user lives at 17 Quillfeather Lane", "your address is 17 Quillfeather Lane", "Quillfeather Lane", "I found parking on Quillfeather today", "Quillfeather Lane 17, wo du wohnst", "where do I live?", []string{"quillfeather"}},
	{"an employer", "I work at Brontavex", "The user works at Brontavex", "you work at Brontavex", "Brontavex", "My badge from Brontavex stopped working", "Brontavex te emplea", "where do I work?", []string{"brontavex"}},
	{"an amount", "I earn 1,185,000 a year", "The user earns 1,185,000 a year", "you earn 1185000 a year", "1,185,000", "I told the bank about my 1185k", "1.185.000 verdienst du im Jahr", "how much do I earn?", []string{"1,185,000", "1185000", "1.185.000", "1185k"}},
	{"a nickname", "My friends call me Zibbo", "The user's friends call them Zibbo", "your friends call you Zibbo", "Zibbo", "I sign everything Zibbo these days", "Zibbo, so nennen dich Freunde", "what do friends call me?", []string{"zibbo"}},
	{"a Japanese value", "私の猫の名前はトラジロウです", "ユーザーの猫の名前はトラジロウです", "あなたの猫の名前はトラジロウ", "トラジロウ", "今朝もトラジロウが私を起こした", "Your cat is called トラジロウ", "猫の名前は？", []string{"トラジロウ"}},
	{"a mail address", "My email is q.zanderling@example.org", "The user's email address is q.zanderling@example.org", "your email is q.zanderling@example.org", "q.zanderling@example.org", "I sent it from q.zanderling@example.org by mistake", "q.zanderling@example.org ist deine Adresse", "what is my email?", []string{"zanderling"}},
	{"a telephone number", "My phone number is +49 170 5551234", "The user's phone number is +49 170 5551234", "your phone number is 0170-5551234", "+49 170 5551234", "I can be reached on 0170 5551234 tonight", "01705551234 ist deine Nummer", "what is my phone number?", []string{"5551234"}},
	{"several words", "Our secret project is called Blue Pelican Rising", "The user's secret project is called Blue Pelican Rising", "your secret project is called Blue Pelican Rising", "Blue Pelican Rising", "I have a Blue Pelican Rising review at noon", "Blue Pelican Rising ist dein geheimes Projekt", "what is my secret project called?", []string{"pelican"}},
	{"common words", "I like marzipan", "The user likes marzipan", "you like marzipan", "marzipan", "I bought marzipan for myself", "Marzipan magst du", "what do I like?", []string{"marzipan"}},
	{"a Spanish name", "Mi hija se llama Itziar", "La hija del usuario se llama Itziar", "tu hija se llama Itziar", "Itziar", "Tengo que recoger a Itziar del cole", "Itziar is your daughter's name", "¿cómo se llama mi hija?", []string{"itziar"}},
	{"an account", "Meine IBAN ist DE89370400440532013001", "Die IBAN des Nutzers ist DE89370400440532013001", "deine IBAN ist DE89 3704 0044 0532 0130 01", "DE89370400440532013001", "Ich habe die DE89370400440532013001 falsch eingetippt", "DE89370400440532013001 is the account you use", "wie ist meine IBAN?", []string{"de8937", "0532013001", "0532 0130"}},
	{"a French allergy", "Je suis allergique au sésame", "L'utilisateur est allergique au sésame", "tu es allergique au sésame", "sésame", "J'ai encore mangé du sésame sans le vouloir", "Le sésame, tu y es allergique", "à quoi suis-je allergique ?", []string{"sésame"}},
	{"a license plate", "My license plate is KX-7731-B", "The user's license plate is KX-7731-B", "your license plate is KX-7731-B", "KX-7731-B", "They photographed KX-7731-B at the bridge and fined me", "KX-7731-B ist dein Kennzeichen", "what is my license plate?", []string{"7731"}},
	{"a Russian city", "Я живу в Вышнем Волочке", "Пользователь живёт в Вышнем Волочке", "ты живёшь в Вышнем Волочке", "Вышнем Волочке", "У нас в Волочке опять отключили воду, мне надоело", "Вышний Волочёк — твой город", "где я живу?", []string{"волоч"}},
	{"a medicine", "I take sertraline every morning", "The user takes sertraline every morning", "you take sertraline every morning", "sertraline", "I forgot my sertraline at the hotel", "Sertralin nimmst du jeden Morgen", "what do I take every morning?", []string{"sertralin"}},
	{"a Chinese name", "我的女儿叫欧阳若兰", "用户的女儿叫欧阳若兰", "你的女儿叫欧阳若兰", "欧阳若兰", "欧阳若兰今天又迟到了", "Your daughter is called 欧阳若兰", "我的女儿叫什么?", []string{"欧阳若兰"}},
	{"a name and an amount", "My boss Gundula Pfefferkorn owes me 23,507,719 euros", "The user's boss Gundula Pfefferkorn owes the user 23,507,719 euros", "Gundula Pfefferkorn, your boss, owes you 23507719 euros", "Gundula Pfefferkorn", "I saw Pfefferkorn in the lift and said nothing", "23.507.719 Euro schuldet dir Frau Pfefferkorn", "who owes me money?", []string{"pfefferkorn", "23,507,719", "23.507.719", "23507719"}},
}

// echoShape is a way in which a conversation repeats what was told.
type echoShape struct {
	name string
	turn func(k secretKind) strata.Turn
}

func says(role strata.Role, format string, args ...any) strata.Turn {
	return strata.Turn{Role: role, Text: fmt.Sprintf(format, args...)}
}

var echoShapes = []echoShape{
	{"noted", func(k secretKind) strata.Turn { return says(strata.RoleAssistant, "Noted: %s.", k.your) }},
	{"list", func(k secretKind) strata.Turn {
		return says(strata.RoleAssistant, "Here is what I have:\n\n- The harbor freezes in January\n- %s\n- The mill stands by the river\n", k.your)
	}},
	{"long answer", func(k secretKind) strata.Turn {
		return says(strata.RoleAssistant, "The release went out on Monday. The mill stands by the river. As you mentioned, %s. Tests run in parallel, which halves the time.", k.your)
	}},
	{"question", func(k secretKind) strata.Turn { return says(strata.RoleUser, "What do you think of %s?", k.value) }},
	{"tool", func(k secretKind) strata.Turn {
		return strata.Turn{Role: strata.RoleTool, CallID: "c1", Tool: "notes", Text: `{"ok":true,"saved":"` + k.fact + `"}`}
	}},
	{"verbatim", func(k secretKind) strata.Turn { return says(strata.RoleAssistant, "%s", k.said) }},
	{"in passing", func(k secretKind) strata.Turn { return says(strata.RoleUser, "%s.", k.passes) }},
	{"other words", func(k secretKind) strata.Turn { return says(strata.RoleAssistant, "%s.", k.other) }},
}

// echoes is a memory in which something was told and echoed in every shape.
type echoes struct {
	*testing.T
	e     *engine.Engine
	home  string
	fact  string
	kind  secretKind
	turns []strata.Turn // what told it, and its echoes
}

func newEchoes(t *testing.T, k secretKind) *echoes {
	t.Helper()
	ctx, home := context.Background(), t.TempDir()
	x := &echoes{T: t, e: openAt(t, filepath.Join(home, "strata.db"), onDisk(home)), home: home, kind: k}
	for _, text := range []string{"The harbor freezes in January", "The mill stands by the river"} {
		save(t, x.e, text)
	}
	appendTurns(t, x.e, "other", []strata.Turn{{Role: strata.RoleUser, Text: "The release went out on Monday."}})
	turns := []strata.Turn{{Role: strata.RoleUser, Text: k.said + "."}}
	for _, shape := range echoShapes {
		turns = append(turns, shape.turn(k))
	}
	x.turns = appendTurns(t, x.e, "s1", turns)
	d := write(t, x.e, strata.Candidate{Scope: strata.Global(), Content: k.fact, Sources: []string{x.turns[0].ID}, RequestID: "save-" + strings.ReplaceAll(k.value, " ", "-")})
	x.fact = d.FactID
	for _, q := range []string{k.asked, "Tell me about " + k.value} {
		if _, err := x.e.Search(ctx, strata.Global().View(), q); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// holds reports whether a text holds the secret.
func (x *echoes) holds(text string) bool {
	low := strings.ToLower(text)
	return slices.ContainsFunc(x.kind.bytes, func(b string) bool { return strings.Contains(low, b) })
}

// forget forgets the fact, and looks that the dry run says what the run does.
func (x *echoes) forget() engine.ForgetResult {
	x.Helper()
	ctx, view := context.Background(), strata.Global().View()
	dry, err := x.e.Forget(ctx, view, x.fact, engine.ForgetOptions{DryRun: true})
	if err != nil {
		x.Fatal(err)
	}
	res, err := x.e.Forget(ctx, view, x.fact, engine.ForgetOptions{})
	if err != nil {
		x.Fatal(err)
	}
	if !slices.Equal(dry.Remaining, res.Remaining) || !slices.Equal(dry.Turns, res.Turns) {
		x.Errorf("the dry run says %q of turns and %q remains; the run %q and %q", dry.Turns, dry.Remaining, res.Turns, res.Remaining)
	}
	return res
}

// What repeats what was told goes with it, in whatever words, and nothing else does.
func TestForgetTakesTheEchoes(t *testing.T) {
	for _, k := range secretKinds {
		t.Run(k.name, func(t *testing.T) {
			ctx, view := context.Background(), strata.Global().View()
			x := newEchoes(t, k)
			res := x.forget()
			for _, b := range k.bytes {
				for _, place := range grep(t, x.home, b) {
					t.Errorf("%q stands in %s", b, place)
				}
			}
			for _, q := range []string{k.asked, k.value, k.fact} {
				found, err := x.e.Search(ctx, view, q)
				if err != nil {
					t.Fatal(err)
				}
				for _, h := range found.Hits {
					if x.holds(h.Text) {
						t.Errorf("%q finds %q", q, h.Text)
					}
				}
			}
			turns, err := x.e.Turns(ctx, view, "s1", 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			for i, u := range turns {
				shape := "source"
				if i > 0 {
					shape = echoShapes[i-1].name
				}
				if x.holds(u.Text) {
					t.Errorf("%s: %q stays, %q remain", shape, u.Text, res.Remaining)
				}
				for _, kept := range []string{"harbor", "mill", "release", "Tests run"} {
					if strings.Contains(x.turns[i].Text, kept) && !strings.Contains(u.Text, kept) {
						t.Errorf("%s: what is about something else went too: %q", shape, u.Text)
					}
				}
			}
			healthy(t, x.e)
		})
	}
}

// What merely holds a value, of another subject, stays, and is named with its id. The turn, or
// its session, is then forgotten by that id.
func TestForgetNamesWhatOnlyHoldsTheValue(t *testing.T) {
	for _, c := range []struct {
		name, said, fact, other, own string
	}{
		{"a number", "My locker number is 4711", "The user's locker number is 4711", "Invoice 4711 is due on Friday.", "4711"},
		{"a name", "My sister is called Petra", "The user's sister is named Petra", "Petra from accounting sent the budget for the offsite.", "petra"},
		{"a rare name", "My cat is called Whiskerino", "The user's cat is named Whiskerino", "The ferry between both islands is called Whiskerino.", "whiskerino"},
		{"an amount", "I earn 1,185,000 a year", "The user earns 1,185,000 a year", "The roof of the school cost 1,185,000.", "1,185,000"},
		{"an illness", "I have epilepsy", "The user has epilepsy", "The charity funds research on epilepsy in dogs.", "epilepsy"},
		{"a common word", "I like marzipan", "The user likes marzipan", "The bakery on the corner sells marzipan and bread.", "marzipan"},
		{"a place", "I live in Ottawa", "The user lives in Ottawa", "The conference in Ottawa was moved to autumn.", "ottawa"},
		{"Chinese", "我喜欢绿茶", "用户喜欢绿茶", "这家商店出售绿茶和各种新鲜面包给附近的客人", "绿茶"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, home := context.Background(), t.TempDir()
			view := strata.Global().View()
			e := openAt(t, filepath.Join(home, "strata.db"), onDisk(home))
			told := appendTurns(t, e, "s1", []strata.Turn{{Role: strata.RoleUser, Text: c.said + "."}})
			other := appendTurns(t, e, "s2", []strata.Turn{{Role: strata.RoleUser, Text: c.other}})[0]
			d := write(t, e, strata.Candidate{Scope: strata.Global(), Content: c.fact, Sources: []string{told[0].ID}})
			res, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{})
			if err != nil || !slices.Contains(res.Remaining, other.ID) {
				t.Fatalf("%s is not named: %q, %v", other.ID, res.Remaining, err)
			}
			turns, err := e.Turns(ctx, view, "s2", 0, 0)
			if err != nil || turns[0].Text != c.other {
				t.Fatalf("what is about something else is %+v, %v", turns, err)
			}
			name := other.ID
			if c.name == "a number" {
				name = "s2"
			}
			if res, err = e.Forget(ctx, view, name, engine.ForgetOptions{}); err != nil || !slices.Equal(res.Turns, []string{other.ID}) || len(res.Remaining) > 0 {
				t.Fatalf("forget %s = %+v, %v", name, res, err)
			}
			if found := grep(t, home, c.own); len(found) > 0 {
				t.Errorf("%q stands in %v", c.own, found)
			}
			healthy(t, e)
		})
	}
}

// A turn is forgotten only by who may see it, and what came from it is named.
func TestForgetOfATurnNamesItsFacts(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	turn := appendTurns(t, e, "s1", []strata.Turn{{Role: strata.RoleUser, Text: "My locker number is 4711."}})[0]
	d := write(t, e, strata.Candidate{Scope: strata.Global(), Content: "The user's locker number is 4711", Sources: []string{turn.ID}})
	for _, name := range []string{turn.ID, "s1"} {
		_, err := e.Forget(ctx, strata.ForAgent("butler").View(), name, engine.ForgetOptions{})
		wantCode(t, err, strata.CodeNotFound)
	}
	res, err := e.Forget(ctx, strata.Global().View(), turn.ID, engine.ForgetOptions{})
	if err != nil || !slices.Equal(res.Remaining, []string{d.FactID}) {
		t.Errorf("forget = %+v, %v", res, err)
	}
	healthy(t, e)
}
