package learnings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/learnings"
)

// step is a call with its result, or what the user says where tool is empty.
type step struct {
	tool, arguments string
	failure         string // empty: it went well
}

// turnsOf are steps as the turns of a session.
func turnsOf(steps ...step) []strata.Turn {
	var out []strata.Turn
	for i, s := range steps {
		id := fmt.Sprintf("turn_%d", i)
		if s.tool == "" {
			out = append(out, strata.Turn{ID: id, Role: strata.RoleUser, Text: s.arguments})
			continue
		}
		call := strata.ToolCall{ID: fmt.Sprintf("call_%d", i%3), Name: s.tool, Arguments: s.arguments}
		answer := strata.Turn{ID: id + "r", Role: strata.RoleTool, CallID: call.ID, Text: "done"}
		if s.failure != "" {
			answer.Failed, answer.Text = true, s.failure
		}
		out = append(out, strata.Turn{ID: id, Role: strata.RoleAssistant, Calls: []strata.ToolCall{call}}, answer)
	}
	return out
}

// shown is a recovery in one line: what failed => what worked.
func shown(r learnings.Recovery) string {
	list := func(calls []learnings.Call) string {
		var out []string
		for _, c := range calls {
			out = append(out, c.Arguments)
		}
		return strings.Join(out, " | ")
	}
	return list(r.Failed) + " => " + list(r.Worked)
}

const noNetwork = "Error response from daemon: network web not found"

