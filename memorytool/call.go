package memorytool

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Call is the input of a call of the tool. Which fields a command has is said beside them.
type Call struct {
	Command    string  `json:"command" opt:"required" enum:"view,create,str_replace,insert,delete,rename" doc:"what to do"`
	Path       string  `json:"path,omitempty" doc:"of the file or directory, such as /memories/todo.md; of all but rename"`
	ViewRange  []int   `json:"view_range,omitempty" doc:"of view: first and last line, from 1; -1 is the end"`
	FileText   *string `json:"file_text,omitempty" doc:"of create: text of the new file"`
	OldStr     *string `json:"old_str,omitempty" doc:"of str_replace: the text to replace, which must be there once"`
	NewStr     *string `json:"new_str,omitempty" doc:"of str_replace: what takes its place (default: nothing)"`
	InsertLine *int    `json:"insert_line,omitempty" doc:"of insert: the line behind which the text goes; 0 is the beginning"`
	InsertText *string `json:"insert_text,omitempty" doc:"of insert: the text"`
	OldPath    string  `json:"old_path,omitempty" doc:"of rename: the file or directory"`
	NewPath    string  `json:"new_path,omitempty" doc:"of rename: where it goes"`
}

// Answer is what the model is told.
type Answer struct {
	Content string `json:"content" doc:"what the model is told"`
	IsError bool   `json:"is_error" doc:"the call was refused, and nothing changed; content says why"`
}

// String is the answer as a model reads it.
func (a Answer) String() string {
	if a.IsError {
		return "Error: " + a.Content
	}
	return a.Content
}

// parse reads a call. Fields that are not known are left out: models invent some.
func parse(input []byte) (Call, error) {
	var c Call
	if !utf8.Valid(input) { // it would be read as other text
		return c, refuse("The call is not valid UTF-8")
	}
	if err := json.Unmarshal(bytes.TrimSpace(input), &c); err != nil {
		return c, refuse("The call is not the JSON of the memory tool: %v", err)
	}
	return c, nil
}
