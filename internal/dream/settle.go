package dream

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/salience"
	"github.com/strata-memory/strata/store"
)

// settle carries out a plan in the transaction of the dream, and returns the outcome for
// each memory. It checks again what may have changed since the plan was made.
func (d *Dreamer) settle(ctx context.Context, w store.Writer, scope strata.Scope, p plan, dream string) ([]strata.DreamItem, error) {
	tended, err := d.tend(ctx, w, scope, p, dream)
	if err != nil {
		return nil, err
	}
	stand, gone, err := d.sink(ctx, w, scope, p.now)
	if err != nil {
		return nil, err
	}
	risen, left, used, err := d.rise(ctx, w, scope, p, dream)
	if err != nil {
		return nil, err
	}
	evicted, err := d.evict(ctx, w, stand, markdown.DreamedBudget-used, p.now)
	if err != nil {
		return nil, err
	}
	unused, err := archiveUnused(ctx, w, p.unused)
	if err != nil {
		return nil, err
	}
	items := slices.Concat(tended, risen, gone, evicted, unused)
	left = append(left, p.left...)
	for _, c := range left[:min(len(left), mostLeft)] {
		items = append(items, c.DreamItem)
	}
	return items, nil
}

// archiveUnused archives skills, except for those that changed in the meantime.
func archiveUnused(ctx context.Context, w store.Writer, list []Archival) (items []strata.DreamItem, err error) {
	for _, a := range list {
		switch err := a.Write(ctx, w); strata.CodeOf(err) {
		case "":
			items = append(items, a.Item)
		case strata.CodeConflict:
		default:
			return nil, fmt.Errorf("archive skill %s: %w", a.Item.Memory, err)
		}
	}
	failpoint.Hit(failpoint.DreamUnused)
	return items, nil
}

// rise promotes the strongest memories, up to the limits of a dream and of MEMORY.md. It
// returns those that were promoted, those that were not, and the number of bytes used.
func (d *Dreamer) rise(ctx context.Context, w store.Writer, scope strata.Scope, p plan, dream string) (risen []strata.DreamItem, left []candidate, used int, err error) {
	for _, c := range p.rising {
		f, err := w.Fact(ctx, []strata.Scope{scope}, c.Memory)
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			return nil, nil, 0, err
		}
		stays := func(format string, args ...any) {
			c.Outcome, c.Reason = strata.DreamLeft, fmt.Sprintf(format, args...)
			left = append(left, c)
		}
		if err != nil || !f.Current() {
			stays("no longer believed")
			continue
		}
		if why, err := barred(ctx, w, f); err != nil {
			return nil, nil, 0, err
		} else if why != "" {
			stays("%s", why)
			continue
		}
		promotion := strata.Promotion{Scope: scope, Fact: f.ID, Dream: dream, At: micro(p.now), Score: c.Score,
			Recalls: c.Recalls, Questions: c.Questions, Days: c.Days}
		need := size(f, promotion)
		if used == 0 {
			need += headingSize
		}
		switch {
		case len(risen) == d.s.MaxPromotions:
			stays("score %.2f, and %d that are stronger rose", c.Score, len(risen))
			continue
		case used+need > markdown.DreamedBudget:
			stays("no room in MEMORY.md beside what is stronger")
			continue
		}
		if err := w.PutPromotion(ctx, promotion); err != nil {
			return nil, nil, 0, err
		}
		used += need
		risen = append(risen, c.DreamItem)
	}
	return risen, left, used, nil
}

// standing is a promotion in MEMORY.md.
type standing struct {
	strata.Promotion
	size int
}

// sink archives the promotions of facts that are retired, or that nobody asked for in a
// long time. It returns the remaining promotions, newest first.
func (d *Dreamer) sink(ctx context.Context, w store.Writer, scope strata.Scope, now time.Time) (stand []standing, gone []strata.DreamItem, err error) {
	list, err := w.Promotions(ctx, scope, false)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range list {
		f, err := store.CurrentFact(ctx, w, []strata.Scope{scope}, p.Fact)
		why := ""
		switch {
		case strata.CodeOf(err) == strata.CodeNotFound:
			why = "no longer believed"
		case err != nil:
			return nil, nil, err
		default:
			why = d.faded(f, p, now)
		}
		if why == "" {
			stand = append(stand, standing{p, size(f, p)})
			continue
		}
		it, err := archive(ctx, w, p, why, now)
		if err != nil {
			return nil, nil, err
		}
		gone = append(gone, it)
	}
	return stand, gone, nil
}

// faded returns a reason if nobody asked for a promoted fact for too long for its type;
// otherwise "".
func (d *Dreamer) faded(f strata.Fact, p strata.Promotion, now time.Time) string {
	last := p.At
	if f.LastAccess.After(last) {
		last = f.LastAccess
	}
	if salience.Recency(now, last, salience.HalfLife(string(f.Type))) >= d.s.SinkBelow {
		return ""
	}
	return fmt.Sprintf("nobody asked for it in %d days", int(now.Sub(last)/day))
}

// evict archives the oldest blocks of MEMORY.md until the rest fits in room bytes.
func (d *Dreamer) evict(ctx context.Context, w store.Writer, stand []standing, room int, now time.Time) (gone []strata.DreamItem, err error) {
	full := "" // the dream whose block does not fit; older ones are archived too
	for _, s := range blocks(stand) {
		if room -= s.size; room < 0 && full == "" {
			full = s.of[0].Dream
		}
		if full == "" {
			continue
		}
		for _, p := range s.of {
			it, err := archive(ctx, w, p, "newer promotions needed the room", now)
			if err != nil {
				return nil, err
			}
			gone = append(gone, it)
		}
	}
	return gone, nil
}

// block holds the promotions of one dream in MEMORY.md.
type block struct {
	of   []strata.Promotion
	size int
}

// blocks groups promotions by dream, in order.
func blocks(list []standing) (out []block) {
	for _, s := range list {
		if n := len(out); n == 0 || out[n-1].of[0].Dream != s.Dream {
			out = append(out, block{size: headingSize})
		}
		b := &out[len(out)-1]
		b.of, b.size = append(b.of, s.Promotion), b.size+s.size
	}
	return out
}

// archive records that a promotion was archived.
func archive(ctx context.Context, w store.Writer, p strata.Promotion, why string, now time.Time) (strata.DreamItem, error) {
	at := micro(now)
	p.ArchivedAt, p.Archived = &at, why
	it := strata.DreamItem{Memory: p.Fact, Outcome: strata.DreamArchived, Reason: why,
		Score: p.Score, Recalls: p.Recalls, Questions: p.Questions, Days: p.Days}
	return it, w.PutPromotion(ctx, p)
}

// Sizes in MEMORY.md, in bytes: of a block's heading and of an item without its text.
var (
	headingSize = emptyItem.Size() - itemSize
	itemSize    = markdown.Block{Title: emptyItem.Title, Items: append(emptyItem.Items, emptyItem.Items...)}.Size() - emptyItem.Size()
	emptyItem   = markdown.Block{Title: markdown.DreamedTitle(time.Unix(0, 0)), Items: []markdown.Item{{Decision: "dec_00000000000000000000000000"}}}
)

// size returns the number of bytes that a promotion takes in MEMORY.md.
func size(f strata.Fact, p strata.Promotion) int {
	return itemSize + len(markdown.DreamedText(f.Text, p))
}
