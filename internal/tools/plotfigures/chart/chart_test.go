package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
)

var update = flag.Bool("update", false, "rewrite the golden file")

func point(facts int) bench.Point {
	d := time.Duration(facts) * time.Microsecond / 100
	return bench.Point{
		Facts: facts, Recall: bench.Percentiles{P50: d, P95: 2 * d, P99: 3 * d}, Nearest: bench.Percentiles{P50: d / 2}, Words: bench.Percentiles{P50: d / 3},
		Open: 40 * time.Millisecond, Shell: 90 * time.Millisecond, Bytes: int64(facts) * 4000, Anonymous: 20 << 20,
	}
}

func scale(sizes ...int) bench.Result {
	r := bench.Result{Kind: bench.KindScale}
	for _, n := range sizes {
		r.Points = append(r.Points, point(n))
	}
	return r
}

func retrieval() bench.Result {
	return bench.Result{
		Kind: bench.KindRetrieval, Collection: bench.CollectionLoCoMo, Data: bench.Data{Name: "d", SHA256: "1"},
		Settings: bench.Settings{Unit: bench.UnitDocument},
		Scores:   &bench.Scores{Queries: 1018, Recall: [4]float64{0.76, 0.83, 0.88, 0.92}},
	}
}

// texts are what is written in an SVG, which must be XML.
func texts(t *testing.T, svg []byte) []string {
	t.Helper()
	var out []string
	dec := xml.NewDecoder(bytes.NewReader(svg))
	inText := false
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		switch at := token.(type) {
		case xml.StartElement:
			inText = at.Name.Local == "text"
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				out = append(out, string(at))
			}
		}
	}
}

func picture(t *testing.T, results ...Named) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Draw(&out, results, Light); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestThePictureIsTheGoldenOne(t *testing.T) {
	const golden = "testdata/figures.svg"
	results := []Named{{"large", scale(100_000)}, {"small", scale(1000, 10_000)}, {"dev", retrieval()}}
	got := picture(t, results...)
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the picture differs from %s: look at both, then run with -update", golden)
	}
	if again := picture(t, results...); !bytes.Equal(got, again) {
		t.Error("the same results made other bytes")
	}
	words := texts(t, got)
	for _, want := range []string{"Latency", "Memory and disk", "recall, p50", "1,000", "100,000", "Strata: dev", "Evidence of LoCoMo found (dashed: all ten conversations)", "BM25, words as they are", "DRAGON+ (LoCoMo paper)", "50"} {
		if !slices.Contains(words, want) {
			t.Errorf("nothing says %q: %q", want, words)
		}
	}
}

func TestThemesDifferInColorsAlone(t *testing.T) {
	draw := func(theme Theme) []byte {
		var out bytes.Buffer
		if err := Draw(&out, []Named{{"r", scale(1000, 10_000)}, {"dev", retrieval()}}, theme); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	light, dark := draw(Light), draw(Dark)
	if !slices.Equal(texts(t, light), texts(t, dark)) {
		t.Error("the texts differ")
	}
	// White on white, or dark on dark, cannot be read: nothing but the ground has
	// the color of the ground, and texts have that of ink.
	for name, c := range map[string]struct {
		svg         []byte
		ground, ink string
	}{"light": {light, "#FFFFFF", "#1A1A1A"}, "dark": {dark, "#0D1117", "#E2E2E2"}} {
		for _, want := range []string{c.ground, c.ink} {
			if !strings.Contains(string(c.svg), want) {
				t.Errorf("%s has nothing in %s", name, want)
			}
		}
		for l := range strings.Lines(string(c.svg)) {
			if strings.Contains(l, "font-family:") && (!strings.Contains(l, "fill:"+c.ink) || !strings.Contains(l, ",sans-serif")) {
				t.Errorf("%s: a text in another color, or without a font to fall back on: %s", name, l)
			}
		}
	}
}

func TestLinesDifferWithoutColor(t *testing.T) {
	for _, theme := range []Theme{Light, Dark} {
		seen := make(map[string]bool)
		for i := range 8 { // runs and published figures of the README's picture
			for _, look := range []string{fmt.Sprintf("%T", shape(i)), fmt.Sprint(theme.line(i))} {
				if seen[look] {
					t.Errorf("line %d looks like another: %s", i, look)
				}
				seen[look] = true
			}
		}
	}
}

func TestPanelsFollowTheResults(t *testing.T) {
	bySession := retrieval()
	bySession.Settings.Unit = bench.UnitSession
	other := retrieval()
	other.Collection = bench.CollectionBEIR
	unmeasured := scale(1000)
	unmeasured.Points[0].Words = bench.Percentiles{}
	for name, c := range map[string]struct {
		result     bench.Result
		has, lacks string
	}{
		"a scale alone":                    {scale(10), "Latency", "Evidence found"},
		"what was not measured":            {unmeasured, "recall, p50", "by words alone, p50"},
		"a retrieval alone":                {retrieval(), "DRAGON+ (LoCoMo paper)", "Latency"},
		"sessions, which nobody published": {bySession, "Evidence found", "DRAGON+ (LoCoMo paper)"},
		"another collection":               {other, "Evidence found", "DRAGON+ (LoCoMo paper)"},
	} {
		t.Run(name, func(t *testing.T) {
			words := texts(t, picture(t, Named{"r", c.result}))
			if !slices.Contains(words, c.has) || slices.Contains(words, c.lacks) {
				t.Errorf("%q", words)
			}
		})
	}
}

func TestDrawRefuses(t *testing.T) {
	other := retrieval()
	other.Data.SHA256 = "2"
	empty := scale(10)
	empty.Points[0] = bench.Point{Facts: 10}
	for name, c := range map[string]struct {
		results []Named
		want    string
	}{
		"nothing":        {nil, "nothing to plot"},
		"a size twice":   {[]Named{{"a", scale(10, 20)}, {"b", scale(20)}}, "a and b both have a point of 20 facts"},
		"different data": {[]Named{{"a", retrieval()}, {"b", other}}, "a and b are of other data"},
		"no figure":      {[]Named{{"a", empty}}, "none of the points has a figure"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			err := Draw(&out, c.results, Light)
			if err == nil || !strings.Contains(err.Error(), c.want) || out.Len() > 0 {
				t.Errorf("error %v, %d bytes", err, out.Len())
			}
		})
	}
	if err := Draw(io.Discard, nil, Dark); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("error %v", err)
	}
}

func TestDecades(t *testing.T) {
	labels := func(low, high float64) (out []string, marks int) {
		for _, tick := range (decades{}).Ticks(low, high) {
			if marks++; tick.Label != "" {
				out = append(out, tick.Label)
			}
		}
		return out, marks
	}
	got, marks := labels(0.1, 1_000_000)
	if !slices.Equal(got, []string{"0.1", "1", "10", "100", "1,000", "10,000", "100,000", "1,000,000"}) || marks != 64 {
		t.Errorf("%q, %d marks", got, marks)
	}
	var a plot.Axis
	logarithmic(&a, 1000, 1000)
	if a.Min != 1000 || a.Max != 10_000 {
		t.Errorf("one value lies between %v and %v", a.Min, a.Max)
	}
}
