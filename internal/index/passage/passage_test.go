package passage_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// The numbers of one scope are one range, which ends where that of the next begins.
func TestNumbersOfAScopeAreARange(t *testing.T) {
	end := int64(-1)
	for scope := range int64(4) {
		low, high := passage.Numbers(scope)
		if low != end+1 || passage.Scope(low) != scope || passage.Scope(high) != scope {
			t.Errorf("scope %d has %d to %d, the one before ends with %d", scope, low, high, end)
		}
		end = high
	}
}

// What is stored as a code is read again as what it was, and no two have one code.
func TestCodesAreReadAsWhatTheyStandFor(t *testing.T) {
	codes := make(map[int64]bool)
	for _, k := range []strata.Kind{strata.KindFact, strata.KindTurn, strata.KindSection} {
		code := passage.KindCode(k)
		if code == 0 || codes[code] || passage.KindOf(code) != k {
			t.Errorf("%s has code %d, which is %q", k, code, passage.KindOf(code))
		}
		codes[code] = true
	}
	if passage.KindCode("letter") != 0 || passage.KindOf(0) != "" || passage.KindOf(9) != "" {
		t.Error("there are other kinds")
	}
	types := map[int64]bool{passage.TypePrivate: true, passage.TypeSystem: true}
	for _, x := range strata.Types() {
		code := passage.TypeCode(x)
		if code == 0 || types[code] {
			t.Errorf("%s has code %d, as another has", x, code)
		}
		types[code] = true
	}
	for _, s := range []store.Speech{store.SpeechUser, store.SpeechAssistant, store.SpeechPeople} {
		code := passage.SpeechType(s)
		if types[code] || passage.SpeechOf(code) != s {
			t.Errorf("speech %v has code %d, which is %v", s, code, passage.SpeechOf(code))
		}
		types[code] = true
	}
}

func TestSectionsHaveTheTypeOfTheirDocument(t *testing.T) {
	for _, tt := range []struct {
		doc  strata.Document
		want int64
	}{
		{strata.Document{Kind: strata.DocumentSystem, Path: "_system/dream.md", Type: strata.TypeUser}, passage.TypeSystem},
		{strata.Document{Kind: strata.DocumentNote, Path: "notes/user_a.md", Type: strata.TypeUser}, passage.TypeCode(strata.TypeUser)},
		{strata.Document{Path: "AGENTS.md"}, 0},
		{strata.Document{Path: "MEMORY.md", Kind: strata.KindOfPath("MEMORY.md")}, passage.TypePrivate},
	} {
		if got := passage.SectionType(tt.doc); got != tt.want {
			t.Errorf("%s of kind %s has type %d, want %d", tt.doc.Path, tt.doc.Kind, got, tt.want)
		}
	}
}

