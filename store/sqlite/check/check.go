// Package check has the statements that find rows of a database which contradict each
// other.
package check

// Statement finds one kind of problem.
type Statement struct {
	Kind   string // of the problem, as reports name it
	Detail string // what is wrong, for people
	Query  string // yields a row for each problem; a LIMIT may follow
}
