package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// console is the command on a terminal of its own, at which somebody types.
type console struct {
	t       *testing.T
	control *os.File
	cmd     *exec.Cmd

	mu     sync.Mutex
	change *sync.Cond // of what follows
	screen *screen
	ended  bool
	late   bool // the time to wait is over
}

// newConsole starts the command on a terminal of so many columns and rows.
func newConsole(t *testing.T, columns, rows int, cmd *exec.Cmd) *console {
	t.Helper()
	control, tty, err := openTerminal()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close() // only the command has it
	if err := unix.IoctlSetWinsize(int(control.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(columns)}); err != nil {
		t.Fatal(err)
	}
	p := &console{t: t, control: control, cmd: cmd, screen: newScreen(columns, rows)}
	p.change = sync.NewCond(&p.mu)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var reading sync.WaitGroup
	reading.Go(p.read)
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		reading.Wait()
		_ = cmd.Wait()
		control.Close()
		for _, u := range p.screen.unknown {
			t.Errorf("%s is nothing that this terminal knows", u)
		}
	})
	return p
}

// read shows what the command writes, until it has closed the terminal.
func (p *console) read() {
	buf := make([]byte, 4096)
	for {
		n, err := p.control.Read(buf)
		p.mu.Lock()
		_, _ = p.screen.Write(buf[:n])
		replies := p.screen.replies
		p.screen.replies = nil
		p.ended = err != nil
		p.change.Broadcast()
		p.mu.Unlock()
		if len(replies) > 0 {
			_, _ = p.control.Write(replies) // an error ends the next read
		}
		if err != nil {
			return
		}
	}
}

// press types keys.
func (p *console) press(keys string) {
	p.t.Helper()
	if _, err := p.control.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// prompt waits for a prompt at the end of what is shown. What is typed before it the terminal
// shows twice.
func (p *console) prompt() {
	p.t.Helper()
	p.until("a prompt", func(s *screen) bool {
		return s.y == len(s.lines)-1 && strings.TrimRight(strings.Join(s.lines[s.y], ""), " ") == ">"
	})
}

// tell types a line at the prompt.
func (p *console) tell(text string) {
	p.t.Helper()
	p.prompt()
	p.say(text)
}

// say types a line.
func (p *console) say(text string) {
	p.t.Helper()
	p.press(text + "\r")
}

// Keys, as a terminal sends them.
const (
	keyUp    = "\x1b[A"
	keyTab   = "\t"
	controlC = "\x03"
	controlD = "\x04"
	controlU = "\x15"
)

// paste pastes a text, as a terminal does that was told to mark what is pasted.
func (p *console) paste(text string) {
	p.t.Helper()
	p.until("pastes are marked", func(s *screen) bool { return s.pastes })
	p.press("\x1b[200~" + text + "\x1b[201~")
}

// wait waits until a text was shown. Lines that the screen breaks count as one.
func (p *console) wait(want string) {
	p.t.Helper()
	p.until(fmt.Sprintf("%q", want), func(s *screen) bool {
		text := s.text()
		return strings.Contains(text, want) || strings.Contains(strings.Join(strings.Fields(text), " "), want)
	})
}

// until waits until something holds of the screen.
func (p *console) until(what string, holds func(s *screen) bool) {
	p.t.Helper()
	timer := time.AfterFunc(time.Minute, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.late = true
		p.change.Broadcast()
	})
	defer timer.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for !holds(p.screen) {
		if p.late || p.ended {
			p.t.Fatalf("%s does not come; the command has ended: %t\n%s", what, p.ended, p.screen.text())
		}
		p.change.Wait()
	}
}

// exit waits until the command ends, and returns its exit code.
func (p *console) exit() int {
	p.t.Helper()
	for ended := false; !ended; {
		p.mu.Lock()
		if ended = p.ended; !ended {
			p.change.Wait()
		}
		p.mu.Unlock()
	}
	_ = p.cmd.Wait() // the exit code tells
	return p.cmd.ProcessState.ExitCode()
}

// text is all that was shown, and whether some of it in colors.
func (p *console) text() (text string, colored bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.text(), p.screen.colored
}
