package upkeep

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
)

const familyCategories = "categories"

// Category is a group of facts on one subject.
type Category struct {
	Name   string `json:"name" doc:"name of the category"`
	Scope  string `json:"scope" doc:"who owns it"`
	Facts  int64  `json:"facts" doc:"current facts in it"`
	Pinned bool   `json:"pinned" doc:"the program does not divide, merge or rename it"`
}

// CategoryOf converts a category to its output form.
func CategoryOf(c strata.Category) Category {
	return Category{Name: c.Name, Scope: c.Scope.Key(), Facts: c.Facts, Pinned: c.Pinned}
}

// Categories lists categories.
type Categories struct {
	Categories []Category `json:"categories" doc:"categories that hold a current fact, scope by scope, largest first"`
}

// Rows returns the categories, for output line by line.
func (c Categories) Rows() []any { return operation.Rows(c.Categories) }

// CategoryChange reports what became of a category.
type CategoryChange struct {
	Change string `json:"change" doc:"renamed, merged, pinned or unpinned"`
	Category
}

func categoriesList() operation.Operation {
	return operation.Op[operation.None, Categories]{
		Info: operation.Info{
			Name: "categories_list", Family: familyCategories, Summary: "List categories", ReadOnly: true,
			Description: "Lists the groups that facts were put in, with the number of facts in each, and which are pinned.",
			Examples:    []operation.Example{{Doc: "list them", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (Categories, error) {
			list, err := env.Engine.Categories(ctx, env.View)
			return Categories{operation.Each(list, CategoryOf)}, err
		},
	}
}

// CategoryRenameIn is the input of categories_rename.
type CategoryRenameIn struct {
	Old string `json:"old" opt:"arg,required" values:"category" doc:"name of the category"`
	New string `json:"new" opt:"arg,required" doc:"its new name"`
}

func categoriesRename() operation.Operation {
	return operation.Op[CategoryRenameIn, CategoryChange]{
		Info: operation.Info{
			Name: "categories_rename", Family: familyCategories, Summary: "Give a category another name",
			Description: "The category is pinned under its new name, and new facts that would have gone into the old one go into it.",
			Examples:    []operation.Example{{Doc: "rename", Input: `{"old": "pets", "new": "our animals"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in CategoryRenameIn) (CategoryChange, error) {
			c, err := env.Engine.RenameCategory(ctx, env.View, in.Old, in.New)
			return CategoryChange{"renamed", CategoryOf(c)}, err
		},
	}
}

// CategoryMergeIn is the input of categories_merge.
type CategoryMergeIn struct {
	From string `json:"from" opt:"arg,required" values:"category" doc:"name of the category that goes"`
	Into string `json:"into" opt:"arg,required" values:"category" doc:"name of the category that takes its facts"`
}

func categoriesMerge() operation.Operation {
	return operation.Op[CategoryMergeIn, CategoryChange]{
		Info: operation.Info{
			Name: "categories_merge", Family: familyCategories, Summary: "Put the facts of one category into another",
			Description: "The category that takes them is pinned, and new facts that would have gone into the other go into it.",
			Examples:    []operation.Example{{Doc: "merge", Input: `{"from": "fitness", "into": "sports"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in CategoryMergeIn) (CategoryChange, error) {
			c, err := env.Engine.MergeCategory(ctx, env.View, in.From, in.Into)
			return CategoryChange{"merged", CategoryOf(c)}, err
		},
	}
}

// CategoryNameIn is the input of categories_pin and categories_unpin.
type CategoryNameIn struct {
	Name string `json:"name" opt:"arg,required" values:"category" doc:"name of the category"`
}

func categoriesPin() operation.Operation {
	return operation.Op[CategoryNameIn, CategoryChange]{
		Info: operation.Info{
			Name: "categories_pin", Family: familyCategories, Summary: "Keep a category as it is",
			Description: "The program never divides, merges or renames a pinned category, and no fact leaves it. New facts still come into it. A category that" +
				" somebody named, by saving into it or by renaming, is pinned from the start.",
			Examples: []operation.Example{{Doc: "pin", Input: `{"name": "pets"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in CategoryNameIn) (CategoryChange, error) {
			c, err := env.Engine.PinCategory(ctx, env.View, in.Name)
			return CategoryChange{"pinned", CategoryOf(c)}, err
		},
	}
}

func categoriesUnpin() operation.Operation {
	return operation.Op[CategoryNameIn, CategoryChange]{
		Info: operation.Info{
			Name: "categories_unpin", Family: familyCategories, Summary: "Let the program change a category again",
			Description: "This also gives up what was decided by renaming or merging: its facts go where the program puts them when it next looks through " +
				"categories.",
			Examples: []operation.Example{{Doc: "unpin", Input: `{"name": "pets"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in CategoryNameIn) (CategoryChange, error) {
			c, err := env.Engine.UnpinCategory(ctx, env.View, in.Name)
			return CategoryChange{"unpinned", CategoryOf(c)}, err
		},
	}
}
