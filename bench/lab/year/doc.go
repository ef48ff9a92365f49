// Command year lives a simulated year with a memory and judges what it made of it.
//
// A life of package life is played to a throw-away home, session by session, on a
// clock that follows the life: turns are appended, facts extracted by rules and
// questions asked. At the end everything that is stored is held against what was true:
// what was kept and is found, what changed and is still given as current, what should not
// have been kept, which secrets reached the disk, what of one project shows in the other.
// Then what ended long ago is archived, and some of it brought back.
//
// The same seed and size give the same figures, those of time excepted.
package main
