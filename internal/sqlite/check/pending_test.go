package check

import (
	"database/sql"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Whatever is indexed, what waits of it agrees: a check never takes a sound text for a
// damaged one.
func TestPending_TermsAreThoseOfTheNormalizedText(t *testing.T) {
	for name, alphabet := range map[string]string{
		"Latin": "aAzZ019éÉüßøŁ ' -.,_’“–()/@\n\t", "Turkish": "iIİıŞğ ab. ", "Greek": "ΑΣςσάΆ ωΩ'. ", "Cyrillic": "абвЯёй .-' 12",
		"Han and Kana": "日本語テスト \na1.カ゛ｶﾞＡ１，。", "Thai": "ไทยำ \n a", "Arabic": "عربيَّة ـ \n,.",
		"all": "aé日ไЯΣ1 \n.'-_🙂👍🏽❤️\u200d\u00ad\u200b\uFFFD\u0301\u0085\u2028\x00\x01ﬁ½²™ǅK",
	} {
		t.Run(name, func(t *testing.T) {
			letters := []rune(alphabet)
			rng := rand.New(rand.NewPCG(1, 2))
			for range 5000 {
				var b strings.Builder
				for range 1 + rng.IntN(20) {
					b.WriteRune(letters[rng.IntN(len(letters))])
				}
				if rng.IntN(9) == 0 {
					b.WriteString("\xffb\xe3日\xff本")
				}
				a := store.Analyze(text.Analyze(b.String()), nil)
				normal := strings.ReplaceAll(a.Normal, "\x00", "\uFFFD")
				if !agree(normal, sql.NullString{String: a.Terms, Valid: true}) {
					t.Fatalf("%q: the terms %q are not those of %q", b.String(), a.Terms, normal)
				}
			}
		})
	}
}
