// Package filelock locks whole files between processes, where the system has
// such locks. Closing a file gives its lock up, and so does the end of the
// process, however it ends.
//
// Where there are no such locks everybody has the lock at once: there, one
// process at a time should use a home.
package filelock
