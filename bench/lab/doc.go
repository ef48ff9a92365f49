// Package lab is a module of its own with tools that measure Strata during development,
// in addition to strata bench. The program does not link any of it.
//
//   - generate writes conversations made from a seed (package generated), as a collection
//     that strata bench reads;
//   - year lives a simulated year (package life) with a memory, and judges what it kept;
//   - tune scores weights of the ranking on several collections;
//   - peers gives the same facts and questions to other memories.
//
// Its tests hold the floors that retrieval must reach.
package lab
