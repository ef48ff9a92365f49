package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// chooseForgotten shows what memory holds on the subject of strata forget --about and
// asks what to forget; --yes selects everything shown. done means that there is nothing
// left to do: with --dry-run, which only shows.
func (c *opCommand) chooseForgotten(ctx context.Context, env *operation.Env) (done bool, err error) {
	in, ok := c.in.(*ops.ForgetIn)
	if !ok || in.About == "" || len(in.Confirm) > 0 {
		return false, nil
	}
	out, err := c.op.Run(ctx, env, c.in)
	if err != nil {
		return false, err
	}
	found, _ := out.(ops.Forgotten)
	chosen := found.Candidates
	switch {
	case in.DryRun:
		return true, c.app.out.Print(found)
	case !c.yes:
		tty, err := input.Prompter(c.app.stdin, c.app.out.Stderr)
		if err != nil {
			return false, strata.Invalid("", "strata forget asks what to remove, and there is no terminal to ask on",
				"pass --yes to remove all that --dry-run shows, or name one by its id")
		}
		defer tty.Close()
		if err := c.app.out.Text(tty, found); err != nil {
			return false, err
		}
		answer, err := input.Line(ctx, c.app.stdin, tty, "Which ones should go for good? Numbers, or all: ")
		if err != nil {
			return false, err
		}
		if chosen, err = pick(found.Candidates, answer); err != nil {
			return false, err
		}
		c.yes = true // the user has just been asked
	}
	for _, m := range chosen {
		in.Confirm = append(in.Confirm, m.ID)
	}
	return false, nil
}

// pick returns the items of a list whose numbers, from 1, an answer contains.
func pick(list []ops.Mention, answer string) (chosen []ops.Mention, err error) {
	words := strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == ' ' })
	if len(words) == 0 {
		return nil, &strata.Error{Code: strata.CodeCanceled, Message: "nothing was changed", Hint: "answer with the numbers of what to remove, or all"}
	}
	if len(words) == 1 && strings.EqualFold(words[0], "all") {
		return list, nil
	}
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 || n > len(list) {
			return nil, strata.Invalid("", fmt.Sprintf("%s is not a number from 1 to %d", terminal.Quote(w), len(list)), "nothing was changed")
		}
		chosen = append(chosen, list[n-1])
	}
	return chosen, nil
}
