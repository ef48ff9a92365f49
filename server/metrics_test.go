package server

import (
	"bufio"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/internal/ops"
)

// sample is a line of the text format: name, labels, value.
var sample = regexp.MustCompile(`^(strata_[a-z_]+)(\{[a-z]+="[^"\n]*"(?:,[a-z]+="[^"\n]*")*\})? ([0-9.e+-]+)$`)

// samples reads metrics and wants every line to be one.
func samples(t *testing.T, text string) map[string]float64 {
	t.Helper()
	out := make(map[string]float64)
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "# ") {
			continue
		}
		m := sample.FindStringSubmatch(lines.Text())
		if m == nil {
			t.Errorf("no line of metrics: %q", lines.Text())
			continue
		}
		v, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			t.Errorf("%q: %v", lines.Text(), err)
		}
		out[m[1]+m[2]] = v
	}
	return out
}

func TestMetricsCount(t *testing.T) {
	_, url, done := startWaiting(t)
	called[saved](t, url, "save", `{"content": "The ferry leaves at six"}`)
	called[found](t, url, "recall", `{"query": "ferry"}`)
	called[found](t, url, "recall", `{"query": "ferry"}`)
	post(t, url, "recall", `{}`)
	send(t, "GET", url+"/no/such/path", "")
	done() // the counts follow the answers
	a := send(t, "GET", url+"/metrics", "")
	got := samples(t, a.text)
	for name, want := range map[string]float64{
		`strata_http_requests_total{operation="save",code="ok"}`:                    1,
		`strata_http_requests_total{operation="recall",code="ok"}`:                  2,
		`strata_http_requests_total{operation="recall",code="invalid"}`:             1,
		`strata_http_requests_total{operation="none",code="not_found"}`:             1,
		`strata_http_request_duration_seconds_count{operation="recall"}`:            3,
		`strata_http_request_duration_seconds_bucket{operation="recall",le="+Inf"}`: 3,
		`strata_http_requests_in_flight`:                                            1, // this one
		`strata_facts`:                                                              1,
		`strata_build_info{version="1.2.3"}`:                                        1,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %v (there: %v), want %v", name, v, ok, want)
		}
	}
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Errorf("type %s", a.header.Get("Content-Type"))
	}
}

// Buckets hold what lies within their bound, and those below.
func TestDurationsFallIntoTheirBuckets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m metrics
		within := make([]int64, len(bounds))
		took := rapid.SliceOfN(rapid.Int64Range(0, int64(200*time.Second)), 1, 50).Draw(t, "took")
		for _, d := range took {
			m.begin()
			m.end("recall", "", time.Duration(d))
			for i, b := range bounds {
				if time.Duration(d).Seconds() <= b {
					within[i]++
				}
			}
		}
		sum := int64(0)
		for i, n := range m.took["recall"].buckets {
			if sum += n; sum != within[i] {
				t.Fatalf("%d within %g s, want %d", sum, bounds[i], within[i])
			}
		}
	})
}

func TestTheDescriptionIsOpenAPI(t *testing.T) {
	_, url := start(t)
	var doc struct {
		OpenAPI string `json:"openapi"`
		Paths   map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Parameters  []struct{ Name, In string }
			RequestBody struct {
				Content map[string]struct {
					Schema   map[string]any
					Examples map[string]struct{ Value map[string]any }
				}
			} `json:"requestBody"`
			Responses map[string]any
		} `json:"paths"`
		Components struct{ Schemas, Responses, SecuritySchemes map[string]any }
	}
	text := send(t, "GET", url+"/openapi.json", "").text
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" || doc.Components.Schemas["Error"] == nil || doc.Components.Responses["Error"] == nil || doc.Components.SecuritySchemes["token"] == nil {
		t.Errorf("components %+v", doc.Components)
	}
	ids := make(map[string]bool)
	for path, methods := range doc.Paths {
		for method, o := range methods {
			if ids[o.OperationID] || o.OperationID == "" || o.Responses["200"] == nil {
				t.Errorf("%s %s: id %q", method, path, o.OperationID)
			}
			ids[o.OperationID] = true
		}
	}
	for _, op := range ops.All() {
		info := op.About()
		o, ok := doc.Paths[Path(info)]["post"]
		if !ok {
			t.Errorf("%s is not described", info.Name)
			continue
		}
		if info.Reads != "" {
			if _, ok := o.RequestBody.Content[linesType]; !ok || len(o.Parameters) == 0 {
				t.Errorf("%s: %+v", info.Name, o)
			}
			continue
		}
		body := o.RequestBody.Content[jsonType]
		properties, _ := body.Schema["properties"].(map[string]any)
		if body.Schema["additionalProperties"] != false || properties[scopeField] == nil || (properties[yesField] != nil) != info.Destructive {
			t.Errorf("%s: %v", info.Name, body.Schema)
		}
		for _, f := range op.Inputs() {
			if properties[f.Name] == nil {
				t.Errorf("%s: no %s", info.Name, f.Name)
			}
		}
		if len(body.Examples) != len(info.Examples) {
			t.Errorf("%s has %d examples, want %d", info.Name, len(body.Examples), len(info.Examples))
		}
		for doc, e := range body.Examples {
			fits(t, info.Name+" example "+doc, inputSchema(op), map[string]any(e.Value))
		}
	}
}
