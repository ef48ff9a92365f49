package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/page"
)

// guarded is the address of a server for everybody who shows the token or came in.
func guarded(t *testing.T, token string) (*Server, string) {
	t.Helper()
	s, _ := start(t)
	front := httptest.NewServer(s.Guarded(token))
	t.Cleanup(front.Close)
	return s, front.URL
}

// comeIn shows a code, and returns the header Cookie of the visit.
func comeIn(t *testing.T, url, code string, headers ...string) (answer, string) {
	t.Helper()
	a := send(t, http.MethodPost, url+visitPath, `{"code": "`+code+`"}`, append([]string{"Content-Type", jsonType}, headers...)...)
	cookie, _, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
	return a, cookie
}

func TestThePageIsForEverybodyAndMemoryIsNot(t *testing.T) {
	_, url := guarded(t, "")
	for _, path := range []string{"/", page.Prefix + "app.js", page.Prefix + "style/base.css"} {
		if a := send(t, http.MethodGet, url+path, ""); a.status != 200 || a.header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s is %d", path, a.status)
		}
	}
	if a := send(t, http.MethodGet, url+page.Prefix+"none.js", ""); a.status != 401 {
		t.Errorf("a file that is not there: %d", a.status)
	}
	for _, path := range []string{"/v1/facts", "/v1/save", "/mcp", "/metrics", "/healthz", "/openapi.json", "/v1/events"} {
		if a := send(t, http.MethodGet, url+path, ""); a.status != 401 {
			t.Errorf("%s is %d without anything to show", path, a.status)
		}
	}
}

func TestABrowserComesIn(t *testing.T) {
	s, url := guarded(t, "")
	for _, code := range []string{"", "guess"} {
		if a, cookie := comeIn(t, url, code); a.status != 401 || cookie != "" || !strings.Contains(a.text, `"denied"`) {
			t.Errorf("the code %q: %d %s", code, a.status, a.text)
		}
	}
	code := s.Door().Code()
	a, cookie := comeIn(t, url, code)
	if a.status != 200 || cookie == "" {
		t.Fatalf("the code is %d %s", a.status, a.text)
	}
	if a, _ := comeIn(t, url, code); a.status != 401 {
		t.Errorf("the code again is %d", a.status)
	}
	if a := post(t, url, "facts", "{}", "Cookie", cookie, page.Header, "1"); a.status != 200 {
		t.Errorf("a visit is %d %s", a.status, a.text)
	}
	// What a page of another site can have a browser send: the cookie, at most.
	if a := post(t, url, "save", `{"content": "The ferry leaves at six"}`, "Cookie", cookie); a.status != 401 {
		t.Errorf("without the page's header: %d", a.status)
	}
	for _, foreign := range [][]string{{"Origin", "https://example.com"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
		if a := post(t, url, "save", `{"content": "The ferry leaves at six"}`, append(foreign, "Cookie", cookie, page.Header, "1")...); a.status != 403 {
			t.Errorf("with %v: %d", foreign, a.status)
		}
	}
	for _, path := range []string{"/mcp", "/metrics"} {
		if a := send(t, http.MethodGet, url+path, "", "Cookie", cookie, page.Header, "1"); a.status != 401 {
			t.Errorf("%s is %d for a browser", path, a.status)
		}
	}
	send(t, http.MethodDelete, url+visitPath, "", "Cookie", cookie)
	if a := post(t, url, "facts", "{}", "Cookie", cookie, page.Header, "1"); a.status != 401 {
		t.Errorf("after it left a browser is %d", a.status)
	}
}

func TestTheTokenLetsABrowserIn(t *testing.T) {
	_, url := guarded(t, "the-token-of-the-home")
	if a, _ := comeIn(t, url, "", "Authorization", "Bearer another"); a.status != 401 {
		t.Errorf("another token is %d", a.status)
	}
	a, cookie := comeIn(t, url, "", "Authorization", "Bearer the-token-of-the-home")
	if a.status != 200 {
		t.Fatalf("the token is %d %s", a.status, a.text)
	}
	if a := post(t, url, "facts", "{}", "Cookie", cookie, page.Header, "1"); a.status != 200 {
		t.Errorf("a visit is %d", a.status)
	}
}

// A link on another site may lead to the page, and to nothing else.
func TestALinkLeadsToThePage(t *testing.T) {
	_, url := guarded(t, "")
	if a := send(t, http.MethodGet, url+"/", "", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"); a.status != 200 {
		t.Errorf("a link is %d", a.status)
	}
	for _, mode := range []string{"no-cors", "cors", ""} {
		if a := send(t, http.MethodGet, url+"/", "", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", mode); a.status != 403 {
			t.Errorf("mode %q is %d", mode, a.status)
		}
	}
	if a := send(t, http.MethodPost, url+visitPath, "{}", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Content-Type", jsonType); a.status != 403 {
		t.Errorf("a form of another site is %d", a.status)
	}
}

// With above a call also sees the scopes above the one it names, and writes to that alone.
func TestScopesAbove(t *testing.T) {
	_, url := start(t)
	type listed struct {
		Facts []struct{ Text, Scope string }
	}
	const agent = `"scope": "agent/nora"`
	called[any](t, url, "save", `{"content": "The ferry leaves at six"}`)
	called[any](t, url, "save", `{"content": "The lamp is oiled on Mondays", `+agent+`, "above": true}`)
	if got := called[listed](t, url, "facts", `{`+agent+`}`); len(got.Facts) != 1 || got.Facts[0].Scope != "agent/nora" {
		t.Errorf("the scope alone: %+v", got)
	}
	if got := called[listed](t, url, "facts", `{`+agent+`, "above": true}`); len(got.Facts) != 2 || got.Facts[0].Scope != "agent/nora" {
		t.Errorf("with those above: %+v", got)
	}
	if a := post(t, url, "facts", `{"above": 1}`); a.status != 400 {
		t.Errorf("above that is no boolean: %d", a.status)
	}
}
