// Package powercut finds data that a program can lose in a power cut.
//
// [Record] runs the steps of a test in a separate process and records what its system
// calls do to the files of a directory. [Recording.Cuts] then creates directories as a
// power cut at some moment could have left them: what was synced is there, and any part
// of the rest, in any order, with torn writes. The test opens each directory and looks
// for what had been acknowledged.
//
// The model is that of POSIX, which promises less than most file systems do. The content
// of a file is durable once the file is synced, its name once the directory is. Each
// unsynced write may be there or not, in sectors of 512 bytes. Of the changes of names in
// one directory, some first ones may be there, independently of other directories. A
// rename is atomic. T. S. Pillai et al., All File Systems Are Not Created Equal (OSDI
// 2014), found faults in databases this way.
//
// The package is for tests, and works on Linux.
package powercut
