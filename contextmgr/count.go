package contextmgr

import (
	"bytes"
	"encoding/json"
	"image"
	_ "image/gif"  // sizes of the formats that chat models take
	_ "image/jpeg" // (WebP is not in the standard library: it costs the most)
	_ "image/png"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// What a request costs in addition to its texts, in tokens. OpenAI's cookbook ("How to
// count tokens with tiktoken") gives 3 per message, 1 for the role and 3 to
// prime the answer; other templates (ChatML, Llama 3, Gemma) need 4 to 5 per
// message. A tool call is wrapped in a name, an id and JSON punctuation, a tool
// in a declaration. Where a model differs, calibration corrects the sum.
const (
	perRequest = 3
	perMessage = 4
	perCall    = 8
	perTool    = 12
	// maxImage is the maximum cost of an image by default. Llava takes 576 and Llama 3.2
	// Vision 1,601 for any size, Claude a 750th of the pixels up to about 1,600, GPT-4o
	// 85 and 170 for each tile of 512 pixels.
	maxImage = 1600
	minImage = 576
)

// bytesPerToken estimates texts that are far too long to count: English prose has 4 to 5
// bytes per token, code and other languages fewer.
const bytesPerToken = 3

// meter counts requests before calibration.
type meter struct {
	counter Counter
	image   int // tokens per image; 0: by size
	// countable is the maximum length, in bytes, of a text that is counted exactly. A
	// longer one cannot fit the window and will be cut.
	countable int
}

func newMeter(o Options) meter {
	// A token of text rarely has more than 16 bytes.
	return meter{counter: o.Counter, image: o.ImageTokens, countable: 16 * o.Window}
}

// measureFixed counts the parts that are the same in every request.
func (m *Manager) measureFixed() {
	m.tools = m.meter.tools(m.opt.Tools)
	m.base = perRequest + bridgeCost(m.meter) + m.tools + m.meter.text(m.opt.System) + perMessage
}

// measurePrefix counts the parts that stay the same until the next snapshot generation.
func (m *Manager) measurePrefix() {
	m.fixed = m.base
	if m.snapshot != "" {
		m.fixed += m.meter.text(m.snapshot) + 2 // and the blank line
	}
}

// countExactly replaces estimated counts by exact ones, once, and waits for the counter's
// table if necessary. What is shown does not change. It is called before anything is cut
// and before anything is learned from a report, because turns must be cut the same way
// after a restart, when nothing is estimated.
func (m *Manager) countExactly() {
	if !m.estimated {
		return
	}
	m.estimated = false
	m.meter.counter, m.win.meter.counter = m.opt.Counter, m.opt.Counter
	before := m.fixed + m.win.cost
	m.measureFixed()
	m.measurePrefix()
	for _, it := range m.win.items {
		it.measure(m.meter)
	}
	m.win.recount()
	m.asked += m.fixed + m.win.cost - before
}

// text returns the tokens of s.
func (m meter) text(s string) int {
	if s == "" {
		return 0
	}
	if len(s) > m.countable {
		return len(s) / bytesPerToken
	}
	return m.counter.Count(s)
}

// message returns the tokens of one message of a request.
func (m meter) message(msg llm.Message) int {
	n := perMessage + m.text(msg.Text)
	for _, c := range msg.Calls {
		n += perCall + m.text(c.Name) + m.text(c.Arguments)
	}
	for _, img := range msg.Images {
		n += m.picture(img)
	}
	return n
}

// picture returns the tokens of one image: by its size if its format is known, otherwise
// the maximum.
func (m meter) picture(img strata.Image) int {
	if m.image > 0 {
		return m.image
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(img.Data))
	if err != nil {
		return maxImage
	}
	tiles := ((min(config.Width, 2048) + 511) / 512) * ((min(config.Height, 2048) + 511) / 512)
	return min(max(85+170*tiles, config.Width*config.Height/750, minImage), maxImage)
}

// tools returns the tokens of the tool definitions, as the JSON they are sent in.
func (m meter) tools(tools []llm.Tool) int {
	n := 0
	for _, t := range tools {
		n += perTool + m.text(t.Name) + m.text(t.Description)
		var compact bytes.Buffer
		if json.Compact(&compact, t.Parameters) != nil {
			compact.Reset()
			compact.Write(t.Parameters)
		}
		n += m.text(compact.String())
	}
	return n
}
