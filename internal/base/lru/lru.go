// Package lru caches values by number, up to a total size: the least recently used values
// are dropped first.
package lru

import "sync"

// Cache caches values. The zero value is empty and ready to use. It is safe for
// concurrent use.
type Cache[V any] struct {
	mu      sync.Mutex
	entries map[int64]*Entry[V]
	bytes   int64 // of all entries
	turn    int64 // counts the uses
}

// Entry holds one value. It stays usable after the cache has dropped it.
type Entry[V any] struct {
	Value V // initially the zero value; must be safe for concurrent use itself

	bytes int64 // as counted by the cache
	used  int64 // the turn of the last use
}

// Get returns the entry with a number, and creates it if there is none.
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

// Count records the size of an entry's value, unless the entry was dropped meanwhile. It
// then drops the least recently used entries until the total is at most most bytes.
func (c *Cache[V]) Count(number int64, e *Entry[V], bytes, most int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries[number] == e {
		c.bytes += bytes - e.bytes
		e.bytes = bytes
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

// Bytes returns the total size of all values, as recorded by Count.
func (c *Cache[V]) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}
