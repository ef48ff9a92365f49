package powercut

import "fmt"

// Faults says where a power cut could take what was acknowledged: where a file with
// bytes that are not synced is renamed, and where at an acknowledgement the directory
// of a name that was renamed or removed, or a file whose length was set, is not
// synced. A name that was made and removed without a rename is a temporary one and
// need not go durably. What comes before the first acknowledgement is preparation. It is stricter than [Recording.Cuts],
// which finds what really is lost.
func (r *Recording) Faults() []string {
	var faults []string
	now, made := r.begin.clone(), make(map[name]bool)
	began, changes := false, 0
	last := make(map[int]string) // what happened to a file or in a directory that is not synced
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
