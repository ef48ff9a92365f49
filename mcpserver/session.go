package mcpserver

import (
	"runtime"
	"sync"
	"time"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata/internal/id"
)

// sessions gives every connection an id of its own. The zero value is ready.
type sessions struct {
	maker id.Maker

	mu  sync.Mutex // guards ids
	ids map[weak.Pointer[mcp.ServerSession]]string
}

// id returns the id of a connection. It is forgotten with the connection.
func (s *sessions) id(ss *mcp.ServerSession) string {
	key := weak.Make(ss)
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.ids[key]; ok {
		return known
	}
	if s.ids == nil {
		s.ids = make(map[weak.Pointer[mcp.ServerSession]]string)
	}
	s.ids[key] = s.maker.New(id.Session, time.Now())
	runtime.AddCleanup(ss, s.drop, key)
	return s.ids[key]
}

// drop forgets a connection that is gone.
func (s *sessions) drop(key weak.Pointer[mcp.ServerSession]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ids, key)
}
