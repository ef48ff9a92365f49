package ops_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/profile"
)

// tell keeps a turn of the user, said at a time.
func tell(t *testing.T, env *operation.Env, session, at, text string) {
	t.Helper()
	data, err := json.Marshal(map[string]any{"session": session, "turns": []map[string]any{{"role": "user", "content": text, "at": at}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run(env, "append", string(data)); err != nil {
		t.Fatal(err)
	}
}

func profileOf(t *testing.T, env *operation.Env, input string) profile.Profile {
	t.Helper()
	out, err := run(env, "profile", input)
	if err != nil {
		t.Fatal(err)
	}
	return out.(profile.Profile)
}

// group returns the texts of a group of a profile.
func group(p profile.Profile, kind, subject string) []string {
	var out []string
	for _, g := range p.Groups {
		if g.Kind == kind && g.Subject == subject {
			for _, e := range g.Entries {
				out = append(out, e.Text)
			}
		}
	}
	return out
}

func household(t *testing.T) *operation.Env {
	env := newEnv(t)
	tell(t, env, "monday", "2026-03-02T09:00:00Z", "My name is Nora Lindqvist. I live in Leeds. My sister's name is Clara.")
	tell(t, env, "monday", "2026-03-02T09:01:00Z", "Clara lives in Malmö. My sister is allergic to shellfish. My cat is called Tolstoy.")
	tell(t, env, "monday", "2026-03-02T09:02:00Z", "I'm allergic to hazelnuts. I work at Ferryline. I love sourdough. Always answer in Spanish.")
	tell(t, env, "friday", "2026-04-10T09:00:00Z", "I live in York now. From now on answer in German. The API runs on port 8080.")
	return env
}

func TestProfileGroupsWhatIsBelieved(t *testing.T) {
	p := profileOf(t, household(t), `{}`)
	if p.Name != "Nora Lindqvist" {
		t.Errorf("the name is %q", p.Name)
	}
	for _, want := range []struct {
		kind, subject string
		texts         []string
	}{
		{"you", "", []string{"The user's name is Nora Lindqvist."}},
		{"person", "sister", []string{"The user's sister is named Clara.", "The user's sister is allergic to shellfish.", "Clara lives in Malmö."}},
		{"pet", "cat", []string{"The user's cat is named Tolstoy."}},
		{"home", "", []string{"The user lives in York now."}},
		{"work", "", []string{"The user works at Ferryline."}},
		{"health", "", []string{"The user is allergic to hazelnuts."}},
		{"tastes", "", []string{"The user loves sourdough."}},
		{"more", "", []string{"The API runs on port 8080."}},
	} {
		if got := group(p, want.kind, want.subject); !slices.Equal(got, want.texts) {
			t.Errorf("%s %s holds %q, want %q", want.kind, want.subject, got, want.texts)
		}
	}
	if len(p.Rules) != 1 || p.Rules[0].Text != "From now on answer in German." {
		t.Errorf("the rules are %+v", p.Rules)
	}
	e := p.Groups[0].Entries[0]
	if e.Value != "Nora Lindqvist" || len(e.Sources) != 1 || e.Sources[0].Session != "monday" || e.Sources[0].Seq != 1 || e.Since == nil || e.Since.Format("2006-01-02") != "2026-03-02" || e.Earlier != nil {
		t.Errorf("the name is %+v", e)
	}
}

func TestProfileTellsWhatWasBelievedBefore(t *testing.T) {
	env := household(t)
	p := profileOf(t, env, `{"all": true, "subject": "home"}`)
	if len(p.Groups) != 1 || len(p.Groups[0].Entries) != 1 || len(p.Groups[0].Entries[0].Earlier) != 1 {
		t.Fatalf("home is %+v", p.Groups)
	}
	old := p.Groups[0].Entries[0].Earlier[0]
	if old.Text != "The user lives in Leeds." || old.Since.Format("2006-01-02") != "2026-03-02" || old.Until.Format("2006-01-02") != "2026-04-10" {
		t.Errorf("before it was %+v", old)
	}
	cat := profileOf(t, env, `{"subject": "cat"}`).Groups[0].Entries[0]
	if _, err := run(env, "delete", `{"id": "`+cat.ID+`"}`); err != nil {
		t.Fatal(err)
	}
	if p := profileOf(t, env, `{}`); group(p, "pet", "cat") != nil {
		t.Error("a deleted fact is still believed")
	}
	if p := profileOf(t, env, `{"all": true}`); group(p, "pet", "cat") == nil || !p.Groups[2].Entries[0].Ended {
		t.Error("a deleted fact is not told of")
	}
}

func TestProfileOfOneSubject(t *testing.T) {
	env := household(t)
	for subject, want := range map[string]int{"sister": 3, "Clara": 3, "cat": 1, "work": 1, "hazelnuts": 1, "Nora Lindqvist": 1} {
		p := profileOf(t, env, `{"subject": "`+subject+`"}`)
		if p.Facts != want || len(p.Groups) != 1 || len(p.Rules) != 0 {
			t.Errorf("of %s: %d facts in %d groups, %d rules", subject, p.Facts, len(p.Groups), len(p.Rules))
		}
	}
	if p := profileOf(t, env, `{"subject": "rules"}`); len(p.Rules) != 1 || len(p.Groups) != 0 {
		t.Errorf("the rules: %+v", p)
	}
	if _, err := run(env, "profile", `{"subject": "zebra"}`); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("of nothing: %v", err)
	}
}

func TestProfileOfAGroupSessionSaysNothingOfTheUser(t *testing.T) {
	env := household(t)
	env.View.Session = strata.SessionGroup
	if p := profileOf(t, env, `{"all": true}`); len(p.Groups) != 0 || p.Name != "" {
		t.Errorf("others see %+v", p.Groups)
	}
}
