package homedir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLostDatabase(t *testing.T) {
	for name, test := range map[string]struct {
		files []string // "=" after a name: with text, "#": with a page
		want  bool
	}{
		"no home":                              {nil, false},
		"a new home":                           {[]string{"config.toml"}, false},
		"a home":                               {[]string{"strata.db=", "strata.db-lock"}, false},
		"its database is gone":                 {[]string{"strata.db-lock", "global/notes/a.md="}, true},
		"its database is empty":                {[]string{"strata.db", "strata.db-lock"}, true},
		"its log is left":                      {[]string{"strata.db-wal="}, true},
		"its history is left":                  {[]string{"global/.git/HEAD="}, true},
		"notes were copied":                    {[]string{"global/notes/a.md=", "global/MEMORY.md="}, false},
		"a database is about to be":            {[]string{"strata.db"}, false},
		"only its first page is there":         {[]string{"strata.db#", "global/.git/HEAD="}, true},
		"its first page is there, and its log": {[]string{"strata.db#", "strata.db-wal=", "strata.db-lock"}, false},
		"its first page is about to be":        {[]string{"strata.db#", "strata.db-wal"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			home := filepath.Join(t.TempDir(), "home")
			for _, file := range test.files {
				text := ""
				if n := len(file) - 1; file[n] == '=' {
					file, text = file[:n], "text"
				} else if file[n] == '#' {
					file, text = file[:n], strings.Repeat("\x00", pageSize)
				}
				path := filepath.Join(home, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got := LostDatabase(home); got != test.want {
				t.Errorf("lost = %v", got)
			}
		})
	}
}
