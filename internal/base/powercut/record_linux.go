//go:build amd64 || arm64

package powercut

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"unsafe"
)

// recorded is the environment variable that names the directory in a recorded process.
const recorded = "STRATA_TEST_RECORDED"

// mark begins a path that is removed to signal an acknowledgement to the tracer. The path
// does not exist.
const mark = "/strata-test-acknowledged/"

// Record runs the steps of a test in a separate process and returns what they did to the
// files of dir, which the steps get as an absolute path. The steps call acknowledge with
// a word or a short line, of at most 200 bytes and without a slash, for what they have
// just done. Afterwards dir is as the steps left it.
//
// A test calls Record once. The process also runs what the test does before the call. The
// test must not be a subtest.
func Record(t *testing.T, dir string, steps func(dir string, acknowledge func(what string))) *Recording {
	t.Helper()
	if there := os.Getenv(recorded); there != "" {
		steps(there, func(what string) { syscall.Unlink(mark + what) })
		t.SkipNow() // the rest is for the recording process
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := newTracer(dir)
	if err != nil {
		t.Fatal(err)
	}
	tr.run(t)
	return &Recording{begin: tr.begin, root: dir, done: tr.done}
}

// callInfo is struct ptrace_syscall_info of Linux.
type callInfo struct {
	op     uint8 // 1 at the entry of a call, 2 at its exit
	_      [3]uint8
	_      uint32
	_, _   uint64
	number uint64 // the result, at the exit
	args   [6]uint64
	_      [2]uint64
}

// Constants missing from package syscall.
const (
	optionExitKill  = 0x100000
	requestCallInfo = 0x420e
	waitAll         = 0x40000000
)

// run runs the test again and traces its system calls until it ends.
func (tr *tracer) run(t *testing.T) {
	t.Helper()
	runtime.LockOSThread() // only the thread that started tracing may resume the process
	defer runtime.UnlockOSThread()
	output, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), recorded+"="+tr.root)
	child.Stdout, child.Stderr = output, output
	child.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := child.Start(); err != nil {
		t.Fatalf("trace the test: %v", err)
	}
	tr.pid = child.Process.Pid
	defer child.Process.Release()
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(tr.pid, &status, 0, nil); err != nil {
		t.Fatal(err)
	}
	options := syscall.PTRACE_O_TRACESYSGOOD | syscall.PTRACE_O_TRACECLONE | optionExitKill
	if err := syscall.PtraceSetOptions(tr.pid, options); err != nil {
		t.Fatal(err)
	}
	if tr.memory, err = os.Open(fmt.Sprintf("/proc/%d/mem", tr.pid)); err != nil {
		t.Fatal(err)
	}
	defer tr.memory.Close()
	for thread, signal := tr.pid, 0; ; {
		// A thread that has ended meanwhile needs no resuming.
		if err := syscall.PtraceSyscall(thread, signal); err != nil && err != syscall.ESRCH {
			t.Fatal(err)
		}
		if thread, err = syscall.Wait4(-1, &status, waitAll, nil); err == syscall.EINTR {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		signal = 0
		switch {
		case thread == tr.pid && (status.Exited() || status.Signaled()):
			if status.ExitStatus() != 0 {
				said, _ := os.ReadFile(output.Name())
				t.Fatalf("the recorded test ended with %d:\n%s", status.ExitStatus(), said)
			}
			return
		case !status.Stopped():
		case status.StopSignal() == syscall.SIGTRAP|0x80:
			if err := tr.stopped(thread); err != nil {
				t.Fatal(err)
			}
		case status.StopSignal() != syscall.SIGTRAP && status.StopSignal() != syscall.SIGSTOP:
			signal = int(status.StopSignal())
		}
	}
}

// stopped handles a thread at the entry or exit of a system call.
func (tr *tracer) stopped(thread int) error {
	var info callInfo
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, requestCallInfo, uintptr(thread), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0)
	if errno != 0 {
		return nil // the thread has ended
	}
	if info.op == 2 {
		c, ok := tr.calls[thread]
		delete(tr.calls, thread)
		if ok && int64(info.number) >= 0 {
			return tr.ended(c, int64(info.number))
		}
		return nil
	}
	if c, ok := tr.call(thread, info.number, info.args); ok {
		tr.calls[thread] = c
	}
	return nil
}
