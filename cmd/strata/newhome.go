package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/store"
)

// Functions for salvage and the import of a full export, which both create a home and
// report on it.

// rowsOf counts the rows of all tables.
func rowsOf(tables map[string]int64) (n int64) {
	for _, rows := range tables {
		n += rows
	}
	return n
}

// homeText reports on a new home: the rows of each table, what is missing, with the given
// word, and the problems.
func homeText(rows map[string]int64, word string, lacks []string, problems []store.Problem) string {
	var b strings.Builder
	for _, table := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&b, "kept      %s of %s\n", output.Count(rows[table], "row"), table)
	}
	for _, what := range lacks {
		fmt.Fprintf(&b, "%-10s%s\n", word, terminal.Clean(what))
	}
	for _, what := range problemTexts(problems) {
		fmt.Fprintf(&b, "problem   %s\n", terminal.Clean(what))
	}
	return b.String()
}

// problemTexts formats each problem as a line.
func problemTexts(list []store.Problem) []string {
	return operation.Each(list, func(p store.Problem) string { return strings.TrimSpace(p.Scope + " " + p.Ref + ": " + p.Detail) })
}

// homeFailure returns an error if a new home has problems, and nil otherwise.
func homeFailure(op, home string, problems []store.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	return &strata.Error{Code: strata.CodeCorrupt, Op: op, Message: "the new home has " + output.Count(len(problems), "problem"),
		Hint: "strata doctor --home " + home + " lists them, and what repairs them"}
}
