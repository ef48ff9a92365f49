package snapshot_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
)

// monday is a session with a tool call, an image, a failure and a redaction.
func monday() (strata.Session, []strata.Turn) {
	closed := noon.Add(time.Hour)
	s := strata.Session{ID: "monday", Scope: work, Kind: strata.SessionMain, StartedAt: noon, ClosedAt: &closed, Turns: 5}
	turns := []strata.Turn{
		{ID: "turn_1", Seq: 1, Role: strata.RoleUser, Text: "What is on this <picture>?\nSay it in one word.",
			Images: []strata.Image{{MediaType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n\x00\xff")}}},
		{ID: "turn_2", Seq: 2, Role: strata.RoleAssistant, Text: "",
			Calls: []strata.ToolCall{{ID: "c1", Name: "look", Arguments: `{"at": "it"`}, {ID: "c2", Name: "now"}}},
		{ID: "turn_3", Seq: 3, Role: strata.RoleTool, Text: "no such file\u2028", CallID: "c1", Tool: "look", Failed: true},
		{ID: "turn_4", Seq: 4, Role: strata.RoleTool, Text: "12:00", CallID: "c2", Tool: "now"},
		{ID: "turn_5", Seq: 7, Role: strata.RoleUser, Speaker: "Ana", Text: "the key is [redacted:aws-access-key]", Redacted: 1},
	}
	for i := range turns {
		turns[i].Session, turns[i].Scope = s.ID, s.Scope
		turns[i].At = noon.Add(time.Duration(i) * time.Second)
		turns[i].RecordedAt = turns[i].At.Add(1234567 * time.Nanosecond)
	}
	return s, turns
}

func ledger(t testing.TB, s strata.Session, turns []strata.Turn) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := snapshot.WriteLedger(&b, s, turns); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestLedgerBytes(t *testing.T) {
	s, turns := monday()
	golden(t, "ledger.jsonl", ledger(t, s, turns))
}

func TestLedgerReadsBackWhatWasWritten(t *testing.T) {
	s, turns := monday()
	got, gotTurns, err := snapshot.ReadLedger(iotest.OneByteReader(bytes.NewReader(ledger(t, s, turns))))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, s) || !reflect.DeepEqual(gotTurns, turns) {
		t.Errorf("read\n%+v\n%+v\nwant\n%+v\n%+v", got, gotTurns, s, turns)
	}
}

func TestLedgerDoesNotDependOnTheTimeZone(t *testing.T) {
	s, turns := monday()
	want := ledger(t, s, turns)
	zone := time.FixedZone("", -7*3600)
	s.StartedAt = s.StartedAt.In(zone)
	for i := range turns {
		turns[i].At = turns[i].At.In(zone)
	}
	s.Turns = 0 // stands for the count
	if got := ledger(t, s, turns); !bytes.Equal(got, want) {
		t.Errorf("the bytes differ:\n%s\n%s", got, want)
	}
}

func TestLedgerOfAnEmptySession(t *testing.T) {
	s := strata.Session{ID: "empty", Scope: strata.Global()}
	got, turns, err := snapshot.ReadLedger(bytes.NewReader(ledger(t, s, nil)))
	if err != nil || turns != nil || got.Kind != strata.SessionMain || got.ID != "empty" {
		t.Errorf("read %+v, %v, %v", got, turns, err)
	}
}

func TestDamagedLedgersAreRefusedWithTheLine(t *testing.T) {
	s, turns := monday()
	whole := string(ledger(t, s, turns))
	lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
	join := func(parts ...string) string { return strings.Join(parts, "") }
	swap := func(old, new string) string { return strings.Replace(whole, old, new, 1) }
	for _, tt := range []struct {
		name, in string
		code     strata.Code
		line     string
	}{
		{"nothing", "", strata.CodeCorrupt, "1"},
		{"not a ledger", `{"format":"strata-export","version":1}` + "\n", strata.CodeCorrupt, "1"},
		{"not JSON", "hello\n", strata.CodeCorrupt, "1"},
		{"newer version with unknown fields", swap(`"version":1`, `"version":2,"mood":"good"`), strata.CodeNewerVersion, "1"},
		{"version 0", swap(`"version":1`, `"version":0`), strata.CodeCorrupt, "1"},
		{"unknown field of the session", swap(`"version":1`, `"version":1,"mood":"good"`), strata.CodeCorrupt, "1"},
		{"no scope", swap(work.Key(), "nowhere"), strata.CodeCorrupt, "1"},
		{"unknown kind", swap(`"kind":"main"`, `"kind":"party"`), strata.CodeCorrupt, "1"},
		{"negative count", swap(`"turns":5`, `"turns":-5`), strata.CodeCorrupt, "1"},
		{"last line cut off", whole[:len(whole)-1], strata.CodeCorrupt, "6"},
		{"cut within a line", whole[:len(whole)-20], strata.CodeCorrupt, "6"},
		{"cut between two lines", join(lines[:4]...), strata.CodeCorrupt, "5"},
		{"one turn too many", join(whole, strings.Replace(lines[5], `"seq":7`, `"seq":8`, 1), "\n"), strata.CodeCorrupt, "7"},
		{"empty line", join(lines[0], "\n", join(lines[1:]...), "\n"), strata.CodeCorrupt, "2"},
		{"empty line at the end", whole + "\n", strata.CodeCorrupt, "7"},
		{"unknown field of a turn", swap(`"seq":3`, `"seq":3,"mood":"good"`), strata.CodeCorrupt, "4"},
		{"two objects on a line", swap(`"redacted":1}`, `"redacted":1}{}`), strata.CodeCorrupt, "6"},
		{"a list", join(lines[0], "[1]\n"), strata.CodeCorrupt, "2"},
		{"number used twice", swap(`"seq":3`, `"seq":2`), strata.CodeCorrupt, "4"},
		{"number 0", swap(`"seq":1`, `"seq":0`), strata.CodeCorrupt, "2"},
		{"unknown role", swap(`"role":"tool"`, `"role":"oracle"`), strata.CodeCorrupt, "4"},
		{"broken image", swap(`"data":"iVBO`, `"data":"iVB!`), strata.CodeCorrupt, "2"},
		{"bytes that are no text", swap(`no such file`, "no such \xff\xfe"), strata.CodeCorrupt, "4"},
		{"broken time", swap(`2026-03-14T12:00:02Z`, `2026-13-14T12:00:02Z`), strata.CodeCorrupt, "4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.in == whole {
				t.Fatal("the test did not damage the ledger")
			}
			_, turns, err := snapshot.ReadLedger(strings.NewReader(tt.in))
			var e *strata.Error
			if !errors.As(err, &e) || e.Code != tt.code || e.Details["line"] != tt.line || e.Hint == "" {
				t.Fatalf("error %v (%s, %v), want %s in line %s", err, strata.CodeOf(err), e, tt.code, tt.line)
			}
			if !strings.Contains(err.Error(), "line "+tt.line+": ") || turns != nil {
				t.Errorf("error %q, turns %v", err, turns)
			}
		})
	}
}

