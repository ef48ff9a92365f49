package strata

import (
	"path"
	"strings"
	"time"
	"unicode/utf8"
)

// DocumentKind says what a file of a scope is for. It follows from the path:
// see [KindOfPath].
type DocumentKind string

// The kinds of document.
const (
	DocumentNote    DocumentKind = "note"    // notes/<type>_<slug>.md
	DocumentSkill   DocumentKind = "skill"   // skills/<name>/SKILL.md
	DocumentIndex   DocumentKind = "index"   // MEMORY.md
	DocumentDaily   DocumentKind = "daily"   // memory/YYYY-MM-DD.md
	DocumentProfile DocumentKind = "profile" // AGENTS.md, SOUL.md, USER.md, HEARTBEAT.md
	DocumentSystem  DocumentKind = "system"  // below _system or _inbox
	DocumentOther   DocumentKind = "other"   // any other Markdown
)

// IndexPath is the path of the index of a scope's notes, which also lists promoted facts.
const IndexPath = "MEMORY.md"

// The directories of a scope's notes, and of drafts that wait for a person's approval.
const (
	NotesDir = "notes/"
	InboxDir = "_inbox/"
)

// ProjectPrefix starts the paths of files in the root of the project itself, such as
// "@/AGENTS.md". Strata reads these files and never writes them.
const ProjectPrefix = "@/"

// KindOfPath returns the kind of the document at p.
func KindOfPath(p string) DocumentKind {
	dir, base := path.Split(strings.TrimPrefix(p, ProjectPrefix))
	first, _, _ := strings.Cut(p, "/")
	switch {
	case first == "_system" || first+"/" == InboxDir:
		return DocumentSystem
	case p == IndexPath:
		return DocumentIndex
	case first+"/" == NotesDir && dir != "":
		return DocumentNote
	case first == "skills" && base == "SKILL.md":
		return DocumentSkill
	case dir == "memory/":
		return DocumentDaily
	case dir == "" && (base == "AGENTS.md" || base == "SOUL.md" || base == "USER.md" || base == "HEARTBEAT.md"):
		return DocumentProfile
	}
	return DocumentOther
}

