package config

import "testing"

func TestSettingsOfRetentionAreChecked(t *testing.T) {
	for _, s := range retentionSettings() {
		good, bad := []string{Off, "1d", "36h", "180d"}, []string{"0d", "1h", "soon", "-3d", "on"}
		if s.Number {
			good, bad = []string{"1", "4096"}, []string{"0", "-1", "much"}
		}
		for _, v := range good {
			if err := s.check(v); err != nil {
				t.Errorf("%s = %s: %v", s.Name, v, err)
			}
		}
		for _, v := range bad {
			if s.check(v) == nil {
				t.Errorf("%s = %s is taken", s.Name, v)
			}
		}
	}
}
