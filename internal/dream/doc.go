// Package dream consolidates memory: what somebody asked for again and again rises
// into MEMORY.md, what nobody asks for any more sinks out of it.
//
// A dream works on the recall events of one scope, those that somebody asked for
// (what is recalled by itself says nothing about interest). It passes gates, the
// cheapest first: whether dreams are wanted, the time since the last one, the
// sessions or the new facts since then, the lease, and for each memory by itself its signals. Every
// memory that was looked at and not promoted has a reason: the distance to the gate
// that was closed.
//
// It also tends the facts of the scope: of those that say nearly the same one goes into
// the other, and of those that cannot both hold the one that was said earlier gives way.
// Where time does not tell, the user is asked. Each is a decision that can be reverted.
// Concept tags of an earlier version are made anew. Skills that memory made and nobody
// opens are archived.
//
// # Guarantees
//
//   - One dream of a scope is under way at a time, of all processes.
//   - Promotions, what gave way, what became of facts and skills, and the record of the dream are
//     one transaction: a dream that is killed did all of it or nothing. The files follow
//     the record.
//   - What holds a secret or was forgotten is left alone, and nothing else with it.
//   - No model is asked, and no text of a memory is kept a second time.
package dream
