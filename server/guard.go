package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// admitted passes on requests with the home's token or a named one, requests of browsers
// that have entered, and requests for public paths. Without a token of the home, named
// tokens are not accepted either. It compares digests of equal length in constant time,
// which reveals nothing about the token.
func (s *Server) admitted(token string, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := w.(*response)
		shown := shownToken(r)
		got := sha256.Sum256([]byte(shown))
		out.trusted = token != "" && subtle.ConstantTimeCompare(got[:], want[:]) == 1
		if !out.trusted && shown != "" && token != "" {
			out.grant = s.grantOf(shown)
		}
		if !out.trusted && out.grant == nil && !s.public(r) && !s.visits(r) {
			out.fail(&refusal{status: http.StatusUnauthorized, err: &strata.Error{Code: strata.CodeDenied,
				Message: "the token is missing or wrong", Hint: "send Authorization: Bearer TOKEN with the token from the file server.token of the home, or one from strata token add"}})
			return
		}
		if err := s.paces.check(out.grant); err != nil {
			out.fail(err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// shownToken returns the token in a request; empty for none.
func shownToken(r *http.Request) string {
	scheme, shown, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.TrimSpace(shown)
}

// ownHost rejects a Host that is not an IP address, localhost or one of names. It
// protects against DNS rebinding, in which a page of another site reaches the server
// under that site's name.
func ownHost(names []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		_, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if err != nil && !strings.EqualFold(host, "localhost") && !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, host) }) {
			w.(*response).fail(&strata.Error{Code: strata.CodeDenied, Message: "the server does not answer to this host name",
				Hint: "use its address, localhost, or the name it listens on"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// sameOrigin rejects requests that a browser sends for a page of another site, except a
// link to the server's page, which contains no data. Programs send no Origin. No header
// allows other origins to read an answer.
func sameOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site := r.Header.Get("Sec-Fetch-Site")
		origins := r.Header.Values("Origin")
		foreign := slices.ContainsFunc(origins, func(o string) bool {
			u, err := url.Parse(o)
			return err != nil || u.Host == "" || u.Host != r.Host
		})
		link := r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
		if foreign || !link && (site == "cross-site" || site == "same-site") {
			w.(*response).fail(&strata.Error{Code: strata.CodeDenied, Message: "the request comes from a page of another site",
				Hint: "programs must leave out the header Origin"})
			return
		}
		next.ServeHTTP(w, r)
	})
}
