package cmdline

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/homedir"
)

// ExpandPaths expands what the paths in flags begin with, as [homedir.Expand] does. Those
// flags hold paths that are declared so, by MarkFlagFilename or MarkFlagDirname, and
// were given.
func ExpandPaths(flags *pflag.FlagSet, getenv func(string) string, userHome string) error {
	var errs []error
	flags.Visit(func(f *pflag.Flag) {
		_, file := f.Annotations[cobra.BashCompFilenameExt]
		_, dir := f.Annotations[cobra.BashCompSubdirsInDir]
		if !file && !dir {
			return
		}
		list, many := f.Value.(pflag.SliceValue)
		paths := []string{f.Value.String()}
		if many {
			paths = list.GetSlice()
		}
		for i, path := range paths {
			var err error
			if paths[i], err = homedir.Expand(path, getenv, userHome); err != nil {
				var known *strata.Error
				if errors.As(err, &known) {
					err = strata.Invalid(known.Op, "--"+f.Name+": "+known.Message, known.Hint)
				}
				errs = append(errs, err)
				return
			}
		}
		if many {
			errs = append(errs, list.Replace(paths))
		} else {
			errs = append(errs, f.Value.Set(paths[0]))
		}
	})
	return errors.Join(errs...)
}
