// Package powercut finds what a power cut can take from a program.
//
// [Record] runs the steps of a test in a process of its own and reads what its
// system calls do to the files of a directory. [Recording.Cuts] then makes, for
// moments in between, directories as a power cut could have left them: what was
// synced is there, and of the rest any part is, in any order, with writes torn. The
// test opens what it finds and looks for what had been acknowledged.
//
// The model is that of POSIX, which promises less than most file systems do. Bytes
// of a file are safe once the file is synced, its name once the directory is. Each
// write that is not synced may be there or not, in sectors of 512 bytes. Of the
// changes of names in one directory the first ones may be there; other directories
// do not wait for each other. A rename happens as a whole. T. S. Pillai et al., All
// File Systems Are Not Created Equal (OSDI 2014), found faults of databases that way.
//
// It is for tests, and works on Linux.
package powercut
