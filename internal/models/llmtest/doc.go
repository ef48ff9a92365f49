// Package llmtest holds test suites for clients of models. [RunScripted] and
// [RunScriptedEmbedder] check a client against a server that misbehaves as real ones do;
// [RunChat] and [RunEmbedder] check it against a real server, even one with random
// weights. [InTurn] is a model for tests of code that calls one. Only tests import this
// package.
package llmtest
