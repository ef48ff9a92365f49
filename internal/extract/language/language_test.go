package language

import (
	"strings"
	"testing"
	"time"
)

// Every file is read and every pattern compiled, so that no program meets one that
// cannot be.
func TestEveryLanguageCompiles(t *testing.T) {
	if n := len(all()); n != 12 {
		t.Errorf("%d languages, want 12", n)
	}
	for _, l := range all() {
		g, err := l.source.compile(l.script)
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		for _, r := range g.rules {
			kind, attribute, _ := strings.Cut(r.key, "/")
			if kind != "user" && kind != "project" && kind != "relation" {
				t.Errorf("%s: no such key: %s", l.Name, r.key)
			}
			names := strings.Join(r.pattern.SubexpNames(), " ")
			if kind == "relation" && !strings.Contains(names, "relation") || attribute == "taste" && !strings.Contains(names, "thing") || attribute == "attribute" && !strings.Contains(names, "attribute") {
				t.Errorf("%s: %s captures nothing that %s needs", l.Name, r.pattern, r.key)
			}
		}
	}
}

func TestParseTellsTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"nonsense here":                 "line 1: no such keyword: nonsense",
		"# a comment\n\nfact user/name": "line 3: fact without a pattern",
		"order a b":                     "line 1: order without =>",
		"+ Ich heiße Jürgen.":           "line 1: an example without =>",
		"refuse":                        "line 1: refuse says nothing",
		"script latin":                  "no words tell the language",
	} {
		if _, err := parse("test", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parse(%q): %v, want an error with %q", text, err, want)
		}
	}
}

func TestCompileRefusesWhatIsWrong(t *testing.T) {
	for _, text := range []string{"script kana\nfact user/name (", "script kana\ndate month nächsten monat", "script kana\ndate moon+1 x", "script kana\nlist day (\nrefuse x"} {
		l, err := parse("test", text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.source.compile(l.script); err == nil {
			t.Errorf("%q compiles", text)
		}
	}
}

func TestOf(t *testing.T) {
	for say, want := range map[string]string{
		"Ich wohne in Köln":   "german",
		"J'habite à Nantes":   "french",
		"Vivo en Sevilla":     "spanish",
		"Abito a Torino":      "italian",
		"Moro em Recife":      "portuguese",
		"Ik woon in Utrecht":  "dutch",
		"Mieszkam w Krakowie": "polish",
		"Я живу в Казани":     "russian",
		"東京に住んでいます":           "japanese",
		"我住在上海":               "chinese",
		"मैं पुणे में रहता हूँ":     "hindi",
		"أعيش في القاهرة":           "arabic",
		"我用 VS Code 写 Go":           "chinese",
		"Die API läuft auf Go 1.26": "german",
		"I live in Köln":            "",
		"My name is 太郎":             "",
		"Μένω στην Αθήνα":           "",
		"":                          "",
	} {
		got := ""
		if l := Of(say, nil); l != nil {
			got = l.Name
		}
		if got != want {
			t.Errorf("Of(%q) = %q, want %q", say, got, want)
		}
	}
}

func TestDated(t *testing.T) {
	at := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC) // a Monday
	for say, want := range map[string]string{
		"Ich fliege morgen nach Rom":             "Ich fliege morgen (2026-11-24) nach Rom",
		"Ich fliege übermorgen nach Rom":         "Ich fliege übermorgen (2026-11-25) nach Rom",
		"Nächsten Monat ziehe ich um":            "Nächsten Monat (2026-12) ziehe ich um",
		"Nächste Woche habe ich Urlaub":          "Nächste Woche (2026-11-30 – 2026-12-06) habe ich Urlaub",
		"Ich bin im letzten Jahr umgezogen":      "Ich bin im letzten Jahr (2025) umgezogen",
		"Meine Tochter heiratet am 3. Mai":       "Meine Tochter heiratet am 3. Mai",
		"Ich ziehe nächsten Monat (Dezember) um": "Ich ziehe nächsten Monat (Dezember) um",
	} {
		l := Of(say, nil)
		if got := l.Dated(say, at); got != want {
			t.Errorf("Dated(%q) = %q, want %q", say, got, want)
		}
		if got := l.Dated(say, time.Time{}); got != say {
			t.Errorf("without a time: %q", got)
		}
	}
}

// Both forms of a clause are cut at the same places, whatever letters it has.
func TestLowerKeepsTheLength(t *testing.T) {
	for _, s := range []string{"İstanbul", "ẞ", "Ⱥ", "ÄÖÜ", "Анна", "\xff"} {
		if len(lower(s)) != len(s) {
			t.Errorf("lower(%q) has another length", s)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, examples := range Examples() {
		for _, e := range examples {
			f.Add(e.Sentence, e.Sentence)
		}
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		var r Reader
		for _, s := range []string{first, second} {
			l := Of(s, nil)
			if l == nil {
				continue
			}
			for _, st := range r.Read(l, s, strings.HasSuffix(s, "?")) {
				if st.Text == "" && (!st.Corrects || st.Value == "") {
					t.Errorf("%q says nothing: %+v", s, st)
				}
				if st.Value != "" {
					l.Place(st.Text, st.Value, st.Value, st.Wrong)
				}
			}
		}
	})
}
