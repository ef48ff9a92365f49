package config

import (
	"slices"
	"testing"
)

func TestSettingsOfDreamsAreChecked(t *testing.T) {
	for _, tt := range []struct {
		name      string
		good, bad []string
	}{
		{Dream, []string{"on", "off"}, []string{"yes"}},
		{DreamEvery, []string{"1m", "12h", "8760h"}, []string{"0", "30s", "9000h", "a day"}},
		{DreamSessions, []string{"1", "1000"}, []string{"0", "1001", "x"}},
		{DreamMinScore, []string{"0.01", "1"}, []string{"0", "1.1", "-0.5", "NaN", "0.1, 0.2"}},
		{DreamWeights, []string{"1,0,0,0,0,0", "0.2, 0.2,0.2,0.2,0.1,0.1"}, []string{"1,1,1,1,1", "0,0,0,0,0,0", "1,1,1,1,1,2", "1,,1,1,1,1"}},
	} {
		at := slices.IndexFunc(Settings(), func(s Setting) bool { return s.Name == tt.name })
		s := Settings()[at]
		for _, v := range tt.good {
			if err := s.check(v); err != nil {
				t.Errorf("%s = %q: %v", tt.name, v, err)
			}
		}
		for _, v := range tt.bad {
			if s.check(v) == nil {
				t.Errorf("%s takes %q", tt.name, v)
			}
		}
	}
}
