package operation

import (
	"context"
	"time"
)

// Backups are those that a home keeps of itself, in a directory of its own. Where they lie
// and how many stay is not for the caller to say.
type Backups interface {
	// List returns those that are there, the newest first.
	List() ([]Backup, error)
	// Make makes one. Progress is in bytes.
	Make(ctx context.Context, progress func(done, total int64)) (Backup, error)
}

// Backup is a copy of a whole home in one file.
type Backup struct {
	File    string    `json:"file" doc:"where it is"`
	Time    time.Time `json:"time" doc:"when it began"`
	Size    int64     `json:"size" doc:"bytes of the file"`
	Removed []string  `json:"removed,omitempty" doc:"older backups that gave way to it"`
}
