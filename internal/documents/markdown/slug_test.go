package markdown_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"Deploy command":             "deploy-command",
		"  Deploy:\n command! ":      "deploy-command",
		"It's v1.2 (beta)":           "its-v1-2-beta",
		"deploy-command":             "deploy-command",
		"ＤＥＰＬＯＹ":                     "deploy",
		"a/b\\c":                     "a-b-c",
		strings.Repeat("ab ", 26):    strings.Repeat("ab-", 25) + "ab",
		"Ignore \u202eme\u200b":      "ignore-me",
		"project_deploys (2026.md) ": "project-deploys-2026-md",
		"部署流程：第一步":                   "部署流程-第一步",
		"デプロイ手順 v2":                  "デプロイ手順-v2",
		"ｶﾞﾒﾗ":                       "ガメラ",
		"배포 절차":                      "배포-절차",
	} {
		if got := markdown.Slug(title); got != want {
			t.Errorf("Slug(%q) = %q, want %q", title, got, want)
		}
	}
}

func TestDifferentTitlesStayApart(t *testing.T) {
	same48 := strings.Repeat("The user prefers ", 3)
	long := strings.Repeat("a long title ", 24)
	titles := []string{
		"日本語の設定", "数据库", "数据库!设置", "カメラ", "ガメラ", "", ".", "..", "🐈", "🐕", "👩‍💻", "👩💻", "C", "C++", "C#", "C*",
		same48 + "tea", same48 + "coffee", long + "one", long + "two", "Café", "Cafe", "Müller", "Muller",
		"שלום", "مرحبا", "API 設定", "API 计划", "50 %", "50 €", "50", "memory", "con", "note",
	}
	seen := make(map[string]string)
	for _, title := range titles {
		slug := markdown.Slug(title)
		if other, ok := seen[slug]; ok && !(strings.Trim(title, ".") == "" && strings.Trim(other, ".") == "") {
			t.Errorf("%q and %q share the slug %q", title, other, slug)
		}
		seen[slug] = title
	}
	if markdown.Slug(".") == markdown.Slug("..") {
		t.Error("titles of punctuation share a slug")
	}
}

func TestALongTitleIsCutBetweenLetters(t *testing.T) {
	slug := markdown.Slug(strings.Repeat("設定", 40))
	if len(slug) > 80 || !strings.HasPrefix(slug, "設定設定") || strings.ContainsRune(slug, '\uFFFD') {
		t.Errorf("%q", slug)
	}
}

func TestNoSlugIsTheIndexOrADevice(t *testing.T) {
	for _, title := range []string{"Memory", "MEMORY", "memory!", "CON", "con.", "Aux", "nul", "PRN", "COM1", "lpt9", "CLOCK$", ".", "", "-", "…"} {
		slug := markdown.Slug(title)
		if regexp.MustCompile(`^(memory|con|prn|aux|nul|com\d|lpt\d|clock)$`).MatchString(slug) || slug == "" {
			t.Errorf("Slug(%q) = %q", title, slug)
		}
		if err := strata.ValidatePath(markdown.NotePath(strata.TypeUser, slug)); err != nil {
			t.Errorf("%q: %v", title, err)
		}
	}
}

func TestASlugCanStandInEveryFileName(t *testing.T) {
	form := regexp.MustCompile(`^[a-z0-9\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}ー]+(-[a-z0-9\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}ー]+)*$`)
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9 ]{0,400}`), rapid.StringMatching(`[^ -~]{0,9}`), rapid.StringMatching(`[\p{Han}\p{Katakana}ー 、a+]{0,60}`)).Draw(t, "title")
		slug := markdown.Slug(title)
		if len(slug) > 80 || !form.MatchString(slug) {
			t.Fatalf("Slug(%q) = %q", title, slug)
		}
		if again := markdown.Slug(slug); again != slug {
			t.Fatalf("the slug %q has the slug %q", slug, again)
		}
		kind := rapid.SampledFrom(strata.Types()).Draw(t, "type")
		path := markdown.NotePath(kind, slug)
		if err := strata.ValidatePath(path); err != nil {
			t.Fatal(err)
		}
		if k, s, ok := markdown.ParseNotePath(path); !ok || k != kind || s != slug {
			t.Fatalf("%q reads as %q, %q, %v", path, k, s, ok)
		}
	})
}

func TestParseNotePathKnowsNotesOnly(t *testing.T) {
	for _, path := range []string{"", "notes/", "notes/deploy.md", "notes/todo_x.md", "notes/user_.md", "notes/user_x", "notes/a/user_x.md", "notes/user_a/b.md", "user_x.md", "Notes/user_x.md"} {
		if kind, slug, ok := markdown.ParseNotePath(path); ok {
			t.Errorf("%q reads as %q, %q", path, kind, slug)
		}
	}
	if kind, slug, ok := markdown.ParseNotePath("notes/user_my_Cat.md"); !ok || kind != strata.TypeUser || slug != "my_Cat" {
		t.Errorf("a name by hand reads as %q, %q, %v", kind, slug, ok)
	}
}
