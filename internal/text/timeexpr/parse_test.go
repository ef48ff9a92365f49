package timeexpr

import (
	"testing"
	"time"

	"github.com/strata-memory/strata/internal/text"
)

var noon = time.Date(2026, 3, 18, 12, 0, 0, 0, time.UTC)

func TestFind(t *testing.T) {
	tests := []struct{ in, from, to string }{
		{"what did I eat yesterday?", "2026-03-17", "2026-03-18"},
		{"the day before yesterday", "2026-03-16", "2026-03-17"},
		{"what happened last night", "2026-03-17", "2026-03-18"},
		{"plans for today", "2026-03-18", "2026-03-19"},
		{"last week", "2026-03-09", "2026-03-16"},
		{"this week", "2026-03-16", "2026-03-23"},
		{"next week", "2026-03-23", "2026-03-30"},
		{"last weekend", "2026-03-14", "2026-03-16"},
		{"last month", "2026-02-01", "2026-03-01"},
		{"last year", "2025-01-01", "2026-01-01"},
		{"last Friday", "2026-03-13", "2026-03-14"},
		{"last Wednesday", "2026-03-11", "2026-03-12"},
		{"last May", "2025-05-01", "2025-06-01"},
		{"last summer", "2025-06-01", "2025-09-01"},
		{"two weeks ago", "2026-03-02", "2026-03-09"},
		{"a year ago", "2025-01-01", "2026-01-01"},
		{"a couple of days ago", "2026-03-16", "2026-03-17"},
		{"3 months ago", "2025-12-01", "2026-01-01"},
		{"in the past three months", "2025-12-18", "now"},
		{"in the last 2 weeks", "2026-03-04", "now"},
		{"on 7 May 2023", "2023-05-07", "2023-05-08"},
		{"7th of May, 2023", "2023-05-07", "2023-05-08"},
		{"May 7th, 2023", "2023-05-07", "2023-05-08"},
		{"on 7 May", "2025-05-07", "2025-05-08"},
		{"on March 2", "2026-03-02", "2026-03-03"},
		{"2023-05-07", "2023-05-07", "2023-05-08"},
		{"in May 2023", "2023-05-01", "2023-06-01"},
		{"early July 2023", "2023-07-01", "2023-08-01"},
		{"in May", "2025-05-01", "2025-06-01"},
		{"in February", "2026-02-01", "2026-03-01"},
		{"in 2023", "2023-01-01", "2024-01-01"},
		{"the summer of 2022", "2022-06-01", "2022-09-01"},
		{"winter 2023", "2022-12-01", "2023-03-01"},
		{"since March", "2026-03-01", "2026-04-01"},
		{"since 2024", "2024-01-01", "now"},
		{"before 2020", "", "2020-01-01"},
		{"after 7 May 2023", "2023-05-08", "now"},
		{"between May and July 2025", "2025-05-01", "2025-08-01"},
		{"from 1 June 2023 to 5 June 2023", "2023-06-01", "2023-06-06"},
		{"31 February 2023", "2023-02-01", "2023-03-01"}, // what there is of it

		{"two weeks before 11 August 2023", "2023-07-24", "2023-07-31"},
		{"the week before 3 August 2023", "2023-07-27", "2023-08-03"},
		{"the day after 3 August 2023", "2023-08-04", "2023-08-06"},

		{"¿qué comí ayer?", "2026-03-17", "2026-03-18"},
		{"¿qué hicimos la semana pasada?", "2026-03-09", "2026-03-16"},
		{"el mes pasado", "2026-02-01", "2026-03-01"},
		{"hace dos semanas", "2026-03-02", "2026-03-09"},
		{"hace un mes", "2026-02-01", "2026-03-01"},
		{"el 7 de mayo de 2023", "2023-05-07", "2023-05-08"},
		{"en mayo de 2023", "2023-05-01", "2023-06-01"},
		{"en 2023", "2023-01-01", "2024-01-01"},
		{"en verano", "2025-06-01", "2025-09-01"},
		{"desde marzo", "2026-03-01", "2026-04-01"},
		{"el viernes pasado", "2026-03-13", "2026-03-14"},
		{"la semaine dernière", "2026-03-09", "2026-03-16"},
		{"il y a trois mois", "2025-12-01", "2026-01-01"},
		{"en juillet 2023", "2023-07-01", "2023-08-01"},
		{"letzten Monat", "2026-02-01", "2026-03-01"},
		{"vor zwei Wochen", "2026-03-02", "2026-03-09"},
		{"am 7. Mai 2023", "2023-05-07", "2023-05-08"},
		{"im Dezember", "2025-12-01", "2026-01-01"},
		{"vorgestern", "2026-03-16", "2026-03-17"},
		{"due settimane fa", "2026-03-02", "2026-03-09"},
		{"nel maggio 2023", "2023-05-01", "2023-06-01"},
		{"o mês passado", "2026-02-01", "2026-03-01"},
		{"em março de 2023", "2023-03-01", "2023-04-01"},

		{"my mayo is on the table", "none", ""},
		{"este es mi perro", "none", ""},
		{"dos gatos y un perro", "none", ""},
		{"may I ask what happened", "none", ""},
		{"the march of progress", "none", ""},
		{"room 2023 has 7 chairs", "none", ""},
		{"the 31st of nothing", "none", ""},
		{"", "none", ""},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got := Find(text.Words(tt.in), noon)
			if tt.from == "none" {
				if got != nil {
					t.Errorf("Find(%q) = %v, want none", tt.in, *got)
				}
				return
			}
			if got == nil {
				t.Fatalf("Find(%q) found nothing", tt.in)
			}
			if from, to := day(got.From), day(got.To); from != tt.from || to != tt.to {
				t.Errorf("Find(%q) = %s to %s, want %s to %s", tt.in, from, to, tt.from, tt.to)
			}
		})
	}
}

func day(at time.Time) string {
	switch {
	case at.IsZero():
		return ""
	case at.Equal(noon):
		return "now"
	}
	return at.Format(time.DateOnly)
}

func TestFindKeepsTheZone(t *testing.T) {
	zone := time.FixedZone("east", 10*3600)
	got := Find(text.Words("today"), time.Date(2026, 3, 18, 1, 0, 0, 0, zone))
	if want := time.Date(2026, 3, 18, 0, 0, 0, 0, zone); got == nil || !got.From.Equal(want) {
		t.Errorf("today begins at %v, want %v", got, want)
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"last week of May 2023", "between 2023 and", "since since", "a few 31 of feb", "early late mid", "999 years ago", "hace dos semanas pasadas de mayo de", "il y a", "vor"} {
		f.Add(s, int64(1_770_000_000))
	}
	f.Fuzz(func(t *testing.T, s string, unix int64) {
		now := time.Unix(unix%(1<<36), 0).UTC()
		r := Find(text.Words(s), now)
		if r != nil && r.To.Before(r.From) {
			t.Fatalf("Find(%q) at %v = %v, which ends before it begins", s, now, *r)
		}
	})
}
