package client

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/strata-memory/strata/internal/attach"
)

const (
	// idle is how long a server that a client started waits for the next call.
	idle = 30 * time.Minute
	// startTime is how long a server may take to begin, and startLook how often that is
	// looked for.
	startTime = 15 * time.Second
	startLook = 10 * time.Millisecond
)

// starter connects to a server, which it starts if there is none.
type starter struct {
	dial          func(ctx context.Context, network, address string) (net.Conn, error)
	command, home string
	idle          time.Duration

	mu sync.Mutex // held by the one who starts
}

// connect connects. Nothing was sent yet where that fails, so that it can be tried again.
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
	if err := attach.Start(s.command, s.home, s.idle); err != nil {
		return nil, fmt.Errorf("start a server: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	look := time.NewTicker(startLook)
	defer look.Stop()
	for {
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("the server that was started does not answer: %w", err)
		}
		if conn, err = s.dial(ctx, network, address); err == nil {
			return conn, nil
		}
	}
}
