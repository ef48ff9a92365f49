// Package lru keeps values in memory by their numbers, as long as all of them fit:
// what was not used for longest goes first.
package lru

import "sync"

// Cache keeps values. The zero value is empty and ready for use, by any number of
// goroutines.
type Cache[V any] struct {
	mu      sync.Mutex
	entries map[int64]*Entry[V]
	bytes   int64 // of all entries
	turn    int64 // counts the uses
}

// Entry is the place of one value. It stays usable after the cache has dropped it.
type Entry[V any] struct {
	Value V // the zero value at first; it guards itself

	bytes int64 // as counted by the cache
	used  int64 // the turn of the last use
}

// Get returns the entry of a number, and makes one where there is none.
func (c *Cache[V]) Get(number int64) *Entry[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[number]
	if e == nil {
		if c.entries == nil {
			c.entries = make(map[int64]*Entry[V])
		}
		e = new(Entry[V])
		c.entries[number] = e
	}
	c.turn++
	e.used = c.turn
	return e
}

// Count notes what the value of an entry takes, unless the entry was dropped
// meanwhile, and drops what was not used for longest until all takes most bytes at
// most. A nil entry stands for the one that is kept.
func (c *Cache[V]) Count(number int64, e *Entry[V], bytes, most int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kept := c.entries[number]; kept != nil && (e == nil || e == kept) {
		c.bytes += bytes - kept.bytes
		kept.bytes = bytes
	}
	for c.bytes > most {
		var oldest int64
		var first *Entry[V]
		for number, e := range c.entries {
			if e.bytes > 0 && (first == nil || e.used < first.used) {
				oldest, first = number, e
			}
		}
		c.bytes -= first.bytes
		delete(c.entries, oldest)
	}
}

// Bytes is what all values take, as counted.
func (c *Cache[V]) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// Drop gives up all that is kept.
func (c *Cache[V]) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries, c.bytes = nil, 0
}
