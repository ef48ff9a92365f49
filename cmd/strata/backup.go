package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/backup"
	"github.com/strata-memory/strata/internal/home/config"
)

// backupOutput is the output of strata backup and strata restore.
type backupOutput struct {
	File    string           `json:"file"`
	Home    string           `json:"home"`
	Size    int64            `json:"size,omitempty"` // bytes of the file that was written
	Bytes   int64            `json:"bytes"`          // size of the content before compression
	Files   int              `json:"files"`
	Schema  int              `json:"schema"`
	Strata  string           `json:"strata"`            // version that wrote it
	Time    time.Time        `json:"time"`              // when the backup began
	Rows    map[string]int64 `json:"rows"`              // by table
	Outside []string         `json:"outside,omitempty"` // workspace directories that the backup leaves out
	Removed []string         `json:"removed,omitempty"` // older backups
	Aside   string           `json:"aside,omitempty"`   // where the existing home was moved
	DryRun  bool             `json:"dry_run,omitempty"`

	// For a restore: what was not restored from the backup, what stays of the existing
	// home, and the settings that the backup changed.
	NotTaken []backup.Left   `json:"not_taken,omitempty"`
	Kept     []string        `json:"kept,omitempty"`
	Settings []config.Change `json:"settings,omitempty"`

	verb string
}

func newBackupOutput(verb, file, home string, m backup.Manifest) backupOutput {
	return backupOutput{verb: verb, File: file, Home: home, Bytes: m.Bytes, Files: m.Files, Schema: m.Database.Schema,
		Strata: m.Strata, Time: m.Time, Rows: m.Database.Rows, Outside: m.Outside}
}

// String returns the report for people.
func (b backupOutput) String() string {
	var out strings.Builder
	what := b.File
	if b.verb == "restored" {
		what = b.Home
	}
	fmt.Fprintf(&out, "%-10s%s: %s of facts, %s of turns, %s; %s", b.verb, terminal.Clean(what),
		output.Count(b.Rows["fact"], "row"), output.Count(b.Rows["turn"], "row"), output.Count(b.Files, "file"), terminal.Bytes(b.Bytes))
	if b.Size > 0 {
		fmt.Fprintf(&out, ", %s compressed", terminal.Bytes(b.Size))
	}
	out.WriteString("\n")
	if b.verb != "written" {
		fmt.Fprintf(&out, "%-10s%s, by strata %s\n", "of", b.Time.Format(time.RFC3339), terminal.Clean(b.Strata))
	}
	for _, dir := range b.Outside {
		fmt.Fprintf(&out, "%-10s%s: files of this project lie there\n", "not in it", terminal.Clean(dir))
	}
	b.writeNotTaken(&out)
	for _, name := range b.Kept {
		fmt.Fprintf(&out, "%-10s%s of the previous home\n", "kept", terminal.Clean(name))
	}
	for _, c := range b.Settings {
		fmt.Fprintf(&out, "%-10s%s = %s, was %s\n", "setting", c.Name, output.OrNone(terminal.Clean(c.To)), output.OrNone(terminal.Clean(c.From)))
	}
	for _, name := range b.Removed {
		fmt.Fprintf(&out, "%-10s%s\n", "removed", terminal.Clean(name))
	}
	if b.Aside != "" && !b.DryRun {
		fmt.Fprintf(&out, "%-10sthe previous home is now %s\n", "moved", terminal.Clean(b.Aside))
	}
	return out.String()
}

// writeNotTaken lists what a restore leaves out of a backup, or counts it if there is
// much of one kind.
func (b backupOutput) writeNotTaken(out *strings.Builder) {
	const shown = 5
	count := make(map[backup.LeftReason]int)
	for _, l := range b.NotTaken {
		if count[l.Reason]++; count[l.Reason] > shown {
			continue
		}
		why := string(l.Reason)
		switch l.Reason {
		case backup.LeftSettings:
			why = "settings: --with-config takes them"
		case backup.LeftLink:
			why = "link to " + terminal.Clean(l.Link)
		}
		fmt.Fprintf(out, "%-10s%s (%s)\n", "not taken", terminal.Clean(l.Path), why)
	}
	for _, why := range []backup.LeftReason{backup.LeftSettings, backup.LeftLink, backup.LeftUnknown} {
		if more := count[why] - shown; more > 0 {
			fmt.Fprintf(out, "%-10s%d more (%s)\n", "not taken", more, why)
		}
	}
}

