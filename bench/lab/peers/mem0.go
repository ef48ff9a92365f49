package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/strata-memory/strata/llm/builtin"
)

// mem0Peer is mem0's open-source library in a Node.js process. It runs without a model,
// so texts are kept as they are.
type mem0Peer struct {
	dir   string
	serve *embedServer
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
}

func newMem0(modules string) (_ *mem0Peer, err error) {
	dir, err := os.MkdirTemp("", "peers-mem0-")
	if err != nil {
		return nil, err
	}
	p := &mem0Peer{dir: dir}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close())
		}
	}()
	if p.serve, err = startEmbedServer(); err != nil {
		return nil, err
	}
	cmd := exec.Command("node", filepath.Join(modules, "mem0.mjs"), p.serve.url, fmt.Sprint(builtin.Dimensions))
	cmd.Stderr = os.Stderr
	// mem0 keeps an id of its user in the home directory, and would send telemetry.
	cmd.Env = append(os.Environ(), "HOME="+dir, "MEM0_DIR="+dir, "MEM0_TELEMETRY=false")
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start node: %w", err)
	}
	p.cmd = cmd
	return p, nil
}

func (p *mem0Peer) Name() string { return "mem0ai" }

// mem0Answer is a line that node/mem0.mjs writes.
type mem0Answer struct {
	Found []string `json:"found"`
	Error string   `json:"error"`
}

func (p *mem0Peer) Add(_ context.Context, texts []string) error {
	_, err := p.ask(map[string]any{"add": texts})
	return err
}

func (p *mem0Peer) Recall(_ context.Context, question string) ([]string, error) {
	a, err := p.ask(map[string]any{"search": question, "limit": limit})
	return a.Found, err
}

// ask writes one request and reads its answer.
func (p *mem0Peer) ask(request map[string]any) (mem0Answer, error) {
	data, err := json.Marshal(request)
	if err != nil {
		return mem0Answer{}, err
	}
	if _, err := p.in.Write(append(data, '\n')); err != nil {
		return mem0Answer{}, fmt.Errorf("write to node: %w", err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return mem0Answer{}, fmt.Errorf("read from node: %w", err)
	}
	var a mem0Answer
	if err := json.Unmarshal(line, &a); err != nil {
		return mem0Answer{}, fmt.Errorf("read the answer of node: %w", err)
	}
	if a.Error != "" {
		return mem0Answer{}, errors.New(a.Error)
	}
	return a, nil
}

// Close closes the input of the process, which ends it, and waits for it.
func (p *mem0Peer) Close() error {
	var err error
	if p.in != nil {
		err = p.in.Close()
	}
	if p.cmd != nil {
		err = errors.Join(err, p.cmd.Wait())
	}
	if p.serve != nil {
		err = errors.Join(err, p.serve.Close())
	}
	return errors.Join(err, os.RemoveAll(p.dir))
}
