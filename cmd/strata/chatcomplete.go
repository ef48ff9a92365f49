package main

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// slashCompleter offers commands after a tab.
type slashCompleter struct{ r *chatRun }

// Do completes the line up to pos: it returns the rest of each candidate, and
// how many characters of it are typed.
func (c slashCompleter) Do(line []rune, pos int) ([][]rune, int) {
	typed := string(line[:pos])
	if !strings.HasPrefix(typed, "/") {
		return nil, 0
	}
	at := strings.LastIndexByte(typed, ' ') + 1
	word := typed[at:]
	var out [][]rune
	for _, candidate := range c.candidates(strings.TrimSpace(typed[:at])) {
		if rest, ok := strings.CutPrefix(candidate, word); ok {
			out = append(out, []rune(rest+" "))
		}
	}
	return out, len([]rune(word))
}

// candidates are the words that may follow what is typed.
func (c slashCompleter) candidates(before string) []string {
	switch before {
	case "":
		var names []string
		for _, s := range slashCommands() {
			if !slices.Contains(names, "/"+s.name) {
				names = append(names, "/"+s.name)
			}
		}
		return names
	case "/memory":
		words := []string{"clear", "edit", "rebuild"}
		list, err := c.r.env.Engine.Categories(context.Background(), c.r.env.View)
		if err == nil {
			for _, g := range list {
				words = append(words, g.Name)
			}
		}
		return append(words, c.paths()...)
	case "/memory rebuild":
		return []string{"all"}
	case "/memory edit":
		list, err := c.r.env.Engine.Facts(context.Background(), c.r.env.View, strata.FactFilter{Limit: mostCompletions})
		if err != nil {
			return nil
		}
		return append(each(list, func(f strata.Fact) string { return f.ID }), c.paths()...)
	case "/sessions":
		list, err := c.r.sessions(context.Background())
		if err != nil {
			return nil
		}
		return each(list, func(s strata.Session) string { return s.ID })
	}
	return nil
}

// paths are the files that can be shown and edited.
func (c slashCompleter) paths() []string {
	list, err := c.r.env.Engine.Documents(context.Background(), c.r.env.View, strata.DocumentFilter{Limit: mostCompletions})
	if err != nil {
		return nil
	}
	return each(list, func(d strata.Document) string { return d.Path })
}
