package client

import (
	"context"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/detached"
	"github.com/strata-memory/strata/internal/home/homedir"
)

const (
	// idle is how long a server that a client started waits for the next call.
	idle = 30 * time.Minute
	// startTime is how long a server may take to start; startLook is the interval between
	// attempts to connect to it.
	startTime = 15 * time.Second
	startLook = 10 * time.Millisecond
)

// starter connects to a server and starts one if there is none.
type starter struct {
	dial          func(ctx context.Context, network, address string) (net.Conn, error)
	command, home string
	idle          time.Duration

	mu sync.Mutex // held while starting a server
}

// connect connects to the server. If it fails, nothing has been sent, so the call can be
// retried.
func (s *starter) connect(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := s.dial(ctx, network, address)
	if err == nil || ctx.Err() != nil {
		return conn, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if conn, err := s.dial(ctx, network, address); err == nil {
		return conn, nil // another call has started it
	}
	if err := Start(s.command, s.home, s.idle); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	look := time.NewTicker(startLook)
	defer look.Stop()
	for {
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil, &strata.Error{Code: strata.CodeUnavailable, Message: "the server that was started does not answer",
				Hint: "see what it says: " + s.command + " --home " + s.home + " serve", Err: err}
		}
		if conn, err = s.dial(ctx, network, address); err == nil {
			return conn, nil
		}
	}
}

// placed are the environment variables that say where a command works. A server works for
// commands everywhere and must not inherit them.
var placed = []string{homedir.Variable, "STRATA_WORKSPACE", "STRATA_SCOPE", "STRATA_AGENT"}

// Start runs the given strata command as a server of home, in a separate process. The
// server ends after it gets no call for idle. If two servers start at once, one of them
// finds the home already served and ends.
func Start(command, home string, idle time.Duration) error {
	if _, err := exec.LookPath(command); err != nil {
		return &strata.Error{Code: strata.CodeUnavailable, Op: "start a server", Message: "there is no command " + command,
			Hint: "install Strata (docs/install.md), so that strata is in PATH, or name it in Options.Command", Err: err}
	}
	cmd := exec.Command(command, "--home", home, "serve", "--idle", idle.String())
	cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(placed, name)
	})
	if info, err := os.Stat(home); err == nil && info.IsDir() {
		cmd.Dir = home // a project may be moved or removed meanwhile
	}
	return detached.Start(cmd)
}
