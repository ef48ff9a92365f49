package markdown

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A long document is parsed part by part, to the same blocks as if it were parsed at once.
func TestBlocksAreThoseOfTheWholeDocument(t *testing.T) {
	line := rapid.SampledFrom([]string{
		"# a\n", "## b\n", "#\n", "####### no\n", "text\n", "\n", "\n", "- item\n", "  - inner\n", "> said\n", "```\n", "~~~\n", "  ```\n", "    code\n", "\t# code\n",
		"<div>\n", "<pre>\n", "</pre>\n", "<!-- open\n", "-->\n", "===\n", "---\n", "1. one\n", "- ```\n", "> ```\n", "<?x\n", "?>\n", "[a]: b\n",
	})
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.SliceOfN(line, 1, 30).Draw(t, "lines")
		var src []string
		for range 3*chunkLines/len(few) + 1 {
			src = append(src, few...)
		}
		whole, _ := blocksOf(blockParser(), src, 0, len(src))
		var want []block
		for _, b := range whole {
			if n := len(want); n == 0 || b.line > want[n-1].line {
				want = append(want, b)
			}
		}
		if got := blocks(src); !reflect.DeepEqual(got, want) {
			for i := range got {
				if i >= len(want) || got[i] != want[i] {
					t.Fatalf("block %d is %+v, want %+v\n%s", i, got[i], want[min(i, len(want)-1)], strings.Join(few, ""))
				}
			}
			t.Fatalf("%d blocks, want %d", len(got), len(want))
		}
	})
}
