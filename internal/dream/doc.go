// Package dream consolidates memory: facts that are asked for again and again are
// promoted to MEMORY.md, and those that nobody asks for any more drop out of it.
//
// A dream evaluates the recall events of one scope that somebody asked for. Automatic
// recalls say nothing about interest. The gates are checked cheapest first: whether
// dreaming is enabled, the time since the last dream, the sessions or new facts since
// then, the lease and, for each memory, its signals. Every memory that was considered and
// not promoted has a reason: how far it was from passing the gate that stopped it.
//
// A dream also tends the facts of the scope. Of facts that say nearly the same, one is
// merged into the other. Of facts that contradict each other, the one that was said
// earlier is retired; if time does not settle it, the user is asked. Each of these is a
// decision that can be reverted. Concept tags of an earlier version are derived again,
// and skills that memory made and nobody opens are archived.
//
// # Guarantees
//
//   - One dream of a scope runs at a time, across all processes.
//   - Promotions, changes to facts and skills, and the record of the dream are one
//     transaction: a dream that is killed has done all of it or nothing. The files follow
//     the record.
//   - A memory that contains a secret or was forgotten is skipped, and no other memory with
//     it.
//   - No model is asked, and no text of a memory is stored a second time.
package dream
