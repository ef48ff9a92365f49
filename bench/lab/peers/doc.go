// Command peers gives the same generated facts and the same questions to Strata and to
// other memories and indexes. It prints what each of them finds and how long it takes, as
// benchstat lines.
//
// It is in a module of its own, so that its dependencies do not reach Strata's go.mod.
package main
