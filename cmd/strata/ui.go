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
	listen string // TCP address
	noOpen bool
}

// newUICommand returns the command ui, which shows memory in a browser.
func newUICommand(a *app) *cobra.Command {
	var flags uiFlags
	cmd := &cobra.Command{
		Use:     "ui",
		GroupID: groupUse,
		Short:   "Look at memory in a browser",
		Long: "Serves the web page of the home on a free port of this machine until it is interrupted, and opens it. The address\n" +
			"contains a code that lets one browser in, once, within ten minutes. strata serve --listen serves the same page. Other\n" +
			"commands and servers may use the home meanwhile.\n\n" +
			"With -o json it prints an object with page, the address.",
		Example: "  strata ui\n" +
			"  strata ui --no-open --listen 127.0.0.1:7118",
		Args: cmdline.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.ui(cmd.Context(), flags) },
	}
	cmd.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:0", "TCP address of the page; port 0 picks a free one")
	cmd.Flags().BoolVar(&flags.noOpen, "no-open", false, "print the address and open no browser")
	cmdline.Complete(cmd, "listen", cmdline.Fixed(nil))
	return cmd
}

// Showing says where the page is.
type Showing struct {
	Page string `json:"page"` // address, with a single-use code
}

// String formats the address for people.
func (s Showing) String() string { return "page  " + terminal.Clean(s.Page) + "\n" }

// ui serves the page until a signal arrives.
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

// pageAt returns the address of a server's page, with a code that lets one browser in.
// The code follows a #, which browsers do not send to any server.
func pageAt(address net.Addr, s *server.Server) string {
	return "http://" + nameOf(address) + "/#code=" + s.Door().Code()
}

// nameOf returns a host and port at which a browser on this machine reaches an address:
// not every browser accepts the unspecified address.
func nameOf(address net.Addr) string {
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return address.String()
}

// listenOn listens on an address, and returns the host names that clients may use for it.
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
			Hint: "choose another port; port 0 picks a free one"}
	}
	if host == "" {
		return listener, nil, nil
	}
	return listener, []string{host}, nil
}

// openBrowser asks the system to open an address in a browser, and does not wait. It
// returns an error if there is no program that could.
//
// Other users of the machine may see the address for a moment in the process list: any
// secret in it must be single-use.
func openBrowser(ctx context.Context, address string) error {
	cmd := browserCommand(ctx, runtime.GOOS, address)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // the user sees how it ends
	return nil
}

// browserCommand returns the command that opens addresses on an operating system.
func browserCommand(ctx context.Context, system, address string) *exec.Cmd {
	switch system {
	case "darwin":
		return exec.CommandContext(ctx, "open", address)
	case "windows":
		return exec.CommandContext(ctx, "rundll32", "url.dll,FileProtocolHandler", address)
	}
	return exec.CommandContext(ctx, "xdg-open", address)
}
