package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestPlainProgressIsAFewLines(t *testing.T) {
	var out bytes.Buffer
	longAgo := time.Now().Add(-time.Minute)
	p := New("doctor", &out)
	p.Report(1, 1000)
	if got := p.Far(); got != "1 of 1000" || out.Len() > 0 {
		t.Errorf("at once, at %s:\n%s", got, out.String())
	}
	p = New("reindex", &out)
	p.since = longAgo
	for i := range int64(1000) {
		p.Report(i+1, 1000)
	}
	p.Finish()
	lines := strings.Count(out.String(), "\n")
	if lines < 5 || lines > 12 || !strings.HasSuffix(out.String(), "reindex: 1000 of 1000\n") {
		t.Errorf("%d lines:\n%s", lines, out.String())
	}
	out.Reset()
	p = NewBytes("backup", &out)
	p.since = longAgo
	p.Report(8192, 3<<20)
	if got := p.Far(); got != "8.0 KiB of 3.0 MiB" {
		t.Errorf("it came as far as %q", got)
	}
	if got := out.String(); got != "backup: 8.0 KiB of 3.0 MiB\n" {
		t.Errorf("of bytes:\n%s", got)
	}
	out.Reset()
	p = New("import", &out)
	p.since = longAgo
	if got := p.Far(); got != "" {
		t.Errorf("before anything is done it came as far as %q", got)
	}
	for i := range int64(25_000) {
		p.Report(i+1, 0)
	}
	if got := p.Far(); got != "25000" {
		t.Errorf("without a total it came as far as %q", got)
	}
	if got := out.String(); got != "import: 10000\nimport: 20000\n" {
		t.Errorf("without a total:\n%s", got)
	}
}
