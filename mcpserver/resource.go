package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/memoryurl"
)

// markdown is the media type of documents.
const markdown = "text/markdown"

// addResources serves documents by their addresses. Two are listed; the
// others, of which there may be thousands, are found by memory_search.
func (s *service) addResources(server *mcp.Server) {
	root := memoryurl.Scheme + memoryurl.Root
	server.AddResource(&mcp.Resource{
		URI: root, Name: "summary", Title: "Summary of memory", MIMEType: markdown,
		Description: "What memory holds, in short.",
	}, s.read)
	server.AddResource(&mcp.Resource{
		URI: root + "/" + strata.IndexPath, Name: "index", Title: "Index of notes", MIMEType: markdown,
		Description: "One line on every note, with the path to read it by.",
	}, s.read)
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: root + "/{+path}", Name: "document", Title: "A file of memory", MIMEType: markdown,
		Description: "A note, skill or other Markdown file by its path, such as notes/project_deploys.md or skills/release/SKILL.md.",
	}, s.read)
}

// read answers with the document that an address names. Whatever the address,
// only what the view has is found; what it has not looks as if it were not there.
func (s *service) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	d, err := s.engine.Resolve(ctx, s.options.View, uri)
	switch code := strata.CodeOf(err); {
	case code == strata.CodeNotFound, code == strata.CodeInvalid:
		return nil, mcp.ResourceNotFoundError(uri)
	case err != nil:
		s.options.Logger.Error("read resource", "uri", uri, "error", err)
		// The cause is in the log: it may name files of the server.
		return nil, &jsonrpc.Error{Code: int64(code.MCPError()), Message: code.Meaning()}
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
		URI: uri, MIMEType: markdown, Text: d.Content,
		Meta: mcp.Meta{"modified_at": d.ModifiedAt.UTC().Format(time.RFC3339)},
	}}}, nil
}
