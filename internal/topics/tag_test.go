package topics

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/internal/text"
)

func derive(s string, limit int) []string { return Derive(text.Analyze(s), limit) }

func TestDerive(t *testing.T) {
	tests := []struct {
		name, in string
		limit    int
		want     []string
	}{
		{"empty", "", 8, nil},
		{"stop words only", "it is what it is", 8, nil},
		{"words in order, once", "Redis before Kafka, Redis after Kafka", 8, []string{"redis", "kafka"}},
		{"glossary, compounds, words", "edit src/main.rs before the backup of invoices", 8, []string{"backup", "src/main.rs", "edit", "main.rs", "invoices"}},
		{"compounds of every joiner", "config.yaml a_b_c x/y task-dispatcher", 4, []string{"config.yaml", "a-b-c", "x/y", "task-dispatcher"}},
		{"edges are trimmed", "«__Kafka__» (redis).", 8, []string{"kafka", "redis"}},
		{"full width", "Ｋａｆｋａ", 8, []string{"kafka"}},
		{"numbers and dates", "2024-05-01 12345 3.14 2024-05-01.md v2.4.7", 8, []string{"v2.4.7"}},
		{"short words", "go ab xyz", 8, []string{"xyz"}},
		{"limit", "alpha bravo charlie delta", 2, []string{"alpha", "bravo"}},
		{"limit out of range", "a1b b1c c1d d1e e1f f1g g1h h1i i1j", 99, []string{"a1b", "b1c", "c1d", "d1e", "e1f", "f1g", "g1h", "h1i"}},
		{"negative limit means all", "alpha bravo", -1, []string{"alpha", "bravo"}},
		{"phrases", "The load   balancer and Machine-Learning", 2, []string{"load-balancer", "machine-learning"}},
		{"short glossary names at word ends only", "s3 xs3 kvm", 8, []string{"xs3", "kvm"}},
		{"spanish", "La copia de seguridad falló", 8, []string{"backup", "copia", "seguridad", "falló"}},
		{"french", "une base de données", 1, []string{"database"}},
		{"german", "die Datensicherung läuft", 1, []string{"backup"}},
		{"chinese", "数据库的备份", 8, []string{"database", "backup", "数据库", "备份"}},
		{"japanese", "データベースの設定", 8, []string{"database", "データベース", "設定"}},
		{"korean", "데이터베이스 백업을 확인", 2, []string{"database", "backup"}},
		{"kana pairs are grammar", "です ます ねこ", 8, nil},
		{"cyrillic", "Резервная копия", 8, []string{"резервная", "копия"}},
		{"invalid UTF-8", "kafka\xff\xferedis", 8, []string{"kafka", "redis"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := derive(tt.in, tt.limit); !slices.Equal(got, tt.want) {
				t.Errorf("Derive(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
			}
		})
	}
}

// Tags are derived from the text itself, each a term of its own, so that a query
// in other words than the text shares tags with it.
func TestQueryAndTextShareTags(t *testing.T) {
	stored := derive("The billing service stores invoices in PostgreSQL", 8)
	asked := derive("what does Bob use for postgresql", 8)
	if !slices.ContainsFunc(asked, func(tag string) bool { return slices.Contains(stored, tag) }) {
		t.Errorf("text %q and query %q share nothing", stored, asked)
	}
	for _, word := range []string{"what", "does"} {
		if slices.Contains(asked, word) {
			t.Errorf("%q is a tag of the query", word)
		}
	}
}

// The longest tag is counted in characters: eleven of three bytes are not long.
func TestTagLengthCountsCharacters(t *testing.T) {
	for _, word := range []string{
		"データベースバックアップ",                   // 12 characters, 36 bytes
		"分布式数据库备份恢复测试流程",                 // 14 characters, 42 bytes
		"소프트웨어엔지니어링센터",                   // 12 characters, 36 bytes
		strings.Repeat("ア", MaxTagRunes), // the longest
	} {
		if tags := derive(word, 8); !slices.Contains(tags, word) {
			t.Errorf("Derive(%q) = %q", word, tags)
		}
	}
	if tags := derive(strings.Repeat("ア", MaxTagRunes+1), 8); len(tags) != 0 {
		t.Errorf("an overlong word gives %q", tags)
	}
}

func TestTag(t *testing.T) {
	for in, want := range map[string]string{
		"__Foo_Bar__": "foo-bar", "Config.YAML": "config.yaml", "ＡＢＣ": "abc", "数据": "数据", "한국": "한국", "ねこや": "ねこや",
		"": "", "...": "", "the": "", "12": "", "2024-05-01": "", "2024-05-01.md": "", "2024-05-01t10:00:00z": "", "ab": "", "猫": "", "ねこ": "",
		"two words": "", "src": "", "ﷺ": "", "a\x00b": "", strings.Repeat("a", 33): "", "\xff": "",
	} {
		got, ok := Tag(in)
		if got != want || ok != (want != "") {
			t.Errorf("Tag(%q) = %q, %v, want %q", in, got, ok, want)
		}
	}
}

func checkTags(t interface{ Fatalf(string, ...any) }, s string, limit int) {
	tags := derive(s, limit)
	if len(tags) > MaxTags || limit > 0 && len(tags) > limit {
		t.Fatalf("%d tags of %q with limit %d", len(tags), s, limit)
	}
	seen := map[string]bool{}
	for _, tag := range tags {
		if again, ok := Tag(tag); !ok || again != tag {
			t.Fatalf("tag %q of %q is not normal: %q", tag, s, again)
		}
		if n := utf8.RuneCountInString(tag); n < 2 || n > MaxTagRunes || !utf8.ValidString(tag) {
			t.Fatalf("tag %q of %q is out of bounds", tag, s)
		}
		if seen[tag] {
			t.Fatalf("tag %q of %q comes twice", tag, s)
		}
		seen[tag] = true
	}
	if len(tags) > 1 {
		if fewer := derive(s, len(tags)-1); !slices.Equal(fewer, tags[:len(tags)-1]) {
			t.Fatalf("a lower limit gives %q instead of a beginning of %q", fewer, tags)
		}
	}
}

func TestTagProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkTags(t, rapid.String().Draw(t, "text"), rapid.IntRange(-1, 10).Draw(t, "limit"))
	})
}

