package transcript

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	// maxText is the number of bytes kept of one text. Pasted logs may be longer.
	maxText = 1 << 20
	// maxRecord is the number of bytes kept of the texts in one value. Further texts are
	// cut to fewText.
	maxRecord = 32 << 20
	fewText   = 4 << 10
	// maxValues is the number of values kept inside one value. Further ones are dropped.
	maxValues = 1 << 19
	maxDepth  = 200
)

// errSyntax is the error for text that is not JSON.
var errSyntax = errors.New("not JSON")

// parser reads a sequence of JSON values. It keeps no more of a value in memory than the
// limits above allow.
type parser struct {
	in     *bufio.Reader
	bytes  int // kept of the current value
	values int // number of values inside it
	// newline means that the white space read last contained a line end. resume means that
	// the offending byte begins an object on a line of its own.
	newline, resume bool
}

// next reads a value. It returns io.EOF at the end, io.ErrUnexpectedEOF if the input ends
// inside a value, and errSyntax for invalid JSON.
func (p *parser) next() (value, error) {
	p.bytes, p.values = 0, 0
	c, err := p.space()
	if err != nil {
		return value{}, err
	}
	v, err := p.value(c, 0)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return v, err
}

// space skips white space and returns the byte after it.
func (p *parser) space() (byte, error) {
	p.newline = false
	for {
		c, err := p.in.ReadByte()
		if err != nil || c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c, err
		}
		p.newline = p.newline || c == '\n'
	}
}

// value reads the value whose first byte is c.
func (p *parser) value(c byte, depth int) (value, error) {
	p.values++
	switch {
	case depth > maxDepth:
		return value{}, fmt.Errorf("%w: too deep", errSyntax)
	case c == '"':
		return p.string()
	case c == '{' || c == '[':
		return p.list(c, depth)
	case c == '-' || c >= '0' && c <= '9':
		return p.number(c)
	case c == 't':
		return value{kind: 't'}, p.word("rue")
	case c == 'f':
		return value{kind: 'f'}, p.word("alse")
	case c == 'n':
		return value{}, p.word("ull")
	}
	return value{}, p.wrong(c)
}

// wrong returns the error for an unexpected byte, and unreads it.
func (p *parser) wrong(c byte) error {
	p.resume = p.newline && c == '{'
	_ = p.in.UnreadByte()
	return fmt.Errorf("%w: %q cannot be there", errSyntax, c)
}

func (p *parser) word(rest string) error {
	for i := range len(rest) {
		c, err := p.in.ReadByte()
		if err != nil {
			return err
		}
		if c != rest[i] {
			return p.wrong(c)
		}
	}
	return nil
}

func (p *parser) number(c byte) (value, error) {
	text := []byte{c}
	for {
		c, err := p.in.ReadByte()
		if err == nil && (c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E') && len(text) < 64 {
			text = append(text, c)
			continue
		}
		if err == nil {
			_ = p.in.UnreadByte()
		} else if !errors.Is(err, io.EOF) {
			return value{}, err
		}
		return value{kind: '0', text: string(text)}, nil
	}
}

// list reads the rest of an array or object after its opening bracket.
func (p *parser) list(open byte, depth int) (value, error) {
	v := value{kind: open}
	for n := 0; ; n++ {
		c, err := p.space()
		if err != nil {
			return v, err
		}
		if c == open+2 && n == 0 {
			return v, nil
		}
		key := ""
		if open == '{' {
			if c != '"' {
				return v, p.wrong(c)
			}
			k, err := p.string()
			if err != nil {
				return v, err
			}
			key = k.text
			if c, err = p.space(); err == nil && c != ':' {
				err = p.wrong(c)
			}
			if err == nil {
				c, err = p.space()
			}
			if err != nil {
				return v, err
			}
		}
		item, err := p.value(c, depth+1)
		if err != nil {
			return v, err
		}
		if p.values <= maxValues {
			v.list = append(v.list, item)
			if open == '{' {
				v.keys = append(v.keys, key)
			}
		}
		if c, err = p.space(); err != nil {
			return v, err
		}
		switch c {
		case ',':
		case open + 2:
			return v, nil
		default:
			return v, p.wrong(c)
		}
	}
}

// string reads a string after its opening quote.
func (p *parser) string() (value, error) {
	limit := maxText
	if p.bytes > maxRecord || p.values > maxValues {
		limit = fewText
	}
	text := clip{head: limit * 3 / 5, tail: limit * 2 / 5}
	for {
		c, err := p.in.ReadByte()
		switch {
		case err != nil:
			return value{}, err
		case c == '"':
			v := text.value()
			p.bytes += len(v.text) + len(v.tail)
			return v, nil
		case c == '\n':
			return value{}, p.wrong(c)
		case c != '\\':
			text.add(c)
			continue
		}
		if err := p.escape(&text); err != nil {
			return value{}, err
		}
	}
}

// escape reads the rest of an escape sequence after the backslash.
func (p *parser) escape(text *clip) error {
	c, err := p.in.ReadByte()
	if err != nil {
		return err
	}
	switch c {
	case '"', '\\', '/':
		text.add(c)
	case 'n':
		text.add('\n')
	case 't':
		text.add('\t')
	case 'r':
		text.add('\r')
	case 'b', 'f':
		text.add(' ')
	case 'u':
		r, err := p.hex()
		if err != nil {
			return err
		}
		if utf16.IsSurrogate(r) {
			if next, _ := p.in.Peek(2); string(next) == `\u` {
				_, _ = p.in.Discard(2)
				low, err := p.hex()
				if err != nil {
					return err
				}
				r = utf16.DecodeRune(r, low)
			} else {
				r = utf8.RuneError
			}
		}
		if r == 0 {
			r = utf8.RuneError
		}
		for _, b := range utf8.AppendRune(nil, r) {
			text.add(b)
		}
	default:
		return p.wrong(c)
	}
	return nil
}

func (p *parser) hex() (rune, error) {
	var r rune
	for range 4 {
		c, err := p.in.ReadByte()
		if err != nil {
			return 0, err
		}
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, p.wrong(c)
		}
	}
	return r, nil
}

// skipLine skips, after a syntax error, to the next line that may begin a value.
func (p *parser) skipLine() error {
	if p.resume {
		p.resume = false
		return nil
	}
	for {
		_, err := p.in.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// clip collects a text and keeps its beginning and its end.
type clip struct {
	head, tail int // number of bytes kept of each
	begin, end []byte
	size       int
}

func (c *clip) add(b byte) {
	c.size++
	if c.size <= c.head+c.tail {
		c.begin = append(c.begin, b)
		return
	}
	if c.end == nil {
		c.end = append(make([]byte, 0, 2*c.tail), c.begin[c.head:]...)
		c.begin = c.begin[:c.head]
	}
	if len(c.end) == cap(c.end) {
		c.end = c.end[:copy(c.end, c.end[len(c.end)-c.tail:])]
	}
	c.end = append(c.end, b)
}

// value returns the text as a string value.
func (c *clip) value() value {
	if c.end == nil {
		return value{kind: '"', text: string(c.begin), size: c.size}
	}
	end := c.end[len(c.end)-c.tail:]
	for len(end) > 0 && !utf8.RuneStart(end[0]) {
		end = end[1:]
	}
	return value{kind: '"', text: whole(string(c.begin)), tail: string(end), size: c.size}
}