func TestEveryTruncationOfALedgerIsNoticed(t *testing.T) {
	s, turns := monday()
	whole := ledger(t, s, turns)
	for n := range whole {
		if _, _, err := snapshot.ReadLedger(bytes.NewReader(whole[:n])); strata.CodeOf(err) != strata.CodeCorrupt {
			t.Fatalf("the first %d of %d bytes give %v", n, len(whole), err)
		}
	}
}

func TestLedgerReaderRepeatsItsError(t *testing.T) {
	s, turns := monday()
	whole := ledger(t, s, turns)
	r, err := snapshot.NewLedgerReader(bytes.NewReader(whole[:len(whole)-3]))
	if err != nil || r.Session().ID != "monday" {
		t.Fatal(err)
	}
	read := 0
	for err = nil; err == nil; read++ {
		_, err = r.Next()
	}
	if read != 5 || errors.Is(err, io.EOF) {
		t.Fatalf("%d calls, then %v", read, err)
	}
	if _, again := r.Next(); again != err {
		t.Errorf("after %v came %v", err, again)
	}
}

func TestLedgerReaderPassesOnErrorsOfItsSource(t *testing.T) {
	s, turns := monday()
	whole := ledger(t, s, turns)
	broken := errors.New("broken disk")
	r := io.MultiReader(bytes.NewReader(whole[:len(whole)/2]), iotest.ErrReader(broken))
	if _, _, err := snapshot.ReadLedger(r); !errors.Is(err, broken) || strata.CodeOf(err) == strata.CodeCorrupt {
		t.Errorf("error %v", err)
	}
}

