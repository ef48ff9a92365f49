package mcp

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/memoryurl"
	"github.com/strata-memory/strata/store"
)

// watchEvery is how often the event log is polled: other processes write to it, too.
const watchEvery = 250 * time.Millisecond

// watcher notifies clients when a document they subscribed to changes, by any process. It
// runs in the background while a subscribed session exists, and ends soon after the last
// one is gone or the engine is closed.
type watcher struct {
	service *service    // fixed at creation
	server  *mcp.Server // fixed at creation

	mu      sync.Mutex // guards the fields below
	running bool
	watched map[string]*watched // by address
}

// watched is a document with subscribers.
type watched struct {
	sessions map[*mcp.ServerSession]bool
	hash     [sha256.Size]byte // of the text at the last look
}

// subscribe starts watching a document for a session. The document need not exist yet.
func (w *watcher) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	if uri != rootAddress && !strings.HasPrefix(uri, rootAddress+"/") {
		return mcp.ResourceNotFoundError(uri)
	}
	if _, err := memoryurl.Parse(uri); err != nil {
		return mcp.ResourceNotFoundError(uri)
	}
	// Read this before the text, so that a change in between is noticed.
	after, err := w.newest(ctx)
	if err != nil {
		return err
	}
	hash, err := w.hash(ctx, uri)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.watched == nil {
		w.watched = make(map[string]*watched)
	}
	if w.watched[uri] == nil {
		w.watched[uri] = &watched{sessions: make(map[*mcp.ServerSession]bool), hash: hash}
	}
	w.watched[uri].sessions[req.Session] = true
	if !w.running {
		w.running = true
		go w.run(after)
	}
	return nil
}

// unsubscribe stops watching a document for a session.
func (w *watcher) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if d := w.watched[req.Params.URI]; d != nil {
		delete(d.sessions, req.Session)
		if len(d.sessions) == 0 {
			delete(w.watched, req.Params.URI)
		}
	}
	return nil
}

// run watches until no subscriber is left.
func (w *watcher) run(after int64) {
	// It belongs to no request, since requests end when they are answered.
	ctx := context.Background()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for range tick.C {
		addresses, ok := w.wanted()
		if !ok {
			return
		}
		list, next, err := w.service.engine.Events(ctx, w.service.options.View, store.EventFilter{After: &after, Limit: 1000})
		if err == nil && slices.ContainsFunc(list, changesText) {
			err = w.tell(ctx, addresses)
		}
		if err != nil {
			w.service.options.Logger.Debug("subscriptions end", "error", err)
			w.stop()
			return
		}
		after = next
	}
}

// changesText reports whether an event may mean that a document changed.
func changesText(e strata.Event) bool {
	return !e.IsKind("recall") && !e.IsKind("extraction") && !e.IsKind("session")
}

// wanted returns the addresses to which existing sessions have subscribed. If there are
// none it returns false and marks the watcher as stopped.
func (w *watcher) wanted() ([]string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	alive := slices.Collect(w.server.Sessions()) // read under the lock, so that a new subscriber is included
	var out []string
	for uri, d := range w.watched {
		for ss := range d.sessions {
			if !slices.Contains(alive, ss) {
				delete(d.sessions, ss)
			}
		}
		if len(d.sessions) == 0 {
			delete(w.watched, uri)
			continue
		}
		out = append(out, uri)
	}
	w.running = len(out) > 0
	return out, w.running
}

// stop drops all subscriptions: the engine is closed, or does not answer.
func (w *watcher) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watched, w.running = nil, false
}

// tell notifies clients of the documents that changed.
func (w *watcher) tell(ctx context.Context, addresses []string) error {
	for _, uri := range addresses {
		hash, err := w.hash(ctx, uri)
		if err != nil {
			return err
		}
		w.mu.Lock()
		d := w.watched[uri]
		changed := d != nil && d.hash != hash
		if changed {
			d.hash = hash
		}
		w.mu.Unlock()
		if !changed {
			continue
		}
		if err := w.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
			return err
		}
	}
	return nil
}

// hash returns the hash of a document's text, or of no text if it does not exist.
func (w *watcher) hash(ctx context.Context, uri string) ([sha256.Size]byte, error) {
	d, err := w.service.document(ctx, uri)
	if code := strata.CodeOf(err); code == strata.CodeNotFound || code == strata.CodeInvalid {
		return sha256.Sum256(nil), nil
	}
	return sha256.Sum256([]byte(d.Content)), err
}

// newest returns the latest change.
func (w *watcher) newest(ctx context.Context) (int64, error) {
	_, next, err := w.service.engine.Events(ctx, w.service.options.View, store.EventFilter{Limit: 1})
	return next, err
}
