package markdown

import (
	"fmt"
	"strings"
	"testing"
)

func TestSummaryIsReadBack(t *testing.T) {
	want := Summary{[]SummaryTheme{{"Family", []SummaryLine{{"Nora lives in Bergen.", []string{"fact_1", "fact_2"}}, {"She sails.", []string{"fact_3"}}}}, {"Work", []SummaryLine{{"Tuesdays.", []string{"fact_4"}}}}}}
	got, ok := ParseSummary(want.Render())
	if !ok || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("read back: %+v, %v", got, ok)
	}
	for _, edited := range []string{want.Render() + "- and more\n", strings.Replace(want.Render(), "sails", "rows", 1), "# Mine\n", ""} {
		if _, ok := ParseSummary(edited); ok {
			t.Errorf("taken for ours: %q", edited)
		}
	}
	if shown := ShownSummary(want.Render()); strings.Contains(shown, "fact_") || !strings.Contains(shown, "- Nora lives in Bergen.\n") || strings.Contains(shown, "strata") {
		t.Errorf("shown: %q", shown)
	}
	// What Strata wrote is made of facts, which are found by themselves; what a person
	// wrote is theirs.
	content := want.Render()
	if own := Human(SummaryPath, content); strings.Contains(own, "Bergen") {
		t.Errorf("not generated: %q", own)
	}
	if own := Human(SummaryPath, content+"- and more\n"); !strings.Contains(own, "Bergen") || !strings.Contains(own, "and more") {
		t.Errorf("not a person's: %q", own)
	}
}
