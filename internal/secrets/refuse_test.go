package secrets

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

func TestRefuseNamesTheFieldAndNotTheSecret(t *testing.T) {
	secret := "ghp_" + mixed(36)
	err := Refuse("write", Name{"agent", "coder"}, Name{"session", "s-" + secret}, Name{"path", secret})
	if strata.CodeOf(err) != strata.CodeRejectedSecret || !strings.Contains(err.Error(), "the session holds a secret: github-token") {
		t.Errorf("error %v", err)
	}
	if err := Refuse("write", Name{"path", "notes/user_" + secret + ".md"}); strata.CodeOf(err) != strata.CodeRejectedSecret {
		t.Errorf("a secret after an underscore: %v", err)
	}
	if strings.Contains(err.Error(), secret) {
		t.Error("the error repeats the secret")
	}
}

func TestRefuseTakesNamesAsTheyAre(t *testing.T) {
	for _, name := range []string{"", "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB", "550e8400-e29b-41d4-a716-446655440000", "import:doc_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB:0f1e2d3c4b5a6978",
		"sess_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB", "notes/project_token-rotation-2024.md", "token-refactor-3", "2026-11-24T10:30:00", "How we reset a password"} {
		if err := Refuse("write", Name{"session", name}); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}
