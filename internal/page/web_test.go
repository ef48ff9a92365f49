package page

import (
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// largest is the most that the files may have together, compressed, in bytes.
const largest = 300 << 10

// written counts what is written to it.
type written int

func (n *written) Write(p []byte) (int, error) {
	*n += written(len(p))
	return len(p), nil
}

func TestThePageIsSmall(t *testing.T) {
	var n written
	for _, f := range NewPage().files {
		zip := gzip.NewWriter(&n)
		if _, err := zip.Write(f.data); err != nil {
			t.Fatal(err)
		}
		if err := zip.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d bytes compressed", n)
	if n == 0 || n > largest {
		t.Errorf("%d bytes compressed; at most %d", n, largest)
	}
}

// references are the addresses in a file that a browser would ask for.
var references = regexp.MustCompile(`(?:href|src)="([^"#]+)"|(?:from|import) "([^"]+)"|import\(["` + "`" + `]([^"` + "`" + `]+)|(https?://[^"\s]+)|@import|url\(`)

// Every file that is named is there, and no other host is.
func TestThePageAsksNobodyElse(t *testing.T) {
	p := NewPage()
	checked := 0
	for name, f := range p.files {
		if f.media == "" {
			t.Errorf("%s has no media type", name)
		}
		for _, m := range references.FindAllStringSubmatch(string(f.data), -1) {
			to := m[1] + m[2] + m[3]
			if m[4] == "http://www.w3.org/2000/svg" {
				continue // the name of a language
			}
			if to == "" {
				t.Errorf("%s names %s", name, m[0])
				continue
			}
			if before, _, pattern := strings.Cut(to, "${"); pattern {
				to = before + "search.js"
			}
			base := &url.URL{Path: name}
			if path.Ext(name) == "" {
				base.Path = "/"
			}
			if where := base.JoinPath("..", to).Path; strings.HasPrefix(to, "/") {
				where = to
				if !p.Has(where) {
					t.Errorf("%s names %s, which is not there", name, to)
				}
			} else if !p.Has(where) {
				t.Errorf("%s names %s (%s), which is not there", name, to, where)
			}
			checked++
		}
	}
	if checked < 30 {
		t.Errorf("only %d references were seen", checked)
	}
}

// No module reads text as markup, which the policy would refuse.
func TestNoTextBecomesMarkup(t *testing.T) {
	for name, f := range NewPage().files {
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "onclick=", "style="} {
			if strings.Contains(string(f.data), bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
}

func TestServingFiles(t *testing.T) {
	p := NewPage()
	ask := func(path string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		return w
	}
	first := ask("/")
	if first.Code != 200 || !strings.Contains(first.Body.String(), "<title>Strata</title>") || !strings.HasPrefix(first.Header().Get("Content-Type"), "text/html") {
		t.Errorf("/ is %d %v", first.Code, first.Header())
	}
	if got := first.Header().Get("Content-Security-Policy"); !strings.HasPrefix(got, "default-src 'none'") || strings.Contains(got, "unsafe") {
		t.Errorf("policy %q", got)
	}
	if again := ask("/", "If-None-Match", first.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("asked again: %d", again.Code)
	}
	for _, path := range []string{"/page/", "/page/none.js", "/page/index.html", "/page/../doc.go"} {
		if p.Has(path) || ask(path).Code != http.StatusNotFound {
			t.Errorf("%s is there", path)
		}
	}
}

// visit is a request with the cookie that a door gave.
func visit(t *testing.T, d *Door) *http.Request {
	t.Helper()
	w := httptest.NewRecorder()
	d.Enter(w)
	cookies := w.Result().Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode {
		t.Fatalf("cookies %v", cookies)
	}
	r := httptest.NewRequest(http.MethodPost, "/v1/facts", nil)
	r.AddCookie(cookies[0])
	r.Header.Set(Header, "1")
	return r
}

func TestACodeLetsInOnce(t *testing.T) {
	d := NewDoor()
	code := d.Code()
	if d.Redeem("guess") || d.Redeem("") {
		t.Error("a guess lets in")
	}
	if !d.Redeem(code) {
		t.Error("the code does not let in")
	}
	if d.Redeem(code) {
		t.Error("the code lets in twice")
	}
}

func TestAVisit(t *testing.T) {
	d := NewDoor()
	r := visit(t, d)
	if !d.Holds(r) {
		t.Error("the visit does not hold")
	}
	if NewDoor().Holds(r) {
		t.Error("it holds at another door")
	}
	bare := r.Clone(t.Context())
	bare.Header.Del(Header)
	if d.Holds(bare) {
		t.Error("a request that the page did not send holds")
	}
	d.Leave(httptest.NewRecorder(), r)
	if d.Holds(r) {
		t.Error("it holds after it was left")
	}
}

func TestCodesAndVisitsEnd(t *testing.T) {
	d := NewDoor()
	var now atomic.Int64
	d.now = func() time.Time { return time.Unix(now.Load(), 0) }
	code, r := d.Code(), visit(t, d)
	now.Add(int64(codeLife / time.Second))
	if d.Redeem(code) {
		t.Error("a code lets in after its time")
	}
	now.Add(int64(visitLife/time.Second) - int64(codeLife/time.Second) - 1)
	if !d.Holds(r) {
		t.Error("the visit ended early")
	}
	now.Add(int64(visitLife/time.Second) - 1) // since it was seen last
	if !d.Holds(r) {
		t.Error("a visit that goes on ended")
	}
	now.Add(int64(visitLife / time.Second))
	if d.Holds(r) {
		t.Error("the visit does not end")
	}
}

// The oldest gives way, so that nobody can fill the memory with codes.
func TestFewCodesAreRemembered(t *testing.T) {
	d := NewDoor()
	var now atomic.Int64
	d.now = func() time.Time { return time.Unix(now.Add(1), 0) }
	first := d.Code()
	var last string
	for range most {
		last = d.Code()
	}
	if len(d.codes) != most || d.Redeem(first) || !d.Redeem(last) {
		t.Errorf("%d codes are remembered", len(d.codes))
	}
}
