// Command peers puts the same generated facts and the same questions to other
// memories and indexes, beside Strata, and prints what each finds and how long
// it takes, as benchstat lines.
//
// It is a module of its own, so that nothing that it needs reaches Strata's
// own go.mod.
package main
