package backup

import (
	"encoding/json"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/salvage"
)

// A manifest is refused where this program is too old for it, and where it is none. That of
// version 1 had a list of entries.
func TestAManifestIsRefused(t *testing.T) {
	of := func(format, schema int) string {
		text, err := json.Marshal(Manifest{Kind: kindName, Format: format, Database: salvage.Contents{Schema: schema}})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for name, tt := range map[string]struct {
		text string
		want strata.Code
	}{
		"sound":        {of(Format, 1), ""},
		"version 1":    {`{"kind":"strata-backup","format":1,"home":"/h","database":{"schema":1,"rows":{}},"entries":[{"path":"strata.db"}]}`, ""},
		"newer format": {of(Format+1, 1), strata.CodeNewerVersion},
		"newer schema": {of(Format, 10_000), strata.CodeNewerVersion},
		"another kind": {`{"kind":"list"}`, strata.CodeInvalid},
		"no JSON":      {`{"kind":`, strata.CodeInvalid},
	} {
		if _, err := parseManifest([]byte(tt.text)); strata.CodeOf(err) != tt.want {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}
