package contextmgr

// Outline is what a saved state tells of a conversation's window. The turns are those of
// the ledger, by their places in it.
type Outline struct {
	Last    int64  // turn that the window knows
	Flushed int64  // last turn whose facts are saved
	Blocks  []Span // what stands for turns that are not shown, in order, without overlap
}

// Span is a block of turns that the window shows a text in place of.
type Span struct {
	From, To int64
	Summary  bool   // the text tells what they said; otherwise it only says that they were left out
	Text     string // as the model reads it
}

// ReadOutline reads what a [Ledger] saved of a conversation.
func ReadOutline(raw []byte) (Outline, error) {
	s, err := decodeState(raw)
	if err != nil {
		return Outline{}, err
	}
	out := Outline{Last: s.Last, Flushed: s.Cursor}
	for _, b := range s.Blocks {
		out.Blocks = append(out.Blocks, Span(b))
	}
	return out, nil
}
