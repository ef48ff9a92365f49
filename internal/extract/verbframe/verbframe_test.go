package verbframe_test

import (
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/verbframe"
)

func TestSlot(t *testing.T) {
	for _, c := range []struct{ clause, want string }{
		{"My home is in Porto", "user/city"},
		{"Our flat is in Porto, not in Faro", "user/city"},
		{"Henrik has settled in Porto", "henrik/city"},
		{"Henrik, a friend from choir, has settled in Porto", "henrik/city"},
		{"Henrik is a legal adviser", "henrik/job"},
		{"Ann-Marie Duval has relocated to Oslo", "ann-marie duval/city"},
		{"Henrik is a train driver now", "henrik/job"},
		{"To get to work I use a cargo bike", "user/commute"},
		{"We cook vegan at home", "user/diet"},
		{"Bluefern pays my salary", "user/employer"},
		{"I report to Ines", "user's manager/name"},
		{"Ines replaced Otto as my boss", "user's manager/name"},
		{"Dr. Sommer is our vet", "user's vet/name"},
		{"Our vet is the clinic on Park Street now", "user's vet/name"},
		{"Vivaldi is my default browser", "user/browser"},
		{"I use Joplin as my notes app", "user/notes app"},
		{"I take notes in Joplin now", "user/notes app"},
		{"I write all my code in Helix", "user/editor"},
		{"I'm a Helix user", "user/editor"},
		{"My login shell is fish", "user/shell"},
		{"I take the number 12 bus to work now instead of the tram", "user/commute"},
		{"I work 32 hours a week", "user/working hours"},
		{"Astrid is the owner of the billing service", "billing service/owner"},
		{"Port 7070 is the billing service", "billing service/port"},
		{"We raised the timeout of the billing service from 5 seconds to 30 seconds", "billing service/timeout"},
		{"The mailer has been rewritten in Rust", "mailer/language"},
		{"We release the mailer on Fridays", "mailer deploy/day"},
		{"The mailer's release was moved to Fridays", "mailer deploy/day"},
		{"The mailer listens on port 8080 now", "mailer/port"},
		{"The mailer is Rust now, the Java code is deleted", ""},
		{"The mailer is Rust now", "mailer/language"},
		{"Henrik lives in a flat in Krakow", "henrik/city"},
		{"Henrik is over in Krakow, has been for years", "henrik/city"},
		{"Henrik gave up being a nurse and became an illustrator", "henrik/job"},
		{"My brother Henrik lives in Oslo", "brother henrik/city"}, // there may be another Henrik
		{"Our old friend Ana Duval moved to Faro", "old friend ana duval/city"},
		{"My brother Henrik works for Bluefern now", "brother henrik/employer"},
		{"Ana works at Bluefern", "ana/employer"},
		// These fill no slot.
		{"Ana works at home", ""},
		{"Ana works at Bluefern and Otto's", ""},
		{"Choir moved from Mondays to Tuesdays", ""},
		{"Henrik is a good driver of tall tales", ""},
		{"Henrik became a father", ""},
		{"Henrik, my brother, lives in Oslo", ""},
		{"My home is in a mess", ""},
		{"Our house is in order", ""},
		{"I report to Ines and Otto", ""},
		{"I don't report to Ines", ""},
		{"I browse with Vivaldi at work", ""},
		{"I write all my code in Rust", ""},
		{"The person at the door is my boss", ""},
		{"My gym is closed", ""},
		{"My laptop is slow these days", ""},
		{"The language of the law is dry", ""},
		{"I take the kids to school", ""},
		{"She lives in Porto", ""},
		{"Nobody has moved to Porto", ""},
		{"Astrid owns the billing service", ""}, // others may too
		{"It is the owner of the mailer", ""},
		{"I drive my sister home", ""},
	} {
		entity, attribute := verbframe.Slot(c.clause)
		got := entity + "/" + attribute
		if entity == "" {
			got = ""
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.clause, got, c.want)
		}
	}
}

func TestRolesOfSeveralNames(t *testing.T) {
	for name, want := range map[string]string{"Boss": "manager", "line manager": "manager", "GP": "doctor", "os": "operating system", "sister": "sister"} {
		if got := verbframe.Role(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestType(t *testing.T) {
	for attribute, want := range map[string]strata.Type{"database": strata.TypeProject, "port": strata.TypeProject, "city": strata.TypeUser, "name": strata.TypeUser, "commute": strata.TypeUser} {
		if got := verbframe.Type(attribute); got != want {
			t.Errorf("%s: %s, want %s", attribute, got, want)
		}
	}
}

func TestLivesThere(t *testing.T) {
	for said, want := range map[string]string{
		"Ana bought a flat in Bath and lives there.":       "Ana lives in a flat in Bath.",
		"I own a small house in Bath and live there":       "I live in a small house in Bath.",
		"Ana bought a flat in Bath and her mother's there": "Ana bought a flat in Bath and her mother's there",
	} {
		if got := verbframe.LivesThere(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
