//go:build !unix

package workspace

import "errors"

// limitOpenFiles fails: the system has no such limit.
func limitOpenFiles(uint64) error { return errors.ErrUnsupported }

// makePipe fails: the system has no named pipes among its files.
func makePipe(string) error { return errors.ErrUnsupported }
