package server

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// What an operation is called with comes back short, and in an error or from what only reads
// on one line, if at all.
func TestNoOperationRepeatsWhatItIsCalledWith(t *testing.T) {
	broken := regexp.MustCompile(`Q\\[rn]|S\\u2028|S\x{2028}|U\\u202e|U\x{202e}`)
	for _, op := range ops.All() {
		info := op.About()
		h := New(Options{Env: operation.Env{Engine: memory(t)}}).Open() // what one keeps another may show
		for _, p := range inputSchema(op).Properties {
			for _, value := range []string{"Q\r\nR\u0085S\u2028T\x07U\u202eV", strings.Repeat("Q", 20_000)} {
				in := make(map[string]any)
				if len(info.Examples) > 0 {
					if err := json.Unmarshal([]byte(info.Examples[0].Input), &in); err != nil {
						t.Fatal(err)
					}
				}
				if info.Destructive {
					in[yesField] = true
				}
				in[p.Name] = value
				if p.Schema.Type == "array" {
					in[p.Name] = []string{value}
				}
				path, body, media := Path(info), string(encode(in)), jsonType
				if info.Reads != "" {
					path, body, media = path+"?"+p.Name+"="+url.QueryEscape(value), "", linesType
				}
				w := direct(h, path, body, media)
				answer := w.Body.String()
				if len(answer) > 3000 {
					t.Errorf("%s with a long %s: %d bytes: %.200s", info.Name, p.Name, len(answer), answer)
				}
				if found := broken.FindString(answer); found != "" && (w.Code != http.StatusOK || info.ReadOnly) {
					t.Errorf("%s with a broken %s: %q in %.600s", info.Name, p.Name, found, answer)
				}
			}
		}
	}
}
