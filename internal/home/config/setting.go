// Package config declares the settings of the strata command and determines their values.
//
// Each setting is declared once, in [Settings]. Its value comes from the first of these
// that sets it: the flag, the environment variable STRATA_*, config.toml in the home, the
// default. Every [Value] records which one it was. Only the command reads configuration;
// libraries take options.
package config

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/homedir"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// Names of the settings, as used in config.toml and by [Config.Get].
const (
	Home         = "home"
	Workspace    = "workspace"
	Agent        = "agent"
	Scope        = "scope"
	Output       = "output"
	MaxResults   = "max_results"
	EmbedTimeout = "embed_timeout"
	BusyTimeout  = "busy_timeout"
	LogLevel     = "log_level"
	NoIngest     = "no_ingest"
	Links        = "links"
	Server       = "server"
	HookServer   = "hook_server"

	Model      = "model"
	SmallModel = "small_model"
	BaseURL    = "base_url"
	Window     = "window"
	APIKeyEnv  = "api_key_env"

	Backup       = "backup"
	BackupKeep   = "backup_keep"
	BackupMaxMiB = "backup_max_mib"

	ExtractIdle = "extract_idle"

	Embedder    = "embedder"
	EmbedderURL = "embedder_url"
)

// FileName is the name of the settings file inside the home.
const FileName = "config.toml"

// Setting declares one setting.
type Setting struct {
	Name    string // in config.toml, with underscores
	Flag    string // without dashes; empty if the command has no global flag for it
	Local   bool   // only some commands have the flag, and declare it themselves
	Env     string // environment variable; empty: only in config.toml
	Doc     string // one line for people
	Default string // as text; empty: none
	Number  bool   // an integer in config.toml; otherwise a string
	NoFile  bool   // cannot be set in config.toml
	Path    bool   // a path, expanded by [homedir.Expand]
	Paths   bool   // a list of such paths, separated as the system separates path lists
	Enum    []string
	// Check returns an error for a bad value; nil accepts any text. The value is never
	// empty.
	Check func(string) error
}

