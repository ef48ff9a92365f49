package powercut

// kind is what an operation does.
type kind uint8

const (
	write       kind = iota // bytes at an offset of a file
	truncate                // a file has another length
	sync                    // of a file or directory
	create                  // an empty file
	makeDir                 // a directory
	rename                  // from one name to another
	link                    // a second name
	remove                  // of a file or an empty directory
	acknowledge             // the program says that something is done
)

// operation is one thing that a program did to a file or directory.
type operation struct {
	kind kind
	file int // number of the file or directory
	// began is how many operations had ended when a sync began: it covers those.
	began  int
	offset int64 // of a write; the length of a truncate
	data   []byte
	from   name // that goes
	to     name // that comes
	// what is said of it: what was acknowledged, or a path that was cut,
	// renamed or removed.
	what string
}

// name is a name in a directory.
type name struct {
	dir  int // number of the directory; 0 is none
	base string
}

// Recording is what a program did, from a state of the disk on.
type Recording struct {
	begin *disk
	root  string
	done  []operation
}

// Acknowledgements is how often the program said that something is done.
func (r *Recording) Acknowledgements() int {
	n := 0
	for _, o := range r.done {
		if o.kind == acknowledge {
			n++
		}
	}
	return n
}
