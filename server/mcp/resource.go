package mcp

import (
	"context"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/memoryurl"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// markdown is the media type of documents.
const markdown = "text/markdown"

// The addresses that are listed, and the template for all others.
const (
	rootAddress      = memoryurl.Scheme + memoryurl.Root
	indexAddress     = rootAddress + "/" + strata.IndexPath
	documentTemplate = rootAddress + "/{+path}"
)

// addResources adds documents by address. Those that every home has are listed; the
// others, possibly thousands, are found with memory_search.
func (s *service) addResources(server *mcp.Server) {
	server.AddResource(&mcp.Resource{
		URI: rootAddress, Name: "summary", Title: "Summary of memory", MIMEType: markdown,
		Description: "What memory holds, in short.",
	}, s.read)
	if s.private() {
		server.AddResource(&mcp.Resource{
			URI: indexAddress, Name: "index", Title: "Index of notes", MIMEType: markdown,
			Description: "One line on every note, with the path to read it by.",
		}, s.read)
	}
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: documentTemplate, Name: "document", Title: "A file of memory", MIMEType: markdown,
		Description: "A note, skill or other Markdown file by its path, such as notes/project_deploys.md or skills/release/SKILL.md.",
	}, s.read)
}

// private reports whether the view includes what is only for the user.
func (s *service) private() bool { return s.options.View.OnlySessions() == "" }

// read answers with the document at an address. It finds only documents in the view;
// others look as if they did not exist.
func (s *service) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	d, err := s.document(ctx, uri)
	switch code := strata.CodeOf(err); {
	case code == strata.CodeNotFound, code == strata.CodeInvalid:
		return nil, mcp.ResourceNotFoundError(uri)
	case err != nil:
		s.options.Logger.Error("read resource", "uri", uri, "error", err)
		// The cause is in the log: it may name files of the server.
		return nil, &jsonrpc.Error{Code: int64(code.MCPError()), Message: code.Meaning()}
	}
	out := &mcp.ResourceContents{URI: uri, MIMEType: markdown, Text: operation.ShownText(documentText(d))}
	if !d.ModifiedAt.IsZero() {
		out.Meta = mcp.Meta{"modified_at": d.ModifiedAt.UTC().Format(time.RFC3339)}
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{out}}, nil
}

// documentText returns a document as the model reads it: in a block with an introduction
// and warnings. A summary that memory generates is already in that form.
func documentText(d strata.Document) string {
	if d.Path == "" {
		return d.Content
	}
	intro := fence.Item("The file "+d.Path+". "+fence.AsData, nil, secrets.Notes(d.Content, d.Foreign))
	return fence.Block("strata-memory", intro, strings.TrimSuffix(fence.Text(d.Content), "\n")+"\n")
}

// noIndex is the index of a home without notes.
const noIndex = "# Memory\n\nThere are no notes yet.\n"

// document finds a document. The listed ones exist in every home: if nobody wrote them,
// they are generated from the current memory.
func (s *service) document(ctx context.Context, uri string) (strata.Document, error) {
	d, err := s.engine.Resolve(ctx, s.options.View, uri)
	if strata.CodeOf(err) != strata.CodeNotFound {
		return d, err
	}
	switch {
	case uri == rootAddress:
		summary, err := ops.ContextOf(ctx, s.env(nil), ops.ContextIn{MaxTokens: contextTokens})
		return strata.Document{Content: summary.Text}, err
	case uri == indexAddress && s.private():
		return strata.Document{Content: noIndex}, nil
	}
	return d, err
}
