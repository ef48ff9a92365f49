package memoryurl

import (
	"path"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

func TestAddressesOfDocuments(t *testing.T) {
	for address, want := range map[string]string{
		"memory://root":                                           "memory_summary.md",
		"memory://root/":                                          "memory_summary.md",
		"memory://root/MEMORY.md":                                 "MEMORY.md",
		"memory://root/skills/deploy/SKILL.md":                    "skills/deploy/SKILL.md",
		"memory://root/notes/project_deploys.md":                  "notes/project_deploys.md",
		"memory://root/notes/two%20words.md":                      "notes/two words.md",
		"memory://root/notes/%E6%97%A5%E6%9C%AC.md":               "notes/日本.md",
		"memory://root/notes/日本.md":                               "notes/日本.md",
		"memory://root/memory/2026-01-02.md":                      "memory/2026-01-02.md",
		"memory://root/@/AGENTS.md":                               "@/AGENTS.md",
		"memory://root/notes/a+b.md":                              "notes/a+b.md",
		"memory://root/notes/..x..md":                             "",
		"memory://root/notes/x...md":                              "notes/x...md",
		"memory://root/_system/dreaming/2026-01.md":               "_system/dreaming/2026-01.md",
		"memory://root/notes/user_%F0%9F%A6%8A.md":                "notes/user_🦊.md",
		"memory://root/notes/" + strings.Repeat("x", 200) + ".md": "notes/" + strings.Repeat("x", 200) + ".md",
	} {
		got, err := Parse(address)
		if want == "" {
			if err == nil {
				t.Errorf("%s: %q", address, got)
			}
			continue
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", address, got, err, want)
		}
	}
}

// Unknown namespaces, "..", %2e%2e, absolute paths and what else could lead out of
// the root are refused.
func TestNoAddressLeadsOutside(t *testing.T) {
	for address, says := range map[string]string{
		"":                                                    "does not begin",
		"root/MEMORY.md":                                      "does not begin",
		"file:///etc/passwd":                                  "does not begin",
		"memory:root":                                         "does not begin",
		"MEMORY://root":                                       "does not begin",
		" memory://root":                                      "does not begin",
		"memory://":                                           "no namespace",
		"memory:///etc/passwd.md":                             "no namespace",
		"memory://home/MEMORY.md":                             "no namespace",
		"memory://Root/MEMORY.md":                             "no namespace",
		"memory://%72oot/MEMORY.md":                           "no namespace",
		"memory://user@root/MEMORY.md":                        "no namespace",
		"memory://root:80/MEMORY.md":                          "no namespace",
		"memory://root.evil/MEMORY.md":                        "no namespace",
		"memory://../MEMORY.md":                               "no namespace",
		"memory://root/..":                                    `holds ".."`,
		"memory://root/../x.md":                               `holds ".."`,
		"memory://root/notes/../../x.md":                      `holds ".."`,
		"memory://root/notes/../MEMORY.md":                    `holds ".."`,
		"memory://root/./MEMORY.md":                           `holds "."`,
		"memory://root/%2e%2e/x.md":                           "by encoding",
		"memory://root/%2E%2E/x.md":                           "by encoding",
		"memory://root/.%2e/x.md":                             "by encoding",
		"memory://root/notes%2f..%2fx.md":                     "by encoding",
		"memory://root/notes%2Fx.md":                          "by encoding",
		"memory://root/notes%5c..%5cx.md":                     "by encoding",
		"memory://root/%252e%252e/x.md":                       "by encoding",
		"memory://root/%25252e/x.md":                          "by encoding",
		"memory://root/x%00.md":                               "by encoding",
		"memory://root/x\x00.md":                              "NUL",
		`memory://root/notes\x.md`:                            "backslash",
		`memory://root\..\x.md`:                               "backslash",
		"memory://root//etc/passwd.md":                        "absolute",
		"memory://root/notes//x.md":                           "not a clean",
		"memory://root/notes/":                                "not a clean",
		"memory://root/notes/x.md?v=1":                        "query",
		"memory://root/notes/x.md#a":                          "fragment",
		"memory://root/notes/%zz.md":                          "not encoded",
		"memory://root/notes/%":                               "not encoded",
		"memory://root/notes/%ff.md":                          "UTF-8",
		"memory://root/notes/x.txt":                           "does not end in .md",
		"memory://root/.git/x.md":                             "begins with a dot",
		"memory://root/transcripts/x.md":                      "where no document is",
		"memory://root/" + strings.Repeat("x", 3000):          "longer than",
		"memory://root/" + strings.Repeat("x/", 400) + "x.md": "longer than",
		"memory://root/a%0ab.md":                              "not a valid name",
	} {
		got, err := Parse(address)
		if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), says) || err.(*strata.Error).Hint == "" {
			t.Errorf("%q: %q, %v; want an error that says %q", address, got, err, says)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"memory://root", "memory://root/MEMORY.md", "memory://root/%2e%2e/x.md", "memory://root/notes/%E6%97%A5.md", "memory://x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		got, err := Parse(address)
		if err != nil {
			if strata.CodeOf(err) != strata.CodeInvalid {
				t.Errorf("%q: %v", address, err)
			}
			return
		}
		if strata.ValidatePath(got) != nil || path.Clean(got) != got || strings.HasPrefix(got, "/") || strings.HasPrefix(got, "..") || encoded.MatchString(got) {
			t.Errorf("%q is read as %q", address, got)
		}
	})
}
