package markdown

import (
	"testing"

	"github.com/strata-memory/strata"
)

func TestDailyPathsAreReadAsTheyAreWritten(t *testing.T) {
	for _, seq := range []int{0, 1, 12} {
		p := DailyPath(ArchiveDir, "2026-03-01", seq)
		dir, day, got, ok := ParseDailyPath(p)
		if !ok || dir != ArchiveDir || day != "2026-03-01" || got != seq {
			t.Errorf("%s: %s %s %d %v", p, dir, day, got, ok)
		}
	}
	for _, p := range []string{"memory/2026-02-30.md", "memory/2026-03-01.0.md", "memory/2026-03-01.01.md", "memory/2026-03-01", "memory/x.md"} {
		if _, _, _, ok := ParseDailyPath(p); ok {
			t.Errorf("%s is no log of a day", p)
		}
	}
}

func TestPartOf(t *testing.T) {
	for path, want := range map[string]Parts{
		strata.IndexPath: PartIndex, "notes/project_x.md": PartIndex, ErrorsPath: PartLearnings, CorrectionsPath: PartLearnings,
		"AGENTS.md": 0, "memory/2026-03-01.md": 0, strata.ProjectPrefix + "AGENTS.md": 0,
	} {
		if got := PartOf(path); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
}

func TestAFileThatIsBegunSaysNothingOfAnybody(t *testing.T) {
	for _, path := range []string{strata.IndexPath, "memory/2026-03-01.md", "AGENTS.md"} {
		begun := Human(path, Begun(path))
		if path != "AGENTS.md" && !IsBegun(path, begun) {
			t.Errorf("%s: %q", path, begun)
		}
		if IsBegun(path, begun+"\nTea is at five.\n") {
			t.Errorf("%s with a line of a person is taken for begun", path)
		}
	}
	if !IsStarter("AGENTS.md", Starter("AGENTS.md")) || IsStarter("AGENTS.md", "Build with make.\n") {
		t.Error("what Strata made itself is a starter, and nothing else")
	}
}

func TestSameHuman(t *testing.T) {
	if !SameHuman("one\n\ntwo\n", "one\n"+strata.ForgottenText+"\ntwo") || SameHuman("one", "two") {
		t.Error("empty lines and those that were forgotten do not count, others do")
	}
}
