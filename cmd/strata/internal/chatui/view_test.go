package chatui

import (
	"testing"

	"github.com/strata-memory/strata/contextmgr"
)

func TestGauge(t *testing.T) {
	tests := []struct {
		usage contextmgr.Usage
		want  string
	}{
		{contextmgr.Usage{Window: 8192, Total: 3500, Level: 0.43, Last: 12}, "[ctx 43% · 3.5k/8.2k · 12 turns]"},
		{contextmgr.Usage{Window: 1_047_576, Total: 999, Level: 0.001, Last: 1}, "[ctx 0% · 999/1048k · 1 turn]"},
		{contextmgr.Usage{Window: 128_000, Total: 99_960, Level: 0.9, Last: 0}, "[ctx 90% · 100k/128k · 0 turns]"},
	}
	for _, tt := range tests {
		if got := gauge(tt.usage); got != tt.want {
			t.Errorf("gauge(%+v) = %s, want %s", tt.usage, got, tt.want)
		}
	}
}
