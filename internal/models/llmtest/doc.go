// Package llmtest holds the suites that clients of models pass. [RunScripted]
// and [RunScriptedEmbedder] check a client against a server that misbehaves as
// servers do; [RunChat] and [RunEmbedder] check it against a real one, even
// with random weights. [InTurn] is a model for tests of what asks one. Only tests import it.
package llmtest
