package config

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

func TestTheStrongestSourceWins(t *testing.T) {
	home := t.TempDir()
	write(t, home, "agent = 'from-file'\nmax_results = 20\noutput = 'json'\n")
	env := map[string]string{"STRATA_HOME": home, "STRATA_AGENT": "from-env", "STRATA_MAX_RESULTS": "30"}
	c, err := Load(Inputs{
		Flags:  map[string]string{Agent: "from-flag"},
		Getenv: func(name string) string { return env[name] },
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Value{
		{Name: Home, Value: home, Source: FromEnv, Origin: "STRATA_HOME"},
		{Name: Workspace, Source: FromDefault},
		{Name: Agent, Value: "from-flag", Source: FromFlag, Origin: "--agent"},
		{Name: Scope, Source: FromDefault},
		{Name: Output, Value: "json", Source: FromFile, Origin: filepath.Join(home, FileName)},
		{Name: MaxResults, Value: "30", Source: FromEnv, Origin: "STRATA_MAX_RESULTS"},
		{Name: EmbedTimeout, Value: "2s", Source: FromDefault},
		{Name: BusyTimeout, Value: "10s", Source: FromDefault},
		{Name: LogLevel, Value: "warn", Source: FromDefault},
		{Name: NoIngest, Source: FromDefault},
		{Name: Links, Source: FromDefault},
		{Name: Server, Value: "auto", Source: FromDefault},
		{Name: HookServer, Value: "30m", Source: FromDefault},
		{Name: Backup, Value: "off", Source: FromDefault},
		{Name: BackupKeep, Value: "7", Source: FromDefault},
		{Name: BackupMaxMiB, Value: "2048", Source: FromDefault},
		{Name: Model, Source: FromDefault},
		{Name: SmallModel, Source: FromDefault},
		{Name: BaseURL, Source: FromDefault},
		{Name: Window, Source: FromDefault},
		{Name: APIKeyEnv, Value: "OPENAI_API_KEY", Source: FromDefault},
		{Name: ExtractIdle, Value: "10m", Source: FromDefault},
		{Name: Embedder, Source: FromDefault},
		{Name: EmbedderURL, Source: FromDefault},
		{Name: Dream, Value: "on", Source: FromDefault},
		{Name: DreamEvery, Value: "24h", Source: FromDefault},
		{Name: DreamSessions, Value: "5", Source: FromDefault},
		{Name: DreamFacts, Value: "50", Source: FromDefault},
		{Name: DreamMinScore, Value: "0.35", Source: FromDefault},
		{Name: DreamMinRecalls, Value: "3", Source: FromDefault},
		{Name: DreamMinQuestions, Value: "2", Source: FromDefault},
		{Name: DreamPromotions, Value: "20", Source: FromDefault},
		{Name: DreamWeights, Value: "0.24, 0.30, 0.15, 0.15, 0.10, 0.06", Source: FromDefault},
		{Name: DreamSkillIdle, Value: "4320h", Source: FromDefault},
		{Name: ArchiveAfter, Value: "off", Source: FromDefault},
		{Name: DailyArchiveAfter, Value: "off", Source: FromDefault},
		{Name: DiskBudgetMiB, Source: FromDefault},
		{Name: ModelCallsPerDay, Value: "5000", Source: FromDefault},
		{Name: ModelTokensPerDay, Value: "10000000", Source: FromDefault},
	}
	got := c.Values()
	if len(got) != len(want) {
		t.Fatalf("%d settings, want %d", len(got), len(want))
	}
	for i := range want {
		got[i].Doc = ""
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
	if c.Duration(BusyTimeout) != 10*time.Second || c.Duration(Agent) != 0 {
		t.Errorf("Duration(busy_timeout) = %v, Duration(agent) = %v", c.Duration(BusyTimeout), c.Duration(Agent))
	}
	if c.Int(MaxResults) != 30 || c.Get("nothing") != "" {
		t.Errorf("Int(max_results) = %d, Get(nothing) = %q", c.Int(MaxResults), c.Get("nothing"))
	}
}

func TestDefaultsWithoutAnySource(t *testing.T) {
	user := t.TempDir()
	c, err := Load(Inputs{Getenv: none, UserHome: user})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Get(Home), filepath.Join(user, ".strata"); got != want {
		t.Errorf("home = %q, want %q", got, want)
	}
	if c.Get(Output) != "table" || c.Int(MaxResults) != 10 || Level(c.Get(LogLevel)) != slog.LevelWarn {
		t.Errorf("defaults = %+v", c.Values())
	}
	if _, err := Load(Inputs{Getenv: none}); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("without any home: %v, want invalid", err)
	}
}

func TestTheHomeBecomesAbsolute(t *testing.T) {
	t.Chdir(t.TempDir())
	c, err := Load(Inputs{Flags: map[string]string{Home: "here"}, Getenv: none})
	if err != nil {
		t.Fatal(err)
	}
	if !filepath.IsAbs(c.Get(Home)) || filepath.Base(c.Get(Home)) != "here" {
		t.Errorf("home = %q", c.Get(Home))
	}
}

func TestABadFileIsRefusedWithItsPlace(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"unknown key", "agent = 'a'\ncolour = 'red'\n", `:2:1: no such setting: "colour"`},
		{"unknown table", "[embed]\nmodel = 'x'\n", "no such setting"},
		{"home in the file", "home = '/x'\n", `no such setting: "home"`},
		{"wrong type", "max_results = 'ten'\n", ":1:"},
		{"number as text", "agent = 5\n", ":1:"},
		{"broken syntax", "agent = \n", ":1:"},
		{"twice", "agent = 'a'\nagent = 'b'\n", ":2:"},
		{"bad value", "output = 'xml'\n", `output cannot be "xml"`},
		{"limit too high", "max_results = 1001\n", "from 1 to 1000"},
		{"limit zero", "max_results = 0\n", "from 1 to 1000"},
		{"no unit", "busy_timeout = '10'\n", "use a duration"},
		{"negative timeout", "embed_timeout = '-2s'\n", "use a duration"},
		{"endless timeout", "embed_timeout = '9000h'\n", "at most 1h"},
		{"agent is a path", "agent = '../x'\n", "must not be a path"},
		{"model without protocol", "model = 'qwen3:4b'\n", "use ollama:NAME or openai:NAME"},
		{"tiny window", "window = 100\n", "from 2048"},
		{"a key for a variable", "api_key_env = 'sk-proj-abc'\n", "never the key"},
		{"too long", strings.Repeat("# x\n", maxFile/4+1), "longer than 1 MiB"},
		{"not UTF-8", "agent = '\xff'\n", ":1:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			write(t, home, tt.text)
			_, err := Load(Inputs{Flags: map[string]string{Home: home}, Getenv: none})
			if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Load = %v; want invalid with %q", err, tt.want)
			}
			if !strings.Contains(err.Error(), filepath.Join(home, FileName)) {
				t.Errorf("%q does not name the file", err)
			}
		})
	}
}