// A filter passes what it names and leaves out the rest; the zero filter passes all that is
// current, but for what is the system's.
func TestFilterPasses(t *testing.T) {
	at := func(seconds int64) *time.Time { x := time.Unix(seconds, 0); return &x }
	const second = 1_000_000
	kinds := func(k ...strata.Kind) []strata.Kind { return k }
	fact := passage.Row{Meta: store.Meta{Kind: strata.KindFact}, Type: passage.TypeCode(strata.TypeProject), Recorded: 10 * second}
	user := passage.Row{Meta: store.Meta{Kind: strata.KindFact}, Type: passage.TypeCode(strata.TypeUser), Recorded: 10 * second}
	retired := passage.Row{Meta: store.Meta{Kind: strata.KindFact}, Type: passage.TypeCode(strata.TypeProject), Recorded: 10 * second, Retired: 20 * second}
	turn := passage.Row{Meta: store.Meta{Kind: strata.KindTurn, Parent: 7}, Recorded: 10 * second}
	private := passage.Row{Meta: store.Meta{Kind: strata.KindSection, Parent: 8}, Type: passage.TypePrivate, Recorded: 10 * second}
	system := passage.Row{Meta: store.Meta{Kind: strata.KindSection, Parent: 9}, Type: passage.TypeSystem, Recorded: 10 * second}
	rows := []passage.Row{fact, user, retired, turn, private, system}
	names := []string{"fact", "user", "retired", "turn", "private", "system"}
	for _, tt := range []struct {
		name     string
		filter   store.Filter
		sessions []int64
		want     []string
	}{
		{"nothing asked", store.Filter{}, nil, []string{"fact", "user", "turn", "private"}},
		{"the system's too", store.Filter{System: true}, nil, []string{"fact", "user", "turn", "private", "system"}},
		{"facts", store.Filter{Kinds: kinds(strata.KindFact)}, nil, []string{"fact", "user"}},
		{"a kind that is not stored", store.Filter{Kinds: kinds("letter")}, nil, nil},
		{"a type", store.Filter{Types: []strata.Type{strata.TypeProject}}, nil, []string{"fact"}},
		{"not a type", store.Filter{NotTypes: []strata.Type{strata.TypeProject}}, nil, []string{"user", "turn", "private"}},
		{"not what is private", store.Filter{NotPrivate: true}, nil, []string{"fact", "turn"}},
		{"not what is private, though the system's", store.Filter{NotPrivate: true, System: true}, nil, []string{"fact", "turn"}},
		{"of a parent", store.Filter{Parent: 8}, nil, []string{"private"}},
		{"of sessions of a kind", store.Filter{SessionKind: "group"}, []int64{6, 7}, []string{"fact", "user", "turn", "private"}},
		{"of a kind that no session has", store.Filter{SessionKind: "group"}, []int64{6}, []string{"fact", "user", "private"}},
		{"before all", store.Filter{AsOf: at(9)}, nil, nil},
		{"while another held", store.Filter{AsOf: at(19), Kinds: kinds(strata.KindFact)}, nil, []string{"fact", "user", "retired"}},
		{"when it was retired", store.Filter{AsOf: at(20), Kinds: kinds(strata.KindFact)}, nil, []string{"fact", "user"}},
	} {
		f := passage.NewFilter(tt.filter, tt.sessions)
		var got []string
		for i, r := range rows {
			if f.Passes(&r) {
				got = append(got, names[i])
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q pass, want %q", tt.name, got, tt.want)
		}
		if f.Past() != (tt.filter.AsOf != nil) {
			t.Errorf("%s: of the past: %v", tt.name, f.Past())
		}
	}
}

func TestWhetherAllFactsPass(t *testing.T) {
	now := time.Unix(1, 0)
	for _, tt := range []struct {
		name   string
		filter store.Filter
		want   bool
	}{
		{"nothing asked", store.Filter{}, true},
		{"facts", store.Filter{Kinds: []strata.Kind{strata.KindFact}}, true},
		{"turns", store.Filter{Kinds: []strata.Kind{strata.KindTurn}}, false},
		{"a type", store.Filter{Types: []strata.Type{strata.TypeUser}}, false},
		{"not what is private", store.Filter{NotPrivate: true}, false},
		{"of a parent", store.Filter{Parent: 1}, false},
		{"of the past", store.Filter{AsOf: &now}, false},
	} {
		f := passage.NewFilter(tt.filter, nil)
		if got := f.PassesAllFacts(); got != tt.want {
			t.Errorf("%s: all facts pass: %v", tt.name, got)
		}
	}
}

// Nothing but letters, digits and marks can be asked of an index of words.
func TestWhatIsATerm(t *testing.T) {
	for s, want := range map[string]bool{
		"": false, "cat": true, "v2": true, "7": true, "λόγος": true, "会議室": true, "é": true, "\ue000": true,
		"\u0301": false, "a b": false, "a\"b": false, "a_b": false, "*": false, "(cat": false, "cat\x00": false, "\xff": false, "ok\xff": false, "e\u0301": true,
	} {
		if passage.IsTerm(s) != want {
			t.Errorf("%q is a term: %v", s, !want)
		}
	}
	for s, want := range map[string]bool{"": true, "cat dog": true, "cat, dog": true, "cat € dog": false} {
		if passage.AreTerms(s) != want {
			t.Errorf("%q holds terms alone: %v", s, !want)
		}
	}
}

func TestTermsAreParted(t *testing.T) {
	for s, want := range map[string]string{"": "", " cat  dog\n": "cat|dog", "a-b.C9": "a|b|C9", "azAZ09@`[{/:": "azAZ09", "會議 λόγος": "會議|λόγος"} {
		if got := strings.Join(slices.Collect(passage.Terms(s)), "|"); got != want {
			t.Errorf("%q holds %q, want %q", s, got, want)
		}
	}
}

func TestPhrasesAreCounted(t *testing.T) {
	in := strings.Fields("red apple red apple pie red app")
	for _, tt := range []struct {
		phrase string
		prefix bool
		want   int
	}{
		{"red", false, 3}, {"red apple", false, 2}, {"apple red", false, 1}, {"red apple pie", false, 1}, {"pie red apple", false, 0},
		{"red app", false, 1}, {"red app", true, 3}, {"re apple", true, 0}, {"red apple red apple pie red app red", false, 0},
	} {
		if got := passage.CountPhrase(in, strings.Fields(tt.phrase), tt.prefix); got != tt.want {
			t.Errorf("%q, by its beginning %v: %d times, want %d", tt.phrase, tt.prefix, got, tt.want)
		}
	}
}
