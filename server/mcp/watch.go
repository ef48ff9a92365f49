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

// watchEvery is how long the log of events is left alone between two looks: other
// processes write to it, too.
const watchEvery = 250 * time.Millisecond

// watcher tells clients when a document that they subscribed to changed, whichever
// process changed it. It works in the background as long as a session that subscribed is
// there, and ends by itself soon after the last is gone or the engine is closed.
type watcher struct {
	service *service    // fixed at creation
	server  *mcp.Server // fixed at creation

	mu      sync.Mutex // guards what follows
	running bool
	watched map[string]*watched // by address
}

// watched is a document that somebody subscribed to.
type watched struct {
	sessions map[*mcp.ServerSession]bool
	hash     [sha256.Size]byte // of the text when it was looked at last
}

// subscribe begins to watch a document for a session. It may not be there yet.
func (w *watcher) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	if uri != rootAddress && !strings.HasPrefix(uri, rootAddress+"/") {
		return mcp.ResourceNotFoundError(uri)
	}
	if _, err := memoryurl.Parse(uri); err != nil {
		return mcp.ResourceNotFoundError(uri)
	}
	// Before the text, so that what changes in between is seen.
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

// unsubscribe ends it.
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

// run watches until nobody is left who subscribed.
func (w *watcher) run(after int64) {
	// It belongs to no request: each is over when its answer is sent.
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

// changesText reports whether an event may be that a document changed.
func changesText(e strata.Event) bool {
	return !e.IsKind("recall") && !e.IsKind("extraction") && !e.IsKind("session")
}

// wanted are the addresses that sessions which are still there subscribed to. It reports
// false, and that nobody watches any more, if there are none.
func (w *watcher) wanted() ([]string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	alive := slices.Collect(w.server.Sessions()) // read last, so that who has just subscribed is among them
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

// stop forgets all subscriptions: the engine is closed, or does not answer.
func (w *watcher) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watched, w.running = nil, false
}

// tell notifies of the documents that are not as they were.
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

// hash is that of the text of a document, or of none where it is not there.
func (w *watcher) hash(ctx context.Context, uri string) ([sha256.Size]byte, error) {
	d, err := w.service.document(ctx, uri)
	if code := strata.CodeOf(err); code == strata.CodeNotFound || code == strata.CodeInvalid {
		return sha256.Sum256(nil), nil
	}
	return sha256.Sum256([]byte(d.Content)), err
}

// newest is the last change there is.
func (w *watcher) newest(ctx context.Context) (int64, error) {
	_, next, err := w.service.engine.Events(ctx, w.service.options.View, store.EventFilter{Limit: 1})
	return next, err
}
