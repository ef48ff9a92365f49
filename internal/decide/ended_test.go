package decide

import (
	"testing"

	"github.com/strata-memory/strata"
)

// What is said to be over ends what was believed of it, and nothing else.
func TestWhatHasEnded(t *testing.T) {
	for _, c := range []struct {
		held, says string
		over       bool
	}{
		{"The user smokes.", "The user quit smoking.", true},
		{"The user smokes.", "The user gave up smoking in 2024.", true},
		{"The user runs every morning.", "The user stopped running.", true},
		{"The user cycles to work.", "The user quit cycling to work.", true},
		{"The user plays the violin.", "The user stopped playing the violin.", true},
		{"The user works at Fiat.", "The user is retired now.", true},
		{"The user works as a nurse.", "The user has retired.", true},
		{"The user smokes fish for a living.", "The user quit smoking cigars.", false},
		{"The user's brother smokes.", "The user quit smoking.", false},
		{"The user runs a bakery.", "The user stopped playing squash.", false},
		{"The user has run three marathons.", "The user stopped swimming.", false},
		{"The user works at Fiat.", "The user's brother is retired.", false},
		{"The user's sister works at Fiat.", "The user is retired now.", false},
		{"The user lives in Turin now.", "The user is retired now.", false},
		{"The user and Nora are married.", "The user and Nora split up.", true},
		{"The user is married to Nora.", "Nora and the user got divorced.", true},
		{"The user is married to Nora.", "The user separated from Nora.", true},
		{"The user's brother is married to Petra.", "Nora and the user got divorced.", false},
		{"The user swims.", "The user quit smoking.", false},
		{"The user works from the garden on Fridays.", "The user retired the old laptop.", false},
		{"Nora Fontana keeps a boat in Oslo.", "Nora Almeida canceled the boat tour in Oslo.", false},
		{"Nora Fontana rents a boat in Oslo.", "Nora Fontana sold an oak table in Oslo.", false},
		{"Nora Fontana has an oak table.", "Nora Fontana sold the oak table in Oslo.", true},
		{"Nora Fontana patched the queue in Oslo on April 24.", "Nora Fontana canceled a night train in Oslo.", false},
		{"The user works at Fiat.", "The user left the job at Fiat.", true},
		{"The user has a flat in Bath.", "The user sold the flat in Bath.", true},
		// A job that is quit without its employer.
		{"The user works at Fiat.", "The user quit their job and started as a baker.", true},
		{"The user is employed by the city library.", "The user handed in their notice.", true},
		{"The user works at Fiat.", "The user quit their choir.", false},
		{"The user's sister works at Fiat.", "The user quit their job.", false},
		{"The user works from the garden on Fridays.", "The user quit their job.", false},
		// What came in the place of another goes in its turn.
		{"The user takes the tram to work now instead of the bus.", "The user takes a carpool to work now instead of the tram.", true},
		{"The user takes the tram to work now instead of the bus.", "The user drinks tea now instead of the bus.", false},
		{"The user runs zsh.", "The user uses fish now, no longer zsh.", true},
		// Of a part, what it was moved, handed or changed from.
		{"Data of the mailer lives in MariaDB.", "We migrated the mailer from MariaDB to Postgres.", true},
		{"The mailer is backed by MariaDB.", "The mailer uses Postgres now instead of MariaDB.", true},
		{"The mailer is backed by MariaDB.", "We changed our mind on the mailer: Postgres, not MariaDB.", true},
		{"Kenji owns the mailer.", "The mailer was handed from Kenji to Femi.", true},
		{"Kenji owns the mailer.", "Femi took over the mailer from Kenji.", true},
		{"Kenji is in charge of the mailer.", "Kenji is no longer responsible for the mailer.", true},
		{"We settled on MariaDB as the database of the mailer.", "We migrated the mailer from MariaDB to Postgres.", true},
		{"We chose Nomad for the mailer.", "We moved the mailer from Nomad to ECS.", true},
		{"We don't deploy the mailer to Nomad anymore but to ECS.", "We moved the mailer from ECS to a bare VM.", true},
		{"We don't deploy the mailer to Nomad anymore but to ECS.", "We moved the mailer from Nomad to a bare VM.", false},
		{"We don't deploy the mailer to Nomad anymore.", "We moved the mailer from Nomad to ECS.", false},
		{"We fixed MariaDB for the mailer.", "We migrated the mailer from MariaDB to Postgres.", false},
		{"We chose Nomad for the ledger.", "We moved the mailer from Nomad to ECS.", false},
		// Of another thing that opens with an article nothing ends.
		{"The tests of the firmware updater moved from Playwright to QuickCheck.", "The tests of the map renderer moved from Playwright to QuickCheck.", false},
		{"The tests of the map renderer moved from Playwright to QuickCheck.", "The tests of the map renderer moved from QuickCheck to pytest.", true},
		{"The checkout runs on MariaDB.", "The mailer uses Postgres now instead of MariaDB.", false},
		{"The checkout uses MariaDB.", "The mailer no longer uses MariaDB.", false},
		{"The checkout uses MariaDB.", "The old checkout no longer uses MariaDB.", true},
		{"The report builder is backed by MariaDB.", "We migrated the mailer from MariaDB to Postgres.", false},
		{"Kenji owns the ledger.", "Femi took over the mailer from Kenji.", false},
		{"Kenji lives in Oslo.", "Femi took over the mailer from Kenji.", false},
		{"Kenji wrote the mailer in 2019.", "Femi took over the mailer from Kenji.", false},
		{"The mailer connects to MariaDB of the ledger in tests.", "The ledger uses Postgres now instead of SQLite.", false},
		{"We migrated the mailer from MariaDB to Postgres.", "We migrated the mailer from Postgres to SQLite.", true},
		{"We migrated the mailer from Postgres to MariaDB.", "We migrated the mailer from Postgres to SQLite.", false},
		{"We migrated the ledger from MariaDB to Postgres.", "We migrated the mailer from Postgres to SQLite.", false},
		// Where somebody lives, in other words.
		{"The user's sister has a flat in Graz.", "The user's sister moved to Oslo.", false}, // she may keep it
		{"The user's sister has been living in Graz for ages.", "The user's sister lives in Oslo now.", true},
		{"The user's sister's place is in Graz.", "The user's sister moved to Oslo.", true},
		{"The user's sister lives in Graz.", "The user's sister found a house in Oslo and is gone from Graz.", true},
		{"The user's sister is based in Graz.", "The user's sister does not live in Graz anymore.", true},
		{"The user's brother lives in Graz.", "The user's sister moved to Oslo.", false},
		{"The user's sister has a flat in Graz.", "The user's sister's team moved to Oslo.", false},
		{"The user's practice is in Graz.", "The user's sister moved her practice from Graz to Oslo.", false},
		{"The user's sister's team is based in Graz.", "The user's sister moved to Oslo.", false},
		{"The user's friend Nora lives in Graz.", "Nora has relocated to Oslo.", true},
		{"Nora, an old friend, has settled in Graz.", "Nora moved to Oslo.", true},
		{"Nora loves the job.", "Nora is over in Leeds, has been for years.", false},
		{"The choir tour is in May.", "The choir tour is over.", true},
		{"The user's friend Nora lives in Graz.", "Nora moved the meeting to Oslo.", false},
		{"The user's friend Nora Fontana lives in Graz.", "Nora Almeida moved to Oslo.", false},
		{"Nora's sister lives in Graz.", "Nora moved to Oslo.", false},
		{"The user's sister lives with Nora in Graz.", "Nora moved to Oslo.", false},
		{"Standup is in room 4.", "Standup moved to Friday.", false},
		// Another value of the one thing that it has, said to be so now.
		{"Choir is on Mondays.", "Choir is on Tuesdays now.", true},
		{"El coro es los lunes.", "Ahora el coro es los martes.", true},
		{"Der Chor ist am Montag.", "Der Chor ist jetzt am Dienstag.", true},
		{"La chorale est le lundi.", "La chorale est maintenant le mardi.", true},
		{"Choir is on Mondays.", "Choir is on Tuesdays now too.", false},
		{"Choir is on Mondays.", "Swimming is on Tuesdays now.", false},
		{"Choir is on Mondays.", "Choir is also on Tuesdays now.", false},
		{"Choir is on Monday.", "Choir is also on Tuesday.", false},
		{"Choir is on Mondays.", "Choir is on Tuesdays.", false},
		{"The user likes tea.", "The user likes coffee now.", false},
		{"The user has a dog.", "The user has a cat now.", false},
		{"Anna is tall.", "Anna is happy now.", false},
	} {
		m := memory{}
		m.write(strata.Candidate{Content: c.held, Scope: strata.Global(), Type: strata.TypeUser})
		out := m.write(strata.Candidate{Content: c.says, Scope: strata.Global(), Type: strata.TypeUser})
		if got := out.Op == strata.OpSupersede; got != c.over {
			t.Errorf("%q, then %q: %s (%s), over: want %v", c.held, c.says, out.Op, out.Reason, c.over)
		}
	}
}

// Who moved is not told where two of the name live.
func TestNamesakesStay(t *testing.T) {
	m := memory{}
	for _, text := range []string{"The user's brother Tom lives in Graz.", "The user's friend Tom lives in Turin.", "Tom moved to Oslo."} {
		m.write(strata.Candidate{Content: text, Scope: strata.Global(), Type: strata.TypeUser})
	}
	if got := m.texts(); len(got) != 3 {
		t.Errorf("memory holds %q", got)
	}
}
