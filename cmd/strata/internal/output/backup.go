package output

import (
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/ops/operation"
)

// backups lists the backups that the home keeps.
func (p *Page) backups(list []operation.Backup) {
	t := table.Table{Header: []string{"TIME", "SIZE", "FILE"}}
	for _, b := range list {
		t.Add(p.when(b.Time), terminal.Bytes(b.Size), terminal.Clean(b.File))
	}
	p.list(t, "no backups")
}

// backup says which one was made.
func (p *Page) backup(b operation.Backup) {
	p.Printf("written   %s: %s\n", terminal.Clean(b.File), terminal.Bytes(b.Size))
	for _, name := range b.Removed {
		p.Printf("removed   %s\n", terminal.Clean(name))
	}
}
