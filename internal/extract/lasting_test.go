package extract_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/extract"
)

// Each line of the file is what somebody says and, behind a tab, what is kept of it;
// nothing where the second column is empty.
func TestWhatLastsIsKept(t *testing.T) {
	f, err := os.Open("testdata/lasting.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		say, want, _ := strings.Cut(lines.Text(), "\t")
		if got := strings.Join(contents(extract.Turns(user(say))), " "); got != want {
			t.Errorf("%q\n got %q\nwant %q", say, got, want)
		}
	}
}

// What is said to be the user's counts once the user agrees, and as the user puts it
// right.
func TestWhatTheUserAgreesTo(t *testing.T) {
	for _, c := range []struct{ assistant, user, want string }{
		{"So you live in Utrecht, right?", "Yes, exactly.", "The user lives in Utrecht."},
		{"So you live in Utrecht, right?", "No.", ""},
		{"So you live in Utrecht, right?", "yes, but I'm moving", ""},
		{"You told me that you have two sons.", "correct", "The user has two sons."},
		{"So your cat Momo is a Siamese?", "no, she's a Maine Coon", "The user's cat Momo is a Maine Coon."},
		{"Shall I always use metric units for you?", "yes please", "Always use metric units."},
		{"Shall I run the tests now?", "yes please", ""},
		{"I live in a data center and my name is Claude.", "nice", ""},
	} {
		turns := user(c.assistant, c.user)
		turns[0].Role = "assistant"
		for _, found := range extract.Turns(turns) {
			if !found.Agreed && strings.HasPrefix(c.user, "yes") {
				t.Errorf("%q, %q: it does not say that the user agreed", c.assistant, c.user)
			}
		}
		if got := strings.Join(contents(extract.Turns(turns)), " "); got != c.want {
			t.Errorf("%q, %q: got %q, want %q", c.assistant, c.user, got, c.want)
		}
	}
}
