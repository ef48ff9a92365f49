//go:build failpoint

package engine_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/llm"
)

// The test binary holds a conversation when this names a home.
const chatterHome = "STRATA_TEST_CHATTER_HOME"

// chatTurns is how many turns the conversation has that is killed.
const chatTurns = 160

// TestChatterProcess is not a test: it is the program of the test below. It
// goes on with the conversation of a home until it has all its turns, and
// prints each turn that is acknowledged and each request that is sent.
func TestChatterProcess(t *testing.T) {
	home := os.Getenv(chatterHome)
	if home == "" {
		return
	}
	e := openHome(t, home)
	said := 0
	talk, mgr := converse(t, e, func(o *contextmgr.Options) {
		o.Model = telling{func(req llm.Request) { fmt.Printf("request %d %s\n", said, fingerprint(t, req)) }}
	})
	for {
		turns, err := talk.Turns(context.Background(), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(turns) >= chatTurns {
			break
		}
		if said = len(turns); said%2 == 0 {
			err = mgr.Append(context.Background(), strata.Turn{Role: strata.RoleUser, Text: chatText(said)})
		} else {
			_, err = mgr.Continue(context.Background())
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("acknowledged %d turns\n", said+1)
	}
	if err := mgr.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	fmt.Println("done")
}

// telling is the model that answers, and tells of each request of the chat.
type telling struct{ tell func(llm.Request) }

func (telling) Model() string { return answering{}.Model() }

func (m telling) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta) error) (llm.Reply, error) {
	if req.Schema == nil && !isSummary(req) {
		m.tell(req)
	}
	return answering{}.Chat(ctx, req, onDelta)
}

// fingerprint is a hash of every byte of a request.
func fingerprint(t *testing.T, req llm.Request) string {
	t.Helper()
	b, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// TestCrashInConversation kills a conversation with SIGKILL at every named
// point of appending, flushing and compacting, and of the writes below them.
// After each kill it goes on as if nothing had been: every request is to the
// byte that of a conversation that was never killed; each acknowledged turn is
// there once; at the end each fact is there once, and doctor finds nothing.
func TestCrashInConversation(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	points := []string{
		failpoint.TurnRecorded, failpoint.FlushExtracted, failpoint.FlushPending,
		failpoint.FlushSaved, failpoint.CompactSummary, failpoint.CompactCommitted,
	}
	for _, p := range writePoints {
		if p != failpoint.WriteRetired { // no fact of it replaces another
			points = append(points, p)
		}
	}
	undisturbed := make(map[int]string)
	out, finished := chatter(t, t.TempDir(), "STRATA_FAILPOINT=none")
	if compareRequests(t, out, undisturbed); !finished || len(undisturbed) != chatTurns/2 {
		t.Fatalf("the conversation that is not killed sends %d requests", len(undisturbed))
	}
	killed := make(map[string]int)
	total := 0
	for home := 0; total < 66; home++ {
		dir := t.TempDir()
		acknowledged, finished := 0, false
		for !finished {
			point := points[total%len(points)]
			most := 2
			if point == failpoint.TurnRecorded {
				most = 12
			}
			var out string
			out, finished = chatter(t, dir, fmt.Sprintf("STRATA_FAILPOINT=%s=%d", point, 1+rng.IntN(most)))
			compareRequests(t, out, undisturbed)
			for line := range strings.Lines(out) {
				var n int
				if _, err := fmt.Sscanf(line, "acknowledged %d turns", &n); err == nil {
					acknowledged = n
				}
			}
			if !finished {
				killed[point]++
				total++
			}
			checkChat(t, dir, acknowledged, finished)
			if t.Failed() {
				t.Fatalf("after %s, kill %d, home %d", point, total, home)
			}
		}
	}
	t.Logf("%d kills: %v", total, killed)
	for _, p := range points {
		if killed[p] == 0 {
			t.Errorf("nothing was killed at %s", p)
		}
	}
}

// chatter runs the conversation of a home until it is killed or done.
func chatter(t *testing.T, home, point string) (out string, finished bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChatterProcess$", "-test.v")
	cmd.Env = append(os.Environ(), chatterHome+"="+home, point)
	b, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != -1 {
		t.Fatalf("the conversation failed instead of being killed at %s: %v\n%s", point, err, b)
	}
	return string(b), err == nil
}

// compareRequests compares the requests that were sent with those known, by
// the number of turns before them, and adds those that are not.
func compareRequests(t *testing.T, out string, known map[int]string) {
	t.Helper()
	for line := range strings.Lines(out) {
		var n int
		var hash string
		if _, err := fmt.Sscanf(line, "request %d %s", &n, &hash); err != nil {
			continue
		}
		if known[n] == "" {
			known[n] = hash
		} else if known[n] != hash {
			t.Errorf("the request after %d turns is another", n)
		}
	}
}

// checkChat compares a home with what was acknowledged.
func checkChat(t *testing.T, home string, acknowledged int, finished bool) {
	t.Helper()
	ctx := context.Background()
	e := openAt(t, filepath.Join(home, "strata.db"))
	defer e.Close()
	talk, _ := converse(t, e, nil)
	turns, err := talk.Turns(ctx, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	// A kill may leave one turn that was recorded and not acknowledged.
	if extra := len(turns) - acknowledged; extra < 0 || extra > 1 {
		t.Errorf("%d turns, %d acknowledged", len(turns), acknowledged)
	}
	for i, u := range turns {
		if u.Seq != int64(i+1) || i%2 == 0 && u.Text != chatText(i) {
			t.Errorf("turn %d is %d: %.80q", i+1, u.Seq, u.Text)
		}
	}
	if len(turns) == 0 {
		return
	}
	facts, err := e.Facts(ctx, strata.Global().View(), strata.FactFilter{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	said := make(map[string]int)
	for _, f := range facts {
		said[f.Text]++
		if said[f.Text] > 1 {
			t.Errorf("%q is there twice", f.Text)
		}
	}
	if finished && len(facts) != chatTurns/2 {
		t.Errorf("%d facts of %d", len(facts), chatTurns/2)
	}
	healthy(t, e)
}
