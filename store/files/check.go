package files

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
)

// ProjectFile is the only document outside the directories of scopes: the AGENTS.md in
// the root of the project itself. It belongs to the scope of the workspace and is never
// written.
const ProjectFile = strata.ProjectPrefix + "AGENTS.md"

// AgentsDir is the directory below a workspace's directory that holds the directories of
// its agents. Nothing in it belongs to the workspace's own scope.
const AgentsDir = "agents"

// Hash returns the SHA-256 of a file's bytes in hex.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// CheckPath reports whether path can be the path of a document of the scope. In a
// workspace's scope, nothing in AgentsDir is a document. CheckPath also refuses names
// that differ from those of Strata's own directories only in case, because some file
// systems ignore case. Its errors have the code invalid.
func CheckPath(scope strata.Scope, path string) error {
	if err := scope.Validate(); err != nil {
		return err
	}
	if err := strata.ValidatePath(path); err != nil {
		return err
	}
	if strings.HasPrefix(path, strata.ProjectPrefix) {
		if path == ProjectFile && scope.Kind == strata.ScopeWorkspace {
			return nil
		}
		return strata.Invalid("check path", "the path "+path+" is not read from a project", "of a project's own files only "+ProjectFile+" is a document, in the scope of the workspace")
	}
	first, _, below := strings.Cut(path, "/")
	if !below {
		return nil
	}
	switch {
	case scope.Kind == strata.ScopeWorkspace && strings.EqualFold(first, AgentsDir):
		return strata.Invalid("check path", "the path "+path+" belongs to an agent", "name the scope of the agent, and the path below its directory")
	case strings.EqualFold(first, "transcripts"), strings.EqualFold(first, "media"):
		return strata.Invalid("check path", "the path "+path+" lies where no document is", "use a path such as notes/project_deploys.md")
	}
	return nil
}

// CheckWritable is [CheckPath] for a path to write to.
func CheckWritable(scope strata.Scope, path string) error {
	if err := CheckPath(scope, path); err != nil {
		return err
	}
	if strings.HasPrefix(path, strata.ProjectPrefix) {
		return strata.Invalid("check path", "the path "+path+" is the project's own and is never written", "edit it in an editor, or write AGENTS.md of the workspace's memory")
	}
	return nil
}

// CheckContent reports whether content can be that of a document: UTF-8 without NUL
// bytes, at most [strata.MaxDocumentBytes] long. Its errors have the codes too_large and
// invalid.
func CheckContent(path string, content []byte) error {
	why := Unfit(content)
	if why == "" {
		return nil
	}
	err := strata.Invalid("write file", "the content for "+path+" is "+why, "write text in UTF-8")
	if len(content) > strata.MaxDocumentBytes {
		err.Code, err.Hint = strata.CodeTooLarge, "split it into several documents"
	}
	return err
}

// Reasons why a file cannot be a document, for [Skipped].
const (
	ReasonTooLarge = "larger than 1 MiB"
	ReasonNotUTF8  = "not text: not UTF-8"
	ReasonNUL      = "not text: holds NUL bytes"
)

// Unfit returns why content cannot be that of a document; empty if it can.
func Unfit(content []byte) string {
	switch {
	case len(content) > strata.MaxDocumentBytes:
		return ReasonTooLarge
	case bytes.IndexByte(content, 0) >= 0:
		return ReasonNUL
	case !utf8.Valid(content):
		return ReasonNotUTF8
	}
	return ""
}
