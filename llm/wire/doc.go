// Package wire is what the clients of model servers share: an HTTP client of
// our own, errors in Strata's codes, lines of a stream, tool calls and vectors
// brought into order. It knows no protocol.
//
// A [Server] reads nothing from the environment, proxies included; a program
// that wants a proxy passes a transport. It keeps the API key to itself: the
// key is set on the request in the transport, sent to the server's own host
// only, and blotted out of whatever the server says.
package wire
