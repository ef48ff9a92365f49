package engine_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

// What is said later changes what is held, and only that: each case is two turns of
// a person and the facts that are current then.
func TestWhatIsSaidLaterChangesWhatIsHeld(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, then string
		want        []string
	}{
		// Corrections by reference.
		{"The server runs on port 8080.", "Correction: port 9090.", []string{"The server runs on port 9090."}},
		{"Our database is MySQL 8.", "Sorry, I meant PostgreSQL 16, not MySQL.", []string{"Our database is PostgreSQL 16."}},
		{"We deploy on Tuesdays.", "No, it's Thursday.", []string{"We deploy on Thursdays."}},
		{"My name is Katherine.", "It's spelled Catherine, with a C.", []string{"The user's name is Catherine."}},
		{"I was born in 1985.", "Sorry, typo: 1986.", []string{"The user was born in 1986."}},
		// Changes.
		{"My manager is Anna.", "Actually she left, my manager is now Tobias.", []string{"The user's manager is named Tobias."}},
		{"I prefer tabs over spaces.", "Scratch that, I prefer spaces over tabs.", []string{"The user prefers spaces over tabs."}},
		{"The standup is at 9.", "The standup is at 9:30 now.", []string{"The standup is at 9:30 now."}},
		{"The budget is 5000 euros.", "The budget was raised to 8000 euros.", []string{"The budget is 8000 euros."}},
		{"My phone number is 555-0100.", "My phone number changed, it's 555-0199 now.", []string{"The user's phone number is 555-0199 now."}},
		{"Always answer in English.", "From now on answer in German.", []string{"From now on answer in German."}},
		// What is over.
		{"I'm vegan.", "I'm not vegan anymore.", []string{"The user is not vegan anymore."}},
		{"My dog's name is Rex.", "Rex died in May 2026.", []string{"Rex died in May 2026."}},
		{"My wife is called Ana.", "Ana and I got divorced.", []string{"Ana and the user got divorced."}},
		{"We use Jenkins for CI.", "We got rid of Jenkins.", []string{"We got rid of Jenkins."}},
		{"I don't eat meat.", "I started eating meat again.", []string{"The user started eating meat again."}},
		// Remarks that change nothing.
		{"I am allergic to penicillin.", "I moved to Leeds in March 2025.", []string{"The user is allergic to penicillin.", "The user moved to Leeds in March 2025."}},
		{"I use PostgreSQL 16.", "I've moved to Leeds.", []string{"The user has moved to Leeds.", "The user uses PostgreSQL 16."}},
		{"My daughter has asthma.", "We switched to GitLab.", []string{"The user's daughter has asthma.", "We switched to GitLab."}},
		{"My car is a Volvo.", "My car is dirty.", []string{"The user's car is a Volvo."}},
		{"My phone number is 555-0100.", "My phone is a Pixel 8.", []string{"The user's phone is a Pixel 8.", "The user's phone number is 555-0100."}},
		{"My birthday is 3 May.", "My birthday is next week.", []string{"The user's birthday is 3 May."}},
		{"I work at Globex.", "I work at a standing desk.", []string{"The user works at Globex."}},
		{"My job is nursing.", "My job is stressful.", []string{"The user's job is nursing."}},
		{"My sister works at Globex.", "I quit my job at Globex.", []string{"The user quit their job at Globex.", "The user's sister works at Globex."}},
	} {
		t.Run(c.first+" "+c.then, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			e := open(t)
			at := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
			for i, text := range []string{c.first, c.then} {
				turns := []strata.Turn{{Role: strata.RoleUser, Text: text, At: at.Add(time.Duration(i) * time.Minute)}}
				if _, err := e.AppendTurns(ctx, strata.Global(), "s1", strata.SessionMain, turns); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := e.Extract(ctx, strata.Global(), "s1"); err != nil {
				t.Fatal(err)
			}
			got := current(t, e, strata.Global())
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