func TestTheFileIsLeftUnreadWhenAsked(t *testing.T) {
	home := t.TempDir()
	write(t, home, "broken")
	if _, err := Load(Inputs{Flags: map[string]string{Home: home}, Getenv: none, NoFile: true}); err != nil {
		t.Fatal(err)
	}
}

func TestABadValueNamesItsSource(t *testing.T) {
	home := t.TempDir()
	env := func(name string) string { return map[string]string{"STRATA_MAX_RESULTS": "many"}[name] }
	_, err := Load(Inputs{Flags: map[string]string{Home: home}, Getenv: env})
	if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), "STRATA_MAX_RESULTS") {
		t.Errorf("Load = %v; want invalid that names STRATA_MAX_RESULTS", err)
	}
}

func TestSettingsAreDeclaredWell(t *testing.T) {
	seen := make(map[string]bool)
	for _, s := range Settings() {
		if s.Doc == "" || seen[s.Name] {
			t.Errorf("setting %q has no doc or is declared twice", s.Name)
		}
		seen[s.Name] = true
		if want := "STRATA_" + strings.ToUpper(s.Name); s.Env != want && s.Name != Links {
			t.Errorf("setting %s is read from %s, want %s", s.Name, s.Env, want)
		}
		if s.Default != "" {
			if err := s.check(s.Default); err != nil {
				t.Errorf("the default of %s: %v", s.Name, err)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("agent = 'a'\nmax_results = 5\n"))
	f.Add([]byte("[a.b]\nc = [1, 2]\n"))
	f.Add([]byte("\xff\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		values, err := parse("config.toml", data)
		if err != nil {
			if strata.CodeOf(err) != strata.CodeInvalid {
				t.Errorf("code %s, want invalid: %v", strata.CodeOf(err), err)
			}
			return
		}
		for name := range values {
			if !strings.Contains(" "+strings.Join(fileKeys(), " ")+" ", " "+name+" ") {
				t.Errorf("value of unknown setting %q", name)
			}
		}
	})
}

func none(string) string { return "" }

func write(t *testing.T, home, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(home, FileName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestHookServerIsADurationOrOff(t *testing.T) {
	for value, ok := range map[string]bool{"off": true, "1m": true, "24h": true, "59s": false, "25h": false, "on": false, "-1h": false} {
		if err := checkHookServer(value); (err == nil) != ok {
			t.Errorf("%s: %v", value, err)
		}
	}
}
