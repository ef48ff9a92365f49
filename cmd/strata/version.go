package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
)

// versionOutput identifies this build.
type versionOutput struct {
	Version string `json:"version"` // module version; "devel" if built from a checkout
	Commit  string `json:"commit,omitempty"`
	Dirty   bool   `json:"dirty,omitempty"` // the checkout differed from the commit
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// String formats the version on one line.
func (v versionOutput) String() string {
	out := "strata " + v.Version
	if v.Commit != "" {
		out += " " + v.Commit[:min(12, len(v.Commit))]
	}
	if v.Dirty {
		out += " (changed)"
	}
	return fmt.Sprintf("%s, %s, %s/%s\n", out, v.Go, v.OS, v.Arch)
}

// buildVersion returns the version that the linker recorded in the program.
func buildVersion() versionOutput {
	v := versionOutput{Version: "devel", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if m := info.Main.Version; m != "" && m != "(devel)" {
		v.Version = m
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.modified":
			v.Dirty = s.Value == "true"
		}
	}
	return v
}

// newVersionCommand returns the command version. It reads no settings, so that it works
// with a broken config.toml.
func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the version",
		Example:           "  strata version\n  strata version -o json",
		Args:              cmdline.NoArgs,
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE:              func(*cobra.Command, []string) error { return a.out.Print(buildVersion()) },
	}
}