// Document is one version of a Markdown file in the directory of a scope. The file is
// authoritative; memory keeps a projection of it.
type Document struct {
	// ID is "doc_" and a ULID. It stays the same while the path does, and when a person
	// renames the file.
	ID    string `json:"id"`
	Scope Scope  `json:"scope"`
	// Path is the path of the file below the scope's directory, with slashes.
	Path string       `json:"path"`
	Kind DocumentKind `json:"kind"`
	// Type, Slug, Name and Description of a note come from its path and front matter; a
	// skill has Name and Description.
	Type        Type   `json:"type,omitempty"`
	Slug        string `json:"slug,omitempty"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	// Hash is the SHA-256 of the file's bytes in hex.
	Hash string `json:"hash"`
	Size int64  `json:"size"` // of the file, in bytes
	// Content is the text of the file with secrets redacted; empty in listings.
	Content string `json:"content,omitempty"`
	// Redacted names the rules that found secrets in the file. Content does not contain
	// those secrets.
	Redacted []string `json:"redacted,omitempty"`
	// Problem says what is wrong with the file, such as an unreadable line in its front
	// matter; empty if nothing is.
	Problem string `json:"problem,omitempty"`
	// Foreign means that this version came with a repository, this home did not write it,
	// and nobody has reviewed and trusted it. It is shown but never obeyed.
	Foreign bool `json:"foreign,omitempty"`
	// Generation counts the versions of the document from 1.
	Generation int64 `json:"generation"`
	// ModifiedAt is when the file was last written, RecordedAt when memory recorded it.
	ModifiedAt time.Time `json:"modified_at"`
	RecordedAt time.Time `json:"recorded_at"`
	// Shadowed is the scope whose document of the same identity is seen instead; the zero
	// Scope if none is. It depends on the view.
	Shadowed Scope `json:"shadowed,omitzero"`
}

// Identity returns the key by which documents shadow each other. Of several documents
// with the same identity, a view sees only the one in its first scope. The identity of a
// note is its type and slug. Other documents, which every scope has for itself, have
// none.
func (d Document) Identity() string {
	if d.Kind != DocumentNote || d.Slug == "" {
		return ""
	}
	return string(d.Type) + "/" + d.Slug
}

// Private reports whether only main sessions see the document: MEMORY.md, DREAMS.md,
// USER.md, notes of type user and system documents.
func (d Document) Private() bool {
	if d.Kind == DocumentSystem || d.Kind == DocumentNote && d.Type == TypeUser {
		return true
	}
	switch strings.ToUpper(d.Path) { // some file systems ignore case
	case "MEMORY.MD", "DREAMS.MD", "USER.MD":
		return true
	}
	return false
}

// Section is the part of a document from one heading to the next. It is the unit that
// retrieval ranks.
type Section struct {
	// Document is the id of its document.
	Document string `json:"document"`
	Path     string `json:"path"`
	Seq      int64  `json:"seq"` // place among the sections, from 1
	// Headings are the headings above the section, outermost first; empty for text before
	// the first heading.
	Headings []string `json:"headings,omitempty"`
	// Line and EndLine are the first and last line of the section, from 1.
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Text    string `json:"text"`
}

// DocumentChange is what a decision did to a file. Before is nil if the file was created,
// After is nil if it was deleted. If both are set with different paths, the file was
// renamed.
type DocumentChange struct {
	Path   string    `json:"path"`
	Before *Document `json:"before,omitempty"`
	After  *Document `json:"after,omitempty"`
}

// RenamedFrom returns the path of the file before it was renamed; empty if it was not.
func (c DocumentChange) RenamedFrom() string {
	if c.Before == nil || c.After == nil || c.Before.Path == c.After.Path {
		return ""
	}
	return c.Before.Path
}

// DocumentFilter selects documents. The zero value selects all but system documents.
type DocumentFilter struct {
	Kind     DocumentKind // empty: any
	Type     Type         // notes of this type; empty: any
	System   bool         // also system documents
	Shadowed bool         // also those that another scope of the view shadows
	Foreign  bool         // only foreign ones
	Content  bool         // with their content
	After    string       // path of the last document of the previous page
	Limit    int          // 0: 1,000; at most 100,000
}

// ValidatePath reports whether p can be the path of a document: 1 to 512 bytes
// of printable UTF-8, relative, clean, with slashes, no part that begins with a
// dot, not below transcripts or media, ending in ".md".
func ValidatePath(p string) error {
	const op = "check path"
	const hint = "use a path such as notes/project_deploys.md"
	inside := strings.TrimPrefix(p, ProjectPrefix)
	bad := ""
	switch {
	case p == "":
		bad = "is empty"
	case len(p) > 512:
		bad = "is longer than 512 bytes"
	case !utf8.ValidString(p):
		bad = "is not valid UTF-8"
	case path.Clean("/"+inside) != "/"+inside, strings.ContainsAny(p, "\\\x00"):
		bad = "is not a clean relative path"
	case !strings.HasSuffix(p, ".md"):
		bad = "does not end in .md"
	}
	for part := range strings.SplitSeq(inside, "/") {
		switch {
		case bad != "":
		case strings.HasPrefix(part, "."):
			bad = "has a part that begins with a dot"
		case ValidateName("path", part) != nil:
			bad = "has a part that is not a valid name"
		}
	}
	if first, _, _ := strings.Cut(inside, "/"); bad == "" && (first == "transcripts" || first == "media") {
		bad = "lies where no document is"
	}
	if bad == "" {
		return nil
	}
	return Invalid(op, "the path "+quote(clipText(p, 80))+" "+bad, hint)
}

func clipText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
