// Package lab is a module of its own: what measures Strata in its development, beside
// what strata bench measures. The program links none of it.
//
//   - generate writes conversations that are made by a seed (package generated), as a
//     collection that strata bench reads;
//   - year lives a simulated year (package life) with a memory, and judges what it kept;
//   - tune scores weights of the ranking on several collections;
//   - peers gives the same facts and questions to other memories.
//
// Its tests hold the floors that retrieval must reach.
package lab
