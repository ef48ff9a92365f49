package extract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/extract/language"
)

// told writes a candidate as the examples of a language do.
func told(turn string) []string {
	var out []string
	for _, c := range extract.Turns(user(turn)) {
		key := string(c.Type)
		if c.Entity != "" {
			key = c.Entity + "/" + c.Attribute
		}
		out = append(out, key+": "+c.Content)
	}
	return out
}

// The examples in the files of the languages are what is promised of each.
func TestLanguageExamples(t *testing.T) {
	for name, examples := range language.Examples() {
		t.Run(name, func(t *testing.T) {
			taken, left := 0, 0
			for _, e := range examples {
				if len(e.Facts) > 0 {
					taken++
				} else {
					left++
				}
				if got := told(e.Sentence); !slices.Equal(got, e.Facts) {
					t.Errorf("%s\ngot  %s\nwant %s", e.Sentence, strings.Join(got, " | "), strings.Join(e.Facts, " | "))
				}
			}
			if taken < 15 || left < 8 {
				t.Errorf("%d examples of what is taken and %d of what is left alone: at least 15 and 8 are needed", taken, left)
			}
		})
	}
}

// A correction is understood from the turn before it, in its own language.
func TestCorrectionsInOtherLanguages(t *testing.T) {
	for _, c := range []struct{ say, correct, want string }{
		{"Mein Zahnarzttermin ist am Mittwoch.", "Nein, es ist Donnerstag.", "Mein Zahnarzttermin ist am Donnerstag."},
		{"Mein Hund heißt Rex.", "Nein, er heißt Max.", "Mein Hund heißt Max."},
		{"Meine Schuhgröße ist 42.", "Nicht 42, sondern 43.", "Meine Schuhgröße ist 43."},
		{"Mon rendez-vous est mardi.", "Non, c'est jeudi.", "Mon rendez-vous est jeudi."},
		{"Mi cita es el martes.", "No, es el jueves.", "Mi cita es el jueves."},
		{"Il mio esame è lunedì.", "No, è giovedì.", "Il mio esame è giovedì."},
		{"Minha consulta é na segunda-feira.", "Não, é na quinta-feira.", "Minha consulta é na quinta-feira."},
		{"Mijn afspraak is op maandag.", "Nee, op donderdag.", "Mijn afspraak is op donderdag."},
		{"Mam egzamin w środę.", "Nie, w czwartek.", "Mam egzamin w czwartek."},
		{"Мой рейс в среду.", "Нет, в четверг.", "Мой рейс в четверг."},
		{"我的猫叫咪咪。", "不，叫花花。", "我的猫叫花花。"},
		{"猫の名前はタマです。", "いいえ、ミケです。", "猫の名前はミケです。"},
		{"मेरा नाम रोहन है।", "नहीं, रोहित है।", "मेरा नाम रोहित है।"},
		{"عيد ميلادي في 3 مايو.", "لا، 4 مايو.", "عيد ميلادي في 4 مايو."},
	} {
		got := extract.Turns(user(c.say, c.correct))
		if len(got) != 2 || got[1].Content != c.want || got[1].Replaces != got[0].Content {
			t.Errorf("%q, then %q: got %q, want %q in the place of the first", c.say, c.correct, contents(got), c.want)
		}
	}
}

// What has ended leaves alone what the same conversation says to be so now.
func TestWhatHasEndedLeavesTheNewAlone(t *testing.T) {
	got := extract.Turns(user("Ich wohne jetzt in Bonn.", "Ich wohne nicht mehr in Köln."))
	if len(got) != 2 || got[0].Attribute != "city" || got[1].Entity != "" {
		t.Errorf("got %+v", got)
	}
}

// A fact that was extracted and one that is saved by hand in the same words fall into the
// same slot, and that slot is the English one.
func TestClassifyReadsOtherLanguages(t *testing.T) {
	for name, examples := range language.Examples() {
		for _, e := range examples {
			for _, c := range extract.Turns(user(e.Sentence)) {
				if strings.Contains(c.Content, " (20") {
					continue // the date is ours
				}
				if kind, entity, attribute := classify(c.Content); kind != c.Type || entity != c.Entity || attribute != c.Attribute {
					t.Errorf("%s: Classify(%q) = %s (%s, %s), but Turns said %s (%s, %s)", name, c.Content, kind, entity, attribute, c.Type, c.Entity, c.Attribute)
				}
			}
		}
	}
}

// Names and words of other languages do not make a sentence one of theirs.
func TestEnglishStaysEnglish(t *testing.T) {
	for _, say := range []string{
		"I live in Den Haag with my wife.", "My wife's name is Agnieszka.", "My favorite film is La vita è bella.", "I'm from São Paulo.",
		"Call me Max.", "No, it's Friday.", "My name is Łukasz Żak.", "I love sushi (寿司).", "Use tabs.", "We host on OVH in Gravelines.", "Deploys run on Jenkins.",
	} {
		if l := language.Of(say, nil); l != nil {
			t.Errorf("%q is taken for %s", say, l.Name)
		}
	}
}

func BenchmarkTurnInGerman(b *testing.B) {
	turns := user("Ich heiße Jürgen und wohne in Hamburg. Meine Katze heißt Mohrle, und ich trinke keinen Kaffee.")
	for b.Loop() {
		extract.Turns(turns)
	}
}

func BenchmarkTurnInJapanese(b *testing.B) {
	turns := user("私の名前は田中健太です。東京に住んでいます。猫の名前はタマです。")
	for b.Loop() {
		extract.Turns(turns)
	}
}