func TestRecoveries(t *testing.T) {
	sh := func(command, failure string) step { return step{"shell", `{"command":"` + command + `"}`, failure} }
	for _, tt := range []struct {
		name  string
		steps []step
		want  string // empty: none
	}{
		{"another flag", []step{sh("docker compose up", noNetwork), sh("docker compose up --no-deps", "")},
			`{"command":"docker compose up"} => {"command":"docker compose up --no-deps"}`},
		{"what was needed before", []step{sh("docker compose up", noNetwork), sh("docker network create web", ""), sh("docker compose up -d", "")},
			`{"command":"docker compose up"} => {"command":"docker network create web"} | {"command":"docker compose up -d"}`},
		{"two failures", []step{sh("python x.py --out a", "python: command not found"), sh("python2 x.py --out a", "python2: command not found"), sh("python3 x.py --out a", "")},
			`{"command":"python x.py --out a"} | {"command":"python2 x.py --out a"} => {"command":"python3 x.py --out a"}`},
		{"a wrapper", []step{sh("tsc -p web", "tsc: command not found"), sh("npx tsc -p web", "")},
			`{"command":"tsc -p web"} => {"command":"npx tsc -p web"}`},
		{"the user helps", []step{sh("psql -p 5432 shop", "role anna does not exist"), {arguments: "use the role shop"}, sh("psql -p 5432 -U shop shop", "")},
			`{"command":"psql -p 5432 shop"} => {"command":"psql -p 5432 -U shop shop"}`},
		{"a value that the error names", []step{{"weather", `{"city":"Paris","unit":"kelvin"}`, "unknown unit: use celsius or fahrenheit"}, {"weather", `{"city":"Paris","unit":"celsius"}`, ""}},
			`{"city":"Paris","unit":"kelvin"} => {"city":"Paris","unit":"celsius"}`},
		{"a number that the error names", []step{{"find", `{"query":"tiles","limit":1000}`, "limit is too large"}, {"find", `{"query":"tiles","limit":100}`, ""}},
			`{"limit":1000,"query":"tiles"} => {"limit":100,"query":"tiles"}`},
		{"another kind of value", []step{{"find", `{"query":"tiles","limit":"ten"}`, "cannot unmarshal string into a number"}, {"find", `{"query":"tiles","limit":10}`, ""}},
			`{"limit":"ten","query":"tiles"} => {"limit":10,"query":"tiles"}`},
		{"an argument that was missing", []step{{"open", `{}`, "the field path is required"}, {"open", `{"path":"a.go"}`, ""}},
			`{} => {"path":"a.go"}`},
		{"an argument too many", []step{{"open", `{"path":"notes/a.md","mode":"fast"}`, "unexpected keyword argument mode"}, {"open", `{"path":"notes/a.md"}`, ""}},
			`{"mode":"fast","path":"notes/a.md"} => {"path":"notes/a.md"}`},
		{"the right directory", []step{{"read", `{"path":"a.go"}`, "no such file or directory"}, {"list", `{"path":"."}`, ""}, {"read", `{"path":"src/a.go"}`, ""}},
			`{"path":"a.go"} => {"path":"src/a.go"}`},
		{"no JSON", []step{{"sql", "select a from t", "no such column a in t"}, {"sql", "select b from t", ""}},
			"select a from t => select b from t"},
		{"the last line of a traceback", []step{sh("x run a", "Traceback (most recent call last):\\n  File x\\nKeyError: missing table"), sh("x run a --new", "")},
			`{"command":"x run a"} => {"command":"x run a --new"}`},

		{"told otherwise", []step{{"Bash", `{"command":"docker compose up","description":"Start the shop"}`, "<tool_use_error>" + noNetwork + "</tool_use_error>"},
			{"Bash", `{"command":"docker compose up -d","description":"Try in the background"}`, ""}},
			`{"command":"docker compose up"} => {"command":"docker compose up -d"}`},
		{"signs of a shell", []step{sh("cd shop && make <in >out", "make: no rule to make target"), sh("cd shop && make all <in >out", "")},
			`{"command":"cd shop && make <in >out"} => {"command":"cd shop && make all <in >out"}`},
		{"a command as a list", []step{{"exec", `{"command":["bash","-lc","docker compose up"],"workdir":"/srv"}`, noNetwork}, {"exec", `{"command":["bash","-lc","docker compose up -d"],"workdir":"/srv"}`, ""}},
			`{"command":["bash","-lc","docker compose up"],"workdir":"/srv"} => {"command":["bash","-lc","docker compose up -d"],"workdir":"/srv"}`},
		{"another command as a list", []step{{"exec", `{"command":["bash","-lc","docker compose up"],"workdir":"/srv"}`, noNetwork}, {"exec", `{"command":["bash","-lc","cat README.md"],"workdir":"/srv"}`, ""}}, ""},

		{"made again, told otherwise", []step{{"Bash", `{"command":"docker compose up","description":"Start the shop"}`, noNetwork}, {"Bash", `{"command":"docker compose up","description":"Try again"}`, ""}}, ""},
		{"made again as it was", []step{sh("docker compose up", noNetwork), sh("docker compose up", "")}, ""},
		{"it worked as it was, then otherwise", []step{sh("docker compose up", noNetwork), sh("docker compose up", ""), sh("docker compose up -d", "")}, ""},
		{"another tool", []step{sh("docker compose up", noNetwork), {"browser", `{"command":"docker compose up -d"}`, ""}}, ""},
		{"another subject", []step{{"weather", `{"city":"Pariss","unit":"celsius"}`, "there is no city of this name"}, {"weather", `{"city":"Rome","unit":"celsius"}`, ""}}, ""},
		{"another command", []step{sh("cat notes.txt", "notes.txt: permission denied"), sh("rm notes.txt", "")}, ""},
		{"another file", []step{{"read", `{"path":"src/a.go"}`, "no such file or directory"}, {"read", `{"path":"src/b.go"}`, ""}}, ""},
		{"something was changed meanwhile", []step{sh("go test ./a", "undefined: missing function"), {"Edit", `{"file_path":"a/a.go"}`, ""}, sh("go test ./a -v", "")}, ""},
		{"much else was done meanwhile", []step{sh("docker compose up", noNetwork), sh("ls", ""), sh("pwd", ""), sh("date", ""), sh("id", ""), sh("env", ""), sh("docker compose up -d", "")}, ""},
		{"it never worked", []step{sh("docker compose up", noNetwork), sh("docker compose up -d", noNetwork)}, ""},
		{"a failure that passes", []step{sh("curl a.example", "curl: connection timed out after a while"), sh("curl a.example -v", "")}, ""},
		{"a call that was not made", []step{sh("docker compose up", "not run: the user interrupted"), sh("docker compose up -d", "")}, ""},
		{"an error that says nothing", []step{sh("grep foo a.txt", "exit code 1"), sh("grep fo a.txt", "")}, ""},
		{"no result", []step{sh("docker compose up", ""), sh("docker compose up -d", "")}, ""},
		{"arguments that are a text of their own", []step{sh("echo a "+strings.Repeat("x", 1000), noNetwork), sh("echo b "+strings.Repeat("x", 1000), "")}, ""},
		{"a switch alone in common", []step{{"run", `{"job":"build","dry":true}`, "no such job is defined"}, {"run", `{"task":"clean","dry":true}`, ""}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, r := range learnings.Recoveries(turnsOf(tt.steps...)) {
				got += shown(r)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Whatever else is called in between and around it, the same learning is learned, and no
// other; what is unrelated gives none.
func TestRecoveriesAmongNoise(t *testing.T) {
	noise := rapid.SampledFrom([]step{
		{"clock", `{}`, ""}, {"clock", `{}`, "exit code 1"}, {"list", `{"path":"docs"}`, ""}, {"read", `{"path":"docs/a.md"}`, ""},
		{"read", `{"path":"docs/missing.md"}`, "no such file or directory"}, {arguments: "what does it say?"}, {"shell", `{"command":"uptime"}`, ""},
		{"shell", `{"command":"make lint"}`, "deadline exceeded"},
	})
	failed, worked := step{"shell", `{"command":"docker compose up"}`, noNetwork}, step{"shell", `{"command":"docker compose up --no-deps"}`, ""}
	rapid.Check(t, func(t *rapid.T) {
		before, between, after := rapid.SliceOfN(noise, 0, 6).Draw(t, "before"), rapid.SliceOfN(noise, 0, 4).Draw(t, "between"), rapid.SliceOfN(noise, 0, 6).Draw(t, "after")
		if got := learnings.Recoveries(turnsOf(slices.Concat(before, between, after)...)); len(got) != 0 {
			t.Fatalf("of noise: %+v", got)
		}
		turns := turnsOf(slices.Concat(before, []step{failed}, between, []step{worked}, after)...)
		got := learnings.Recoveries(turns)
		if len(got) != 1 || shown(got[0]) != `{"command":"docker compose up"} => {"command":"docker compose up --no-deps"}` {
			t.Fatalf("got %+v", got)
		}
		for i := range turns {
			if turns[i].Role == strata.RoleTool && turns[i].Failed && turns[i].Text == noNetwork {
				turns[i].Forgotten, turns[i].Text = true, strata.ForgottenText
			}
		}
		if got := learnings.Recoveries(turns); len(got) != 0 {
			t.Fatalf("of what was forgotten: %+v", got)
		}
	})
}

// Any sequence of turns gives recoveries within their bounds, the same every time.
func TestRecoveriesAreBoundedAndTheSame(t *testing.T) {
	arguments := rapid.OneOf(rapid.SampledFrom([]string{"", "null", "{}", `{"a":1}`, `{"a":"x y"}`, `{"a":"x y z"}`, `{"a":["x"]}`, "[1]", "x y", `{"a":`}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		var steps []step
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			steps = append(steps, step{
				tool: rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "tool"), arguments: arguments.Draw(t, "arguments"),
				failure: rapid.OneOf(rapid.Just(""), rapid.Just("no such thing there"), rapid.String()).Draw(t, "failure"),
			})
		}
		turns := turnsOf(steps...)
		got := learnings.Recoveries(turns)
		for _, r := range got {
			if len(r.Failed) == 0 || len(r.Failed) > 5 || len(r.Worked) == 0 || len(r.Worked) > 5 || r.Error() == "" || len([]rune(r.Error())) > 200 || !slices.IsSorted(r.Turns) {
				t.Fatalf("%+v", r)
			}
			for _, c := range append(slices.Clone(r.Failed), r.Worked...) {
				if len(c.Arguments) > 1000 && c.Error == "" {
					t.Fatalf("%d bytes of arguments", len(c.Arguments))
				}
			}
		}
		if again := learnings.Recoveries(turns); fmt.Sprint(again) != fmt.Sprint(got) {
			t.Fatalf("%v, then %v", got, again)
		}
	})
}

// What differs from one day to the next does not make another learning of a failure.
func TestRecoveriesOfOneCauseHaveOneKey(t *testing.T) {
	of := func(failure string) learnings.Recovery {
		got := learnings.Recoveries(turnsOf(step{"Shell", `{"command":"docker compose up"}`, failure}, step{"shell", `{"command":"docker compose up -d"}`, ""}))
		if len(got) != 1 {
			t.Fatalf("%q: %+v", failure, got)
		}
		return got[0]
	}
	a, b := of("open /home/anna/x.yml: no such file, line 12"), of("open /srv/shop/y.yml: no such file, line 7")
	if a.Key() != b.Key() || a.Cause() != "open PATH: no such file, line N" {
		t.Errorf("%q and %q", a.Cause(), b.Cause())
	}
	if other := of("permission denied by the kernel"); other.Key() == a.Key() {
		t.Errorf("%q has the key of %q", other.Cause(), a.Cause())
	}
}
