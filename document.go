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

// IndexPath is the index of a scope's notes, with what is promoted below it.
const IndexPath = "MEMORY.md"

// The directories of a scope's notes, and of notes that wait for a person to accept them.
const (
	NotesDir = "notes/"
	InboxDir = "_inbox/"
)

// ProjectPrefix begins the paths of files in the root of the project itself, as
// "@/AGENTS.md". They are read and never written.
const ProjectPrefix = "@/"

// KindOfPath tells the kind of a document by its path.
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

// Document is one version of a Markdown file in the directory of a scope. The
// file is the authority; what memory keeps of it is a projection.
type Document struct {
	// ID is "doc_" and a ULID. It stays the same as long as the path does, and where a
	// person renamed the file.
	ID    string `json:"id"`
	Scope Scope  `json:"scope"`
	// Path is where the file lies below the scope's directory, with slashes.
	Path string       `json:"path"`
	Kind DocumentKind `json:"kind"`
	// Type, Slug, Name and Description are those of a note, from its path and
	// front matter; a skill has Name and Description.
	Type        Type   `json:"type,omitempty"`
	Slug        string `json:"slug,omitempty"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	// Hash is the SHA-256 of the file's bytes in hex.
	Hash string `json:"hash"`
	Size int64  `json:"size"` // of the file, in bytes
	// Content is the text of the file with secrets redacted; empty where
	// documents are only listed.
	Content string `json:"content,omitempty"`
	// Redacted are the names of the rules that found secrets in the file, which
	// are not in Content.
	Redacted []string `json:"redacted,omitempty"`
	// Problem says what is wrong with the file, such as a line of its front
	// matter that cannot be read; empty for a sound one.
	Problem string `json:"problem,omitempty"`
	// Foreign says that the version came with a repository, and neither this home wrote
	// it nor anybody looked at it and trusted it: it is shown, and never obeyed.
	Foreign bool `json:"foreign,omitempty"`
	// Generation counts the versions of the document from 1.
	Generation int64 `json:"generation"`
	// ModifiedAt is when the file was last written, RecordedAt when memory
	// took notice.
	ModifiedAt time.Time `json:"modified_at"`
	RecordedAt time.Time `json:"recorded_at"`
	// Shadowed is the scope whose document of the same identity is seen instead;
	// the zero Scope where none is. It belongs to a view.
	Shadowed Scope `json:"shadowed,omitzero"`
}

// Identity is what shadows: documents of several scopes with one identity are
// one to a view, which sees that of its first scope. Notes have type and slug;
// others, of which every scope has its own, have none.
func (d Document) Identity() string {
	if d.Kind != DocumentNote || d.Slug == "" {
		return ""
	}
	return string(d.Type) + "/" + d.Slug
}

// Private reports whether only main sessions see the document: MEMORY.md,
// DREAMS.md, USER.md, notes of type user and what is the system's.
func (d Document) Private() bool {
	if d.Kind == DocumentSystem || d.Kind == DocumentNote && d.Type == TypeUser {
		return true
	}
	switch strings.ToUpper(d.Path) { // the same file on some disks
	case "MEMORY.MD", "DREAMS.MD", "USER.MD":
		return true
	}
	return false
}

// Section is the part of a document below one heading, up to the next. It is
// what retrieval ranks.
type Section struct {
	// Document is the id of its document.
	Document string `json:"document"`
	Path     string `json:"path"`
	Seq      int64  `json:"seq"` // place among the sections, from 1
	// Headings are those it stands under, the outermost first; empty for what
	// stands before the first.
	Headings []string `json:"headings,omitempty"`
	// Line and EndLine are the first and last line, from 1.
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Text    string `json:"text"`
}

// DocumentChange is what a decision did to a file. One of Before and After may
// be nil: the file was not there, or is not there any more. Where both are there and
// Before has another path, the file was renamed.
type DocumentChange struct {
	Path   string    `json:"path"`
	Before *Document `json:"before,omitempty"`
	After  *Document `json:"after,omitempty"`
}

// RenamedFrom is the path that the file had before it was renamed; empty where it was
// not.
func (c DocumentChange) RenamedFrom() string {
	if c.Before == nil || c.After == nil || c.Before.Path == c.After.Path {
		return ""
	}
	return c.Before.Path
}

// DocumentFilter selects documents. The zero value selects all but those of
// the system.
type DocumentFilter struct {
	Kind     DocumentKind // empty: any
	Type     Type         // notes of this type; empty: any
	System   bool         // also those of the system
	Shadowed bool         // also those that another scope of the view shadows
	Foreign  bool         // only those that are foreign
	Content  bool         // with their content
	After    string       // path after which to go on, for paging
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
			bad = "has a part that is no name"
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
