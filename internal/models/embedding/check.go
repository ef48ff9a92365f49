package embedding

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// lengthText is embedded to check the length of an embedder's vectors.
const lengthText = "How long is this vector?"

// check returns an error for an embedder that can never serve: without a name, its
// vectors could not be told from others, and with a wrong length, they could not be
// compared. A model new to memory has to embed lengthText for this. If it does not answer
// now, that is no reason to refuse it.
func (ms *Models) check(ctx context.Context, op string, emb llm.Embedder, st store.Embedding) error {
	name, dim := emb.Model(), emb.Dimensions()
	switch {
	case name == "":
		return strata.Invalid(op, "the embedder has no name", "have Model return one that changes whenever its vectors do")
	case dim < 0:
		return strata.Invalid(op, fmt.Sprintf("the embedder %s says that its vectors have %d numbers", name, dim),
			"have Dimensions return their length, or 0 while it is not known")
	case dim == 0:
		return nil
	}
	if m := modelOf(emb); m == st.Serving || m == st.Target {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, ms.opts.CallTimeout)
	defer cancel()
	vectors, err := emb.Embed(bounded, []string{lengthText})
	switch {
	case err != nil:
		return ctx.Err()
	case len(vectors) != 1:
		return strata.Invalid(op, fmt.Sprintf("the embedder %s makes %d vectors of one text", name, len(vectors)),
			"have Embed return one vector for each text")
	case len(vectors[0]) != dim:
		return strata.Invalid(op, fmt.Sprintf("the embedder %s says that its vectors have %d numbers, and made one of %d", name, dim, len(vectors[0])),
			"have Dimensions return the length of the vectors that Embed makes")
	}
	return nil
}
