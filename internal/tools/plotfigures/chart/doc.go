// Package chart draws results of benchmarks as SVG: latency and memory over the
// number of facts, and recall at k beside published figures. It is the only
// package that links the plotting library: the program does not.
package chart
