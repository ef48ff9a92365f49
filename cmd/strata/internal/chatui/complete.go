package chatui

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
)

// mostCompletions bounds the facts and files that are offered after a tab.
const mostCompletions = 200

// complete returns the words that may follow what is typed. What cannot be read
// is not offered.
func (u *ui) complete(before string) []string {
	ctx, mem, view := context.Background(), u.Env.Engine, u.Env.View
	var words []string
	switch before {
	case "":
		for _, s := range slashCommands() {
			words = append(words, "/"+s.name)
		}
		words = slices.Compact(words)
	case "/memory":
		words = []string{"clear", "edit", "rebuild"}
		list, _ := mem.Categories(ctx, view)
		for _, c := range list {
			words = append(words, c.Name)
		}
		words = append(words, u.paths(ctx)...)
	case "/memory rebuild":
		words = []string{"all"}
	case "/memory edit":
		list, _ := mem.Facts(ctx, view, strata.FactFilter{Limit: mostCompletions})
		for _, f := range list {
			words = append(words, f.ID)
		}
		words = append(words, u.paths(ctx)...)
	case "/sessions":
		list, _ := u.sessions(ctx)
		for _, s := range list {
			words = append(words, s.ID)
		}
	}
	return words
}

// paths are the files that can be shown and edited.
func (u *ui) paths(ctx context.Context) []string {
	list, _ := u.Env.Engine.Documents(ctx, u.Env.View, strata.DocumentFilter{Limit: mostCompletions})
	paths := make([]string, len(list))
	for i, d := range list {
		paths[i] = d.Path
	}
	return paths
}
