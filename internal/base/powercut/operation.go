package powercut

// kind is what an operation does.
type kind uint8

const (
	write       kind = iota // data at an offset of a file
	truncate                // set the length of a file
	sync                    // of a file or directory
	create                  // an empty file
	makeDir                 // a directory
	rename                  // from one name to another
	link                    // a second name
	remove                  // of a file or an empty directory
	acknowledge             // the program says that something is done
)

// operation is a change that a program made to a file or directory.
type operation struct {
	kind kind
	file int // number of the file or directory
	// began is the number of operations that had ended when a sync began, which it
	// covers.
	began  int
	offset int64 // of a write; the length of a truncate
	data   []byte
	from   name // the name that disappears
	to     name // the name that appears
	// what describes the operation: what was acknowledged, or the path that was
	// truncated, renamed or removed.
	what string
}

// name is a name in a directory.
type name struct {
	dir  int // number of the directory; 0 means none
	base string
}

// Recording is what a program did, starting from a state of the disk.
type Recording struct {
	begin *disk
	root  string
	done  []operation
}

// Acknowledgements returns how many acknowledgements the program made.
func (r *Recording) Acknowledgements() int {
	n := 0
	for _, o := range r.done {
		if o.kind == acknowledge {
			n++
		}
	}
	return n
}