// Settings returns every setting, in the order in which commands list them.
func Settings() []Setting {
	return slices.Concat([]Setting{
		{
			Name: Home, Flag: "home", Env: homedir.Variable, NoFile: true, Path: true,
			Doc: "directory that holds the memory (default ~/.strata)",
		},
		{
			Name: Workspace, Flag: "workspace", Env: "STRATA_WORKSPACE", Path: true,
			Doc: "project directory or workspace id (default: found from the working directory)",
		},
		{
			Name: Agent, Flag: "agent", Env: "STRATA_AGENT",
			Doc:   "name of the agent whose own memory is also used",
			Check: func(v string) error { return strata.ValidateName("agent", v) },
		},
		{
			Name: Scope, Flag: "scope", Env: "STRATA_SCOPE",
			Doc: "read and write only this scope: global, workspace, agent, agent:global or a canonical key",
		},
		{
			Name: Output, Flag: "output", Env: "STRATA_OUTPUT", Default: "table",
			Doc: "form of the output: table, json or jsonl", Enum: []string{"table", "json", "jsonl"},
		},
		{
			Name: MaxResults, Env: "STRATA_MAX_RESULTS", Default: "10", Number: true,
			Doc: "most hits of recall and search, 1 to 1000", Check: checkCount(MaxResults, 1000),
		},
		{
			Name: EmbedTimeout, Env: "STRATA_EMBED_TIMEOUT", Default: "2s", Check: checkDuration(EmbedTimeout),
			Doc: "how long one embedding may take before the work goes on without it",
		},
		{
			Name: BusyTimeout, Env: "STRATA_BUSY_TIMEOUT", Default: "10s", Check: checkDuration(BusyTimeout),
			Doc: "how long a write waits for other processes",
		},
		{
			Name: LogLevel, Env: "STRATA_LOG_LEVEL", Default: "warn",
			Doc: "lowest level of the log on standard error: debug, info, warn or error", Enum: []string{"debug", "info", "warn", "error"},
		},
		{
			Name: NoIngest, Env: "STRATA_NO_INGEST", Paths: true,
			Doc: "project directories, separated by colons, whose conversations are never taken in",
		},
		{
			// A project may come with files and variables of its own, but must not set
			// this.
			Name: Links, Paths: true, Check: checkAbsolute(Links),
			Doc: "outside directories, separated by colons, to which a link such as .strata/notes may lead",
		},
		{
			Name: Server, Env: "STRATA_SERVER", Default: ServerAuto, Enum: []string{ServerAuto, Off},
			Doc: "whether commands work through the server of the home if one runs: auto or off",
		},
		{
			Name: HookServer, Env: "STRATA_HOOK_SERVER", Default: "30m", Check: checkHookServer,
			Doc: "how long a server that a hook started waits for the next call before it ends, 1m to 24h; off starts none",
		},
		{
			Name: Backup, Env: "STRATA_BACKUP", Default: "off", Enum: []string{"off", BackupDaily},
			Doc: "whether the home backs itself up into its directory backups: off or daily",
		},
		{
			Name: BackupKeep, Env: "STRATA_BACKUP_KEEP", Default: "7", Number: true, Check: checkCount(BackupKeep, 1000),
			Doc: "how many of these backups stay, 1 to 1000",
		},
		{
			Name: BackupMaxMiB, Env: "STRATA_BACKUP_MAX_MIB", Default: "2048", Number: true, Check: checkCount(BackupMaxMiB, 1<<30),
			Doc: "how many MiB they may take together; the newest always stays",
		},
		{
			Name: Model, Flag: "model", Local: true, Env: "STRATA_MODEL", Check: checkModel(Model),
			Doc: "model that chat talks with, ollama:NAME or openai:NAME (default: none)",
		},
		{
			Name: SmallModel, Flag: "small", Local: true, Env: "STRATA_SMALL_MODEL", Check: checkModel(SmallModel),
			Doc: "cheaper model for facts and summaries (default: the model)",
		},
		{
			Name: BaseURL, Flag: "base-url", Local: true, Env: "STRATA_BASE_URL",
			Doc: "address of the model's server (default for Ollama: http://127.0.0.1:11434)",
		},
		{
			Name: Window, Flag: "window", Local: true, Env: "STRATA_WINDOW", Number: true, Check: checkWindow,
			Doc: "context window of the model in tokens (default: what the server says)",
		},
		{
			Name: APIKeyEnv, Env: "STRATA_API_KEY_ENV", Default: "OPENAI_API_KEY", Check: checkVariable,
			Doc: "name of the environment variable that holds the key of an openai: server",
		},
		{
			Name: ExtractIdle, Env: "STRATA_EXTRACT_IDLE", Default: "10m", Check: checkIdle,
			Doc: "how long an open conversation must be quiet before facts are taken from it, 1m to 6h",
		},
		{
			Name: Embedder, Env: "STRATA_EMBEDDER", Check: checkEmbedder,
			Doc: "model that makes vectors: builtin, ollama:NAME or openai:NAME (default: the one the home has, at first builtin)",
		},
		{
			Name: EmbedderURL, Env: "STRATA_EMBEDDER_URL",
			Doc: "address of the embedder's server (default for Ollama: http://127.0.0.1:11434)",
		},
	}, dreamSettings(), retentionSettings())
}

// expand returns v with the leading ~ or variable of its paths expanded.
func (s Setting) expand(v string, in Inputs) (string, error) {
	if s.Path {
		return homedir.Expand(v, in.Getenv, in.UserHome)
	}
	if !s.Paths {
		return v, nil
	}
	list := filepath.SplitList(v)
	for i, path := range list {
		var err error
		if list[i], err = homedir.Expand(path, in.Getenv, in.UserHome); err != nil {
			return "", err
		}
	}
	return strings.Join(list, string(filepath.ListSeparator)), nil
}

// check returns an error if v is not a value of s. An empty value means that nothing was
// set, and is never checked.
func (s Setting) check(v string) error {
	if len(s.Enum) > 0 {
		for _, e := range s.Enum {
			if v == e {
				return nil
			}
		}
		return fmt.Errorf("%s cannot be %q: use one of %s", s.Name, clip(v), strings.Join(s.Enum, ", "))
	}
	if strings.ContainsRune(v, 0) {
		return fmt.Errorf("%s holds a NUL byte", s.Name)
	}
	if s.Check == nil {
		return nil
	}
	return s.Check(v)
}

