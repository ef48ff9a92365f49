package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/local"
)

func loop(ctx context.Context, home, session string, model llm.Chat, in io.Reader, out io.Writer) error {
	mem, err := local.Open(ctx, home)
	if err != nil {
		return err
	}
	defer mem.Close()
	talk, err := mem.Talk(ctx, engine.TalkOptions{Session: session})
	if err != nil {
		return err
	}
	mgr, err := contextmgr.New(ctx, contextmgr.Options{
		Model: model, Snapshot: talk.Snapshot().Text, Ledger: talk, Memory: talk,
	})
	if err != nil {
		return err
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		reply, err := mgr.Send(ctx, lines.Text())
		if err != nil {
			return err
		}
		fmt.Fprintln(out, reply.Message.Text)
	}
	return mgr.Flush(ctx)
}
