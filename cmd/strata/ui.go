package main

import (
	"context"
	"errors"
	"net"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/server"
)

// uiFlags are the flags of ui.
type uiFlags struct {
	listen string // address on TCP
	noOpen bool
}

// newUICommand shows memory in a browser.
func newUICommand(a *app) *cobra.Command {
	var flags uiFlags
	cmd := &cobra.Command{
		Use:     "ui",
		GroupID: groupUse,
		Short:   "Look at memory in a browser",
		Long: "Serves the web page of the home on a free port of this machine until it is interrupted, and opens it. The address has a\n" +
			"code that lets one browser in, once, within ten minutes. strata serve --listen serves the same page. Other commands and\n" +
			"servers may use the home meanwhile.\n\n" +
			"With -o json it prints an object with page, the address.",
		Example: "  strata ui\n" +
			"  strata ui --no-open --listen 127.0.0.1:7118",
		Args: cmdline.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.ui(cmd.Context(), flags) },
	}
	cmd.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:0", "TCP address of the page; port 0 takes one that is free")
	cmd.Flags().BoolVar(&flags.noOpen, "no-open", false, "print the address and open no browser")
	cmdline.Complete(cmd, "listen", cmdline.Fixed(nil))
	return cmd
}

// Showing says where the page is.
type Showing struct {
	Page string `json:"page"` // address, with a code that works once
}

// String says it to people.
func (s Showing) String() string { return "page  " + terminal.Clean(s.Page) + "\n" }

// ui shows the page until a signal comes.
func (a *app) ui(ctx context.Context, flags uiFlags) error {
	a.session, a.reads = true, true
	env, err := a.environment(ctx)
	if err != nil {
		return err
	}
	s, end, err := a.newServer(ctx, env, operation.CoreTools, 0)
	if err != nil {
		return err
	}
	defer end()
	listener, host, err := listenOn(flags.listen)
	if err != nil {
		return err
	}
	showing := Showing{Page: pageAt(listener.Addr(), s)}
	if err := a.out.Print(showing); err != nil {
		return errors.Join(err, listener.Close())
	}
	if !flags.noOpen {
		if err := openBrowser(ctx, showing.Page); err != nil {
			a.out.Note("no browser could be opened: open the address by hand")
		}
	}
	return s.Serve(ctx, server.Endpoint{Listener: listener, Handler: s.Guarded("", host...)})
}

// pageAt is the address of a server's page, with a code that lets one browser in. The code
// is behind a #, which browsers send to nobody.
func pageAt(address net.Addr, s *server.Server) string {
	return "http://" + nameOf(address) + "/#code=" + s.Door().Code()
}

// nameOf is a name by which a browser of this machine finds an address: not every one
// takes the address that stands for all.
func nameOf(address net.Addr) string {
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return address.String()
}

// listenOn listens on an address, and returns the name by which it may be called.
func listenOn(address string) (net.Listener, []string, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, nil, strata.Invalid("", "--listen cannot be "+terminal.Quote(address), "use HOST:PORT, such as 127.0.0.1:7117")
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		message := "it cannot listen on " + terminal.Quote(address)
		if errors.Is(err, syscall.EADDRINUSE) {
			message = "another program listens on " + terminal.Quote(address)
		}
		return nil, nil, &strata.Error{Code: strata.CodeUnavailable, Message: message, Err: err,
			Hint: "choose another port; port 0 takes one that is free"}
	}
	if host == "" {
		return listener, nil, nil
	}
	return listener, []string{host}, nil
}

// openBrowser asks the system to show an address, and does not wait until it does. It is an error
// where there is no program that could.
//
// Other users of the machine may see the address for a moment among the processes: what is
// secret in it must be good for one use.
func openBrowser(ctx context.Context, address string) error {
	cmd := browserCommand(ctx, runtime.GOOS, address)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // how it ends is for the person to see
	return nil
}

// browserCommand is the program of an operating system that opens addresses.
func browserCommand(ctx context.Context, system, address string) *exec.Cmd {
	switch system {
	case "darwin":
		return exec.CommandContext(ctx, "open", address)
	case "windows":
		return exec.CommandContext(ctx, "rundll32", "url.dll,FileProtocolHandler", address)
	}
	return exec.CommandContext(ctx, "xdg-open", address)
}