// newBackupCommand returns the command backup, which writes the home to a file without
// opening memory.
func newBackupCommand(a *app) *cobra.Command {
	var keep int
	var recipients []string
	var recipientsFile string
	cmd := &cobra.Command{
		Use:   "backup FILE|DIR",
		Short: "Write the whole home into one file, while it is in use",
		Long: "Write the whole home into one file, while it is in use.\n\n" +
			"FILE must not exist yet. If it is a directory, or a name with {time} in it, the file name contains the time. The\n" +
			"backup is compressed, readable by its owner only, and read back before it gets its name. With --recipient it is\n" +
			"encrypted with age, for the owner of that key alone. It does not hold files of projects outside the home.\n\n" +
			"With -o json it prints an object with file, home, size, bytes, files, schema, strata, time, rows, outside, removed.",
		Example: "  # one backup\n  strata backup ~/strata.tar.zst\n  # a daily job that keeps two weeks\n  strata backup ~/backups --keep 14",
		GroupID: groupMaintain,
		Args:    cmdline.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			to, err := backup.ParseRecipients(recipients, recipientsFile)
			if err != nil {
				return err
			}
			progress := a.out.ByteProgress("backup")
			defer progress.Finish()
			c, err := backup.Create(cmd.Context(), backup.Options{Home: a.home(), To: args[0], Keep: keep, Recipients: to,
				Strata: buildVersion().Version, Now: time.Now(), Report: progress.Report})
			progress.Finish()
			if err != nil {
				return err
			}
			out := newBackupOutput("written", c.Path, a.home(), c.Manifest)
			out.Size, out.Removed = c.Size, c.Removed
			return a.out.Print(out)
		},
	}
	cmd.Flags().IntVar(&keep, "keep", 0, "keep this many backups of this home there, and remove older ones; 0 keeps all")
	cmd.Flags().StringArrayVar(&recipients, "recipient", nil, "encrypt it for this age public key, age1...; may be repeated")
	cmd.Flags().StringVar(&recipientsFile, "recipients-file", "", "encrypt it for the public keys in this file")
	_ = cmd.MarkFlagFilename("recipients-file")
	return cmd
}

// newRestoreCommand returns the command restore, which creates a home from a backup
// without opening memory.
func newRestoreCommand(a *app) *cobra.Command {
	var replace, dryRun, withConfig bool
	var identities []string
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Turn a backup into a home again",
		Long: "Make a home of a backup again, with the same ids and answers.\n\n" +
			"The home must not be there, or be empty; with --replace it is moved aside first. All of the file is compared with its\n" +
			"hashes before anything is put in place.\n\n" +
			"What comes back is memory: the database and the files of its scopes. Settings (config.toml) come with --with-config alone,\n" +
			"which shows what they change; tokens and links never do. With --replace the home keeps its own settings and tokens.\n\n" +
			"With -o json it prints an object with file, home, bytes, files, schema, strata, time, rows, outside, not_taken, kept,\n" +
			"settings, aside, dry_run.",
		Example: "  # check a backup\n  strata restore ~/strata.tar.zst --dry-run --home ~/restored\n  # go back to it\n  strata restore ~/strata.tar.zst --replace",
		GroupID: groupMaintain,
		Args:    cmdline.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			keys, err := backup.ReadIdentities(identities)
			if err != nil {
				return err
			}
			progress := a.out.ByteProgress("restore")
			defer progress.Finish()
			var changed []config.Change
			r, err := backup.Restore(cmd.Context(), backup.RestoreOptions{From: args[0], Home: a.home(), Replace: replace, Identities: keys,
				DryRun: dryRun, Now: time.Now(), Report: progress.Report, WithSettings: withConfig,
				CheckSettings: func(text []byte) (err error) {
					changed, err = config.Changes(a.home(), text)
					return err
				}})
			progress.Finish()
			if err != nil {
				return err
			}
			verb := "restored"
			if dryRun {
				verb = "sound"
			}
			out := newBackupOutput(verb, args[0], r.Home, r.Manifest)
			out.Aside, out.DryRun, out.NotTaken, out.Kept, out.Settings = r.Aside, dryRun, r.Left, r.Kept, changed
			return a.out.Print(out)
		},
	}
	cmd.Flags().BoolVar(&replace, "replace", false, "move the existing home aside first")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "check the backup and change nothing")
	cmd.Flags().BoolVar(&withConfig, "with-config", false, "restore the settings too, and show what they change")
	cmd.Flags().StringArrayVar(&identities, "identity", nil, "file with an age private key, for an encrypted backup; may be repeated")
	_ = cmd.MarkFlagFilename("identity")
	return cmd
}
