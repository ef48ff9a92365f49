package upkeep

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops/operation"
)

const familyBackup = "backup"

// BackupOperations list the backups that a home keeps of itself, and make one.
func BackupOperations() []operation.Operation {
	return []operation.Operation{backupList(), backupNow()}
}

// Backups are the backups that a home keeps.
type Backups struct {
	Backups []operation.Backup `json:"backups" doc:"the newest first"`
}

// Rows are the backups, for output line by line.
func (b Backups) Rows() []any { return operation.Rows(b.Backups) }

func backupList() operation.Operation {
	return operation.Op[operation.None, Backups]{
		Info: operation.Info{
			Name: "backup_list", Family: familyBackup, Summary: "List the backups that the home keeps", ReadOnly: true,
			Description: "Lists the backups in the directory backups of the home. Those that were written elsewhere are not known to it.",
			WholeHome:   true,
			Examples:    []operation.Example{{Doc: "list them", Input: `{}`}},
		},
		Handle: func(_ context.Context, env *operation.Env, _ operation.None) (Backups, error) {
			if env.Backups == nil {
				return Backups{}, noBackups()
			}
			list, err := env.Backups.List()
			return Backups{append([]operation.Backup{}, list...)}, err
		},
	}
}

func backupNow() operation.Operation {
	return operation.Op[operation.None, operation.Backup]{
		Info: operation.Info{
			Name: "backup_now", Family: familyBackup, Summary: "Back the home up into its own directory",
			Description: "Writes the whole home into one file in its directory backups, while it is in use, and reads it back. " +
				"As many stay as the settings backup_keep and backup_max_mib say; older ones give way. restore makes a home of one again.",
			WholeHome: true,
			Examples:  []operation.Example{{Doc: "make one", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (operation.Backup, error) {
			if env.Backups == nil {
				return operation.Backup{}, noBackups()
			}
			return env.Backups.Make(ctx, env.Advance)
		},
	}
}

func noBackups() error {
	return &strata.Error{Code: strata.CodeUnsupported, Op: "backup", Message: "this memory keeps no backups of itself",
		Hint: "open the home with the program strata, or copy it by strata backup FILE"}
}
