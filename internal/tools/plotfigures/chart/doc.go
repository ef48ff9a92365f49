// Package chart draws benchmark results as SVG: latency and memory by number of facts,
// and recall at k next to published figures. It is the only package that imports the
// plotting library; the strata program does not link it.
package chart
