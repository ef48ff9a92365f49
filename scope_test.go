package strata

import (
	"errors"
	"strings"
	"testing"
)

func TestScopeKeyRoundTrip(t *testing.T) {
	for _, s := range []Scope{Global(), InWorkspace("01JX"), ForAgent("coder"), ForAgentIn("01JX", "coder")} {
		got, err := ParseScope(s.Key())
		if err != nil || got != s {
			t.Errorf("ParseScope(%q) = %+v, %v; want %+v", s.Key(), got, err, s)
		}
	}
}

func TestScopesThatOwnNothingAreRefused(t *testing.T) {
	for name, s := range map[string]Scope{
		"zero":                     {},
		"global with a workspace":  {Kind: ScopeGlobal, Workspace: "w"},
		"workspace without id":     {Kind: ScopeWorkspace},
		"agent without name":       {Kind: ScopeAgent, Tier: TierGlobal},
		"agent without tier":       {Kind: ScopeAgent, Agent: "a"},
		"agent in no workspace":    {Kind: ScopeAgent, Tier: TierWorkspace, Agent: "a"},
		"unknown kind":             {Kind: "team"},
		"path":                     InWorkspace("../etc"),
		"slash":                    ForAgent("a/b"),
		"control character":        ForAgent("a\nb"),
		"white space at the end":   ForAgent("a "),
		"longer than 256 bytes":    ForAgent(strings.Repeat("a", 257)),
		"not UTF-8":                ForAgent("a\xff"),
		"two dots as a whole name": ForAgent(".."),
	} {
		t.Run(name, func(t *testing.T) {
			var e *Error
			if err := s.Validate(); !errors.As(err, &e) || e.Code != CodeInvalid || e.Hint == "" {
				t.Errorf("Validate = %v, want an invalid error with a hint", err)
			}
		})
	}
}

func TestViews(t *testing.T) {
	if err := (View{}).Validate(); CodeOf(err) != CodeInvalid {
		t.Errorf("the empty view is %v", err)
	}
	if err := (View{Scopes: []Scope{Global(), Global()}}).Validate(); CodeOf(err) != CodeInvalid {
		t.Errorf("a view with a scope twice is %v", err)
	}
	v := ViewOf("w", "a")
	want := []Scope{ForAgentIn("w", "a"), ForAgent("a"), InWorkspace("w"), Global()}
	if err := v.Validate(); err != nil || len(v.Scopes) != len(want) {
		t.Fatalf("ViewOf = %+v, %v", v, err)
	}
	for i, s := range want {
		if v.Scopes[i] != s {
			t.Errorf("scope %d is %s, want %s", i, v.Scopes[i], s)
		}
	}
}

// Distinct scopes never share a key, and what parses is what was printed.
func FuzzParseScope(f *testing.F) {
	for _, key := range []string{"global", "workspace/x", "agent/x", "workspace/x/agent/y", "workspace//agent/", "agent/.."} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		s, err := ParseScope(key)
		if err != nil {
			return
		}
		if s.Key() != key || s.Validate() != nil {
			t.Errorf("ParseScope(%q) = %+v with key %q, %v", key, s, s.Key(), s.Validate())
		}
	})
}