func FuzzConcepts(f *testing.F) {
	for _, s := range []string{"edit src/main.rs, config.yaml", "数据库的备份とデータベース", "My cat's name is 2024-05-01.md", "İstanbul ﬁne ǅ ⁄ ½", "a.b_c-d/e..f", "\xff\x00"} {
		f.Add(s, 8)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		checkTags(t, s, limit)
		checkTopics(t, s)
	})
}

// What an underscore joins is read as words with a space between.
func TestWordsAreParted(t *testing.T) {
	characters := rapid.SampledFrom([]rune("aZ0__.':,;-/ \té猫"))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(characters).Draw(t, "text")
		if got, want := read(text.Analyze(s)).parted().words, text.Words(strings.ReplaceAll(s, "_", " ")); !slices.Equal(got, want) {
			t.Fatalf("%q has the words %q, want %q", s, got, want)
		}
	})
}

// Tags and topic told at once are those told one by one.
func TestDescribe(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"My kitten", "load balancer", "a_b_c", "src/main.rs", "数据库的备份", "ＫＡＦＫＡ", "the", "name", " ", "\xff", "3.14", "painted in Málaga"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(pieces).Draw(t, "text"), " ")
		limit := rapid.IntRange(-1, 9).Draw(t, "limit")
		tags, lead, topic := Describe(text.Analyze(s), limit)
		if want := derive(s, limit); !slices.Equal(tags, want) {
			t.Fatalf("tags of %q are %q, want %q", s, tags, want)
		}
		if want, wantTopic := read(text.Analyze(s)).category(); lead != want || topic != wantTopic {
			t.Fatalf("the category of %q is %q (%v), want %q (%v)", s, lead, topic, want, wantTopic)
		}
	})
}

func BenchmarkDerive(b *testing.B) {
	s := "We moved the billing service to PostgreSQL last spring, and Maria now looks after the nightly jobs."
	b.ReportAllocs()
	for b.Loop() {
		derive(s, MaxTags)
	}
}

// Tags that are kept of facts are made anew only where Version says so: whoever changes
// what Derive returns has to raise it, and puts the new sum here.
func TestVersionFollowsDerive(t *testing.T) {
	h := sha256.New()
	for _, s := range []string{
		"The postgres database of the billing service runs on src/main.rs and config.yaml", "My cat is called Tom and lives in Lisbon",
		"Deploys are allowed on Mondays only", "Der Schlüssel liegt im Büro", "我的猫叫小黑", "猫の名前はタマです", "The user_id is 2024-05-01",
		"Anna's birthday is in May; she likes tea, coffee and kitesurfing", "", "the of and",
	} {
		fmt.Fprintln(h, derive(s, MaxTags))
	}
	const version, want = 1, "f1771e7b61a0d9cc"
	if got := hex.EncodeToString(h.Sum(nil))[:16]; got != want || Version != version {
		t.Errorf("Derive returns something else: version %d with sum %s, want %d with %s", Version, got, version, want)
	}
}