func TestImpossibleSessionsAreNotWritten(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*strata.Session, []strata.Turn)
		code   strata.Code
	}{
		{"turn of another session", func(_ *strata.Session, u []strata.Turn) { u[1].Session = "tuesday" }, strata.CodeInvalid},
		{"turn of another scope", func(_ *strata.Session, u []strata.Turn) { u[1].Scope = strata.Global() }, strata.CodeInvalid},
		{"turns out of order", func(_ *strata.Session, u []strata.Turn) { u[1], u[2] = u[2], u[1] }, strata.CodeInvalid},
		{"fewer turns than counted", func(s *strata.Session, _ []strata.Turn) { s.Turns = 6 }, strata.CodeInvalid},
		{"more turns than counted", func(s *strata.Session, _ []strata.Turn) { s.Turns = 4 }, strata.CodeInvalid},
		{"bytes that are no text", func(_ *strata.Session, u []strata.Turn) { u[1].Calls[0].Arguments = "\xff" }, strata.CodeInvalid},
		{"time beyond JSON", func(_ *strata.Session, u []strata.Turn) { u[0].At = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }, strata.CodeInvalid},
		{"text beyond the limit", func(_ *strata.Session, u []strata.Turn) { u[0].Text = strings.Repeat("x", strata.MaxTurnBytes+1) }, strata.CodeTooLarge},
		{"images beyond the limit", func(_ *strata.Session, u []strata.Turn) {
			u[0].Images[0].Data = make([]byte, snapshot.MaxLedgerLine/4*3+3)
		}, strata.CodeTooLarge},
		{"session without a name", func(s *strata.Session, _ []strata.Turn) { s.ID = "" }, strata.CodeInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, turns := monday()
			tt.change(&s, turns)
			if err := snapshot.WriteLedger(io.Discard, s, turns); strata.CodeOf(err) != tt.code {
				t.Errorf("error %v, want %s", err, tt.code)
			}
		})
	}
}

// fullDisk takes some bytes and then no more.
type fullDisk struct {
	left int
	err  error
}

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.left)
	d.left -= n
	if n < len(p) {
		return n, d.err
	}
	return n, nil
}

func TestOutOfDiskWhileWritingTheLedgerIsReported(t *testing.T) {
	s, turns := monday()
	turns[0].Images[0].Data = make([]byte, 1<<20)
	full := errors.New("no space left on device")
	for _, room := range []int{0, 100, 1 << 19, len(ledger(t, s, turns)) - 1} {
		if err := snapshot.WriteLedger(&fullDisk{room, full}, s, turns); !errors.Is(err, full) {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
}

func TestLedgerRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, turns := drawSession(t)
		var b bytes.Buffer
		if err := snapshot.WriteLedger(&b, s, turns); err != nil {
			t.Fatal(err)
		}
		got, gotTurns, err := snapshot.ReadLedger(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, s) || !reflect.DeepEqual(gotTurns, turns) {
			t.Fatalf("read\n%+v\n%+v\nwant\n%+v\n%+v", got, gotTurns, s, turns)
		}
		var again bytes.Buffer
		if err := snapshot.WriteLedger(&again, got, gotTurns); err != nil || !bytes.Equal(again.Bytes(), b.Bytes()) {
			t.Fatalf("written again (%v):\n%s\nfirst:\n%s", err, again.Bytes(), b.Bytes())
		}
	})
}

