package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"net/http"
	"path"
	"time"
)

//go:embed assets
var embedded embed.FS

// Prefix begins the paths of the files of the page. The page itself is at /.
const Prefix = "/page/"

// types maps the extensions of the embedded files to media types.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// policy lets the page run the embedded scripts and call the server that it came from,
// and nothing else. No text becomes markup or script.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// file is a file of the page.
type file struct {
	data  []byte
	media string
	tag   string // changes with the data
}

// Page serves the files. It is safe for concurrent use.
type Page struct {
	files map[string]file // by path
}

// NewPage returns the page. Anyone may read its files, which hold nothing from memory.
func NewPage() *Page {
	p := &Page{files: make(map[string]file)}
	sub, _ := fs.Sub(embedded, "assets") // the directory is embedded, so this cannot fail
	_ = fs.WalkDir(sub, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sub, name)
		sum := sha256.Sum256(data)
		p.files[Prefix+name] = file{data: data, media: types[path.Ext(name)], tag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
		return err
	}) // reading embedded files does not fail
	p.files["/"] = p.files[Prefix+"index.html"]
	delete(p.files, Prefix+"index.html")
	return p
}

// Has reports whether a path belongs to the page.
func (p *Page) Has(path string) bool {
	_, ok := p.files[path]
	return ok
}

// ServeHTTP serves a path of the page.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := p.files[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.media)
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache") // browsers keep it but revalidate: a new version has other files
	h.Set("ETag", f.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.data))
}
