package contextmgr

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/token"
)

// In a window of any size, what must stay as it was said is in every request word for
// word, whatever leaves between: after each compaction, and where turns are left out
// without one. Of more than has room, what goes last is.
func TestWhatMustStayExactIsInEveryRequest(t *testing.T) {
	t.Parallel()
	first, n := conversations(t)
	n = max(n/12, 1)
	for _, window := range []int{2000, 4096, 8192} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			t.Parallel()
			requests, compactions, whole, lost := 0, 0, 0, 0
			for seed := first; seed < first+n; seed++ {
				k := newKeeping(t, seed, window)
				if err := k.hold(); err != nil {
					t.Errorf("STRATA_SEED=%d: %v", seed, err)
				}
				requests, whole, lost = requests+k.requests, whole+k.whole, lost+k.lost
				compactions += len(all[Compacted](k.harness))
			}
			t.Logf("%d conversations from seed %d: %d requests, %d compactions; %d requests with room for every line; %d lack one that has room",
				n, first, requests, compactions, whole, lost)
			if n > 1 && (compactions < 10 || whole < requests/4) {
				t.Error("the conversations reach too little")
			}
		})
	}
}

// keeping is a conversation that says what must stay as it is, and then much else.
type keeping struct {
	*harness
	rng  *rand.Rand
	said []planting
	// requests were made, whole of them with room for every line; lost lack a line that
	// has room.
	requests, whole, lost int
}

// planting is a sentence that must stay, and the turn that said it.
type planting struct {
	text string
	seq  int64
}

func newKeeping(t *testing.T, seed uint64, window int) *keeping {
	k := &keeping{rng: rand.New(rand.NewPCG(seed, uint64(window)))}
	k.harness = open(t, func(o *Options) {
		o.Window, o.Background = window, k.rng.IntN(2) == 0
		o.Counter = []Counter{bytesCounter{}, token.ForModel("some-model")}[k.rng.IntN(2)]
		o.Snapshot = strings.Repeat("- a line of the snapshot\n", k.rng.IntN(window/8)) // cut to half of the window
		o.spawn = func(work func()) { work() }
	})
	k.memory.hits = func(RecallRequest) ([]strata.Hit, error) {
		var hits []strata.Hit
		for range k.rng.IntN(4) {
			hits = append(hits, strata.Hit{ID: fmt.Sprintf("fact_%d", k.rng.IntN(500)), Text: k.filler(1 + k.rng.IntN(60))})
		}
		return hits, nil
	}
	return k
}

// hold says what must stay, and then much else, and returns what the first request lacks
// that lacks something.
func (k *keeping) hold() (err error) {
	lines := k.lines()
	if k.rng.IntN(4) == 0 { // more than has room
		for range 8 {
			lines = append(lines, k.lines()...)
		}
	}
	k.exchange("Hello there.", &err)
	for _, line := range lines {
		k.said = append(k.said, planting{line, k.win.last() + 1})
		if !strings.HasPrefix(line, "No") && k.rng.IntN(3) == 0 { // a correction comes first
			line = k.filler(k.rng.IntN(200)) + " " + line + " " + k.filler(k.rng.IntN(200))
		}
		k.exchange(line, &err)
	}
	for range 40 {
		words := 20 + k.rng.IntN(380)
		if k.rng.IntN(12) == 0 {
			words = k.opt.Window / 3
		}
		k.exchange(k.filler(words), &err)
	}
	return err
}

// lines are what must stay as it was said, in a random order.
func (k *keeping) lines() []string {
	n := k.rng.IntN(9000) + 1000
	lines := []string{
		"Always answer in French from now on.",
		fmt.Sprintf("Never push to branch release/zeta-%d without asking.", n),
		fmt.Sprintf("The log lies in /var/opt/quux/app-%d.log, ticket is PROJ-%d.", n, n),
		fmt.Sprintf("No, the port is %d, not 8080.", n),
		fmt.Sprintf("TODO: rotate the frobnitz certificate %d.", n),
		fmt.Sprintf("No, not port 8080: the port is %d.", n+1),
		fmt.Sprintf("No! Use port %d instead.", n+2),
	}
	k.rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return lines
}

// filler is n words that are none of a rule, a correction, a task or a name.
func (k *keeping) filler(n int) string {
	words := []string{"harbor", "lantern", "meadow", "copper", "quiet", "river", "morning", "orchard", "ribbon", "walnut", "timber", "window"}
	var b strings.Builder
	b.WriteString("Tell me of the")
	for i := range n {
		b.WriteString(" " + words[k.rng.IntN(len(words))])
		if i%12 == 11 {
			b.WriteString(".")
		}
	}
	return b.String() + " here."
}

// exchange says something, checks the request, and answers. Err is set where it is nil
// and the request lacks a line.
func (k *keeping) exchange(text string, err *error) {
	if k.rng.IntN(20) == 0 {
		k.restart()
	}
	k.add(say(strata.RoleUser, text))
	missing := k.missing(shown(k.prompt()))
	k.requests++
	if len(missing) > 0 {
		k.lost++
	}
	if u := k.Usage(); len(missing) > 0 && *err == nil {
		*err = fmt.Errorf("turn %d: %d of %d tokens are in use, and not shown is %q in\n%s", u.Last, u.Total, u.Budget, missing, k.layout())
	}
	k.add(say(strata.RoleAssistant, "Understood."))
}

// missing are the lines that are not shown, though they have room.
func (k *keeping) missing(text string) []string {
	room := k.promised()
	if k.verbatimRoom() < room {
		k.t.Fatalf("%d tokens are kept, %d are promised", k.verbatimRoom(), room)
	}
	for _, p := range k.said {
		room -= k.meter.text("[100] user: "+p.text) + 1
	}
	var out []string
	lacks := func(seq int64, line string) {
		if !strings.Contains(text, line) && !k.shortened(seq) { // of a message that does not fit both ends are shown
			out = append(out, line)
		}
	}
	if room >= 0 {
		k.whole++
		for _, p := range k.said {
			lacks(p.seq, p.text)
		}
		return out
	}
	for _, l := range fitVerbatim(k.verbatim, k.verbatimRoom(), k.meter.text) {
		lacks(l.Seq, headed.ReplaceAllString(l.Text, ""))
	}
	return out
}

// promised is how many tokens are for what stays word for word, as docs/chat.md has it:
// but for the last, by which counts may differ.
func (k *keeping) promised() int {
	u := k.Usage()
	return max(min(u.Budget/8, 4096, (u.Budget*7/10-u.Fixed)/3)-1, 0)
}

// layout says what the window shows, an item on a line.
func (k *keeping) layout() string {
	var b strings.Builder
	for _, it := range k.win.items {
		fmt.Fprintf(&b, "%d-%d kind %d, %d tokens (%d recalled, shortened to %d): %.60q\n", it.from, it.to, it.kind, it.cost, it.noteCost, it.limit, it.text)
	}
	return b.String()
}
