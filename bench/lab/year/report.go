package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
)

//go:embed report.html
var pageText string

var page = template.Must(template.New("report").Parse(pageText))

// Report returns a self-contained HTML page about the year: figures, plots, and examples
// of what went wrong.
func (r Result) Report() ([]byte, error) {
	var out bytes.Buffer
	err := page.Execute(&out, map[string]any{
		"Result": r, "Headlines": r.Headlines(),
		"Tokens": r.plotTokens(), "Parts": r.parts(), "Months": months, "Flat": percent(flat), "Kept": r.plotKinds(), "Noise": r.plotNoise(), "Failures": r.byKind(),
	})
	return out.Bytes(), err
}

// failed holds the failures of one kind.
type failed struct {
	Kind string
	List []Failure
}

func (r Result) byKind() (out []failed) {
	for _, f := range r.Failures {
		i := slices.IndexFunc(out, func(o failed) bool { return o.Kind == f.Kind })
		if i < 0 {
			i, out = len(out), append(out, failed{Kind: f.Kind})
		}
		out[i].List = append(out[i].List, f)
	}
	slices.SortFunc(out, func(a, b failed) int { return strings.Compare(a.Kind, b.Kind) })
	return out
}

// bar is a row of a plot: bars drawn one inside the other, the largest first.
type bar struct {
	name   string
	values []int
	label  string
}

func (r Result) plotTokens() template.HTML {
	var bars []bar
	for i, n := range r.Figures.Tokens {
		bars = append(bars, bar{fmt.Sprint("month ", i+1), []int{n}, fmt.Sprint(n)})
	}
	return plot("Tokens of memory in the prompt at the start of a session", bars)
}

// months holds the numbers of the months.
var months = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}

// partOf holds the tokens of one part of the prompt, by month.
type partOf struct {
	Name   string
	Tokens *[12]int
}

func (r Result) parts() (out []partOf) {
	for _, kind := range slices.Sorted(maps.Keys(r.Figures.Prompt)) {
		out = append(out, partOf{string(kind), r.Figures.Prompt[kind]})
	}
	return out
}

func (r Result) plotKinds() template.HTML {
	var bars []bar
	for _, kind := range slices.Sorted(maps.Keys(r.Figures.Kinds)) {
		k := r.Figures.Kinds[kind]
		bars = append(bars, bar{string(kind), []int{k.Told, k.Kept, k.Found}, fmt.Sprintf("%d told, %d kept, %d of %d that hold found", k.Told, k.Kept, k.Found, k.Holding)})
	}
	return plot("Told, kept, and found at the end, by kind", bars)
}

func (r Result) plotNoise() template.HTML {
	var bars []bar
	for _, kind := range slices.Sorted(maps.Keys(r.Figures.Noise)) {
		n := r.Figures.Noise[kind]
		bars = append(bars, bar{string(kind), []int{n}, fmt.Sprint(n)})
	}
	return plot("Stored facts that are noise, by what they come from", bars)
}

// plot draws rows of bars as SVG.
func plot(title string, bars []bar) template.HTML {
	const row, left, wide, right = 22, 110, 360, 330
	most := 1
	for _, b := range bars {
		most = max(most, slices.Max(b.values))
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<svg viewBox="0 0 %d %d" role="img"><title>%s</title>`, left+wide+right, row*len(bars)+4, template.HTMLEscapeString(title))
	for i, b := range bars {
		y := row * i
		fmt.Fprintf(&out, `<text x="%d" y="%d" text-anchor="end">%s</text>`, left-8, y+15, template.HTMLEscapeString(b.name))
		for n, v := range b.values {
			fmt.Fprintf(&out, `<rect class="bar%d" x="%d" y="%d" width="%.1f" height="%d"/>`, n, left, y+3+3*n, float64(wide)*float64(v)/float64(most), row-6-6*n)
		}
		fmt.Fprintf(&out, `<text x="%.1f" y="%d">%s</text>`, float64(left)+float64(wide)*float64(slices.Max(b.values))/float64(most)+6, y+15, template.HTMLEscapeString(b.label))
	}
	out.WriteString("</svg>")
	return template.HTML(out.String())
}
