package check

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Summed is a table whose column sum is the checksum of others.
type Summed struct {
	Table string
	Sum   string // what the sum is, in SQL
	// Write is the statement that gives rows their sum. A condition follows it. It
	// comes after each statement that changes a column of the sum.
	Write    string
	OfNumber string // is Write for the row of a number
	columns  string
	damaged  Statement
}

// The tables with checksums. Columns that change while a row stays what it is, such as
// when a fact was retired or a decision carried out, are no part of a sum.
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

// Sums are all tables with checksums.
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

// Insert is the statement that inserts a row with its sum, given values for columns,
// which are parted by commas. Those of the sum are among them, and the values are of
// the types that the columns store.
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

// split returns the names of a list.
func split(columns string) []string {
	return strings.FieldsFunc(columns, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// SectionSum is the sum of a section, by which it is known again, too.
func SectionSum(text string, headings []string) string {
	h := sha256.New()
	for _, x := range append([]string{text}, headings...) {
		h.Write(binary.AppendUvarint(nil, uint64(len(x)))) // so that no two lists are written alike
		h.Write([]byte(x))
	}
	return string(h.Sum(nil)[:16])
}
