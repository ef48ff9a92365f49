package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// LostRoot returns where a workspace had a .strata that is gone although the home
// remembers it; empty if the workspace never had one or still has it.
func LostRoot(home, id string) string {
	root := lastRoot(home, id)
	if root == "" || hasStrata(root, id, true) {
		return ""
	}
	return root
}

// Missing returns the documents of a workspace whose files are missing from the .strata
// below root.
func Missing(root string, docs []strata.Document) []strata.Document {
	var out []strata.Document
	for _, d := range docs {
		_, err := os.Lstat(filepath.Join(root, markerDir, filepath.FromSlash(pathOf(d))))
		if isMissing(err) {
			out = append(out, d)
		}
	}
	return out
}

// pathOf returns the path of a document of a workspace, or of an agent in one, relative
// to .strata.
func pathOf(d strata.Document) string {
	if d.Scope.Agent != "" {
		return path.Join(files.AgentsDir, fileName(d.Scope.Agent), d.Path)
	}
	return d.Path
}

// writeBack writes the documents that are in the database but not in the directory.
func (in *Initialized) writeBack(d *directory, docs []strata.Document) error {
	for _, doc := range Missing(in.Root, docs) {
		name := filepath.FromSlash(pathOf(doc))
		if err := files.CheckPath(doc.Scope, doc.Path); err != nil {
			return err
		}
		dir := filepath.Dir(name)
		if err := checkDirs(d.Root, dir, opInit); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := makePrivate(d.Root, dir); err != nil {
			return err
		}
		at, err := d.OpenRoot(dir)
		if err != nil {
			return err
		}
		below := &directory{at}
		if err := errors.Join(below.replace(filepath.Base(name), []byte(doc.Content)), below.Close()); err != nil {
			return err
		}
		in.Restored = append(in.Restored, filepath.ToSlash(name))
	}
	return nil
}
