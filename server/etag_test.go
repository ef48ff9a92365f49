package server

import (
	"net/http"
	"testing"

	"github.com/strata-memory/strata"
)

// shownNote is a note as clients read it.
type shownNote struct {
	Hash    string `json:"hash"`
	Content string `json:"content"`
	Path    string `json:"path"`
}

func TestANoteIsReadAgainOnlyIfItChanged(t *testing.T) {
	_, url := start(t)
	called[shownNote](t, url, "remember", `{"title": "Ferries", "type": "reference", "content": "They leave at six.", "scope": "global"}`)
	at := url + "/v1/note_show?name=Ferries"
	first := send(t, http.MethodGet, at, "")
	etag := first.header.Get("ETag")
	if first.status != http.StatusOK || len(etag) < 10 {
		t.Fatalf("%d %q %s", first.status, etag, first.text)
	}
	if posted := post(t, url, "note_show", `{"name": "Ferries"}`, "If-None-Match", etag); posted.header.Get("ETag") != etag || posted.text != first.text {
		t.Errorf("by POST it is %q %s", posted.header.Get("ETag"), posted.text)
	}
	for _, same := range []string{etag, "W/" + etag, "*", `"other", ` + etag} {
		if a := send(t, http.MethodGet, at, "", "If-None-Match", same); a.status != http.StatusNotModified || a.text != "" || a.header.Get("ETag") != etag {
			t.Errorf("If-None-Match %s: %d %q", same, a.status, a.text)
		}
	}
	if a := send(t, http.MethodGet, at, "", "If-None-Match", `"other"`); a.status != http.StatusOK || a.text != first.text {
		t.Errorf("of another version: %d %s", a.status, a.text)
	}
	wantFailure(t, send(t, http.MethodGet, url+"/v1/note_show?name=Nowhere", ""), http.StatusNotFound, strata.CodeNotFound)
	wantFailure(t, send(t, http.MethodGet, url+"/v1/note_show?name=a&name=b", ""), http.StatusBadRequest, strata.CodeInvalid)
	if a := send(t, http.MethodGet, url+"/v1/facts", ""); a.status != http.StatusMethodNotAllowed {
		t.Errorf("facts by GET: %d", a.status)
	}
}

// Two who edit the same version: the second is told, and loses nothing.
func TestAChangeOfAnotherVersionIsAConflict(t *testing.T) {
	_, url := start(t)
	called[shownNote](t, url, "remember", `{"title": "Ferries", "type": "reference", "content": "They leave at six.", "scope": "global"}`)
	note := called[shownNote](t, url, "note_show", `{"name": "Ferries"}`)
	write := func(text, match string) answer {
		body := string(encode(map[string]string{"name": note.Path, "content": note.Content + text}))
		return post(t, url, "note_write", body, "If-Match", match)
	}
	etag := `"` + note.Hash + `"`
	one := write("The last at ten.\n", etag)
	if one.status != http.StatusOK || one.header.Get("ETag") == etag || one.header.Get("ETag") == "" {
		t.Fatalf("%d %q %s", one.status, one.header.Get("ETag"), one.text)
	}
	wantFailure(t, write("The first at five.\n", etag), http.StatusConflict, strata.CodeConflict)
	if now := called[shownNote](t, url, "note_show", `{"name": "Ferries"}`); `"`+now.Hash+`"` != one.header.Get("ETag") {
		t.Errorf("it is %s now", now.Content)
	}
	if again := write("The last at ten.\n", one.header.Get("ETag")); again.header.Get("ETag") != one.header.Get("ETag") {
		t.Errorf("the same again is %q: %s", again.header.Get("ETag"), again.text)
	}
	if two := write("The last at ten.\nThe first at five.\n", one.header.Get("ETag")); two.status != http.StatusOK {
		t.Errorf("with the new version: %d %s", two.status, two.text)
	}
	for _, none := range []string{"*", note.Hash, `W/` + etag, etag + `, "other"`, `""`} {
		wantFailure(t, write("x", none), http.StatusBadRequest, strata.CodeInvalid)
	}
	wantFailure(t, post(t, url, "save", `{"content": "x"}`, "If-Match", etag), http.StatusBadRequest, strata.CodeInvalid)
	wantFailure(t, post(t, url, "note_delete", `{"name": "Ferries", "yes": true}`, "If-Match", etag), http.StatusConflict, strata.CodeConflict)
}

// Who wants to write only what is not there yet writes over nothing.
func TestANoteIsMadeOnlyWhereNoneIs(t *testing.T) {
	_, url := start(t)
	write := func(text string, headers ...string) answer {
		return post(t, url, "note_write", string(encode(map[string]string{"name": "USER.md", "content": text})), headers...)
	}
	if a := write("Nora is a nurse.", "If-None-Match", "*"); a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.text)
	}
	wantFailure(t, write("Nora is a pilot.", "If-None-Match", "*"), http.StatusConflict, strata.CodeConflict)
	now := called[shownNote](t, url, "note_show", `{"name": "USER.md"}`)
	if now.Content != "Nora is a nurse.\n" {
		t.Errorf("it is %q", now.Content)
	}
	etag := `"` + now.Hash + `"`
	wantFailure(t, write("x", "If-None-Match", etag), http.StatusBadRequest, strata.CodeInvalid)
	wantFailure(t, write("x", "If-None-Match", "*", "If-Match", etag), http.StatusBadRequest, strata.CodeInvalid)
	wantFailure(t, post(t, url, "save", `{"content": "x"}`, "If-None-Match", "*"), http.StatusBadRequest, strata.CodeInvalid)
}