// BackupDaily makes a home back itself up once a day.
const BackupDaily = "daily"

// checkCount accepts integers from 1 to most.
func checkCount(name string, most int) func(string) error {
	return func(v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > most {
			return fmt.Errorf("%s cannot be %q: use a whole number from 1 to %d", name, clip(v), most)
		}
		return nil
	}
}

// checkAbsolute accepts absolute paths only, which mean the same wherever the command
// runs.
func checkAbsolute(name string) func(string) error {
	return func(v string) error {
		for _, dir := range filepath.SplitList(v) {
			if !filepath.IsAbs(dir) {
				return fmt.Errorf("%s cannot be %q: write absolute paths, separated by %q", name, clip(v), filepath.ListSeparator)
			}
		}
		return nil
	}
}

// checkModel accepts a protocol and the name of a model.
func checkModel(name string) func(string) error {
	return func(v string) error {
		protocol, model, _ := strings.Cut(v, ":")
		if protocol != "ollama" && protocol != "openai" || strings.TrimSpace(model) == "" {
			return fmt.Errorf("%s cannot be %q: use ollama:NAME or openai:NAME", name, clip(v))
		}
		return nil
	}
}

// Builtin names the embedder that needs no server.
const Builtin = "builtin"

func checkEmbedder(v string) error {
	if v == Builtin {
		return nil
	}
	if checkModel(Embedder)(v) != nil {
		return fmt.Errorf("embedder cannot be %q: use builtin, ollama:NAME or openai:NAME", clip(v))
	}
	return nil
}

// Bounds of a context window, in tokens: a smaller one cannot hold a conversation with
// tools, and no model has a larger one.
const (
	minWindow = 2048
	maxWindow = 100_000_000
)

func checkWindow(v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < minWindow || n > maxWindow {
		return fmt.Errorf("window cannot be %q: use a whole number of tokens from %d", clip(v), minWindow)
	}
	return nil
}

// variable matches the name of an environment variable. A key pasted by mistake does not
// match, and the error must not repeat it.
var variable = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

func checkVariable(v string) error {
	if !variable.MatchString(v) {
		return errors.New("api_key_env is not the name of a variable: name the variable that holds the key, never the key")
	}
	return nil
}

// maxDuration bounds the timeouts; a longer one is a typing mistake.
const maxDuration = time.Hour

// checkDuration accepts timeouts above 0 and up to an hour.
func checkDuration(name string) func(string) error {
	return func(v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d <= 0 || d > maxDuration {
			return fmt.Errorf("%s cannot be %q: use a duration such as 500ms or 10s, at most 1h", name, clip(v))
		}
		return nil
	}
}

// ServerAuto makes commands work through a running server.
const ServerAuto = "auto"

// checkHookServer accepts off, and durations from a minute to a day.
func checkHookServer(v string) error {
	d, err := time.ParseDuration(v)
	if v != Off && (err != nil || d < time.Minute || d > 24*time.Hour) {
		return fmt.Errorf("hook_server cannot be %q: use off, or a duration from 1m to 24h", clip(v))
	}
	return nil
}

// checkIdle accepts durations from a minute to six hours, which is the furthest ahead
// that an extraction may be scheduled.
func checkIdle(v string) error {
	d, err := time.ParseDuration(v)
	if err != nil || d < time.Minute || d > 6*time.Hour {
		return fmt.Errorf("extract_idle cannot be %q: use a duration from 1m to 6h", clip(v))
	}
	return nil
}

// Level returns the log level named by a value of [LogLevel]; warn for any other text.
func Level(v string) slog.Level {
	level := slog.LevelWarn
	if err := level.UnmarshalText([]byte(v)); err != nil {
		return slog.LevelWarn
	}
	return level
}

// clip shortens a value for an error message.
func clip(v string) string { return fence.Cut(v, 40) }
