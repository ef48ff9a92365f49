package config

import (
	"errors"
	"path/filepath"
	"strconv"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/homedir"
)

// Source says where a value came from.
type Source string

// The sources, strongest first.
const (
	FromFlag    Source = "flag"
	FromEnv     Source = "env"
	FromFile    Source = "config.toml"
	FromDefault Source = "default"
)

// Value is the value of one setting and where it comes from.
type Value struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source Source `json:"source"`
	// Origin is the name of the flag, variable or file; empty for a default.
	Origin string `json:"origin,omitempty"`
	Doc    string `json:"doc"`
}

// Config holds the value of every setting.
type Config struct {
	values []Value
}

// Inputs are the places where [Load] looks for values.
type Inputs struct {
	// Flags holds the flags that were given, by setting name.
	Flags map[string]string
	// Getenv looks up an environment variable; empty means not set.
	Getenv func(string) string
	// UserHome is the user's home directory, which contains the default home.
	UserHome string
	// NoFile leaves config.toml unread.
	NoFile bool
}

// Load determines the value of every setting. A missing config.toml is not an error; one
// that cannot be read, or that has an unknown key or a bad value, is an error with code
// invalid and the position.
func Load(in Inputs) (Config, error) {
	var c Config
	var file map[string]string
	var path string
	for _, s := range Settings() {
		v := Value{Name: s.Name, Doc: s.Doc, Value: s.Default, Source: FromDefault}
		flag, env := in.Flags[s.Name], ""
		if s.Env != "" {
			env = in.Getenv(s.Env)
		}
		switch {
		case flag != "":
			v.Value, v.Source, v.Origin = flag, FromFlag, "--"+s.Flag
		case env != "":
			v.Value, v.Source, v.Origin = env, FromEnv, s.Env
		case file[s.Name] != "":
			v.Value, v.Source, v.Origin = file[s.Name], FromFile, path
		case s.Name == Home && in.UserHome != "":
			v.Value = filepath.Join(in.UserHome, homedir.Name)
		}
		if v.Source != FromDefault {
			var err error
			if v.Value, err = s.expand(v.Value, in); err != nil {
				return Config{}, unexpanded(v, err)
			}
		}
		if v.Value != "" {
			if err := s.check(v.Value); err != nil {
				return Config{}, refuse(v, err)
			}
		}
		if s.Name == Home {
			home, err := absolute(v)
			if err != nil {
				return Config{}, err
			}
			v.Value = home
			if !in.NoFile {
				path = Path(home)
				if file, err = readFile(path); err != nil {
					return Config{}, err
				}
			}
		}
		c.values = append(c.values, v)
	}
	return c, nil
}

// Path returns the path of the settings file of a home.
func Path(home string) string { return filepath.Join(home, FileName) }

// absolute makes the home an absolute path, so that a change of the working
// directory cannot move it.
func absolute(v Value) (string, error) {
	if v.Value == "" {
		return "", strata.Invalid("find the home", "the user has no home directory",
			"name the home with --home DIR or STRATA_HOME")
	}
	home, err := filepath.Abs(v.Value)
	if err != nil {
		return "", &strata.Error{Code: strata.CodeInvalid, Op: "find the home", Message: "the home is not a path",
			Hint: "use an absolute path", Err: err}
	}
	return home, nil
}

// unexpanded returns an error that names the source of a path that cannot be expanded.
func unexpanded(v Value, err error) error {
	var known *strata.Error
	if !errors.As(err, &known) {
		return err
	}
	return strata.Invalid("read settings", known.Message+" (from "+v.Origin+")", known.Hint)
}

// refuse returns an error that names the source of a bad value.
func refuse(v Value, err error) error {
	message := err.Error()
	var known *strata.Error
	if errors.As(err, &known) {
		message = known.Message
	}
	from := v.Origin
	if from == "" {
		from = "the default"
	}
	return strata.Invalid("read settings", message+" (from "+from+")", "correct "+from+"; strata config --help lists the settings")
}

// Values lists every setting with its value, in the order of [Settings].
func (c Config) Values() []Value {
	return append([]Value(nil), c.values...)
}

// Get returns the value of the named setting; empty if it has none or there is no such
// setting.
func (c Config) Get(name string) string {
	for _, v := range c.values {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// Int returns the value of a setting as a number; 0 if it is not one.
func (c Config) Int(name string) int {
	n, err := strconv.Atoi(c.Get(name))
	if err != nil {
		return 0
	}
	return n
}

// Duration returns the value of a setting as a duration; 0 if it is not one.
func (c Config) Duration(name string) time.Duration {
	d, err := time.ParseDuration(c.Get(name))
	if err != nil {
		return 0
	}
	return d
}
