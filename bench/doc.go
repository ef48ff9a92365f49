// Package bench measures how well and how fast memory is found.
//
// A [Collection] is documents, queries and which documents answer which query.
// It is read from the BEIR layout ([ReadBEIR]) or from LoCoMo conversations
// ([ReadLoCoMo]), ingested through the engine like anything else ([Ingest]),
// and asked ([Ask]). A run is written in TREC format, so that any evaluation
// tool can score it, and scored here ([Score]).
//
// Nothing in this package, and no ranking rule anywhere, knows a data set.
package bench
