package manual

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

func testCommand() *cobra.Command {
	root := &cobra.Command{Use: "strata", Short: "A memory", Run: func(*cobra.Command, []string) {}}
	root.PersistentFlags().Bool("quiet", false, "say nothing")
	cmd := &cobra.Command{
		Use: "wash THING", Short: "Wash a thing", Run: func(*cobra.Command, []string) {},
		Long:    "Wash a thing.\n\nIt is washed in warm water. " + strings.Repeat("It is dried in the sun then. ", 60) + "\n\nWith -o json it prints an object.",
		Example: "  # the usual way\n  strata wash cup\n  strata wash .hidden",
	}
	cmd.Flags().Float64("speed", 1e9, "turns a minute; fewer for wool")
	cmd.Flags().StringP("type", "t", "", "what it is")
	cmd.Flags().Lookup("type").Usage = "what it `is`"
	root.AddCommand(cmd)
	return cmd
}

func TestHelpIsOneScreen(t *testing.T) {
	cmd := testCommand()
	got := Help(cmd, Columns, false)
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) > screen {
		t.Errorf("%d lines:\n%s", len(lines), got)
	}
	for _, l := range lines {
		if terminal.Columns(l) > Columns {
			t.Errorf("%d columns: %q", terminal.Columns(l), l)
		}
	}
	for _, want := range []string{"It is washed in warm water.", "Usage: strata wash THING", "-t, --type IS", "(default 1,000,000,000)", "strata wash cup  # the usual way", "strata help wash --long"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, unwanted := range []string{"quiet", "wool", "json", "--help "} {
		if strings.Contains(got, unwanted) {
			t.Errorf("%q in\n%s", unwanted, got)
		}
	}
	whole := Help(cmd, Columns, true)
	for _, want := range []string{"fewer for wool", "strata wash .hidden"} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %q in the whole help\n%s", want, whole)
		}
	}
	for line := range strings.Lines(Help(cmd, 20, false)) {
		if terminal.Columns(strings.TrimRight(line, "\n")) > 20 && len(strings.Fields(line)) > 1 {
			t.Errorf("more than 20 columns: %q", line)
		}
	}
}

// Where flags alone fill a screen, those declared last are said in a line each, and an
// example stands there only if it has room. Everything is in the whole help.
func TestManyFlagsAreSaidInShort(t *testing.T) {
	for _, flags := range []int{12, 14, 17} {
		cmd := testCommand()
		cmd.Flags().String("first", "", "what comes first of all: a date, a time of the day, or a word such as yesterday")
		for i := 4; i <= flags; i++ {
			cmd.Flags().String(fmt.Sprintf("flag-%02d", i), "", "what it is for (default: washing), said in so many words that one line is too short")
		}
		cmd.Flags().SortFlags = false
		got := Help(cmd, Columns, false)
		if lines := strings.Count(got, "\n"); lines > rows {
			t.Errorf("%d flags: %d lines:\n%s", flags, lines, got)
		}
		if !strings.Contains(got, fmt.Sprintf("--flag-%02d STRING  what it is for\n", flags)) {
			t.Errorf("the last of %d flags in\n%s", flags, got)
		}
		for text, most := range map[string]int{"such as yesterday": 12, "strata wash cup": 14} {
			if want := flags <= most; strings.Contains(got, text) != want {
				t.Errorf("%d flags: want %q: %t\n%s", flags, text, want, got)
			}
		}
		if whole := Help(cmd, Columns, true); strings.Count(whole, "line is too short") != flags-3 || !strings.Contains(whole, "strata wash cup") {
			t.Errorf("the whole help:\n%s", whole)
		}
	}
}

func TestPagesOfTheManual(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	n, err := WritePages(testCommand().Root(), dir, "0  success\n")
	if err != nil || n != 2 {
		t.Fatalf("%d pages, %v", n, err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "strata-wash.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{".TH STRATA\\-WASH 1\n", "strata\\-wash \\- Wash a thing\n", "With \\-o json", ".B \\-\\-speed FLOAT\n", ".B strata wash .hidden\n"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if got, want := roff(".start\n'end \\x"), "\\&.start\n\\&'end \\ex"; got != want {
		t.Errorf("roff writes %q, want %q", got, want)
	}
}
