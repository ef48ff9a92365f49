package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/local"
)

func chat(ctx context.Context, home, session string, in io.Reader, out io.Writer) error {
	opened, err := local.Open(ctx, home)
	if err != nil {
		return err
	}
	defer opened.Close()
	mem, me := opened.Engine(), strata.Global()
	for lines := bufio.NewScanner(in); lines.Scan(); {
		known, err := mem.Recall(ctx, me.View(), lines.Text())
		if err != nil {
			return err
		}
		reply := answer(lines.Text(), known.Hits)
		fmt.Fprintln(out, reply)
		turns := []strata.Turn{{Role: "user", Text: lines.Text()}, {Role: "assistant", Text: reply}}
		if _, err = mem.AppendTurns(ctx, me, session, "main", turns); err == nil {
			_, err = mem.Extract(ctx, me, session)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
