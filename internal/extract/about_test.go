package extract_test

import (
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract"
)

// A statement is of the user or of the work by what it is about, whatever its form.
func TestTypeFollowsTheSubject(t *testing.T) {
	for text, want := range map[string]strata.Type{
		"The vet for the cat is Dr. Okafor.":                 strata.TypeUser,
		"Grandma turns ninety in April.":                     strata.TypeUser,
		"Lena is allergic to walnuts.":                       strata.TypeUser,
		"The boiler was serviced in October.":                strata.TypeUser,
		"We go to the coast every August.":                   strata.TypeUser,
		"Anna and I celebrate our anniversary in September.": strata.TypeUser,
		"The passport expires in 2029.":                      strata.TypeUser,
		"Left knee hurts after long runs.":                   strata.TypeUser,
		"We take logical backups with pg_dump.":              strata.TypeProject,
		"Builds take about twelve minutes.":                  strata.TypeProject,
		"Anna owns the billing service.":                     strata.TypeProject,
		"The client wants a dark theme.":                     strata.TypeProject,
		"The on-call rotation changes on Fridays.":           strata.TypeProject,
		"Warehouse B closes at six.":                         strata.TypeProject,
	} {
		if got, _, _ := classify(text); got != want {
			t.Errorf("%q is of type %s, want %s", text, got, want)
		}
	}
}

// So is what somebody says in a conversation about a project.
func TestTypeOfWhatIsSaidFollowsTheSubject(t *testing.T) {
	for said, want := range map[string]strata.Type{
		"Dana's birthday is August 6.":                        strata.TypeUser,
		"We have no balcony.":                                 strata.TypeUser,
		"Petra took over the deployment pipeline from Kenji.": strata.TypeProject,
	} {
		got := extract.Turns(user(said))
		if len(got) != 1 || got[0].Type != want {
			t.Errorf("%q: %+v, want one of type %s", said, got, want)
		}
	}
}
