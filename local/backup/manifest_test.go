package backup

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/strata-memory/strata"
	sqlite "github.com/strata-memory/strata/store/sqlite/backup"
)

// A list of files is refused where a name leads out of the home or through a link, and
// where this program is too old for it.
func TestAListIsRefused(t *testing.T) {
	database := Entry{Path: databaseName, Size: 1, SHA256: "00"}
	of := func(list ...Entry) Manifest {
		return Manifest{Kind: kindName, Format: Format, Entries: append([]Entry{database}, list...)}
	}
	newFormat, newSchema, otherKind := of(), of(), of()
	newFormat.Format++
	newSchema.Database = sqlite.Contents{Schema: 10_000}
	otherKind.Kind = "list"
	for name, tt := range map[string]struct {
		m    Manifest
		want strata.Code
	}{
		"sound":          {of(Entry{Path: "global", Dir: true}, Entry{Path: "global/MEMORY.md"}), ""},
		"parent":         {of(Entry{Path: "../x"}), strata.CodeCorrupt},
		"absolute":       {of(Entry{Path: "/etc/x"}), strata.CodeCorrupt},
		"inner parent":   {of(Entry{Path: "a", Dir: true}, Entry{Path: "a/../../x"}), strata.CodeCorrupt},
		"backslash":      {of(Entry{Path: `..\x`}), strata.CodeCorrupt},
		"below a link":   {of(Entry{Path: "a", Link: "/etc"}, Entry{Path: "a/x"}), strata.CodeCorrupt},
		"twice":          {of(Entry{Path: "a"}, Entry{Path: "a", Link: "/etc"}), strata.CodeCorrupt},
		"no database":    {Manifest{Kind: kindName, Format: Format}, strata.CodeCorrupt},
		"newer format":   {newFormat, strata.CodeNewerVersion},
		"newer schema":   {newSchema, strata.CodeNewerVersion},
		"something else": {otherKind, strata.CodeInvalid},
	} {
		text, err := json.Marshal(tt.m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeManifest(bytes.NewReader(text)); strata.CodeOf(err) != tt.want {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}
