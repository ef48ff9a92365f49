package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxErrorBody is the most bytes read of an error's body.
const maxErrorBody = 64 << 10

// transport sets Strata's headers and turns error statuses into errors.
type transport struct {
	next   http.RoundTripper
	scheme string
	host   string
	key    func() string
	redact func(string) string
}

// RoundTrip deliberately breaks one rule of http.RoundTripper: it returns a status of 400
// or more as an error. So all callers report such a status in the same way, with the wait
// that the server asked for, and without the request, which holds the key.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("User-Agent", "strata")
	req.Header.Del("Authorization")
	// A redirect to another host, or to one without encryption, must not carry
	// the key along.
	if key := t.key(); key != "" && req.URL.Host == t.host && req.URL.Scheme == t.scheme {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := t.next.RoundTrip(req)
	if err != nil || resp.StatusCode < 400 {
		return resp, err
	}
	defer resp.Body.Close()
	// Even a truncated body is informative.
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	e := parseError(body)
	e.Status = resp.StatusCode
	e.After = retryAfter(resp.Header, time.Now())
	e.Message = t.redact(e.Message)
	return nil, e
}

// CloseIdleConnections lets http.Client.CloseIdleConnections reach the underlying
// transport.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// StatusError is an error that the server reported, as a status or inside a stream. In a
// stream, Status is 0.
type StatusError struct {
	Status  int
	Message string // the server's message
	Code    string // the server's own code, such as "context_length_exceeded"
	Type    string
	Param   string
	After   time.Duration // the wait that the server asks for; 0 if none
}

// Error returns status and message.
func (e *StatusError) Error() string {
	text := e.Message
	if text == "" {
		text = http.StatusText(e.Status)
	}
	if e.Status == 0 {
		return text
	}
	return fmt.Sprintf("status %d: %s", e.Status, text)
}

// maxMessage is the most bytes kept of a server's message.
const maxMessage = 500

// parseError parses the error bodies that servers send: an object with "error" as a
// string or object, with "message" or with "detail", or plain text.
func parseError(body []byte) *StatusError {
	var envelope map[string]json.RawMessage
	if json.Unmarshal(body, &envelope) != nil {
		text := strings.TrimSpace(string(body))
		if strings.HasPrefix(text, "<") {
			text = "" // a web page says nothing here
		}
		return &StatusError{Message: shorten(text)}
	}
	raw := json.RawMessage(body)
	if inner, ok := envelope["error"]; ok {
		raw = inner
	} else if inner, ok := envelope["detail"]; ok && envelope["message"] == nil {
		raw = inner
	}
	if e := ParseStreamError(raw); e != nil {
		return e
	}
	return &StatusError{}
}

// ParseStreamError parses the value of an "error" field: a string, or an object with
// message, code, type and param. It returns nil for null and for an empty string.
func ParseStreamError(raw json.RawMessage) *StatusError {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if text == "" {
			return nil
		}
		return &StatusError{Message: shorten(text)}
	}
	var fields struct {
		Message any `json:"message"`
		Code    any `json:"code"`
		Type    any `json:"type"`
		Param   any `json:"param"`
	}
	if json.Unmarshal(raw, &fields) != nil || fields.Message == nil && fields.Code == nil && fields.Type == nil {
		return &StatusError{Message: shorten(string(raw))}
	}
	return &StatusError{
		Message: shorten(plain(fields.Message)), Code: plain(fields.Code),
		Type: plain(fields.Type), Param: plain(fields.Param),
	}
}

// plain returns a JSON value as text. Servers disagree on whether codes are numbers.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// shorten puts a message on one line and cuts it at a rune boundary.
func shorten(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " ")
	if len(text) <= maxMessage {
		return text
	}
	cut := text[:maxMessage]
	return strings.ToValidUTF8(cut, "") + " …"
}

// retryAfter returns the wait that a response asks for, in Retry-After-Ms, or in
// Retry-After in seconds or as a date. 0 means none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil {
		return bounded(ms, time.Millisecond)
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return bounded(s, time.Second)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// bounded returns n units, at most a day. It returns 0 if n is negative or NaN.
func bounded(n float64, unit time.Duration) time.Duration {
	const day = 24 * time.Hour
	switch {
	case n > float64(day/unit):
		return day
	case n > 0:
		return time.Duration(n * float64(unit))
	}
	return 0
}

// MaxLine is the most bytes in one line of a stream. A whole answer may come in one line,
// but none is nearly as long.
const MaxLine = 16 << 20

// ErrLineTooLong is the error for a line longer than the limit of [Lines].
var ErrLineTooLong = fmt.Errorf("a line of the stream is longer than %d bytes", MaxLine)

// Lines reads a stream line by line. Unlike bufio.Scanner, it starts with a small buffer,
// and tells a clean end from one that broke off.
type Lines struct {
	r   *bufio.Reader
	buf []byte
	max int
}

// NewLines returns a reader of the lines of r, each of up to max bytes.
func NewLines(r io.Reader, max int) *Lines {
	return &Lines{r: bufio.NewReader(r), max: max}
}

// Next returns the next line without its "\n" or "\r\n". The line is valid until the next
// call. At the end of the stream, Next returns io.EOF. whole reports whether the line was
// terminated, which the last one may not be.
func (l *Lines) Next() (line []byte, whole bool, err error) {
	l.buf = l.buf[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		if len(l.buf)+len(part) > l.max {
			return nil, false, ErrLineTooLong
		}
		if err == nil && len(l.buf) == 0 {
			return trimEnd(part), true, nil // the usual case: no copy
		}
		l.buf = append(l.buf, part...)
		switch {
		case err == nil:
			return trimEnd(l.buf), true, nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(l.buf) > 0:
			return trimEnd(l.buf), false, nil
		}
		return nil, false, err
	}
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
