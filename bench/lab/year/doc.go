// Command year lives a simulated year with a memory and judges what the memory made of
// it.
//
// It plays a life of package life to a temporary home, session by session, on a clock
// that follows the life: it appends turns, has facts extracted by rules and asks
// questions. At the end, it compares everything that is stored with what was true: what
// was kept and is found, what changed and is still given as current, what should not have
// been kept, which secrets reached the disk, and what one project shows of the other.
// Then it archives what ended long ago and restores some of it.
//
// The same seed and size give the same figures, except for times.
package main
