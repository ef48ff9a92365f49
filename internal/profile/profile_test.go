package profile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/profile"
)

func day(n int) time.Time { return time.Date(2026, 3, n, 9, 0, 0, 0, time.UTC) }

func on(n int) *time.Time { d := day(n); return &d }

// fact is a fact about the user that was recorded on a day and is believed.
func fact(id string, recorded int, attribute, text string) strata.Fact {
	f := strata.Fact{ID: id, Scope: strata.Global(), Type: strata.TypeUser, Text: text, RecordedAt: day(recorded), Confidence: 1}
	if attribute != "" {
		f.Entity, f.Attribute = "user", attribute
	}
	return f
}

// sketch writes a profile in short: the groups with the ids of their entries, ended ones in
// brackets.
func sketch(p profile.Profile) string {
	ids := func(list []profile.Entry) string {
		var out []string
		for _, e := range list {
			if e.Ended {
				e.ID = "(" + e.ID + ")"
			}
			out = append(out, e.ID)
		}
		return strings.Join(out, " ")
	}
	var b strings.Builder
	for _, g := range p.Groups {
		fmt.Fprintf(&b, "%s: %s; ", strings.Join(strings.Fields(g.Kind+" "+g.Subject+" "+g.Name), " "), ids(g.Entries))
	}
	if len(p.Rules) > 0 {
		b.WriteString("rules: " + ids(p.Rules) + "; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// household is what is known of a user: nothing of it is in the order it is shown.
func household() []strata.Fact {
	sister, cat := fact("sister", 3, "name", "The user's sister is named Clara."), fact("cat", 3, "name", "The user's cat is named Tolstoy.")
	sister.Entity, cat.Entity = "user's sister", "user's cat"
	rule := fact("rule", 4, "", "Answer in German.")
	rule.Type = strata.TypeFeedback
	earlier := rule
	earlier.ID, earlier.RecordedAt = "older rule", day(2)
	own := fact("own", 1, "", "Loves the smell of rain")
	own.Verbatim = true
	return []strata.Fact{
		fact("port", 1, "", "The API runs on port 8080."), earlier, rule, own, fact("bread", 2, "", "The user loves sourdough."), cat,
		fact("malmö", 4, "", "Clara lives in Malmö."), sister, fact("city", 1, "city", "The user's city is Leeds."),
		fact("email", 1, "email", "The user's email is nora@example.org."), fact("name", 5, "name", "The user's name is Nora Lindqvist."),
	}
}

func TestFactsArePutIntoGroups(t *testing.T) {
	p := profile.Of(household(), nil)
	want := "you: name email; person sister Clara: sister malmö; pet cat Tolstoy: cat; home: city; tastes: bread own; more: port; rules: rule older rule"
	if got := sketch(p); got != want {
		t.Errorf("the profile is\n%s\nwant\n%s", got, want)
	}
	if p.Name != "Nora Lindqvist" || p.Facts != 9 || len(p.Rows()) != 11 {
		t.Errorf("%s, %d facts, %d rows", p.Name, p.Facts, len(p.Rows()))
	}
	if e := p.Groups[0].Entries[0]; e.Value != "Nora Lindqvist" || e.Scope != strata.Global().Key() || e.Since != nil || e.Until != nil {
		t.Errorf("the name is %+v", e)
	}
	if none := profile.Of(nil, nil); none.Groups == nil || none.Rules == nil || none.Facts != 0 {
		t.Errorf("of nothing: %+v", none)
	}
}

// The order in which facts are given does not matter.
func TestTheOrderOfFactsDoesNotMatter(t *testing.T) {
	list := household()
	want := sketch(profile.Of(list, nil))
	for range list {
		list = append(list[1:], list[0])
		if got := sketch(profile.Of(list, nil)); got != want {
			t.Fatalf("the profile is\n%s\nwant\n%s", got, want)
		}
	}
}

// What a fact replaced is told with it, the latest first, until when its follower was said;
// what nothing replaced ended, and is no fact that counts.
func TestWhatWasBelievedBefore(t *testing.T) {
	oslo, leeds, york := fact("oslo", 1, "city", "The user's city is Oslo."), fact("leeds", 2, "city", "The user's city is Leeds."), fact("york", 4, "city", "The user's city is York.")
	oslo.RetiredAt, oslo.SupersededBy = on(2), "leeds"
	leeds.RetiredAt, leeds.SupersededBy, leeds.Sources = on(4), "york", []string{"t2"}
	york.Sources = []string{"t3", "unseen"}
	first := fact("york", 3, "city", "The user's city is Jork.") // the version before
	first.RetiredAt = on(4)
	phone := fact("phone", 1, "phone number", "The user's phone number is 17.")
	phone.RetiredAt = on(3)
	turns := map[string]strata.Turn{"t2": {ID: "t2", Session: "s", Seq: 2, At: day(2).Add(-time.Hour)}, "t3": {ID: "t3", Session: "s", Seq: 9, At: day(4).Add(-time.Hour)}}
	p := profile.Of([]strata.Fact{oslo, phone, york, leeds, first}, turns)
	if got := sketch(p); got != "you: (phone); home: york" || p.Facts != 1 {
		t.Fatalf("the profile is %s, of %d facts", got, p.Facts)
	}
	e := p.Groups[1].Entries[0]
	if len(e.Sources) != 2 || e.Sources[0] != (profile.Source{ID: "t3", Session: "s", Seq: 9, At: e.Sources[0].At}) || e.Sources[1] != (profile.Source{ID: "unseen"}) ||
		e.Since == nil || !e.Since.Equal(day(4).Add(-time.Hour)) || e.Until != nil {
		t.Errorf("the city is %+v", e)
	}
	var told []string
	for _, b := range e.Earlier {
		since := "?"
		if b.Since != nil {
			since = b.Since.Format("02 15h")
		}
		told = append(told, fmt.Sprint(b.ID, " ", b.Value, " ", since, "-", b.Until.Format("02 15h")))
	}
	if want := []string{"york Jork ?-04 08h", "leeds Leeds 02 08h-03 09h", "oslo Oslo ?-02 08h"}; !slices.Equal(told, want) {
		t.Errorf("before it were %q, want %q", told, want)
	}
	if old := p.Groups[0].Entries[0]; !old.Ended || old.Until == nil || !old.Until.Equal(day(3)) {
		t.Errorf("the phone number is %+v", old)
	}
}

// A time that a fact says itself goes before those of its turns and of what followed.
func TestTimesThatFactsSayThemselves(t *testing.T) {
	f := fact("lease", 5, "", "The user rents a flat.")
	f.ValidFrom, f.ValidTo, f.Sources = on(1), on(9), []string{"t"}
	old := fact("before", 2, "", "The user rents a room.")
	old.RetiredAt, old.SupersededBy, old.ValidTo = on(5), "lease", on(3)
	e := profile.Of([]strata.Fact{f, old}, map[string]strata.Turn{"t": {ID: "t", At: day(4)}}).Groups[0].Entries[0]
	if !e.Since.Equal(day(1)) || !e.Until.Equal(day(9)) || len(e.Earlier) != 1 || !e.Earlier[0].Until.Equal(day(3)) {
		t.Errorf("since %v until %v, before it %+v", e.Since, e.Until, e.Earlier)
	}
}

// Two facts that are said to have replaced each other end the search all the same.
func TestFactsThatReplacedEachOtherAreToldOnce(t *testing.T) {
	head, a, b := fact("head", 4, "", "The user lives in York."), fact("a", 1, "", "The user lives in Oslo."), fact("b", 2, "", "The user lives in Leeds.")
	a.RetiredAt, a.SupersededBy = on(2), "b"
	b.RetiredAt, b.SupersededBy = on(4), "head"
	again := a
	again.ID, again.SupersededBy = "b", "a"
	p := profile.Of([]strata.Fact{head, a, b, again}, nil)
	if len(p.Groups) != 1 || len(p.Groups[0].Entries) != 1 || len(p.Groups[0].Entries[0].Earlier) != 3 {
		t.Errorf("the profile is %+v", p.Groups)
	}
}

func TestPartOfAProfileAboutOneSubject(t *testing.T) {
	p := profile.Of(household(), nil)
	for subject, want := range map[string]string{
		"sister": "person sister Clara: sister malmö", " Clara ": "person sister Clara: sister malmö", "HOME": "home: city", "nora lindqvist": "you: name email",
		"rules": "rules: rule older rule", "sourdough": "tastes: bread", "port 8080": "more: port", "malmö": "person sister Clara: malmö",
		"user's": "you: name email; person sister Clara: sister; pet cat Tolstoy: cat; home: city", "dough": "", "zebra": "",
		"": "", "  ": "",
	} {
		got, ok := p.About(subject)
		if s := sketch(got); s != want || ok != (want != "") {
			t.Errorf("about %q: %s, %v; want %s", subject, s, ok, want)
		}
		n := 0
		for _, g := range got.Groups {
			n += len(g.Entries)
		}
		if got.Facts != n || got.Name != p.Name {
			t.Errorf("about %q: %d facts of %d", subject, got.Facts, n)
		}
	}
	if got := sketch(p); !strings.Contains(got, "sister malmö") {
		t.Errorf("the profile itself became %s", got)
	}
}
