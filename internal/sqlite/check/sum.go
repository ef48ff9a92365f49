package check

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Summed is a table whose column sum is the checksum of other columns.
type Summed struct {
	Table string
	Sum   string // the SQL expression of the checksum
	// Write is the statement that sets the checksums of rows. The caller appends a
	// condition. It must run after each statement that changes a column that the
	// checksum covers.
	Write    string
	OfNumber string // Write for the row with a number
	columns  string
	damaged  Statement
}

// The tables with checksums. A checksum does not cover columns that change later,
// such as when a fact was retired or a decision applied.
var (
	Fact = summed("fact", "fact", ", or look at it with strata fact show ID and save what is right with --target ID",
		`id, generation, type, recorded_at, valid_from, valid_to, confidence, origin, supersedes, entity,
		attribute, slot, text_hash, sources, tags, text, verbatim`)
	Turn = summed("turn", "turn", ", or forget it",
		`id, session, seq, role, speaker, said_at, recorded_at, redacted, forgotten, images, failed, call_id,
		tool, calls, text`)
	Decision = summed("decision", "decision", ", or live with it: nothing current depends on it",
		`id, request_id, op, fact_id, decided_at, confidence, origin, agent, session, reverts, rules,
		reason, notes, before_fact, after_fact, before, after, path`)
	Document = summed("document", "copy of the file", ", or write the file once more, which is taken in",
		`id, path, kind, type, slug, name, description, hash, generation, redacted, problem, content, is_foreign`)
	Learning = summed("learning", "learning", ", or learn it once more",
		`id, kind, key, tool, session, count, first_at, last_at, forgotten, text, context`)
)

// Sums lists all tables with checksums.
var Sums = []Summed{Fact, Turn, Decision, Document, Learning}

func summed(table, noun, remedy, columns string) Summed {
	sum := "checksum(" + columns + ")"
	write := "UPDATE " + table + " SET sum = " + sum + " WHERE "
	return Summed{Table: table, Sum: sum, columns: columns, Write: write, OfNumber: write + "number = ?", damaged: Statement{
		Kind:   "damaged_" + table,
		Detail: fmt.Sprintf("the %s is not what was written: its row in table %s has changed by itself; restore a backup%s", noun, table, remedy),
		Query:  "SELECT scope_no, id FROM " + table + " NOT INDEXED WHERE sum IS NOT " + sum,
	}}
}

// Insert returns the statement that inserts a row with its checksum, given values
// for columns, a comma-separated list. The columns must include those that the
// checksum covers, and the values must have the types that the columns store.
func (t Summed) Insert(columns string) string {
	names := split(columns)
	values := make([]string, len(names))
	place := make(map[string]string)
	for i, name := range names {
		values[i] = "?" + strconv.Itoa(i+1)
		place[name] = values[i]
	}
	var summed []string
	for _, name := range split(t.columns) {
		summed = append(summed, place[name])
	}
	return "INSERT INTO " + t.Table + " (" + strings.Join(names, ", ") + ", sum) VALUES (" + strings.Join(values, ", ") +
		", checksum(" + strings.Join(summed, ", ") + "))"
}

// split returns the names in a list.
func split(columns string) []string {
	return strings.FieldsFunc(columns, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// SectionSum returns the checksum of a section, which also identifies it across
// versions of its document.
func SectionSum(text string, headings []string) string {
	h := sha256.New()
	for _, x := range append([]string{text}, headings...) {
		h.Write(binary.AppendUvarint(nil, uint64(len(x)))) // so that no two different lists have the same encoding
		h.Write([]byte(x))
	}
	return string(h.Sum(nil)[:16])
}
