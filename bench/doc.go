// Package bench measures the quality and speed of retrieval from memory.
//
// A [Collection] holds documents, queries, and judgments of which documents answer which
// query. It is read from the BEIR layout ([ReadBEIR]) or from LoCoMo conversations
// ([ReadLoCoMo]), ingested through the engine like any other data ([Ingest]), and queried
// ([Ask]). Package bench writes runs in TREC format, so that any evaluation tool can
// score them, and scores them itself ([Score]).
//
// Neither this package nor any ranking rule is specific to a data set.
package bench
