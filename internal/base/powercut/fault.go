package powercut

import "fmt"

// Faults returns where a power cut could lose what was acknowledged: where a file with
// unsynced data is renamed, and where, at an acknowledgement, the directory of a renamed
// or removed name, or a file whose length was set, is not synced. A name that was created
// and removed without a rename is temporary, and its removal need not be durable.
// Operations before the first acknowledgement are preparation. Faults is stricter than
// [Recording.Cuts], which finds actual losses.
func (r *Recording) Faults() []string {
	var faults []string
	now, made := r.begin.clone(), make(map[name]bool)
	began, changes := false, 0
	last := make(map[int]string) // last unsynced change of each file or directory
	for i, o := range r.done {
		switch o.kind {
		case create, makeDir, link:
			made[o.to] = true
		case rename:
			if n := now.nodes[o.file]; began && n != nil && n.names == nil && len(n.pending) > 0 {
				faults = append(faults, o.what+" got its name before its bytes were synced")
			}
			delete(made, o.from)
			delete(made, o.to)
			last[o.to.dir] = o.what + " was renamed"
			changes++
		case remove:
			if !made[o.from] {
				last[o.from.dir] = o.what + " was removed"
				changes++
			}
			delete(made, o.from)
		case truncate:
			last[o.file] = o.what + " was cut"
			changes++
		case sync:
			delete(last, o.file)
		case acknowledge:
			for _, what := range last {
				if began {
					faults = append(faults, fmt.Sprintf("%s: %s, and that is not synced", o.what, what))
				}
			}
			if !began {
				began, changes = true, 0
			}
			clear(last)
		}
		now.do(o, i)
	}
	if changes == 0 {
		faults = append(faults, "nothing was cut, renamed or removed")
	}
	return faults
}