func drawSession(t *rapid.T) (strata.Session, []strata.Turn) {
	text := rapid.StringN(0, 60, 200)
	at := func(label string) time.Time {
		return time.Unix(rapid.Int64Range(-60_000_000_000, 250_000_000_000).Draw(t, label), rapid.Int64Range(0, 999_999_999).Draw(t, label+" ns")).UTC()
	}
	s := strata.Session{
		ID: "s", Scope: rapid.SampledFrom([]strata.Scope{strata.Global(), work, strata.ForAgent("bot"), strata.ForAgentIn("w", "bot")}).Draw(t, "scope"),
		Kind:      rapid.SampledFrom([]strata.SessionKind{strata.SessionMain, strata.SessionGroup, strata.SessionSub, strata.SessionSystem}).Draw(t, "kind"),
		StartedAt: at("started"),
	}
	if rapid.Bool().Draw(t, "closed") {
		closed := at("closed at")
		s.ClosedAt = &closed
	}
	var turns []strata.Turn
	seq := int64(0)
	for i := range rapid.IntRange(0, 8).Draw(t, "turns") {
		seq += rapid.Int64Range(1, 3).Draw(t, "step")
		u := strata.Turn{
			ID: fmt.Sprint("turn_", i), Scope: s.Scope, Session: s.ID, Seq: seq, Speaker: text.Draw(t, "speaker"), Text: text.Draw(t, "text"),
			Role:   rapid.SampledFrom([]strata.Role{strata.RoleUser, strata.RoleAssistant, strata.RoleSystem, strata.RoleTool}).Draw(t, "role"),
			CallID: text.Draw(t, "call"), Tool: text.Draw(t, "tool"), Failed: rapid.Bool().Draw(t, "failed"),
			At: at("at"), RecordedAt: at("recorded"), Redacted: rapid.IntRange(0, 3).Draw(t, "redacted"), Forgotten: rapid.Bool().Draw(t, "forgotten"),
		}
		for range rapid.IntRange(0, 2).Draw(t, "images") {
			u.Images = append(u.Images, strata.Image{MediaType: text.Draw(t, "type"), Data: rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "data")})
		}
		for range rapid.IntRange(0, 2).Draw(t, "calls") {
			u.Calls = append(u.Calls, strata.ToolCall{ID: text.Draw(t, "id"), Name: text.Draw(t, "name"), Arguments: text.Draw(t, "arguments")})
		}
		turns = append(turns, u)
	}
	s.Turns = int64(len(turns))
	return s, turns
}

func FuzzReadLedger(f *testing.F) {
	s, turns := monday()
	whole := ledger(f, s, turns)
	f.Add(whole)
	f.Add(whole[:len(whole)-7])
	f.Add(bytes.ReplaceAll(whole, []byte(`"seq"`), []byte(`"Seq"`)))
	f.Add([]byte("{\"format\":\"strata-ledger\",\"version\":1,\"session\":\"s\",\"scope\":\"global\",\"turns\":0}\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		s, turns, err := snapshot.ReadLedger(bytes.NewReader(in))
		if err != nil {
			if c := strata.CodeOf(err); c != strata.CodeCorrupt && c != strata.CodeNewerVersion {
				t.Fatalf("%q gives %s: %v", in, c, err)
			}
			return
		}
		var b bytes.Buffer
		if err := snapshot.WriteLedger(&b, s, turns); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		s2, turns2, err := snapshot.ReadLedger(&b)
		if err != nil || s2.ID != s.ID || len(turns2) != len(turns) {
			t.Fatalf("what was written reads as %+v, %d turns, %v", s2, len(turns2), err)
		}
		for i := range turns {
			if turns2[i].Text != turns[i].Text || !turns2[i].At.Equal(turns[i].At) {
				t.Fatalf("turn %d reads as %+v, want %+v", i, turns2[i], turns[i])
			}
		}
	})
}
