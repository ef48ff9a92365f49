package storetest

import (
	"fmt"

	"github.com/strata-memory/strata/store"
)

// keep makes a model the base.
func (b *bench) keep(m store.Model) {
	b.Helper()
	b.update(func(w store.Writer) { b.ok(w.KeepModel(b.ctx, m)) })
}

// saveMany stores n facts with vectors of the serving model.
func (b *bench) saveMany(n int) {
	b.Helper()
	for i := range n {
		b.save(b.fact(global, fmt.Sprint("fact ", i)))
	}
}

var baseTests = []test{
	{"the vectors of the base stay when another model comes to serve", func(b *bench) {
		b.saveMany(9)
		b.keep(theModel)
		b.equal("kept", b.embedding(), store.Embedding{Serving: theModel, Base: theModel})
		b.want(nextModel)
		b.embedAll(nextModel)
		b.equal("serving", b.embedding(), store.Embedding{Serving: nextModel, Base: theModel})
		b.equal("found by the new", b.countNear(global, nextModel), 9)
		b.equal("found by the base", b.countNear(global, theModel), 9)
		b.equal("vectors but those of the base", b.stats(global).Vectors, 9)
		b.saveBare(global, "brings none")
		st := b.embedding()
		b.equal("both are waited for", []bool{st.ServingWaits, st.BaseWaits}, []bool{true, true})
		b.embedQueue(nextModel)
		b.embedQueue(theModel)
		b.equal("nothing waits", b.embedding(), store.Embedding{Serving: nextModel, Base: theModel})
		b.equal("found by the base", b.countNear(global, theModel), 10)
		b.sound()
	}},
	{"the base serves again without new vectors", func(b *bench) {
		b.saveMany(9)
		b.keep(theModel)
		b.want(nextModel)
		b.embedAll(nextModel)
		b.want(theModel)
		b.equal("to follow", b.embedding().Target, theModel)
		b.view(func(r store.Reader) {
			s, err := r.NextBackfill(b.ctx, theModel, 20)
			b.ok(err)
			b.equal("missing", len(s.Missing), 0)
		})
		b.sound()
		b.want(nextModel) // undone: the base stays
		b.equal("given up", b.embedding(), store.Embedding{Serving: nextModel, Base: theModel})
		b.want(thirdModel)
		b.want(theModel) // replaces another
		b.equal("one is stale", b.embedding().Stale, 1)
		b.embedAll(theModel)
		b.dropStale()
		b.equal("serving", b.embedding(), store.Embedding{Serving: theModel, Base: theModel})
		b.equal("found", b.countNear(global, theModel), 9)
		b.equal("found by the one before", b.countNear(global, nextModel), 0)
		b.equal("vectors", b.stats(global).Vectors, 9)
		b.sound()
	}},
	{"every passage waits for a base that is new", func(b *bench) {
		b.keep(nextModel) // without a serving model there is no base
		b.equal("before", b.embedding(), store.Embedding{})
		b.saveMany(5)
		b.keep(nextModel)
		b.keep(nextModel)
		b.equal("kept", b.embedding(), store.Embedding{Serving: theModel, Base: nextModel, BaseWaits: true})
		b.sound()
		b.embedQueue(nextModel)
		b.equal("nothing waits", b.embedding(), store.Embedding{Serving: theModel, Base: nextModel})
		b.equal("found by it", b.countNear(global, nextModel), 5)
		b.keep(thirdModel)
		b.equal("another", b.embedding(), store.Embedding{Serving: theModel, Base: thirdModel, BaseWaits: true, Stale: 1})
		b.equal("found by the one before", b.countNear(global, nextModel), 0)
		b.embedQueue(thirdModel)
		b.dropStale()
		b.sound()
	}},
}
